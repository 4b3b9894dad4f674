import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createTestFolder, createTestOlapDatabase, silentLog } from '../../test/support/stores.ts';
import { sealServedAd } from '../domain/link-token.ts';
import { openHotStore } from '../storage/hot/open-hot-store.ts';
import { migrateOlap } from '../storage/olap/migrate-olap.ts';
import { EVENT_OLAP_MIGRATIONS } from './events.olap.ts';
import { linkKey, makeServedAd } from './fixtures/catalog.ts';

const eventWorker = fileURLToPath(new URL('./fixtures/event-worker.ts', import.meta.url));
const WORKERS = 2;
const IMPRESSIONS = 3_000;
const KILLS = 4;

interface Run {
  readonly child: ChildProcess;
  readonly closed: Promise<unknown[]>;
  acknowledged(): string[];
}

test('impressions sent to several workers, some of them killed again and again, are each counted once everywhere', async () => {
  const folder = createTestFolder();
  const database = await createTestOlapDatabase();
  try {
    await migrateOlap({ olap: database.olap, migrations: EVENT_OLAP_MIGRATIONS, log: silentLog });
    const tokens = Array.from({ length: IMPRESSIONS }, () => sealServedAd(makeServedAd(Date.now()), linkKey));
    let started = 0;
    const start = (slot: number): Run => {
      started += 1;
      return startWorker(
        [folder.dir, database.url, String(slot), String(WORKERS), join(folder.dir, `acknowledged-${started}`)],
        tokens,
      );
    };
    const acknowledged = new Set<string>();
    let runs = Array.from({ length: WORKERS }, (_, slot) => start(slot));
    for (let kill = 0; kill < KILLS; kill += 1) {
      const slot = kill % WORKERS;
      const run = runs[slot] as Run;
      await expect.poll(() => run.acknowledged().length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(100);
      await new Promise((resolve) => setTimeout(resolve, kill * 40));
      run.child.kill('SIGKILL');
      expect(await run.closed).toEqual([null, 'SIGKILL']);
      for (const token of run.acknowledged()) acknowledged.add(token);
      runs = runs.map((one, index) => (index === slot ? start(slot) : one));
    }
    for (const run of runs) {
      expect(await run.closed).toEqual([0, null]);
      for (const token of run.acknowledged()) acknowledged.add(token);
    }
    expect(acknowledged.size).toBe(IMPRESSIONS);
    const [row] = await database.olap.query<{ rows: string; ids: string; nanos: string }>({
      sql: 'SELECT count() AS rows, uniqExact(event_id) AS ids, sum(revenue_nanos) AS nanos FROM events',
    });
    expect(row).toEqual({
      rows: String(IMPRESSIONS),
      ids: String(IMPRESSIONS),
      nanos: String(IMPRESSIONS * 12_500_000),
    });
    const hot = openHotStore({ dir: join(folder.dir, 'hot'), nowMs: Date.now, log: silentLog });
    const counters = await hot.readCounters(['d/1/li/21/imp/all', 'd/1/ad/7/spend/all']);
    await hot.close();
    expect(counters).toEqual([BigInt(IMPRESSIONS), BigInt(IMPRESSIONS) * 12_500_000n]);
  } finally {
    await database.close();
    folder.remove();
  }
}, 120_000);

function startWorker(args: readonly [string, string, string, string, string], tokens: readonly string[]): Run {
  const child = fork(eventWorker, args, { execArgv: [] });
  child.send(tokens);
  const acknowledgedPath = args[4];
  return {
    child,
    closed: once(child, 'close'),
    acknowledged: () =>
      existsSync(acknowledgedPath) ? readFileSync(acknowledgedPath, 'utf8').split('\n').slice(0, -1) : [],
  };
}
