import { readXlsx } from 'hucre/xlsx';
import { MailQueue } from '../../mail/mail-queue.ts';
import { openContent } from '../../mail/seal.ts';
import { createUser } from '../../access/users/users.sql.ts';
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { silentLog } from '../../../test/support/stores.ts';
import { createTestServer } from '../../../test/support/test-server.ts';
import { WHOLE_LIST } from '../../domain/ids/list-page.ts';
import type { PlacardError } from '../../domain/errors.ts';
import type { ReportRun, ReportScheduleChange, ReportScheduleInput } from '../../domain/reporting/report-schedule.ts';
import { makeAuthority, makeServerCertificate } from '../../http/tls/certificate.ts';
import { toProblem } from '../../http/shared/problem.ts';
import { openReportStores, type ReportStores } from '../legacy/fixtures/report-stores.ts';
import { createLegacyReports, type LegacyReports, type LegacyReportsDeps } from '../legacy-reports.ts';

const member = (name: string): string => `campaign_overview.${name}`;
const YESTERDAY = {
  measures: [member('impressions')],
  dimensions: [member('campaign_name'), member('campaign_id')],
  timeDimensions: [{ dimension: member('time'), dateRange: 'yesterday' }],
};
/** Wednesday, 12:00 in Warsaw. */
const START = Date.parse('2026-07-01T10:00:00Z');

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let stores: ReportStores;
let receiver: Server;
let ca: string;
const received: Received[] = [];
const statuses: number[] = [];
const clock = { nowMs: START };
const running: LegacyReports[] = [];

beforeAll(async () => {
  stores = await openReportStores();
  await stores.insertEvents([
    { time: '2026-07-01 10:00:00.000', campaign_id: '2' },
    { time: '2026-07-01 10:00:00.000', campaign_id: '2' },
    { time: '2026-07-05 10:00:00.000', campaign_id: '3' },
  ]);
  const authority = await makeAuthority(['localhost'], Date.now());
  const own = await makeServerCertificate(authority, ['localhost', '127.0.0.1'], Date.now());
  ca = authority.certPem;
  receiver = createServer({ cert: own.certPem, key: own.keyPem }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(statuses.shift() ?? 204, { location: '/elsewhere' }).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});

beforeEach(() => {
  clock.nowMs = START;
  received.length = 0;
  statuses.length = 0;
});

afterEach(async () => {
  for (const reports of running.splice(0)) await reports.stop();
  await stores.sql.db.deleteFrom('report_schedules').execute();
  await stores.sql.db.deleteFrom('report_tasks').execute();
  await stores.sql.db.updateTable('networks').set({ status: 'ACTIVE' }).execute();
});

afterAll(async () => {
  receiver?.close();
  await stores?.close();
});

function open(over: Partial<LegacyReportsDeps> = {}): LegacyReports {
  const reports = createLegacyReports({
    sql: stores.sql.db,
    olap: stores.analytics.olap,
    dataDir: stores.dataDir,
    bytesMax: 1e9,
    publicUrl: 'https://core.example',
    pepper: Buffer.alloc(32, 1),
    log: silentLog,
    nowMs: () => clock.nowMs,
    limits: { pollMs: 20 },
    webhooks: { allowedRanges: ['127.0.0.0/8'], ca },
    scheduling: { pollMs: 20, retryWaitsMs: [10, 10] },
    ...over,
  });
  running.push(reports);
  return reports;
}

const hookUrl = (): string => `https://localhost:${(receiver.address() as AddressInfo).port}/hook`;

function create(reports: LegacyReports, input: ReportScheduleInput = {}): Promise<ReportScheduleChange> {
  const given = { name: 'Daily', query: YESTERDAY, cron: '0 6 * * *', ...input };
  return reports.schedules.create(stores.sql.db, stores.caller, given);
}

const listRuns = (reports: LegacyReports, id: string): Promise<ReportRun[]> =>
  reports.schedules.runs(stores.sql.db, stores.caller, { scheduleId: id, page: WHOLE_LIST });

const untilRuns = (reports: LegacyReports, id: string, accept: (runs: readonly ReportRun[]) => void) =>
  vi.waitFor(
    async () => {
      const runs = await listRuns(reports, id);
      accept(runs);
      return runs;
    },
    { timeout: 60_000, interval: 20 },
  );

const waitForRuns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));

describe('a schedule', () => {
  test('a schedule runs at its instant in the zone of the network, and its relative dates refer to it', async () => {
    const reports = open();
    reports.start();
    const { after } = await create(reports);
    expect(after.nextRunAt?.toISOString()).toBe('2026-07-02T04:00:00.000Z');
    await waitForRuns();
    expect(await listRuns(reports, after.id)).toEqual([]);
    clock.nowMs = Date.parse('2026-07-02T04:00:01Z');
    const [run] = await untilRuns(reports, after.id, (runs) => expect(runs[0]?.status).toBe('DONE'));
    expect(run).toMatchObject({ rowCount: 1, progress: 100, deliveryStatus: 'NONE' });
    expect(run?.scheduledFor.toISOString()).toBe('2026-07-02T04:00:00.000Z');
    const next = await reports.schedules.find(stores.sql.db, stores.caller, after.id);
    expect(next?.nextRunAt?.toISOString()).toBe('2026-07-03T04:00:00.000Z');
    const app = createTestServer();
    app.setErrorHandler((error, request, reply) => {
      const problem = toProblem(error, request.id);
      return reply.code(problem.status).send(problem.body);
    });
    reports.register(app, { authenticate: () => Promise.resolve(stores.caller) });
    const url = new URL(run?.downloadUrl ?? '').pathname;
    const csv = await app.inject({ url });
    expect(csv.body).toBe(
      'campaign_overview.campaign_name,campaign_overview.campaign_id,campaign_overview.impressions\r\n,2,2\r\n',
    );
    expect(csv.headers['deprecation']).toBeUndefined();
    expect((await app.inject({ url: url.replace('/runs/', '/download/') })).statusCode).toBe(404);
    await app.close();
  });

  test('a schedule that was missed while the service was down makes one run, for the last instant', async () => {
    const reports = open();
    const { after } = await create(reports);
    clock.nowMs = Date.parse('2026-07-06T05:00:00Z');
    reports.start();
    const [run] = await untilRuns(reports, after.id, (runs) => expect(runs[0]?.status).toBe('DONE'));
    expect(run?.scheduledFor.toISOString()).toBe('2026-07-06T04:00:00.000Z');
    expect(run?.rowCount).toBe(1);
    await waitForRuns();
    expect(await listRuns(reports, after.id)).toHaveLength(1);
  });

  test('a schedule runs once for each instant with any number of processes', async () => {
    const reports = open();
    for (const one of [reports, open(), open(), open()]) one.start();
    const { after } = await create(reports);
    clock.nowMs = Date.parse('2026-07-02T04:00:01Z');
    await untilRuns(reports, after.id, (runs) => expect(runs[0]?.status).toBe('DONE'));
    clock.nowMs = Date.parse('2026-07-03T04:00:01Z');
    await untilRuns(reports, after.id, (runs) => expect(runs).toHaveLength(2));
    await waitForRuns();
    expect(await listRuns(reports, after.id)).toHaveLength(2);
  });

  test.each([
    ['is paused', 'PAUSED', 'ACTIVE'],
    ['belongs to a suspended network', 'ACTIVE', 'SUSPENDED'],
  ] as const)('a schedule does not run while it %s', async (_why, status, network) => {
    const reports = open();
    const { after } = await create(reports, { status });
    await stores.sql.db.updateTable('networks').set({ status: network }).where('id', '=', 1000n).execute();
    clock.nowMs = Date.parse('2026-07-02T04:00:01Z');
    reports.start();
    await waitForRuns();
    expect(await listRuns(reports, after.id)).toEqual([]);
  });

  test('a schedule whose query is no longer valid makes a run that says so', async () => {
    const reports = open();
    const { after } = await create(reports);
    await stores.sql.db
      .updateTable('report_schedules')
      .set({ query: JSON.stringify({ ...YESTERDAY, measures: [member('gone')] }) })
      .execute();
    clock.nowMs = Date.parse('2026-07-02T04:00:01Z');
    reports.start();
    const [run] = await untilRuns(reports, after.id, (runs) => expect(runs[0]?.status).toBe('FAILED'));
    expect(run?.errorMessage).toMatch(/gone/);
  });

  test('a schedule runs on request, and the legacy operations do not show it', async () => {
    const reports = open();
    reports.start();
    const { after } = await create(reports, { status: 'PAUSED' });
    await reports.schedules.run(stores.sql.db, stores.caller, after.id);
    await untilRuns(reports, after.id, (runs) => expect(runs[0]?.status).toBe('DONE'));
    const filter = { externalId: null, externalType: null, status: null, beforeId: null, limit: 10 };
    expect(await reports.tasks.list(stores.sql.db, stores.caller, filter)).toEqual([]);
  });

  test('a schedule belongs to its workspace alone', async () => {
    const reports = open();
    const { after } = await create(reports);
    const { db } = stores.sql;
    expect(await reports.schedules.list(db, stores.stranger)).toEqual([]);
    expect(await reports.schedules.find(db, stores.stranger, after.id)).toBeNull();
    expect(await reports.schedules.runs(db, stores.stranger, { scheduleId: after.id, page: WHOLE_LIST })).toEqual([]);
    const missing = { code: 'not_found' };
    await expect(reports.schedules.run(db, stores.stranger, after.id)).rejects.toMatchObject(missing);
    await expect(reports.schedules.remove(db, stores.stranger, after.id)).rejects.toMatchObject(missing);
    const change = { id: after.id, version: null, input: { name: 'Mine' } };
    await expect(reports.schedules.update(db, stores.stranger, change)).rejects.toMatchObject(missing);
  });

  test('a schedule can be changed in part, and a stale version is a conflict', async () => {
    const reports = open();
    const { after } = await create(reports);
    const { db } = stores.sql;
    const changed = await reports.schedules.update(db, stores.caller, {
      id: after.id,
      version: 1,
      input: { cron: '30 7 * * 1' },
    });
    expect(changed.after).toMatchObject({ name: 'Daily', cron: '30 7 * * 1', version: 2, query: YESTERDAY });
    expect(changed.after.nextRunAt?.toISOString()).toBe('2026-07-06T05:30:00.000Z');
    const stale = { id: after.id, version: 1, input: { name: 'x' } };
    await expect(reports.schedules.update(db, stores.caller, stale)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a schedule with wrong fields is not created, and the error names each of them', async () => {
    const reports = open({ webhooks: { allowedRanges: [] } });
    const wrong = {
      name: ' ',
      cron: '* * * * *',
      query: { ...YESTERDAY, measures: [member('nope')] },
      webhookUrl: 'https://169.254.169.254/latest/meta-data',
    };
    const error = await create(reports, wrong).catch((caught: unknown) => caught as PlacardError);
    expect((error as PlacardError).fields.map(({ path }) => path)).toEqual([
      'input.name',
      'input.cron',
      'input.webhookUrl',
      'input.query',
    ]);
    await expect(create(reports, { query: [YESTERDAY, YESTERDAY] })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    await expect(create(reports, { query: { measures: [member('clicks')] } })).rejects.toThrow(/dateRange/);
  });
});

describe('a webhook', () => {
  async function runWith(reports: LegacyReports, accept: (run: ReportRun | undefined) => void) {
    const { after, webhookSecret } = await create(reports, { webhookUrl: hookUrl() });
    await reports.schedules.run(stores.sql.db, stores.caller, after.id);
    reports.start();
    const [run] = await untilRuns(reports, after.id, (runs) => accept(runs[0]));
    return { run, webhookSecret: webhookSecret ?? '', id: after.id };
  }

  test('a webhook gets a message about an ended run with a signature that only the installation can make', async () => {
    const reports = open();
    const { run, webhookSecret } = await runWith(reports, (one) => expect(one?.deliveryStatus).toBe('DELIVERED'));
    expect(received).toHaveLength(1);
    const [message] = received;
    const body = message?.body ?? '';
    expect(JSON.parse(body)).toMatchObject({
      type: 'report.finished',
      networkId: '1000',
      status: 'DONE',
      runId: run?.id,
      downloadUrl: run?.downloadUrl,
    });
    const [, at, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(message?.headers['x-placard-signature'])) ?? [];
    expect(signature).toBe(createHmac('sha256', webhookSecret).update(`${at}.${body}`).digest('hex'));
    expect(Number(at)).toBe(Math.floor(clock.nowMs / 1_000));
  });

  test('a webhook is tried again with the same message id until it accepts', async () => {
    statuses.push(500, 302);
    const reports = open();
    const { run } = await runWith(reports, (one) => expect(one?.deliveryStatus).toBe('DELIVERED'));
    expect(run?.deliveryAttempts).toBe(3);
    expect(run?.deliveryError).toBeNull();
    expect(new Set(received.map(({ headers }) => headers['x-placard-delivery']))).toEqual(new Set([run?.id]));
  });

  test('a webhook that never accepts the message is abandoned with the reason', async () => {
    statuses.push(500, 500, 503, 200);
    const reports = open();
    const { run } = await runWith(reports, (one) => expect(one?.deliveryStatus).toBe('FAILED'));
    expect(run).toMatchObject({
      deliveryAttempts: 3,
      deliveryError: 'The receiver responded with 503.',
      status: 'DONE',
    });
    await waitForRuns();
    expect(received).toHaveLength(3);
  });

  test('a webhook whose name leads to a private address is never called', async () => {
    const lenient = open();
    const { after } = await create(lenient, { webhookUrl: hookUrl() });
    await lenient.schedules.run(stores.sql.db, stores.caller, after.id);
    const strict = open({ webhooks: { allowedRanges: [], ca } });
    strict.start();
    const [run] = await untilRuns(strict, after.id, (runs) => expect(runs[0]?.deliveryStatus).toBe('FAILED'));
    expect(run?.deliveryError).toMatch(/public/);
    expect(received).toEqual([]);
  });

  test('a rotation gives a webhook a new secret, which is shown once', async () => {
    const reports = open();
    const { db } = stores.sql;
    const { after, webhookSecret } = await create(reports, { webhookUrl: hookUrl() });
    const change = (input: ReportScheduleInput) =>
      reports.schedules.update(db, stores.caller, { id: after.id, version: null, input });
    expect((await change({ name: 'Other' })).webhookSecret).toBeNull();
    const rotated = await change({ rotateSecret: true });
    expect(rotated.webhookSecret).toMatch(/^whsec_/);
    expect(rotated.webhookSecret).not.toBe(webhookSecret);
    const shown = JSON.stringify(await reports.schedules.find(db, stores.caller, after.id));
    expect(shown).not.toContain('whsec_');
  });
});

describe('a report by mail', () => {
  const mail = new MailQueue({ pepper: Buffer.alloc(32, 1), publicUrl: 'https://core.example' });

  async function addMember(email: string, networkId = '1000'): Promise<string> {
    const by = { actor: 'test', remoteAddress: '', networkId: '0', workspaceId: null };
    const memberships = [{ networkId, role: 'viewer' }] as const;
    return (await createUser(stores.sql.db, { email, name: 'M', memberships, by })).id;
  }

  test('a finished report goes to the members by mail, with its file when it is small', async () => {
    await addMember('stays@example.com');
    const leaver = await addMember('leaves@example.com');
    const reports = open({ mail });
    const mailTo = [' Stays@example.com', 'leaves@example.com'];
    const { after } = await create(reports, { mailTo });
    expect(after.mailTo).toEqual(['leaves@example.com', 'stays@example.com']);
    await stores.sql.db.deleteFrom('memberships').where('user_id', '=', BigInt(leaver)).execute();
    await reports.schedules.run(stores.sql.db, stores.caller, after.id);
    reports.start();
    const queued = () => stores.sql.db.selectFrom('mails').selectAll().where('kind', '=', 'report').execute();
    await vi.waitFor(async () => expect(await queued()).toHaveLength(1), { timeout: 60_000, interval: 20 });
    const [row] = await queued();
    expect(row).toMatchObject({ recipient: 'stays@example.com', network_id: 1000n, status: 'QUEUED' });
    const content = openContent(Buffer.alloc(32, 1), row?.message_id ?? '', row?.sealed ?? Buffer.alloc(0));
    if (content.kind !== 'report' || content.file === null) throw new Error('no file');
    expect(content).toMatchObject({ name: 'Daily', network: { id: '1000' }, errorMessage: null });
    expect(content.link).toMatch(/^https:\/\/core\.example\/reports\/runs\/[\w-]{32}\/$/);
    expect((await reports.readForMail(content.file))?.toString()).toContain('campaign_overview.impressions');
    await waitForRuns();
    expect(await queued()).toHaveLength(1);
  });

  test('a schedule in XLSX mails a workbook, and the links of its runs lead to the workbook', async () => {
    await addMember('reads@example.com');
    const reports = open({ mail });
    const { after } = await create(reports, { mailTo: ['reads@example.com'], fileFormat: 'XLSX' });
    await reports.schedules.run(stores.sql.db, stores.caller, after.id);
    reports.start();
    const queued = () =>
      stores.sql.db.selectFrom('mails').selectAll().where('recipient', '=', 'reads@example.com').execute();
    await vi.waitFor(async () => expect(await queued()).toHaveLength(1), { timeout: 60_000, interval: 20 });
    const [row] = await queued();
    const content = openContent(Buffer.alloc(32, 1), row?.message_id ?? '', row?.sealed ?? Buffer.alloc(0));
    if (content.kind !== 'report' || content.file === null) throw new Error('no file');
    expect(content.file).toMatchObject({ fileName: 'Daily', format: 'XLSX' });
    const [run] = await listRuns(reports, after.id);
    expect(content.link).toBe(run?.downloadUrl);
    expect(run?.downloadUrl).toMatch(/\/\?format=xlsx$/);
    const { sheets } = await readXlsx(new Uint8Array((await reports.readForMail(content.file)) ?? []));
    const [head] = sheets[0]?.rows ?? [];
    expect(head).toEqual([member('campaign_name'), member('campaign_id'), member('impressions')]);
    const changed = { id: after.id, version: null, input: { fileFormat: 'CSV_BOM' as const } };
    await reports.schedules.update(stores.sql.db, stores.caller, changed);
    expect((await listRuns(reports, after.id))[0]?.downloadUrl).toMatch(/\/\?format=csv-bom$/);
  });

  test.each([
    ['nobody with an account', ['nobody@example.com']],
    ['a member of another network', ['foreign@example.com']],
    ['too many addresses', Array.from({ length: 21 }, (_none, index) => `m${index}@example.com`)],
  ])('a mail is refused for %s', async (what, mailTo) => {
    if (what.includes('another')) await addMember('foreign@example.com', '2000');
    const error = await create(open({ mail }), { mailTo }).catch((caught: unknown) => caught as PlacardError);
    expect((error as PlacardError).fields.map(({ path }) => path)).toEqual(['input.mailTo']);
  });

  test('a schedule with mail is refused when the installation sends no mail', async () => {
    await expect(create(open(), { mailTo: ['stays@example.com'] })).rejects.toThrow(/PLACARD_SMTP_URL/);
  });
});
