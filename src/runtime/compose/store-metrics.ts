import type { Kysely } from 'kysely';
import { Counter, Gauge, type Registry } from 'prom-client';
import { readLastRun } from '../../cluster/job-leases.sql.ts';
import { type DurationSeries, SummedHistogram } from '../../http/shared/summed-histogram.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { LedgerStats } from '../../storage/ledger/ledger-store.ts';
import type { Sql } from '../../storage/sql/postgres.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { wrapCalls } from '../hot-store/wrap-calls.ts';

/** The calls that requests and events wait for. Reads that the ledger makes at once from its memory are not among them. */
const MEASURED = [
  'applyOnce',
  'applyOnceAll',
  'get',
  'readValues',
  'set',
  'readCounters',
  'addToCounters',
  'addNumbered',
  'readList',
  'countLines',
  'countRest',
  'isCounted',
  'flushed',
  'ping',
] as const satisfies readonly (keyof HotStore)[];

type Call = (...args: unknown[]) => Promise<unknown>;

/** The same store, and the histogram of how long its calls take. */
export function measureHotStore(hot: HotStore): {
  readonly hot: HotStore;
  readonly register: (registry: Registry) => void;
} {
  const histogram = new SummedHistogram({
    name: 'placard_hot_store_seconds',
    help: 'Time of a call of the hot store, by operation, failed ones included.',
    boundsMs: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 100, 1_000],
  });
  const series = new Map<string | symbol, DurationSeries>(
    MEASURED.map((operation) => [operation, histogram.open({ operation })]),
  );
  const measured = wrapCalls(hot, (name, call) => {
    const durations = series.get(name);
    return durations === undefined ? call : measure(call as Call, durations);
  });
  return { hot: measured, register: (registry) => histogram.register(registry) };
}

function measure(call: Call, durations: DurationSeries): Call {
  return (...args) => {
    const startedMs = performance.now();
    const result = call(...args);
    const observe = (): void => durations.observe(performance.now() - startedMs);
    result.then(observe, observe);
    return result;
  };
}

/** Registers the metrics of the pool; they are read at each scrape. */
export function registerPoolMetrics(registry: Registry, sql: Pick<Sql, 'connections'>): void {
  const registers = [registry];
  const connections: Gauge<'state'> = new Gauge({
    name: 'placard_postgres_connections',
    help: 'Connections of the pool to PostgreSQL, by state.',
    labelNames: ['state'],
    registers,
    collect: () => {
      const { open, idle } = sql.connections();
      connections.set({ state: 'idle' }, idle);
      connections.set({ state: 'used' }, open - idle);
    },
  });
  const waiting: Gauge = new Gauge({
    name: 'placard_postgres_waiting',
    help: 'Callers that wait for a connection to PostgreSQL.',
    registers,
    collect: () => waiting.set(sql.connections().waiting),
  });
}

/** Registers the metrics of the ledger; they are read at each scrape. */
export function registerLedgerMetrics(registry: Registry, stats: () => LedgerStats): void {
  const registers = [registry];
  const figures: readonly [name: string, help: string, read: (of: LedgerStats) => number][] = [
    [
      'placard_ledger_entries',
      'Entries of the ledger: counters, claims, frequencies and touches of users, segments.',
      (of) => of.entries,
    ],
    ['placard_ledger_bytes', 'Memory of the entries of the ledger.', (of) => of.bytes],
    [
      'placard_ledger_log_bytes',
      'Bytes of the log that the ledger writes now: a start reads them.',
      (of) => of.logBytes,
    ],
    ['placard_ledger_failing', '1 while the disk does not take the log of the ledger.', (of) => Number(of.isFailing)],
    [
      'placard_ledger_checkpoint_seconds',
      'Duration of the newest checkpoint of this process.',
      (of) => (of.checkpoint?.milliseconds ?? 0) / 1_000,
    ],
  ];
  for (const [name, help, read] of figures) {
    const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read(stats())) });
  }
  const forgotten: Counter = new Counter({
    name: 'placard_ledger_forgotten_total',
    help: 'Frequencies and touches of users that were forgotten for want of memory.',
    registers,
    collect: () => {
      forgotten.reset();
      forgotten.inc(stats().forgotten);
    },
  });
}

/** Registers when the last scheduled backup was written; while PostgreSQL is unavailable, the last value stays. */
export function registerBackupMetric(registry: Registry, db: Kysely<Database>): void {
  const written: Gauge = new Gauge({
    name: 'placard_backup_last_good_timestamp_seconds',
    help: 'When the last backup of PLACARD_BACKUP_TO was written, by any node, Unix seconds; 0: never.',
    registers: [registry],
    collect: async () => {
      const at = await readLastRun(db, 'backups').catch(() => undefined);
      if (at !== undefined) written.set(at === null ? 0 : at.getTime() / 1_000);
    },
  });
}
