import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { PlacardError } from '../domain/errors.ts';
import type { EventExport, ExportedHour, ExportOutcome } from '../events/export/event-export.ts';
import type { ExportTarget } from '../storage/export/export-target.ts';
import { type CliCommand, type CliContext, UsageError } from './context/cli-context.ts';

interface ExportOptions {
  readonly from: number;
  readonly to?: number;
  readonly network?: string;
  readonly out?: string;
}

const HOUR_MS = 3_600_000;
const POOL_MAX = 3;

/** `placard export`: hours of events as Parquet files, into the folder or bucket of the settings, or into another folder. */
export const exportCommand: CliCommand = {
  name: 'export',
  register: (program, context) => {
    program
      .command('export')
      .description('Write events as hourly Parquet files. Hours that are exported already stay as they are.')
      .requiredOption('--from <hour>', 'first hour, UTC: YYYY-MM-DD or YYYY-MM-DDTHH', parseHour)
      .option('--to <hour>', 'end of the range, not included (default: now)', parseHour)
      .option('-n, --network <id>', 'only this network (default: all)', parseNetwork)
      .option('--out <folder>', 'a folder instead of PLACARD_EXPORT_DIR or PLACARD_EXPORT_S3_URL')
      .addHelpText(
        'after',
        '\nProgress goes to standard error. Exit code 1: an hour could not be exported; run the command again.\n' +
          'docs/export.md describes the files.',
      )
      .action(async (options: ExportOptions, command: Command) => {
        const toMs = options.to ?? Date.now();
        if (toMs <= options.from) throw new UsageError('The range is empty: --to must be later than --from.');
        const { target, outcome } = await runExport(context, { ...options, to: toMs });
        const until = new Date(outcome.untilMs).toISOString();
        const { hours, files, rows, bytes } = outcome;
        const isWhole = outcome.untilMs > toMs - HOUR_MS;
        context.print(command, { target: target.title, exportedUntil: until, hours, files, rows, bytes }, [
          `${rows} events exported in ${files} files (${bytes} bytes) of ${hours} hours to ${target.title}.`,
          ...(isWhole ? [] : [`Hours from ${until} on may still get events and were left out.`]),
        ]);
      });
  },
};

async function runExport(
  context: CliContext,
  { from, to, network, out }: ExportOptions & { readonly to: number },
): Promise<{ readonly target: ExportTarget; readonly outcome: ExportOutcome }> {
  const target = await openTarget(context, out);
  const onHour = ({ workspace, hourMs, added, files, left }: ExportedHour): void => {
    if (files === 0) return;
    const hour = new Date(hourMs).toISOString().slice(0, 13);
    const { environment, networkId } = workspace;
    process.stderr.write(`${hour} ${environment} ${networkId}: ${added} events, ${files} files, ${left} hours left\n`);
  };
  const range = { fromMs: from, untilMs: to, onHour, ...(network === undefined ? {} : { networkId: network }) };
  const outcome = await withExport(context, target, async (exports) => {
    if (network !== undefined && !(await exports.hasNetwork(network)))
      throw new UsageError(`There is no network ${network}.`);
    return exports.run(range).catch((error: unknown) => {
      throw explain(error, target);
    });
  });
  return { target, outcome };
}

async function openTarget(context: CliContext, out: string | undefined): Promise<ExportTarget> {
  const { openExportFolder } = await import('../storage/export/export-folder.ts');
  const { openExportTarget } = await import('../runtime/compose/event-export.ts');
  const target = out === undefined ? openExportTarget(context.settings(), 'events') : openExportFolder(resolve(out));
  if (target !== null) return target;
  throw new UsageError('Say where to: --out <folder>, or set PLACARD_EXPORT_DIR or PLACARD_EXPORT_S3_URL.');
}

async function withExport<T>(
  context: CliContext,
  target: ExportTarget,
  work: (exports: EventExport) => Promise<T>,
): Promise<T> {
  const [{ openOlap }, { openPostgres }, { borrowHotStore }, { EventExport }, { readCompleteUntil }] =
    await Promise.all([
      import('../storage/olap/clickhouse.ts'),
      import('../storage/sql/postgres.ts'),
      import('../runtime/hot-store/borrow-hot-store.ts'),
      import('../events/export/event-export.ts'),
      import('../runtime/compose/read-complete-until.ts'),
    ]);
  const { dataDir } = context.settings();
  const log = context.log();
  return context.withStores({ analytics: true }, async ({ postgresUrl, clickhouseUrl, redisUrl }) => {
    if (clickhouseUrl === null) throw new Error('The analytics store is unavailable');
    const { hot, close } = await borrowHotStore({ dataDir, log }, redisUrl);
    const sql = openPostgres({ url: postgresUrl, log, poolMax: POOL_MAX, statementTimeoutMs: 60_000 });
    const olap = openOlap({ url: clickhouseUrl, log });
    const reported = readCompleteUntil(hot, Date.now);
    let isWarned = false;
    const completeUntil = async (): Promise<number> => {
      const untilMs = await reported();
      if (untilMs === null && !isWarned) {
        isWarned = true;
        process.stderr.write('No delivery worker reports: events that arrive later go into further files.\n');
      }
      return untilMs ?? Date.now();
    };
    try {
      return await work(new EventExport({ sql: sql.db, olap, target, completeUntil }));
    } finally {
      await close();
      await olap.close();
      await sql.close();
    }
  });
}

/** Names the target, and what it said. */
function explain(error: unknown, target: ExportTarget): unknown {
  if (!(error instanceof PlacardError)) return error;
  const reason = error.cause instanceof Error ? ` ${error.cause.message}.` : '';
  return new PlacardError(error.code, `The export to ${target.title} stopped: ${error.message}${reason}`, {
    cause: error,
  });
}

function parseHour(text: string): number {
  const [, day, hour = '00'] = /^(20\d\d-\d\d-\d\d)(?:T(\d\d)(?::00){0,2}Z?)?$/.exec(text) ?? [];
  const epochMs = Date.parse(`${day}T${hour}:00:00Z`);
  const isReal = day !== undefined && !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(day);
  if (!isReal) throw new InvalidArgumentError('Write an hour in UTC as YYYY-MM-DDTHH, or a day as YYYY-MM-DD.');
  return epochMs;
}

function parseNetwork(text: string): string {
  if (!/^\d{1,19}$/.test(text)) throw new InvalidArgumentError('Write the id of a network, such as 1000.');
  return text;
}
