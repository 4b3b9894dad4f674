import type { Command } from 'commander';
import type { importCsv } from '../../packages/import/src/import-csv.ts';
import { type CliCommand, type CliContext, UsageError } from './context/cli-context.ts';

interface ImportOptions {
  readonly apply?: true;
  readonly images?: string;
  readonly url?: string;
  readonly keyFile?: string;
}

interface ReviveOptions extends ImportOptions {
  readonly prefix: string;
}

interface GamOptions extends ImportOptions {
  readonly site: readonly string[];
  readonly timezone: string;
  readonly dateOrder: string;
}

interface CsvOptions extends ImportOptions {
  readonly template?: string;
}

/** `placard import`: bookings and history of other ad servers, over the public API. */
export const importCommand: CliCommand = {
  name: 'import',
  register: (program, context) => {
    const parent = program
      .command('import')
      .description('Move bookings and history from another ad server to Placard.');
    addRevive(parent, context);
    addGam(parent, context);
    addCsv(parent, context);
  },
};

function addRevive(parent: Command, context: CliContext): void {
  const command = parent
    .command('revive')
    .description('Read Revive Adserver and report what comes over; --apply creates what does not exist yet.')
    .argument('<from>', 'mysql://user:password@host/database, or the file of a dump (.sql or .sql.gz)')
    .option('--prefix <text>', 'prefix of the names of tables', 'rv_');
  addImportOptions(command).action(async (from: string, options: ReviveOptions, own: Command) => {
    const { importRevive } = await import('../../packages/import/src/import-revive.ts');
    const { prefix, images = null } = options;
    await printResult(context, own, await importRevive({ from, prefix, images, api: await apiOf(options) }));
  });
}

function addGam(parent: Command, context: CliContext): void {
  const command = parent
    .command('gam')
    .description('Read files of Google Ad Manager and report what comes over; --apply creates what does not exist yet.')
    .argument('<folder>', 'folder with objects of the API as JSON, and reports as CSV or XLSX')
    .option(
      '--site <domain>',
      'domain of the ad units, or code=domain for those below the ad unit with that code; repeatable',
      (site: string, before: readonly string[]) => [...before, site],
      [] as readonly string[],
    )
    .option('--timezone <name>', 'time zone of the network there', 'UTC')
    .option('--date-order <order>', 'of days such as 11/12/2026 in reports: YMD, DMY or MDY', 'YMD');
  addImportOptions(command).action(async (folder: string, options: GamOptions, own: Command) => {
    const { importGam } = await import('../../packages/import/src/import-gam.ts');
    const { site: sites, timezone, dateOrder, images = null } = options;
    await printResult(
      context,
      own,
      await importGam({ folder, sites, timezone, dateOrder, images, api: await apiOf(options) }),
    );
  });
}

function addCsv(parent: Command, context: CliContext): void {
  const command = parent
    .command('csv')
    .description('Read CSV files of any ad server by a mapping and report what comes over; --apply creates it.')
    .argument('[mapping]', 'file of the mapping (JSON); the paths in it are relative to its folder')
    .option('--template <name>', 'print a mapping to begin with: own, kevel, adbutler or broadstreet');
  addImportOptions(command).action(async (mapping: string | undefined, options: CsvOptions, own: Command) => {
    const { importCsv, isTemplate, writeTemplate } = await import('../../packages/import/src/import-csv.ts');
    const { template, images = null } = options;
    if (template !== undefined) {
      if (!isTemplate(template)) throw new UsageError(`There is no template "${template}".`);
      process.stdout.write(writeTemplate(template));
      return;
    }
    if (mapping === undefined) throw new UsageError('Name the file of a mapping, or print one with --template.');
    await printResult(context, own, await importCsv({ mapping, images, api: await apiOf(options) }));
  });
}

const addImportOptions = (command: Command): Command =>
  command
    .option('--apply', 'create the objects and import the history; without it nothing is changed')
    .option('--images <folder>', 'the folder with pictures of creatives, such as www/images of Revive')
    .option('--url <address>', 'base address of the API; /staging at its end means the staging environment')
    .option('--key-file <file>', 'file with an API key that may write bookings');

async function printResult(
  context: CliContext,
  command: Command,
  { plan, applied }: Awaited<ReturnType<typeof importCsv>>,
): Promise<void> {
  const { reportApplied, reportPlan, sumHours } = await import('../../packages/import/src/write-report.ts');
  const done = applied === null ? ['Nothing was changed. --apply does it.'] : reportApplied(applied);
  const result = { history: sumHours(plan), remarks: plan.remarks, applied };
  context.print(command, result, [...reportPlan(plan), '', ...done]);
  if (applied?.kinds.some(({ failed }) => failed.length > 0) === true) process.exitCode = 1;
}

/** Null without --apply. @throws UsageError */
async function apiOf({ apply, url, keyFile }: ImportOptions): Promise<{ url: string; key: string } | null> {
  if (apply !== true) return null;
  if (url === undefined || keyFile === undefined) throw new UsageError('--apply needs --url and --key-file.');
  const { readFile } = await import('node:fs/promises');
  const key = await readFile(keyFile, 'utf8').catch(() => null);
  if (key === null) throw new UsageError(`There is no file ${keyFile}.`);
  return { url, key: key.trim() };
}
