import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { openRedisHotStore } from '../../src/storage/hot/redis-hot-store.ts';
import { openSocketHotStore } from '../../src/storage/hot-socket/socket-hot-store.ts';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import type { Booking } from './booking.ts';
import { compareEvents } from './compare-events.ts';
import { compareCounters, compareRollUps } from './compare-sums.ts';
import type { ComparedStores } from './compared-stores.ts';
import type { Journal } from './journal.ts';
import { readStored, type StoredEvent } from './stored-events.ts';
import { listUncreditedFiles } from '../../src/events/activities/uncredited-events.ts';
import { BATCHES_FOLDER } from '../../src/events/shipping/batch-folders.ts';
import { pause } from './tortured-server.ts';

/** The compared figures, and their differences. */
export interface Verdict {
  readonly acknowledged: number;
  readonly stored: readonly StoredEvent[];
  readonly problems: readonly string[];
}

const log = SILENT_LOG;

/** Compares journal, event table, roll-ups and delivery counters, once nothing is on its way any more. */
export async function verify(stores: ComparedStores, journal: Journal, booking: Booking): Promise<Verdict> {
  await untilShipped(stores);
  const olap = openOlap({ url: stores.clickhouseUrl, log });
  const { redisUrl, hotSocket } = stores;
  const hot =
    redisUrl === null
      ? openSocketHotStore({ path: hotSocket, log })
      : openRedisHotStore({ url: redisUrl, log, keeper: 'nobody' });
  try {
    const stored = await readStored(olap, booking);
    const problems = [
      ...compareEvents(journal, stored, booking),
      ...(await compareRollUps(olap, stored, booking)),
      ...(await compareCounters(hot, stored, booking)),
    ];
    return { acknowledged: journal.acknowledged.size, stored, problems };
  } finally {
    await hot.close();
    await olap.close();
  }
}

/** The spools are empty when the store has everything. */
async function untilShipped({ spoolDirs, backlogWaitMs }: ComparedStores): Promise<void> {
  const folders = spoolDirs.flatMap((spoolDir) =>
    readdirSync(spoolDir)
      .filter((name) => /^w\d+$/.test(name) || name === BATCHES_FOLDER)
      .map((name) => join(spoolDir, name)),
  );
  const waiting = (): string[] => [
    ...spoolDirs.flatMap(listUncreditedFiles).map(({ path }) => path),
    ...folders.flatMap((folder) => readdirSync(folder)),
  ];
  for (const untilMs = performance.now() + backlogWaitMs; waiting().length > 0; ) {
    if (performance.now() > untilMs) throw new Error(`The spool did not drain: ${waiting().slice(0, 10).join(', ')}`);
    await pause(100);
  }
}
