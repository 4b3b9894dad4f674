import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { readdirSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, inflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { silentLog } from '../../test/support/stores.ts';
import { createTestServer } from '../../test/support/test-server.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import type { ReportTask, ReportTaskInput } from '../domain/reporting/report-task.ts';
import { PlacardError } from '../domain/errors.ts';
import { toProblem } from '../http/shared/problem.ts';
import { OlapError } from '../storage/olap/olap.ts';
import { openReportStores, type ReportStores, taskInput } from './legacy/fixtures/report-stores.ts';
import { createLegacyReports, type LegacyReports, type LegacyReportsDeps } from './legacy-reports.ts';
import type { ProducedReport, ReportJob } from './legacy/produce-report.ts';
import { LocalReportFiles } from './legacy/report-files.ts';
import { claimTask, deleteOldTasks } from './legacy/report-tasks.sql.ts';
import { TaskWorker, WORKER_LIMITS, type WorkerLimits } from './legacy/task-worker.ts';
import { runsOf } from '../../test/support/longer-runs.ts';

const FAST: Partial<WorkerLimits> = { pollMs: 20, retryWaitMs: 30, leaseMs: 2_000 };

let stores: ReportStores;
const clock = { aheadMs: 0 };
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  stores = await openReportStores();
  await stores.insertEvents([
    { time: '2026-07-01 10:15:00.000', campaign_id: '2', line_item_id: '3', revenue_nanos: '2500000' },
    { time: '2026-07-01 22:30:00.000', campaign_id: '2', line_item_id: '3', revenue_nanos: '2500000' },
    { time: '2026-07-01 10:16:00.000', campaign_id: '2', line_item_id: '3', kind: 'click' },
    { time: '2026-07-02 10:00:00.000', campaign_id: '20', line_item_id: '30', creative_format: '=1+2,"x"' },
    { time: '2026-07-02 10:00:00.000', workspace_id: 3, campaign_id: '777', line_item_id: '778' },
  ]);
  const names = [
    { workspace_id: 1, kind: 'campaign', id: 2, name: '=HYPERLINK("https://evil.example")', version: 1 },
    { workspace_id: 1, kind: 'campaign', id: 20, name: 'Two "quoted",\nlines', version: 1 },
  ];
  const body = Buffer.from(names.map((name) => JSON.stringify(name)).join('\n'));
  await stores.analytics.olap.insertRaw({ table: 'entity_names', body, token: 'names' });
});

afterEach(async () => {
  clock.aheadMs = 0;
  for (const one of running.splice(0)) await one.stop();
  await stores.sql.db.deleteFrom('report_tasks').execute();
  await stores.sql.db.updateTable('networks').set({ status: 'ACTIVE' }).execute();
});

afterAll(() => stores?.close());

function openReports(over: Partial<LegacyReportsDeps> = {}): LegacyReports {
  const reports = createLegacyReports({
    sql: stores.sql.db,
    olap: stores.analytics.olap,
    dataDir: stores.dataDir,
    bytesMax: 1e9,
    publicUrl: 'https://core.example',
    pepper: Buffer.alloc(32, 1),
    log: silentLog,
    nowMs: () => Date.now() + clock.aheadMs,
    limits: FAST,
    ...over,
  });
  running.push(reports);
  return reports;
}

/** A worker whose reports are made by the test. */
function startWorker(
  produce: (job: ReportJob) => Promise<ProducedReport>,
  limits: Partial<WorkerLimits> = {},
): TaskWorker {
  const worker = new TaskWorker({
    sql: stores.sql.db,
    files: new LocalReportFiles(join(stores.dataDir, 'reports')),
    produce,
    log: silentLog,
    nowMs: () => Date.now() + clock.aheadMs,
    owner: `test-${running.length}-${Date.now()}`,
    limits: { ...WORKER_LIMITS, ...FAST, ...limits },
  });
  running.push(worker);
  worker.start();
  return worker;
}

const create = (reports: LegacyReports, input: ReportTaskInput, caller: Principal = stores.caller) =>
  reports.tasks.create(stores.sql.db, caller, input);

async function read(reports: LegacyReports, id: number): Promise<ReportTask> {
  const task = await reports.tasks.find(stores.sql.db, stores.caller, id);
  if (task === null) throw new Error(`There is no task ${id}`);
  return task;
}

const until = (reports: LegacyReports, id: number, status: string) =>
  vi.waitFor(
    async () => {
      const task = await read(reports, id);
      expect(task.status, task.errorMessage ?? '').toBe(status);
      return task;
    },
    { timeout: 60_000, interval: 20 },
  );

async function serve(reports: LegacyReports, caller: Principal = stores.caller): Promise<FastifyInstance> {
  const app = createTestServer();
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, request.id);
    return reply.code(problem.status).headers(problem.headers).send(problem.body);
  });
  reports.register(app, { authenticate: () => Promise.resolve(caller) });
  running.push({ stop: () => app.close() });
  await app.ready();
  return app;
}

async function makeReport(
  attributes: Parameters<typeof taskInput>[0],
): Promise<{ app: FastifyInstance; url: string; task: ReportTask }> {
  const reports = openReports();
  reports.start();
  const { id } = await create(reports, taskInput(attributes));
  const task = await until(reports, id, 'DONE');
  return { app: await serve(reports), url: new URL(task.downloadUrl ?? '').pathname, task };
}

describe('a report', () => {
  test('a report has a row for each span and split, in the time zone of the network by default', async () => {
    const { app, url, task } = await makeReport({
      split: ['line_item_id'],
      metric: ['filled_emission', 'adclick', 'revenue'],
    });
    const csv = await app.inject({ url });
    expect(csv.body).toBe(
      [
        'time,line_item_id,filled_emission,adclick,revenue',
        '2026-07-01 00:00:00,3,1,1,0.0025',
        '2026-07-02 00:00:00,3,1,0,0.0025',
        '2026-07-02 00:00:00,30,1,0,0',
        '',
      ].join('\r\n'),
    );
    expect(task).toMatchObject({ progress: 100, rowCount: 3, errorMessage: null });
    expect(task.downloadUrl).toBe(`https://core.example/reports/download/${task.token}/`);
  });

  test.each([
    ['hour', ['2026-07-01 12:00:00', '2026-07-02 00:00:00', '2026-07-02 12:00:00']],
    ['week', ['2026-06-29 00:00:00']],
    ['month', ['2026-07-01 00:00:00']],
  ])('a report by the %s begins its rows at local times of the zone', async (granularity, times) => {
    const { app, url } = await makeReport({ granularity, split: [], metric: ['impressions'] });
    const rows = (await app.inject({ url })).body.trim().split('\r\n').slice(1);
    expect(rows.map((row) => row.split(',')[0])).toEqual(times);
  });

  test('a report has one row for each split when the granularity is total, and null metrics stay empty', async () => {
    const { app, url } = await makeReport({
      granularity: 'total',
      timezone: 'UTC',
      split: ['campaign_id'],
      metric: ['impressions', 'viewability'],
    });
    expect((await app.inject({ url })).body).toBe('campaign_id,impressions,viewability\r\n2,2,\r\n20,1,\r\n');
    const raw = (await app.inject({ url: `${url}?format=raw` })).body.trim().split('\n');
    expect(raw.map((line) => JSON.parse(line) as unknown)).toEqual([
      { campaign_id: '2', impressions: '2', viewability: null },
      { campaign_id: '20', impressions: '1', viewability: null },
    ]);
  });

  test('a report cannot smuggle a formula into a spreadsheet, and quotes cells that need it', async () => {
    const { app, url } = await makeReport({
      granularity: 'total',
      split: ['campaign_id', 'campaign_name', 'creative_format'],
      metric: ['impressions'],
    });
    const { body } = await app.inject({ url });
    expect(body).toContain(`2,"'=HYPERLINK(""https://evil.example"")",IMAGE,2\r\n`);
    expect(body).toContain(`20,"Two ""quoted"",\nlines","'=1+2,""x""",1\r\n`);
    const raw = await app.inject({ url: `${url}?format=raw` });
    expect(raw.body).toContain('"campaign_name":"=HYPERLINK(\\"https://evil.example\\")"');
  });

  test.each([
    ['in', ['2'], ['2']],
    ['not_in', ['2'], ['20']],
    ['contains', ['0'], ['20']],
  ])('a report is filtered by %s', async (type, values, expected) => {
    const { app, url } = await makeReport({
      granularity: 'total',
      split: ['campaign_id'],
      metric: ['impressions'],
      filters: [{ dimension: 'campaign_id', type, values: values.map((value) => ({ value })) }],
    });
    const rows = (await app.inject({ url })).body.trim().split('\r\n').slice(1);
    expect(rows.map((row) => row.split(',')[0])).toEqual(expected);
  });

  test('a report covers its own workspace only', async () => {
    const { app, url } = await makeReport({ granularity: 'total', split: ['campaign_id'], metric: ['impressions'] });
    expect((await app.inject({ url })).body).not.toContain('777');
  });

  test('an empty report has a header and no rows', async () => {
    const { app, url, task } = await makeReport({
      date_range: { kind: 'static', date_from: '2020-01-01 00:00:00', date_to: '2020-01-31 23:59:59' },
    });
    expect(task.rowCount).toBe(0);
    expect((await app.inject({ url })).body.split('\r\n')).toHaveLength(2);
  });
});

describe('a task', () => {
  test('a task keeps its external id and is found by it only within its own network', async () => {
    const reports = openReports();
    await create(reports, taskInput({}, { externalId: 'x-1', externalType: 'invoice' }));
    const other = await create(reports, taskInput({}, { externalId: 'x-2', externalType: 'invoice' }));
    const filter = { externalId: 'x-2', externalType: 'invoice', status: null, beforeId: null, limit: 10 };
    expect((await reports.tasks.list(stores.sql.db, stores.caller, filter)).map(({ id }) => id)).toEqual([other.id]);
    expect(await reports.tasks.list(stores.sql.db, stores.stranger, filter)).toEqual([]);
    expect(await reports.tasks.find(stores.sql.db, stores.stranger, other.id)).toBeNull();
  });

  test('a task with wrong attributes is not created, and the error names each of them', async () => {
    const reports = openReports();
    const wrong = taskInput({ timezone: 'Mars/Base', split: ['nope'], metric: ['xx'], granularity: 'minute' });
    const error = await create(reports, wrong).catch((caught: unknown) => caught as PlacardError);
    expect(error).toBeInstanceOf(PlacardError);
    expect((error as PlacardError).fields.map(({ code }) => code)).toEqual([
      'unknown_timezone',
      'unknown_granularity',
      'unknown_dimension',
      'unknown_metric',
    ]);
    expect((error as PlacardError).message).toMatch(/"Mars\/Base".*"minute".*"nope".*"xx"/);
    const filter = { externalId: null, externalType: null, status: null, beforeId: null, limit: 10 };
    expect(await reports.tasks.list(stores.sql.db, stores.caller, filter)).toEqual([]);
  });

  test('a task continues after the server has stopped and started again', async () => {
    let begun = 0;
    const worker = startWorker(({ signal }) => {
      begun += 1;
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    });
    const reports = openReports();
    const { id } = await create(reports, taskInput({}));
    await vi.waitFor(() => expect(begun).toBe(1), { timeout: 60_000 });
    await worker.stop();
    expect(await read(reports, id)).toMatchObject({ status: 'PROCESSING', errorMessage: null });
    reports.start();
    await until(reports, id, 'DONE');
  });

  test('a task is tried three times while the store fails, and is then FAILED with the request id', async () => {
    let tries = 0;
    startWorker(() => {
      tries += 1;
      return Promise.reject(new OlapError('unreachable', 'away', { retryable: true }));
    });
    const reports = openReports();
    const { id } = await create(reports, taskInput({}));
    const task = await until(reports, id, 'FAILED');
    expect(tries).toBe(3);
    expect(task.errorMessage).toContain(`its number, ${id}`);
    expect(task).toMatchObject({ downloadUrl: null, endedAt: expect.any(Date) as Date });
  });

  test('a task is DONE when a later try succeeds', async () => {
    let tries = 0;
    startWorker((job) => {
      tries += 1;
      if (tries < 3) return Promise.reject(new Error('once'));
      job.onProgress(50);
      return Promise.resolve({ rowCount: 1, csvBytes: 2, rawBytes: 3 });
    });
    const reports = openReports();
    const { id } = await create(reports, taskInput({}));
    expect(await until(reports, id, 'DONE')).toMatchObject({ progress: 100, rowCount: 1 });
  });

  test('a task that can never succeed fails at once with the reason', async () => {
    let tries = 0;
    startWorker(() => {
      tries += 1;
      return Promise.reject(new PlacardError('query_too_complex', 'The report would have too many rows.'));
    });
    const reports = openReports();
    const { id } = await create(reports, taskInput({}));
    expect((await until(reports, id, 'FAILED')).errorMessage).toBe('The report would have too many rows.');
    expect(tries).toBe(1);
  });

  test('a task whose workers all died becomes FAILED instead of staying PROCESSING', async () => {
    const reports = openReports();
    const { id } = await create(reports, taskInput({}));
    const limits = { ...WORKER_LIMITS, leaseMs: 1 };
    for (let attempt = 1; attempt <= WORKER_LIMITS.attemptsMax; attempt += 1) {
      const claimed = await vi.waitFor(async () => {
        const task = await claimTask(stores.sql.db, `dead-${attempt}`, limits);
        expect(task?.id).toBe(id);
        return task;
      }, 120_000);
      expect(claimed?.attempt).toBe(attempt);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    reports.start();
    expect((await until(reports, id, 'FAILED')).errorMessage).toMatch(/server ended/);
  });

  test('a waiting or running task is cancelled when its network is suspended', async () => {
    let aborted = false;
    startWorker(
      ({ signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            aborted = true;
            reject(signal.reason as Error);
          }),
        ),
      { leaseMs: 200 },
    );
    const reports = openReports();
    const first = await create(reports, taskInput({}));
    const second = await create(reports, taskInput({}));
    await until(reports, first.id, 'PROCESSING');
    await stores.sql.db.updateTable('networks').set({ status: 'SUSPENDED' }).where('id', '=', 1000n).execute();
    for (const { id } of [first, second]) {
      expect((await until(reports, id, 'FAILED')).errorMessage).toMatch(/suspended/);
    }
    await vi.waitFor(() => expect(aborted).toBe(true), { timeout: 60_000 });
  });

  test('a worker that has lost its lease writes without effect', async () => {
    let release: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (release = resolve));
    const reports = openReports();
    const { id } = await create(reports, taskInput({}));
    startWorker(async () => {
      await waiting;
      return { rowCount: 99, csvBytes: 99, rawBytes: 99 };
    });
    await until(reports, id, 'PROCESSING');
    await stores.sql.db.updateTable('report_tasks').set({ lease_owner: 'another' }).where('id', '=', id).execute();
    release();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await read(reports, id)).toMatchObject({ status: 'PROCESSING', rowCount: null });
  });

  test('tasks of a busy network run one at a time and do not delay another network', async () => {
    const now = { 1: 0, 3: 0 } as Record<number, number>;
    let most = 0;
    let others = 0;
    startWorker(async ({ tenant }) => {
      now[tenant.workspaceId] = (now[tenant.workspaceId] ?? 0) + 1;
      most = Math.max(most, now[1] ?? 0);
      if (tenant.workspaceId === 3) others += 1;
      await new Promise((resolve) => setTimeout(resolve, 100));
      now[tenant.workspaceId] = (now[tenant.workspaceId] ?? 1) - 1;
      return { rowCount: 0, csvBytes: 0, rawBytes: 0 };
    });
    const reports = openReports();
    const mine: ReportTask[] = [];
    for (let count = 0; count < 4; count += 1) mine.push(await create(reports, taskInput({})));
    await create(reports, taskInput({}), stores.stranger);
    await vi.waitFor(() => expect(others).toBe(1), { timeout: 60_000 });
    expect((await read(reports, mine[3]?.id ?? 0)).status).toBe('PENDING');
    await until(reports, mine[3]?.id ?? 0, 'DONE');
    expect(most).toBe(1);
  });

  test('two processes that claim tasks concurrently never get the same one', async () => {
    const reports = openReports();
    for (let count = 0; count < 3; count += 1) await create(reports, taskInput({}));
    const limits = { ...WORKER_LIMITS, runningPerNetworkMax: 10 };
    const claimed: number[] = [];
    for (let round = 0; round < 40 && claimed.length < 3; round += 1) {
      const tasks = await Promise.all(
        Array.from({ length: 6 }, (_, worker) => claimTask(stores.sql.db, `w${worker}`, limits)),
      );
      claimed.push(...tasks.flatMap((task) => (task === null ? [] : [task.id])));
    }
    expect(new Set(claimed).size).toBe(3);
    expect(claimed).toHaveLength(3);
  });

  test('tasks of two networks with the same id are apart: claimed, made and deleted each on its own', async () => {
    const { db } = stores.sql;
    const jobs: ReportJob[] = [];
    const reports = openReports();
    const mine = await create(reports, taskInput({}));
    const other = await create(reports, taskInput({}), stores.stranger);
    await db.updateTable('report_tasks').set({ id: mine.id }).where('id', '=', other.id).execute();
    const limits = { ...WORKER_LIMITS, runningPerNetworkMax: 10 };
    expect(await claimTask(db, 'first', limits)).toMatchObject({ id: mine.id, workspaceId: 1, attempt: 1 });
    expect(await claimTask(db, 'second', limits)).toMatchObject({ id: mine.id, workspaceId: 3, attempt: 1 });
    await db.updateTable('report_tasks').set({ lease_until: null }).execute();
    let release: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (release = resolve));
    const worker = startWorker(async (job) => {
      jobs.push(job);
      await waiting;
      return { rowCount: job.tenant.workspaceId, csvBytes: 1, rawBytes: 1 };
    });
    await vi.waitFor(() => expect(jobs).toHaveLength(2), { timeout: 60_000 });
    release();
    await until(reports, mine.id, 'DONE');
    // A worker that stops waits for each of its tasks.
    await worker.stop();
    const rows = () => db.selectFrom('report_tasks').select(['workspace_id', 'status', 'row_count']).execute();
    expect(await rows()).toEqual(
      expect.arrayContaining([1, 3].map((id) => ({ workspace_id: id, status: 'DONE', row_count: BigInt(id) }))),
    );
    const long = sql<Date>`now() - interval '400 days'`;
    const ended = db.updateTable('report_tasks').set({ ended_at: long, files_deleted_at: long });
    await ended.where('workspace_id', '=', 3).execute();
    expect(await deleteOldTasks(db, 86_400_000, 10)).toBe(1);
    expect((await rows()).map((row) => row.workspace_id)).toEqual([1]);
  });
});

describe('files', () => {
  test('the files of an expired report are deleted, and its address is gone', async () => {
    const { app, url, task } = await makeReport({});
    const names = (): string[] =>
      readdirSync(join(stores.dataDir, 'reports')).filter((name) => name.startsWith(task.token));
    expect(names()).toHaveLength(2);
    await stores.sql.db
      .updateTable('report_tasks')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('id', '=', task.id)
      .execute();
    startWorker(() => Promise.reject(new Error('none')), { tidyMs: 20 });
    await vi.waitFor(() => expect(names()).toEqual([]), { timeout: 60_000 });
    expect((await app.inject({ url })).statusCode).toBe(410);
  });

  test('files that no task needs are deleted after an hour, and the others stay', async () => {
    const { app, url, task } = await makeReport({});
    const dir = join(stores.dataDir, 'reports');
    const orphan = join(dir, 'orphan-orphan-orphan.1.csv.part');
    await writeFile(orphan, 'x');
    const old = new Date(Date.now() - 7_200_000);
    await utimes(orphan, old, old);
    await utimes(join(dir, `${task.token}.1.csv`), old, old);
    startWorker(() => Promise.reject(new Error('none')), { tidyMs: 20 });
    await vi.waitFor(() => expect(readdirSync(dir)).not.toContain('orphan-orphan-orphan.1.csv.part'), {
      timeout: 60_000,
    });
    expect((await app.inject({ url })).statusCode).toBe(200);
  });

  test.each([
    ['', 'in the middle of the rows'],
    ['\n', 'on a line of its own'],
  ])('an attempt leaves no file behind when the store fails halfway (%j: %s)', async (end) => {
    const reports = openReports({
      olap: {
        ...stores.analytics.olap,
        query: () => Promise.resolve([{ total: '2' }] as never),
        stream: async function* () {
          yield Buffer.from(
            `["2026-07-01 00:00:00","2","3","4","5","1","1",null,"0"]\nCode: 241. DB::Exception: memory${end}`,
          );
        },
      } as never,
    });
    reports.start();
    const task = await create(reports, taskInput({}));
    await until(reports, task.id, 'FAILED');
    expect(readdirSync(join(stores.dataDir, 'reports')).filter((name) => name.startsWith(task.token))).toEqual([]);
  });
});

describe('pages', () => {
  test('lists of tasks of any size make up the whole, each task once', async () => {
    const reports = openReports();
    const ids: number[] = [];
    for (let at = 0; at < 7; at += 1) ids.unshift((await create(reports, taskInput({}))).id);
    await create(reports, taskInput({}), stores.stranger);
    for (let limit = 1; limit <= 8; limit += 1) {
      const seen: number[] = [];
      const none = { externalId: null, externalType: null, status: null };
      const list = (beforeId: number | null) =>
        reports.tasks.list(stores.sql.db, stores.caller, { ...none, beforeId, limit });
      for (let page = await list(null); page.length > 0; page = await list(seen.at(-1) ?? null))
        seen.push(...page.map(({ id }) => id));
      expect(seen).toEqual(ids);
    }
  });

  test('ranges of any size make up the whole file, in both of its forms', async () => {
    const { app, url } = await makeReport({ split: ['campaign_name', 'line_item_id'] });
    for (const format of ['', '?format=raw']) {
      const whole = (await app.inject({ url: `${url}${format}` })).rawPayload;
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 20, max: whole.length + 5 }), async (size) => {
          const parts: Buffer[] = [];
          for (let first = 0; first < whole.length; first += size) {
            const range = `bytes=${first}-${first + size - 1}`;
            parts.push((await app.inject({ url: `${url}${format}`, headers: { range } })).rawPayload);
          }
          expect(Buffer.concat(parts).equals(whole)).toBe(true);
        }),
        { numRuns: runsOf(10) },
      );
    }
  });

  test('reports of the parts of a range have the rows of the whole, each once', async () => {
    const rowsOf = async (date_from: string, date_to: string): Promise<string[]> => {
      const range = { kind: 'static', date_from, date_to } as const;
      const { app, url } = await makeReport({ date_range: range, granularity: 'hour', split: ['line_item_id'] });
      return (await app.inject({ url })).body.trim().split('\r\n').slice(1);
    };
    const whole = await rowsOf('2026-07-01 00:00:00', '2026-07-03 23:59:59');
    expect(whole.length).toBeGreaterThan(2);
    for (const hour of ['2026-07-01 12', '2026-07-02 00', '2026-07-02 13']) {
      const before = await rowsOf('2026-07-01 00:00:00', `${hour}:59:59`);
      const next = new Date(Date.parse(`${hour.replace(' ', 'T')}:00:00Z`) + 3_600_000).toISOString();
      const after = await rowsOf(`${next.slice(0, 10)} ${next.slice(11, 19)}`, '2026-07-03 23:59:59');
      expect([...before, ...after]).toEqual(whole);
    }
  });
});

describe('the download', () => {
  test('a download can be resumed by ranges as long as the file is the same', async () => {
    const { app, url } = await makeReport({});
    const whole = await app.inject({ url });
    const { etag } = whole.headers;
    const get = (range: string, more: Record<string, string> = {}) => app.inject({ url, headers: { range, ...more } });
    const head = await get('bytes=0-99');
    const tail = await get('bytes=100-', { 'if-range': String(etag) });
    expect([head.statusCode, tail.statusCode]).toEqual([206, 206]);
    expect(head.body + tail.body).toBe(whole.body);
    expect(head.headers['content-range']).toBe(`bytes 0-99/${Buffer.byteLength(whole.body)}`);
    expect((await get('bytes=-5')).body).toBe(whole.body.slice(-5));
    expect((await get('bytes=100-', { 'if-range': '"other"' })).statusCode).toBe(200);
    const outside = await get('bytes=9999999-');
    expect(outside.statusCode).toBe(416);
    expect(outside.headers['content-range']).toBe(`bytes */${Buffer.byteLength(whole.body)}`);
    expect((await app.inject({ url, headers: { 'if-none-match': String(etag) } })).statusCode).toBe(304);
    expect((await get('bytes=9999999-', { 'if-none-match': String(etag) })).statusCode).toBe(304);
  });

  test('a download is compressed for clients that accept it, and a range never is', async () => {
    const { app, url } = await makeReport({
      granularity: 'hour',
      split: [
        'campaign_name',
        'line_item_id',
        'creative_id',
        'ad_unit_id',
        'size',
        'country',
        'os',
        'browser',
        'device_type',
        'line_item_type',
        'creative_format',
        'site_id',
        'advertiser_id',
        'advertiser_name',
        'area',
        'ad_unit_name',
        'npa',
      ],
    });
    const plain = await app.inject({ url: `${url}?format=raw` });
    expect(Buffer.byteLength(plain.body)).toBeGreaterThan(1_024);
    const asked = (encoding: string, more = {}) =>
      app.inject({ url: `${url}?format=raw`, headers: { 'accept-encoding': encoding, ...more } });
    const [gzip, deflate] = [await asked('gzip'), await asked('deflate')];
    expect([gzip.headers['content-encoding'], deflate.headers['content-encoding']]).toEqual(['gzip', 'deflate']);
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    expect(inflateSync(deflate.rawPayload).toString()).toBe(plain.body);
    expect(gzip.headers.etag).not.toBe(plain.headers.etag);
    const range = await asked('gzip', { range: 'bytes=0-9' });
    expect([range.statusCode, range.headers['content-encoding'], range.body]).toEqual([
      206,
      undefined,
      plain.body.slice(0, 10),
    ]);
  });

  test('HEAD returns the same headers without the bytes', async () => {
    const { app, url } = await makeReport({});
    const whole = await app.inject({ url });
    const head = await app.inject({ method: 'HEAD', url });
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
    for (const name of ['content-length', 'etag', 'content-type']) expect(head.headers[name]).toBe(whole.headers[name]);
  });

  test('a download opens only for its own network and only when it is done', async () => {
    const { app, url, task } = await makeReport({});
    const foreign = await serve(openReports(), stores.stranger);
    expect((await foreign.inject({ url })).statusCode).toBe(404);
    expect((await app.inject({ url: url.replace(task.token, 'A'.repeat(32)) })).statusCode).toBe(404);
    expect((await app.inject({ url: url.replace(task.token, '..%2f..%2fsecrets') })).statusCode).toBe(404);
    await stores.sql.db.updateTable('report_tasks').set({ status: 'PENDING' }).where('id', '=', task.id).execute();
    expect((await app.inject({ url })).statusCode).toBe(404);
    expect((await app.inject({ url: `${url}?format=xls` })).statusCode).toBe(400);
  });
});

test('a worker that was stopped while it could not read the queue reports no failure', async () => {
  const worker = new TaskWorker({
    sql: {} as never,
    files: new LocalReportFiles(join(stores.dataDir, 'reports')),
    produce: () => Promise.reject(new Error('There is nothing to make')),
    log: silentLog,
    nowMs: Date.now,
    owner: 'test-without-a-queue',
    limits: { ...WORKER_LIMITS, ...FAST },
  });
  worker.start();
  await expect.poll(() => worker.failure).not.toBeNull();
  await worker.stop();
  expect(worker.failure).toBeNull();
});
