import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../test/support/stores/free-port.ts';
import { openSmtpInbox, type SmtpInbox, tokenIn } from '../../test/support/smtp-inbox.ts';
import { createTestDatabase, silentLog, type TestDatabase } from '../../test/support/stores.ts';
import { makeAuthority, makeServerCertificate } from '../http/tls/certificate.ts';
import type { MailContent } from './mail-content.ts';
import { createMailMetrics } from './mail-metrics.ts';
import { MailQueue } from './mail-queue.ts';
import { MailOutbox, type MailSenderDeps } from './mail-sender.ts';
import { describeForAdmin, SmtpTransport } from './smtp-transport.ts';

const pepper = Buffer.alloc(32, 3);
const from = { name: 'Placard', address: 'placard@ads.example' };
const LINK = `https://ads.example/invitation#${'k'.repeat(43)}`;
const clock = { nowMs: Date.parse('2026-11-22T10:00:00Z') };
const running: MailOutbox[] = [];
let database: TestDatabase;
let inbox: SmtpInbox;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db
    .insertInto('networks')
    .values([
      { id: 1000, name: 'Demo' },
      { id: 2000, name: 'Other' },
    ])
    .execute();
  inbox = await openSmtpInbox();
});

afterEach(async () => {
  for (const outbox of running.splice(0)) await outbox.stop();
  await database.db.deleteFrom('mails').execute();
  inbox.refusals.length = 0;
});

afterAll(async () => {
  await inbox?.close();
  await database?.close();
});

const queue = new MailQueue({ pepper, publicUrl: 'https://ads.example' });

function send(to: string, content: Partial<Extract<MailContent, { kind: 'invitation' }>> = {}, networkId = '1000') {
  const network = { id: networkId, name: 'Demo' };
  const expiresAt = '2026-11-29T10:00:00.000Z';
  const invitation = { kind: 'invitation', link: LINK, network, role: 'viewer', expiresAt, ...content } as const;
  const mail = { to, networkId, about: `link:${to}`, content: invitation };
  return database.db.transaction().execute((trx) => queue.queue(trx, mail, new Date(clock.nowMs)));
}

function open(over: Partial<MailSenderDeps> = {}): MailOutbox {
  const outbox = new MailOutbox({
    sql: database.db,
    pepper,
    transport: new SmtpTransport({ url: `smtp://127.0.0.1:${inbox.port}`, from }),
    log: silentLog,
    metrics: createMailMetrics(undefined),
    nowMs: () => clock.nowMs,
    makePasswordLink: () => Promise.resolve(null),
    readReport: () => Promise.resolve(null),
    pollMs: 20,
    retryWaitsMs: [10, 10],
    ...over,
  });
  running.push(outbox);
  outbox.start();
  return outbox;
}

async function untilEnded(to: string) {
  for (let count = 0; count < 1_500; count += 1) {
    clock.nowMs += 10;
    const row = await database.db.selectFrom('mails').selectAll().where('recipient', '=', to).executeTakeFirstOrThrow();
    if (row.status !== 'QUEUED') return row;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`The mail to ${to} is still queued.`);
}

describe('the mail outbox', () => {
  test('the outbox seals a mail, sends it once, and erases its content', async () => {
    await send('ann@example.com');
    const [stored] = await database.db.selectFrom('mails').selectAll().execute();
    expect(Buffer.from(stored?.sealed ?? []).toString('latin1')).not.toContain('kkkk');
    open();
    open();
    const mail = await inbox.next('ann@example.com');
    expect(await untilEnded('ann@example.com')).toMatchObject({ status: 'SENT', sealed: null, attempts: 1 });
    expect(mail.from).toBe('placard@ads.example');
    expect(mail.parsed.subject).toBe('Invitation to Demo on Placard');
    expect(mail.parsed.messageId).toBe(`<${stored?.message_id}@ads.example>`);
    expect(tokenIn(mail)).toBe('k'.repeat(43));
    expect((await inbox.all()).filter(({ to }) => to.includes('ann@example.com'))).toHaveLength(1);
  });

  test('the outbox sends after a restart what it accepted while the mail server was down', async () => {
    const port = await freePort();
    const transport = () => new SmtpTransport({ url: `smtp://127.0.0.1:${port}`, from });
    const first = open({ transport: transport(), retryWaitsMs: [10, 10, 10, 10, 10, 10, 10, 10, 10] });
    await send('bob@example.com');
    for (let count = 0; count < 500; count += 1) {
      const row = await database.db.selectFrom('mails').select(['attempts', 'error']).executeTakeFirstOrThrow();
      if (row.attempts > 0 && row.error !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await first.stop();
    const late = await openSmtpInbox({ listenPort: port });
    try {
      clock.nowMs += 100;
      open({ transport: transport() });
      await late.next('bob@example.com');
      expect((await untilEnded('bob@example.com')).status).toBe('SENT');
    } finally {
      await late.close();
    }
  });

  test('the sender stops after its last try and counts a dead letter', async () => {
    const registry = new Registry();
    const busy = Object.assign(new Error('try later'), { responseCode: 451 });
    inbox.refusals.push(busy, busy, busy);
    await send('carl@example.com');
    open({ metrics: createMailMetrics(registry) });
    const row = await untilEnded('carl@example.com');
    expect(row).toMatchObject({ status: 'FAILED', attempts: 3, sealed: null });
    expect(row.error).toBe('not_accepted: The mail server did not accept the mail (451).');
    await expect.poll(() => registry.metrics()).toContain('placard_mail_dead_letters 1');
    expect(await registry.metrics()).toContain('placard_mails_total{kind="invitation",outcome="failed"} 1');
  });

  test('the sender does not retry a mail that the server refuses permanently', async () => {
    inbox.refusals.push(Object.assign(new Error('no such mailbox'), { responseCode: 550 }));
    await send('dora@example.com');
    open();
    expect(await untilEnded('dora@example.com')).toMatchObject({ status: 'FAILED', attempts: 1 });
  });

  test('the sender drops a mail that is too late', async () => {
    await send('eve@example.com');
    clock.nowMs += 25 * 3_600_000;
    open();
    expect((await untilEnded('eve@example.com')).error).toBe('too_late: The mail could not be sent in time.');
    expect((await inbox.all()).some(({ to }) => to.includes('eve@example.com'))).toBe(false);
  });

  test('the outbox limits mails per address and per network', async () => {
    for (let count = 0; count < 3; count += 1) await send('fay@example.com');
    await expect(send('fay@example.com')).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    // Another network is not told of the first one's mails, until the address had its day's share.
    await send('fay@example.com', {}, '2000');
    clock.nowMs += 3_600_001;
    await send('fay@example.com');
    const many = Array.from({ length: 210 }, (_none, index) => send(`person${index}@example.com`, {}, '2000'));
    const outcomes = await Promise.allSettled(many);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(199);
  });
});

describe('what a mail says', () => {
  test('never holds a header, a link or markup that somebody else wrote', async () => {
    open();
    const hostile = 'Prize\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>';
    await send('gil@example.com', { network: { id: '1000', name: hostile } });
    const mail = await inbox.next('gil@example.com');
    expect(mail.to).toEqual(['gil@example.com']);
    expect(mail.parsed.bcc ?? []).toEqual([]);
    expect(mail.raw.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/im);
    expect(mail.parsed.html).not.toContain('<script');
    expect(tokenIn(mail)).toBe('k'.repeat(43));
    await send('gil2@example.com', { network: { id: '1000', name: 'Win at www.evil.example now' } });
    const tamed = await inbox.next('gil2@example.com');
    expect(tamed.raw).not.toContain('evil');
    expect(tamed.parsed.subject).toBe('Invitation to network 1000 on Placard');
  });

  test('mails keep letters of any script in names', async () => {
    open();
    await send('ola@example.com', { network: { id: '1000', name: 'Żółta "Gazeta" & Söhne 日本' } });
    const mail = await inbox.next('ola@example.com');
    expect(mail.parsed.subject).toBe('Invitation to Żółta "Gazeta" & Söhne 日本 on Placard');
    expect(mail.parsed.html).toContain('Żółta &quot;Gazeta&quot; &amp; Söhne 日本');
  });
});

describe('a mailed report', () => {
  const report = {
    kind: 'report',
    name: 'Weekly',
    network: { id: '1000', name: 'Demo' },
    scheduledFor: '2026-11-22T06:00:00.000Z',
    rowCount: 2,
    link: 'https://ads.example/reports/runs/x/',
    errorMessage: null,
    file: { token: 't'.repeat(32), attempt: 1, fileName: 'Weekly.csv' },
  } as const;

  async function addMember(email: string): Promise<bigint> {
    const { id } = await database.db
      .insertInto('users')
      .values({ email, name: 'Somebody' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await database.db.insertInto('memberships').values({ user_id: id, network_id: 1000n, role: 'viewer' }).execute();
    return id;
  }

  test('the sender drops a report for a member who was removed after it was queued', async () => {
    const to = 'removed@example.com';
    const id = await addMember(to);
    await queue.queue(database.db, { to, networkId: '1000', content: report }, new Date(clock.nowMs));
    await database.db.deleteFrom('memberships').where('user_id', '=', id).execute();
    open();
    expect((await untilEnded(to)).status).toBe('DROPPED');
    expect((await inbox.all()).some((mail) => mail.to.includes(to))).toBe(false);
  });

  test.each([
    ['CSV', 'text/csv', 'Daily.csv'],
    ['CSV_BOM', 'text/csv', 'Daily.csv'],
    ['XLSX', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'Daily.xlsx'],
  ] as const)('a report in %s is attached with the type and the name of its form', async (format, type, name) => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x50, 0x4b, 0x00, 0xff]);
    open({ readReport: () => Promise.resolve(bytes) });
    const to = `${format}@example.com`.toLowerCase();
    await addMember(to);
    const file = { token: 'tokentokentoken1', attempt: 1, fileName: 'Daily', format };
    const content = { ...report, file };
    await queue.queue(database.db, { to, networkId: '1000', content }, new Date(clock.nowMs));
    const [attached] = (await inbox.next(to)).parsed.attachments;
    expect([attached?.filename, attached?.mimeType]).toEqual([name, type]);
    expect(Buffer.from(attached?.content as ArrayBuffer)).toEqual(bytes);
  });

  test.each([
    ['attaches its file', Buffer.from('a,b\r\n1,2\r\n'), /is attached/],
    ['holds the link alone when the file is not there', null, /too large/],
  ])('%s', async (title, bytes, sentence) => {
    open({ readReport: () => Promise.resolve(bytes) });
    const to = `${title.replaceAll(' ', '-')}@example.com`;
    await addMember(to);
    await queue.queue(database.db, { to, networkId: '1000', content: report }, new Date(clock.nowMs));
    const mail = await inbox.next(to);
    expect(mail.parsed.text).toMatch(sentence);
    expect(mail.parsed.text).toContain(report.link);
    const files = mail.parsed.attachments.map(({ filename, content }) => [
      filename,
      Buffer.from(content as ArrayBuffer).toString(),
    ]);
    expect(files).toEqual(bytes === null ? [] : [['Weekly.csv', bytes.toString()]]);
  });
});

test('an admin reads a stable code for a failure, and no address of the mail server', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:587'), { code: 'ESOCKET' });
  const quoted = Object.assign(new Error('550 relay mx7.inside.example says no'), {
    code: 'EENVELOPE',
    responseCode: 550,
  });
  expect([refused, quoted].map(describeForAdmin)).toEqual([
    'server_unavailable: The mail server of this installation is unavailable; tell its operator if that lasts.',
    'recipient_refused: The mail server refused the recipient (550).',
  ]);
});

describe('the connection to the mail server', () => {
  const mail = { subject: 's', text: 't', html: '<p>t</p>', messageId: 'a', to: 'x@example.com', attachment: null };

  test('uses TLS with the right certificate, signs in, and refuses the wrong certificate', async () => {
    const authority = await makeAuthority(['localhost'], Date.now());
    const { certPem: cert, keyPem: key } = await makeServerCertificate(authority, ['localhost'], Date.now());
    const secured = await openSmtpInbox({
      cert,
      key,
      disabledCommands: [],
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        username === 'placard' && password === 'p@ss:word' ? done(null, { user: 1 }) : done(new Error('no')),
    });
    const url = (user: string, more = '') => `smtp://${user}@localhost:${secured.port}${more}`;
    try {
      const good = new SmtpTransport({ url: url('placard:p%40ss%3Aword'), from, ca: authority.certPem });
      await good.verify();
      await good.send(mail);
      expect(await secured.all()).toHaveLength(1);
      good.close();
      const stranger = new SmtpTransport({ url: url('placard:p%40ss%3Aword'), from });
      await expect(stranger.send(mail)).rejects.toThrow(/certificate/);
      stranger.close();
      const wrong = new SmtpTransport({ url: url('placard:nope'), from, ca: authority.certPem });
      await expect(wrong.send(mail)).rejects.toMatchObject({ code: 'EAUTH' });
      wrong.close();
    } finally {
      await secured.close();
    }
  });
});
