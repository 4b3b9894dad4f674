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
