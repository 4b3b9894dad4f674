import type { Log } from '../../domain/log/log.ts';
import type { Olap } from './olap.ts';

/** One table of a fill. */
export interface FilledTable {
  /** Partitioned by `toYYYYMM(time)`; must exist. */
  readonly table: string;
  /** The statements that make an empty table of the same columns, keys and partitions under another name, if there is none. */
  readonly create: (name: string) => readonly string[];
  /**
   * The statement that inserts what happened from `{from:DateTime('UTC')}` to before `{to:DateTime('UTC')}` into `name`. `from` is the
   * table of this fill before this one, as far as it is filled; null for the first, which reads the source.
   */
  readonly insert: (name: string, from: string | null) => string;
}

/** How new tables get what an old one holds already: the first from the source, each further one from the one before it. */
export interface OlapFill {
  /** A table that is partitioned by `toYYYYMM(time)`. Nothing but this fill may write to its tables meanwhile. */
  readonly source: string;
  /** A SQL text over rows of a month of the source that is another when more was counted, and the same after a merge. */
  readonly fingerprint: string;
  readonly tables: readonly FilledTable[];
}

/** The dependencies of a fill. */
export interface FillContext {
  readonly olap: Olap;
  readonly log: Log;
  /** The migration that the fill belongs to. */
  readonly migration: string;
  /** Ids in `placard_migrations`: those of migrations, and marks of fills. */
  readonly known: ReadonlySet<string>;
}

interface Month {
  /** Such as `202603`. */
  readonly month: string;
  readonly fingerprint: string;
  /** The UTC days that it has anything of, as epoch seconds of their beginning. */
  readonly days: readonly number[];
}

const DAY_SECONDS = 86_400;

/**
 * Fills tables month by month, each month exactly once however often this is interrupted: a month is built in tables of its own,
 * day by day, replaces that month of the real tables in one step each, and is then marked in `placard_migrations`. A fill that
 * was interrupted repeats that month and goes on with the next. A month whose source has grown since it was marked is filled again.
 * An insert of an interrupted fill may still run on a server: it writes to a table that is no longer read.
 * @throws OlapError; months before stay done
 */
export async function fillTables(context: FillContext, fill: OlapFill): Promise<void> {
  const { olap, log, migration, known } = context;
  const months = await olap.query<Month>({
    sql: `SELECT toString(toYYYYMM(time)) AS month, ${fill.fingerprint} AS fingerprint,
      arraySort(groupUniqArray(toUnixTimestamp(toStartOfDay(time, 'UTC')))) AS days
      FROM ${fill.source} GROUP BY month ORDER BY month`,
    timeoutMs: 600_000,
    isFinal: true,
  });
  for (const { month, fingerprint, days } of months) {
    const mark = `${migration}/${fill.tables.map(({ table }) => table).join('+')}/${month}/${fingerprint}`;
    if (known.has(mark)) continue;
    const startedAtMs = performance.now();
    await fillMonth(context, fill, { month, days });
    await olap.command('INSERT INTO placard_migrations (id) VALUES ({mark:String})', { mark });
    log.event('analytics.month_filled', { migration, month, ms: Math.round(performance.now() - startedAtMs) });
  }
}

async function fillMonth(
  context: FillContext,
  fill: OlapFill,
  { month, days }: Pick<Month, 'month' | 'days'>,
): Promise<void> {
  const { olap } = context;
  const made: string[] = [];
  await dropMade(context, fill);
  for (const { table, create, insert } of fill.tables) {
    const name = madeName(table);
    for (const statement of create(name)) await olap.command(statement);
    const statement = insert(name, made.at(-1) ?? null);
    for (const day of days) await olap.command(statement, { from: day, to: day + DAY_SECONDS });
    made.push(name);
  }
  for (const { table } of fill.tables) {
    const [to, from] = [olap.dialect.stored(table), olap.dialect.stored(madeName(table))];
    await olap.command(`ALTER TABLE ${to}${olap.dialect.onCluster} REPLACE PARTITION ID '${month}' FROM ${from}`);
  }
  await dropMade(context, fill);
}

async function dropMade({ olap }: FillContext, fill: OlapFill): Promise<void> {
  for (const { table } of fill.tables) {
    for (const statement of olap.dialect.drop(madeName(table))) await olap.command(statement);
  }
}

/** Where a month is put together. */
function madeName(table: string): string {
  return `${table}_month`;
}
