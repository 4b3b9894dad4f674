import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MailQueue } from '../../mail/mail-queue.ts';
import { MAIL_TEXTS } from '../../mail/mail-texts.ts';
import { openContent } from '../../mail/seal.ts';
import { type AuthServer, startAuthServer } from '../fixtures/auth-server.ts';
import { acceptInvitation, inviteUser, makeInvitationLink } from './invitations.sql.ts';
import { setMembership, setUserDisabled } from './users.sql.ts';

const BY = { actor: 'user:1 ann@example.com', remoteAddress: '', networkId: '1000', workspaceId: null };
const OPERATOR = { ...BY, actor: 'operator:test', networkId: '0' };
let auth: AuthServer;
let mail: MailQueue;
let now: Date;

beforeAll(async () => {
  auth = await startAuthServer();
  now = new Date(auth.clock.nowMs);
  mail = new MailQueue({ pepper: auth.pepper, publicUrl: 'https://ads.example' });
  for (const name of ['ann', 'ben', 'gone'])
    await auth.addUser(`${name}@example.com`, [{ networkId: '1000', role: 'admin' }]);
  await auth.addUser('viewer@example.com', [{ networkId: '1000', role: 'viewer' }]);
  await auth.addUser('other@example.com', [{ networkId: '2000', role: 'admin' }]);
  await setUserDisabled(auth.database.db, { userId: await idOf('gone'), disabled: true, by: OPERATOR });
});
afterAll(() => auth.close());
beforeEach(async () => {
  await auth.database.owner.deleteFrom('mails').execute();
});

async function idOf(name: string): Promise<string> {
  const query = auth.database.db.selectFrom('users').select('id').where('email', '=', `${name}@example.com`);
  return String((await query.executeTakeFirstOrThrow()).id);
}

/** Mails about new admins, by recipient. */
async function readMails(): Promise<Record<string, string>> {
  const rows = await auth.database.owner.selectFrom('mails').selectAll().where('kind', '=', 'adminAdded').execute();
  return Object.fromEntries(
    rows.map(({ recipient, message_id: id, sealed }) => {
      const content = openContent(auth.pepper, id, sealed as Buffer);
      if (content.kind !== 'adminAdded') throw new Error(content.kind);
      const { subject, paragraphs, button } = MAIL_TEXTS.adminAdded(content);
      return [recipient, [subject, ...paragraphs, button?.link].join('\n')];
    }),
  );
}

const setRole = async (name: string, role: 'admin' | 'editor' | null): Promise<void> =>
  setMembership(auth.database.db, { userId: await idOf(name), networkId: '1000', role, by: BY, mail }, now);

test('a role raised to admin is told to every admin of the network, and to nobody else', async () => {
  await setRole('viewer', 'editor');
  expect(await readMails()).toEqual({});
  await setRole('viewer', 'admin');
  const mails = await readMails();
  expect(Object.keys(mails).sort()).toEqual(['ann@example.com', 'ben@example.com', 'viewer@example.com']);
  expect(mails['ben@example.com']).toContain('(viewer@example.com) is an admin of');
  expect(mails['ben@example.com']).toContain('Made an admin by ann@example.com.');
  expect(mails['ben@example.com']).toContain('https://ads.example/settings/users?network=1000');
});

test('an invited admin who accepts is told to the other admins, with the name of the inviter', async () => {
  await setRole('viewer', 'editor');
  const deps = { sql: auth.database.db, pepper: auth.pepper, mail };
  const by = { ...BY, actor: `user:${await idOf('ann')} ann@example.com` };
  const { id } = await inviteUser(deps, { email: 'eve@example.com', networkId: '1000', role: 'admin', by }, now);
  expect(await readMails()).toEqual({});
  const { token } = await makeInvitationLink(deps, { id, by: OPERATOR }, now);
  const acceptance = {
    token,
    name: 'Eve',
    password: 'a long enough password',
    signedInUserId: null,
    remoteAddress: '',
  };
  await acceptInvitation(deps, acceptance, now);
  const mails = await readMails();
  expect(Object.keys(mails).sort()).toEqual(['ann@example.com', 'ben@example.com']);
  expect(mails['ann@example.com']).toContain('Eve (eve@example.com) is an admin of');
  expect(mails['ann@example.com']).toContain('Made an admin by ann@example.com.');
});

test('an admin is added all the same when a mail is over its limit or no mail is sent', async () => {
  for (let times = 0; times < 30; times += 1) {
    await setRole('viewer', 'admin');
    await setRole('viewer', 'editor');
  }
  const rows = await auth.database.owner.selectFrom('mails').select('recipient').execute();
  expect(rows.filter(({ recipient }) => recipient === 'ben@example.com')).toHaveLength(20);
  const change = { userId: await idOf('viewer'), networkId: '1000', role: 'admin', by: BY, mail: null } as const;
  await setMembership(auth.database.db, change, now);
});
