import { expect, test } from 'vitest';
import { MAIL_TEXTS } from './mail-texts.ts';

const rejection = {
  kind: 'notification',
  event: 'CREATIVE_REJECTED',
  name: 'Box',
  actor: 'Ann',
  networkId: '1000',
  link: 'https://core.example/desk/creatives?open=1&network=1000',
} as const;

test('a mail about several creatives says how many, and why they are rejected', () => {
  const mail = MAIL_TEXTS.notification({ ...rejection, count: 3, reason: 'The text\nis cut.' });
  expect(mail.subject).toBe('Ann rejected the creative "Box" and 2 more');
  expect(mail.paragraphs.slice(0, 2)).toEqual([`${mail.subject}.`, 'Reason: The text is cut.']);
});

test('a mail that was queued without a count is about one creative', () => {
  const { subject, paragraphs } = MAIL_TEXTS.notification(rejection);
  expect([subject, paragraphs.length]).toEqual(['Ann rejected the creative "Box"', 2]);
});

test('a reason with an address stays in the console', () => {
  const { paragraphs } = MAIL_TEXTS.notification({ ...rejection, reason: 'Read https://phish.example/ now' });
  expect(paragraphs[1]).toBe('Reason: it is in the console');
});

test('a mail about a new admin says who it is and who made them one, and carries no link of theirs', () => {
  const added = {
    kind: 'adminAdded',
    network: { id: '1000', name: 'Go to https://phish.example' },
    name: 'visit phish.example',
    address: 'eve@example.com',
    at: '2026-03-01T10:00:00.000Z',
    link: 'https://core.example/settings/users?network=1000',
  } as const;
  const textOf = (actor: string): string => {
    const { subject, paragraphs } = MAIL_TEXTS.adminAdded({ ...added, actor });
    return [subject, ...paragraphs].join('\n');
  };
  expect(textOf('user:12 ann@example.com')).toContain(
    'Since 2026-03-01 10:00 UTC a member (eve@example.com) is an admin of "network 1000"',
  );
  expect(textOf('user:12 ann@example.com')).not.toContain('phish');
  expect(textOf('user:12 ann@example.com')).toContain('Made an admin by ann@example.com.');
  expect(textOf('key:7 "CI www.phish.example"')).toContain('by the API key "of this network".');
  expect(textOf('key:7 "CI"')).toContain('by the API key "CI".');
  expect(textOf('operator:root')).toContain('by the operator.');
});
