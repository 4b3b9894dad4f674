import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { silentLog } from '../../../test/support/stores.ts';
import { createTestServer } from '../../../test/support/test-server.ts';
import type { ReportTask } from '../../domain/reporting/report-task.ts';
import { toProblem } from '../../http/shared/problem.ts';
import { type SignedBucket, startSignedBucket } from '../../storage/fixtures/signed-bucket.ts';
import { openReportStores, type ReportStores, taskInput } from './fixtures/report-stores.ts';
import { createLegacyReports, type LegacyReports, type LegacyReportsDeps } from '../legacy-reports.ts';

const keys = { accessKeyId: 'AKIAEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG', region: 'eu-central-1' };
let stores: ReportStores;
let bucket: SignedBucket;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  [stores, bucket] = await Promise.all([openReportStores(), startSignedBucket(keys)]);
  await stores.insertEvents(
    Array.from({ length: 60 }, (_one, index) => ({
      time: `2026-07-${String(1 + (index % 28)).padStart(2, '0')} 10:15:00.000`,
      campaign_id: String(100 + index),
      line_item_id: String(1_000 + index),
    })),
  );
});
beforeEach(() => {
  bucket.objects.clear();
  bucket.requests.length = 0;
  bucket.failures.length = 0;
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
  await stores.sql.db.deleteFrom('report_tasks').execute();
});
afterAll(async () => {
  bucket?.close();
  await stores?.close();
});

function openReports(over: Partial<LegacyReportsDeps> = {}): LegacyReports {
  const reports = createLegacyReports({
    sql: stores.sql.db,
    olap: stores.analytics.olap,
    dataDir: stores.dataDir,
    bytesMax: 1e9,
    publicUrl: 'https://core.example',
    pepper: Buffer.alloc(32, 1),
    log: silentLog,
    nowMs: Date.now,
    limits: { pollMs: 20, retryWaitMs: 30, leaseMs: 60_000, tidyMs: 20 },
    ...over,
  });
  running.push(reports);
  return reports;
}

const inBucket = (over: Partial<LegacyReportsDeps> = {}) =>
  openReports({ bucket: { url: bucket.url, ...keys }, ...over });

async function until(reports: LegacyReports, id: number, status: string): Promise<ReportTask> {
  return vi.waitFor(
    async () => {
      const task = await reports.tasks.find(stores.sql.db, stores.caller, id);
      expect(task?.status, task?.errorMessage ?? '').toBe(status);
      return task as ReportTask;
    },
    { timeout: 60_000, interval: 20 },
  );
}

async function make(reports: LegacyReports): Promise<ReportTask> {
  const { id } = await reports.tasks.create(stores.sql.db, stores.caller, taskInput({}));
  return until(reports, id, 'DONE');
}

async function serve(reports: LegacyReports): Promise<FastifyInstance> {
  const app = createTestServer();
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, request.id);
    return reply.code(problem.status).headers(problem.headers).send(problem.body);
  });
  reports.register(app, { authenticate: () => Promise.resolve(stores.caller) });
  running.push({ stop: () => app.close() });
  await app.ready();
  return app;
}

const pathOf = (task: ReportTask): string => new URL(task.downloadUrl ?? '').pathname;
const onDisk = (task: ReportTask): string[] =>
  readdirSync(join(stores.dataDir, 'reports')).filter((name) => name.startsWith(task.token));
const objectsOf = (task: ReportTask): string[] =>
  [...bucket.objects.keys()].filter((name) => name.includes(task.token));
const expire = (task: ReportTask) =>
  stores.sql.db
    .updateTable('report_tasks')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', task.id)
    .execute();

describe('reports in a bucket', () => {
  test('finished reports are in the folder of the bucket with their types, and no longer on disk', async () => {
    const reports = inBucket();
    reports.start();
    const task = await make(reports);
    expect(objectsOf(task).sort()).toEqual([
      `/placard/files/reports/${task.token}.1.csv`,
      `/placard/files/reports/${task.token}.1.ndjson`,
    ]);
    const csv = bucket.objects.get(`/placard/files/reports/${task.token}.1.csv`);
    expect(csv?.contentType).toBe('text/csv; charset=utf-8; header=present');
    expect(csv?.bytes.toString().split('\r\n')).toHaveLength(62);
    expect(onDisk(task)).toEqual([]);
  });

  test('every core serves downloads in full, in parts and compressed', async () => {
    const reports = inBucket();
    reports.start();
    const task = await make(reports);
    const app = await serve(inBucket());
    const url = pathOf(task);
    const stored = bucket.objects.get(`/placard/files/reports/${task.token}.1.csv`)?.bytes.toString() ?? '';
    const whole = await app.inject({ url });
    expect([whole.statusCode, whole.body]).toEqual([200, stored]);
    expect(whole.headers['content-length']).toBe(String(stored.length));
    bucket.requests.length = 0;
    const get = (headers: Record<string, string>) => app.inject({ url, headers });
    const [head, tail] = [await get({ range: 'bytes=0-99' }), await get({ range: 'bytes=100-' })];
    expect([head.statusCode, tail.statusCode, head.body + tail.body]).toEqual([206, 206, stored]);
    expect(head.headers['content-range']).toBe(`bytes 0-99/${stored.length}`);
    expect((await get({ range: 'bytes=9999999-' })).statusCode).toBe(416);
    expect(gunzipSync((await get({ 'accept-encoding': 'gzip' })).rawPayload).toString()).toBe(stored);
    const response = await app.inject({ method: 'HEAD', url });
    expect([response.statusCode, response.body, response.headers['content-length']]).toEqual([
      200,
      '',
      String(stored.length),
    ]);
  });

  test.each([
    ['the bucket goes down', () => bucket.failures.push(...Array<number>(20).fill(503)), 503, 'unavailable'],
    ['the file goes', () => bucket.objects.clear(), 410, 'gone'],
  ])(
    '%s after its size was sent gets an error in plain JSON, without headers of the file',
    async (_title, goes, status, error) => {
      const reports = inBucket();
      reports.start();
      const task = await make(reports);
      await reports.stop();
      const app = await serve(inBucket());
      for (const headers of [{ 'accept-encoding': 'gzip' }, { range: 'bytes=0-99' }]) {
        const sized = vi.spyOn(bucket.objects, 'get').mockImplementationOnce((name) => {
          const found = new Map(bucket.objects).get(name);
          goes();
          return found;
        });
        const kept = new Map(bucket.objects);
        const response = await app.inject({ url: pathOf(task), headers });
        sized.mockRestore();
        bucket.failures.length = 0;
        for (const [name, object] of kept) bucket.objects.set(name, object);
        expect([response.statusCode, response.json()]).toMatchObject([status, { error }]);
        for (const name of ['content-encoding', 'content-range', 'etag', 'content-disposition']) {
          expect(response.headers).not.toHaveProperty(name);
        }
      }
    },
  );

  test('expired reports are deleted', async () => {
    const reports = inBucket();
    reports.start();
    const task = await make(reports);
    const app = await serve(reports);
    await expire(task);
    await vi.waitFor(() => expect(objectsOf(task)).toEqual([]), { timeout: 60_000 });
    expect((await app.inject({ url: pathOf(task) })).statusCode).toBe(410);
  });

  test('a report waits for a bucket that is briefly down, and fails with a reason when it stays down', async () => {
    const reports = inBucket();
    reports.start();
    bucket.failures.push(...Array<number>(6).fill(503));
    const task = await make(reports);
    expect(objectsOf(task)).toHaveLength(2);
    const shut = openReports({ bucket: { url: 'http://127.0.0.1:9/b', ...keys } });
    await reports.stop();
    shut.start();
    const { id } = await shut.tasks.create(stores.sql.db, stores.caller, taskInput({}));
    const failed = await until(shut, id, 'FAILED');
    expect(failed.errorMessage).toContain('bucket');
    expect(onDisk(failed)).toEqual([]);
  });

  test('files of failed tries are deleted from the bucket', async () => {
    const reports = inBucket();
    const { id, token } = await reports.tasks.create(stores.sql.db, stores.caller, taskInput({}));
    for (const attempt of [1, 2])
      bucket.objects.set(`/placard/files/reports/${token}.${attempt}.csv`, {
        bytes: Buffer.from('x'),
        contentType: '',
      });
    await stores.sql.db
      .updateTable('report_tasks')
      .set({ status: 'FAILED', error_message: 'lost', attempts: 2, ended_at: new Date() })
      .where('id', '=', id)
      .execute();
    reports.start();
    await vi.waitFor(() => expect([...bucket.objects.keys()]).toEqual([]), { timeout: 60_000 });
  });

  test('reports from before the bucket can still be downloaded', async () => {
    const local = openReports();
    local.start();
    const task = await make(local);
    expect(onDisk(task)).toHaveLength(2);
    const app = await serve(inBucket());
    expect((await app.inject({ url: pathOf(task) })).statusCode).toBe(200);
  });
});

describe('the space for reports', () => {
  const sizeOf = async (task: ReportTask): Promise<number> => {
    const row = await stores.sql.db
      .selectFrom('report_tasks')
      .select(['csv_bytes', 'raw_bytes'])
      .where('id', '=', task.id)
      .executeTakeFirstOrThrow();
    return Number(row.csv_bytes) + Number(row.raw_bytes);
  };

  test('a task without space is refused with a message that states the space and when it becomes free', async () => {
    const reports = openReports();
    reports.start();
    const task = await make(reports);
    const small = openReports({ bytesMax: await sizeOf(task) });
    await expect(small.tasks.create(stores.sql.db, stores.caller, taskInput({}))).rejects.toMatchObject({
      code: 'report_space_used_up',
      message: expect.stringMatching(/may take 1 MB; .* Space becomes free as reports expire, next at \d{4}-/),
    });
    expect(await small.tasks.list(stores.sql.db, stores.caller, ALL)).toHaveLength(1);
    await small.tasks.create(stores.sql.db, stores.stranger, taskInput({}));
    await expire(task);
    await small.tasks.create(stores.sql.db, stores.caller, taskInput({}));
  });

  test('a report that outgrows the space fails while it is written, states the reason and leaves nothing behind', async () => {
    const reports = openReports({ bytesMax: 500 });
    reports.start();
    const { id } = await reports.tasks.create(stores.sql.db, stores.caller, taskInput({}));
    const failed = await until(reports, id, 'FAILED');
    expect(failed.errorMessage).toMatch(/^Finished reports may take 1 MB; .* Filter the report/);
    expect(onDisk(failed)).toEqual([]);
  });

  test('a scheduled run without space is FAILED with the reason', async () => {
    const reports = openReports();
    reports.start();
    const task = await make(reports);
    await reports.stop();
    const small = openReports({ bytesMax: await sizeOf(task) });
    const made = await small.schedules.create(stores.sql.db, stores.caller, {
      name: 'Daily',
      cron: '0 6 * * *',
      query: {
        measures: ['campaign_overview.impressions'],
        timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'yesterday' }],
      },
    });
    const run = await small.schedules.run(stores.sql.db, stores.caller, made.after.id);
    expect([run.status, run.errorMessage]).toEqual(['FAILED', expect.stringContaining('Finished reports may take')]);
  });
});

const ALL = { externalId: null, externalType: null, status: null, beforeId: null, limit: 100 };
