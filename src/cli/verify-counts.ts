import { isCalendarDay } from '../domain/time/calendar.ts';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { RollUpDifference } from '../reports/rollups/compare-rollups.olap.ts';
import { isRateCounterKey, isUnitCounterKey } from '../domain/money/counter-key.ts';
import type { HotStore } from '../storage/hot/hot-store.ts';
import type { Olap } from '../storage/olap/olap.ts';
import type { Sql } from '../storage/sql/postgres.ts';
import { type CliCommand, type CliContext, formatTable } from './context/cli-context.ts';

interface Options {
  readonly from?: string;
  readonly to?: string;
}

/** A delivery counter that is not what the events say. */
interface CounterDifference {
  readonly counter: string;
  readonly events: string;
  readonly found: string;
}

const DAY_MS = 86_400_000;
const DAYS_DEFAULT = 7;
const POOL_MAX = 2;
const COUNTERS_PER_READ = 5_000;
const SHOWN_MAX = 200;

/** `placard verify-counts`: whether event table, roll-ups and delivery counters say the same, and the analytics store lacks nothing. Exit code 1 otherwise. */
export const verifyCountsCommand: CliCommand = {
  name: 'verify-counts',
  register: (program, context) => {
    program
      .command('verify-counts')
      .description('Compare events, report roll-ups (by hour) and delivery counters; exit code 1 when they differ.')
      .option('--from <day>', 'first UTC day of the roll-ups, YYYY-MM-DD (default: seven days ago)', parseDay)
      .option('--to <day>', 'last UTC day of the roll-ups, YYYY-MM-DD (default: today)', parseDay)
      .action(async (options: Options, command: Command) => {
        const range = rangeOf(options, Date.now());
        const { rollUps, counters, compared, unshipped, lost } = await compare(context, range);
        const rows = [
          ...rollUps.map((one) => [
            one.table,
            `workspace ${one.workspaceId}`,
            one.bucket,
            one.column,
            one.events,
            one.rollUp,
          ]),
          ...counters.map((one) => ['counter', one.counter, '-', '-', one.events, one.found]),
        ];
        const head = ['WHERE', 'OF', 'HOUR OR DAY', 'FIGURE', 'EVENTS', 'FOUND'];
        const summary =
          `${rollUps.length} differences in roll-ups, ${counters.length} in ${compared} delivery counters; ` +
          `${unshipped} events wait in the spool.`;
        const warning = lost === null ? [] : [`The analytics store lacks events: ${lost}. See "placard stores".`];
        const table = rows.length === 0 ? [] : formatTable([head, ...rows.slice(0, SHOWN_MAX)]);
        const ok = rows.length === 0 && lost === null;
        context.print(command, { ok, range, rollUps, counters, compared, unshipped, lost }, [
          ...table,
          ...(rows.length > SHOWN_MAX ? [`… and ${rows.length - SHOWN_MAX} more; --json shows all.`] : []),
          summary,
          ...warning,
        ]);
        if (!ok) process.exitCode = 1;
      });
  },
};

interface Comparison {
  readonly rollUps: readonly RollUpDifference[];
  readonly counters: readonly CounterDifference[];
  readonly compared: number;
  readonly unshipped: number;
  /** Why the analytics store lacks events; null: it lacks none. */
  readonly lost: string | null;
}

async function compare(context: CliContext, range: { from: string; to: string }): Promise<Comparison> {
  const settings = context.settings();
  const log = context.log();
  const [{ openOlap }, { openPostgres }, { borrowHotStore }, { compareRollUps }, { compareAnalytics }] =
    await Promise.all([
      import('../storage/olap/clickhouse.ts'),
      import('../storage/sql/postgres.ts'),
      import('../runtime/hot-store/borrow-hot-store.ts'),
      import('../reports/rollups/compare-rollups.olap.ts'),
      import('../events/marks/compare-marks.ts'),
    ]);
  return await context.withStores({ analytics: true }, async ({ postgresUrl, clickhouseUrl, redisUrl }) => {
    if (clickhouseUrl === null) throw new Error('The analytics store is unavailable');
    const { hot, close } = await borrowHotStore({ dataDir: settings.dataDir, log }, redisUrl);
    const olap = openOlap({ url: clickhouseUrl, log });
    const sql = openPostgres({ url: postgresUrl, log, poolMax: POOL_MAX, statementTimeoutMs: 60_000 });
    try {
      const rollUps = await compareRollUps(olap, range);
      const { lost } = await compareAnalytics(sql.db, olap);
      return { rollUps, lost, ...(await compareCounters({ olap, sql: sql.db, hot, dataDir: settings.dataDir })) };
    } finally {
      await close();
      await sql.close();
      await olap.close();
    }
  });
}

async function compareCounters(stores: {
  readonly olap: Olap;
  readonly sql: Sql['db'];
  readonly hot: HotStore;
  readonly dataDir: string;
}): Promise<Omit<Comparison, 'rollUps' | 'lost'>> {
  const { expectDeliveryCounters } = await import('../events/recovery/expected-counters.ts');
  const { addUnshipped } = await import('../events/recovery/spool-inspection.ts');
  const { readCountedSums } = await import('../reports/rollups/counted-sums.olap.ts');
  const { readCatalog } = await import('../delivery/snapshot/compiled-networks.ts');
  const nowMs = Date.now();
  const catalog = await readCatalog(stores.sql, nowMs);
  const expected = await expectDeliveryCounters({ readSums: readCountedSums(stores.olap), catalog, nowMs });
  const unshipped = await addUnshipped(join(stores.dataDir, 'spool'), stores.hot, expected);
  const all = [...expected].filter(([key]) => !isUnitCounterKey(key));
  const counters: CounterDifference[] = [];
  for (let start = 0; start < all.length; start += COUNTERS_PER_READ) {
    const part = all.slice(start, start + COUNTERS_PER_READ);
    const found = await stores.hot.readCounters(part.map(([key]) => key));
    for (const [at, [counter, { value }]] of part.entries())
      if (!isRight(counter, value, found[at] ?? 0n))
        counters.push({ counter, events: String(value), found: String(found[at] ?? 0n) });
  }
  return { counters, compared: all.length, unshipped };
}

/** Rates of creatives are counted from the moment that their line item learns them: such a counter may hold less than all events. */
function isRight(counter: string, events: bigint, found: bigint): boolean {
  return isRateCounterKey(counter) ? found <= events : found === events;
}

function rangeOf({ from, to }: Options, nowMs: number): { from: string; to: string } {
  const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);
  const last = to === undefined ? nowMs : Date.parse(`${to}T00:00:00Z`);
  const first = from ?? dayOf(last - (DAYS_DEFAULT - 1) * DAY_MS);
  // The day behind the last one ends the range.
  return { from: first, to: dayOf(last + DAY_MS) };
}

function parseDay(text: string): string {
  if (!isCalendarDay(text) || !text.startsWith('20')) throw new InvalidArgumentError('Write a day as YYYY-MM-DD.');
  return text;
}
