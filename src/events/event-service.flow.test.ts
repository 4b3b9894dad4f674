import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createTestFolder, createTestOlapDatabase, silentLog } from '../../test/support/stores.ts';
import { sealServedAd } from '../domain/events/link-token.ts';
import { openLedger } from '../storage/ledger/ledger-store.ts';
import { serveHotStore } from '../storage/hot-socket/serve-hot-store.ts';
import { migrateOlap } from '../storage/olap/migrate-olap.ts';
import { EVENT_OLAP_MIGRATIONS } from './shipping/events.olap.ts';
import { linkKey, makeServedAd } from './fixtures/catalog.ts';

const eventWorker = fileURLToPath(new URL('./fixtures/event-worker.ts', import.meta.url));
const WORKERS = 2;
const IMPRESSIONS = 3_000;
const KILLS = 4;
const RESTARTS_MAX = 10;

/** One worker index: its process is started again whenever it dies, as the supervisor does, until one process has finished all. */
interface Worker {
  kill(): void;
  readonly finished: Promise<void>;
  acknowledged(): string[];
}

// Conformance: P4
test('impressions sent to several workers, some of them killed repeatedly, are each counted once in every store', async () => {
  const folder = createTestFolder();
  const workers: Worker[] = [];
  const database = await createTestOlapDatabase();
  const hot = openLedger({ dir: join(folder.dir, 'hot'), nowMs: Date.now, log: silentLog });
  const server = await serveHotStore(hot, { path: join(folder.dir, 'hot.sock') });
  try {
    await migrateOlap({ olap: database.olap, migrations: EVENT_OLAP_MIGRATIONS, log: silentLog });
    const tokens = Array.from({ length: IMPRESSIONS }, () => sealServedAd(makeServedAd(Date.now()), linkKey));
    for (let index = 0; index < WORKERS; index += 1)
      workers.push(superviseWorker(folder.dir, database.url, index, tokens));
    for (let kill = 0; kill < KILLS; kill += 1) {
      const worker = workers[kill % WORKERS] as Worker;
      const before = worker.acknowledged().length;
      await expect.poll(() => worker.acknowledged().length, { interval: 5 }).toBeGreaterThan(before + 100);
      await new Promise((resolve) => setTimeout(resolve, kill * 40));
      worker.kill();
    }
    await Promise.all(workers.map((worker) => worker.finished));
    const acknowledged = new Set(workers.flatMap((worker) => worker.acknowledged()));
    expect(acknowledged.size).toBe(IMPRESSIONS);
    const [row] = await database.olap.query<{ rows: string; ids: string; nanos: string }>({
      sql: 'SELECT count() AS rows, uniqExact(event_id) AS ids, sum(revenue_nanos) AS nanos FROM events',
    });
    expect(row).toEqual({
      rows: String(IMPRESSIONS),
      ids: String(IMPRESSIONS),
      nanos: String(IMPRESSIONS * 12_500_000),
    });
    const counters = await hot.readCounters(['d/1/li/21/imp/all', 'd/1/ad/7/spend/all']);
    expect(counters).toEqual([BigInt(IMPRESSIONS), BigInt(IMPRESSIONS) * 12_500_000n]);
  } finally {
    for (const worker of workers) worker.kill();
    await server.stop();
    await hot.close();
    await database.close();
    folder.remove();
  }
}, 120_000);

function superviseWorker(dir: string, olapUrl: string, workerIndex: number, tokens: readonly string[]): Worker {
  const acknowledgedPath = join(dir, `acknowledged-${workerIndex}`);
  let child: ChildProcess;
  const start = (): void => {
    child = fork(eventWorker, [dir, olapUrl, String(workerIndex), String(WORKERS), acknowledgedPath], { execArgv: [] });
    child.send(tokens);
  };
  const runUntilFinished = async (): Promise<void> => {
    for (let restarts = 0; restarts < RESTARTS_MAX; restarts += 1) {
      start();
      const [code] = await once(child, 'close');
      if (code === 0) return;
    }
    throw new Error(`worker ${workerIndex} died ${RESTARTS_MAX} times`);
  };
  return {
    finished: runUntilFinished(),
    kill: () => void child.kill('SIGKILL'),
    acknowledged: () =>
      existsSync(acknowledgedPath) ? readFileSync(acknowledgedPath, 'utf8').split('\n').slice(0, -1) : [],
  };
}
