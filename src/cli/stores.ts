import type { Command } from 'commander';
import type { ComparedStore } from '../events/marks/compare-marks.ts';
import type { MarkJobDeps } from '../events/marks/mark-job.ts';
import { type CliCommand, type CliContext, formatTable } from './context/cli-context.ts';

const POOL_MAX = 2;

/** `placard stores`: whether the analytics store holds what was shipped to it, and how to go on when it does not. */
export const storesCommand: CliCommand = {
  name: 'stores',
  register: (program, context) => {
    const stores = program
      .command('stores')
      .description('Compare the analytics store with what was shipped to it, or accept that it lacks events.');
    registerShow(stores, context);
    registerAccept(stores, context);
  },
};

function registerShow(stores: Command, context: CliContext): void {
  stores
    .command('show')
    .description('Compare; exit code 1 when the analytics store lacks events.')
    .action(async (_options, command: Command) => {
      const compared = await withMarks(context, (_deps, found) => Promise.resolve(found));
      const { lost } = compared;
      const summary =
        lost === null ? 'The analytics store lacks nothing.' : `The analytics store lacks events: ${lost}.`;
      context.print(command, { ok: lost === null, ...compared }, [...describe(compared), summary]);
      if (lost !== null) process.exitCode = 1;
    });
}

function registerAccept(stores: Command, context: CliContext): void {
  stores
    .command('accept')
    .description(
      'Go on with the analytics store as it is. Events that it lacks are gone from reports and rebuilt counters.',
    )
    .action(async (_options, command: Command) => {
      const { markStore } = await import('../events/marks/mark-job.ts');
      const accepted = await withMarks(context, async (deps, compared) => {
        await markStore(deps, compared);
        return compared;
      });
      const sentence =
        accepted.lost === null
          ? 'The analytics store lacked nothing.'
          : 'Accepted. Shipping and rebuilds go on within seconds, and the events that it lacks are gone.';
      context.print(command, { accepted: accepted.lost, ...accepted }, [...describe(accepted), sentence]);
    });
}

function describe({ mark, found }: ComparedStore): string[] {
  return formatTable([
    ['', 'STORE', 'MARK', 'EVENTS'],
    ['known', mark?.storeId ?? '-', String(mark?.number ?? '-'), String(mark?.rows ?? '-')],
    ['found', found.storeId ?? '-', String(found.number), String(found.rows)],
  ]);
}

/** Compares the stores of this installation, and runs `work` with them. */
async function withMarks<T>(
  context: CliContext,
  work: (deps: MarkJobDeps, compared: ComparedStore) => Promise<T>,
): Promise<T> {
  const log = context.log();
  const [{ openOlap }, { openPostgres }, { compareAnalytics }] = await Promise.all([
    import('../storage/olap/clickhouse.ts'),
    import('../storage/sql/postgres.ts'),
    import('../events/marks/compare-marks.ts'),
  ]);
  return await context.withStores({ analytics: true }, async ({ postgresUrl, clickhouseUrl }) => {
    if (clickhouseUrl === null) throw new Error('The analytics store is unavailable');
    const olap = openOlap({ url: clickhouseUrl, log });
    const sql = openPostgres({ url: postgresUrl, log, poolMax: POOL_MAX, statementTimeoutMs: 60_000 });
    try {
      return await work({ sql: sql.db, olap, log }, await compareAnalytics(sql.db, olap));
    } finally {
      await sql.close();
      await olap.close();
    }
  });
}
