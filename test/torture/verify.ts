import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { openHotStore } from '../../src/storage/hot/open-hot-store.ts';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import type { Booking } from './booking.ts';
import { compareEvents } from './compare-events.ts';
import { compareCounters, compareRollUps } from './compare-sums.ts';
import type { Journal } from './journal.ts';
import { readStored, type StoredEvent } from './stored-events.ts';
import { pause, type TorturedServer } from './tortured-server.ts';

/** The compared figures, and their differences. */
export interface Verdict {
  readonly acknowledged: number;
  readonly stored: readonly StoredEvent[];
  readonly problems: readonly string[];
}

const log = SILENT_LOG;
const BACKLOG_WAIT_MS = 120_000;

/** Compares journal, event table, roll-ups and delivery counters, once nothing is on its way any more. */
export async function verify(server: TorturedServer, journal: Journal, booking: Booking): Promise<Verdict> {
  await untilShipped(server);
  const olap = openOlap({ url: server.endpoints.clickhouseUrl, log });
  const dir = join(server.dataDir, 'hot');
  const redis = server.redis === null ? {} : { redisUrl: server.redis.url };
  const hot = openHotStore({ dir, ...redis, nowMs: Date.now, log });
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

/** The spool is empty when the store has everything. */
async function untilShipped(server: TorturedServer): Promise<void> {
  const waiting = (): string[] =>
    readdirSync(join(server.dataDir, 'spool'))
      .filter((name) => /^w\d+$/.test(name))
      .flatMap((slot) => readdirSync(join(server.dataDir, 'spool', slot)));
  for (const untilMs = performance.now() + BACKLOG_WAIT_MS; waiting().length > 0; ) {
    if (performance.now() > untilMs) throw new Error(`The spool did not drain: ${waiting().slice(0, 10).join(', ')}`);
    await pause(100);
  }
}
