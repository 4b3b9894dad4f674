/** Many rows, and what happens when a worker dies in the middle of them: whole processes on real stores. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { silentLog } from '../../test/support/stores.ts';
import type { ReportTask } from '../domain/reporting/report-task.ts';
import { startSignedBucket } from '../storage/fixtures/signed-bucket.ts';
import type { BucketOptions } from '../storage/bucket.ts';
import { openReportStores, type ReportStores, taskInput } from './legacy/fixtures/report-stores.ts';
import { createLegacyReports, type LegacyReports } from './legacy-reports.ts';

/** `REPORT_ROWS=1000000 npx vitest run src/reports/legacy` for a million, as CI does. */
const ROWS = Number(process.env['REPORT_ROWS'] ?? 300_000);
const WORKER = new URL('./legacy/fixtures/report-worker.ts', import.meta.url).pathname;
const TIMEOUT_MS = 300_000;

let stores: ReportStores;
let reports: LegacyReports;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  stores = await openReportStores();
  // Only makes tasks here: the workers are processes of their own.
  reports = createLegacyReports({
    sql: stores.sql.db,
    olap: stores.analytics.olap,
    dataDir: stores.dataDir,
    bytesMax: 1e9,
    publicUrl: 'https://reports.example',
    pepper: Buffer.alloc(32, 1),
    log: silentLog,
    nowMs: Date.now,
  });
  for (let start = 0; start < ROWS; start += 100_000) await insertRows(start, 100_000);
}, TIMEOUT_MS);

/** Events that are a row each in the report. */
function insertRows(start: number, count: number): Promise<void> {
  return stores.analytics.olap.command(
    `INSERT INTO events (event_id, workspace_id, kind, time, impression_id, campaign_id, line_item_id, creative_id, ad_unit_id, revenue_nanos, quantity)
     SELECT toString(number), 1, 'impression', toDateTime64('2026-07-01 00:00:00', 3, 'UTC') + INTERVAL (number % 700) HOUR, toString(number),
       toString(1 + number % 50), toString(1 + intDiv(number, 700)), '1', toString(1 + number % 9), 2500, 1
     FROM numbers(${start}, ${count})`,
  );
}

afterEach(async () => {
  for (const worker of workers.splice(0)) {
    if (worker.exitCode !== null || worker.signalCode !== null) continue;
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  }
});

afterAll(() => stores?.close());

async function startWorker(leaseMs: number, bucket: BucketOptions | null = null): Promise<ChildProcess> {
  const stored = [stores.sql.url, stores.analytics.url, stores.dataDir];
  const worker = fork(WORKER, [...stored, String(leaseMs), JSON.stringify(bucket)], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  workers.push(worker);
  await once(worker, 'message');
  return worker;
}

function createLarge(): Promise<ReportTask> {
  const input = taskInput({
    granularity: 'hour',
    timezone: 'UTC',
    split: ['line_item_id', 'campaign_id', 'creative_id'],
    metric: ['filled_emission', 'revenue'],
  });
  return reports.tasks.create(stores.sql.db, stores.caller, input);
}

async function read(id: number): Promise<ReportTask> {
  const task = await reports.tasks.find(stores.sql.db, stores.caller, id);
  if (task === null) throw new Error(`There is no task ${id}`);
  return task;
}

async function countLines(path: string): Promise<number> {
  const file = await open(path);
  let lines = 0;
  for await (const _line of file.readLines()) lines += 1;
  return lines;
}

function peakMemoryBytes(worker: ChildProcess): number {
  const kibibytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${worker.pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1024;
}

test(
  'a worker writes many rows in bounded memory, with increasing progress',
  async () => {
    const worker = await startWorker(20_000);
    const beforeBytes = peakMemoryBytes(worker);
    const { id, token } = await createLarge();
    const seen = new Set<number>();
    await vi.waitFor(
      async () => {
        const task = await read(id);
        expect(task.status).not.toBe('FAILED');
        seen.add(task.progress);
        expect(task.status).toBe('DONE');
      },
      { timeout: TIMEOUT_MS, interval: 100 },
    );
    expect((await read(id)).rowCount).toBe(ROWS);
    expect(await countLines(join(stores.dataDir, 'reports', `${token}.1.csv`))).toBe(ROWS + 1);
    expect(await countLines(join(stores.dataDir, 'reports', `${token}.1.ndjson`))).toBe(ROWS);
    expect([...seen]).toEqual([...seen].sort((left, right) => left - right));
    expect(seen.size).toBeGreaterThan(2);
    const grownBytes = peakMemoryBytes(worker) - beforeBytes;
    // The files have some 150 MB between them.
    expect(grownBytes).toBeLessThan(160_000_000);
  },
  TIMEOUT_MS,
);

test(
  'a worker sends many rows to a bucket in bounded memory',
  async () => {
    const keys = { accessKeyId: 'AKIAEXAMPLE', secretKey: 'secret', region: 'eu-central-1' };
    const bucket = await startSignedBucket(keys);
    try {
      const worker = await startWorker(20_000, { url: bucket.url, ...keys });
      const beforeBytes = peakMemoryBytes(worker);
      const { id, token } = await createLarge();
      await vi.waitFor(async () => expect((await read(id)).status).toBe('DONE'), {
        timeout: TIMEOUT_MS,
        interval: 100,
      });
      const csv = bucket.objects.get(`/placard/files/reports/${token}.1.csv`)?.bytes ?? Buffer.alloc(0);
      expect(csv.toString('latin1').split('\n')).toHaveLength(ROWS + 2);
      expect(peakMemoryBytes(worker) - beforeBytes).toBeLessThan(160_000_000);
    } finally {
      bucket.close();
    }
  },
  TIMEOUT_MS,
);

test(
  'another worker takes over the task of a killed one when the lease ends, and nothing of the first try is left',
  async () => {
    const doomed = await startWorker(5_000);
    const { id, token } = await createLarge();
    await vi.waitFor(
      async () => {
        const { status, progress } = await read(id);
        expect(status).toBe('PROCESSING');
        expect(progress).toBeGreaterThan(10);
        expect(progress).toBeLessThan(90);
      },
      { timeout: TIMEOUT_MS, interval: 20 },
    );
    doomed.kill('SIGKILL');
    await once(doomed, 'exit');
    expect((await read(id)).status).toBe('PROCESSING');
    await startWorker(5_000);
    await vi.waitFor(async () => expect((await read(id)).status).toBe('DONE'), { timeout: TIMEOUT_MS, interval: 100 });
    expect((await read(id)).rowCount).toBe(ROWS);
    const files = readdirSync(join(stores.dataDir, 'reports')).filter((name) => name.startsWith(token));
    expect(files.sort()).toEqual([`${token}.2.csv`, `${token}.2.ndjson`]);
    expect(await countLines(join(stores.dataDir, 'reports', `${token}.2.csv`))).toBe(ROWS + 1);
  },
  TIMEOUT_MS,
);
