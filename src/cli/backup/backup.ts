import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Kysely } from 'kysely';
import { readVersion } from '../../config/version.ts';
import type { CutNode } from '../../backup/cluster-cut.ts';
import type { Manifest } from '../../backup/manifest.ts';
import type { Passphrase } from '../../backup/seal.ts';
import type { Settings } from '../../config/settings.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { type BackupLocation, readFromLocation, titleOf, writeToLocation } from './backup-location.ts';
import { type CliCommand, type CliContext, isJsonRequested, UsageError } from '../context/cli-context.ts';

interface LocationOptions {
  readonly passphraseFile?: string;
  readonly staging?: string;
}

interface CreateOptions extends LocationOptions {
  readonly portable?: boolean;
}

interface DrillOptions extends LocationOptions {
  readonly clickhouseUrlFile?: string;
}

const LOCATION_HELP = 'a folder, or the address of a bucket: https://s3.example/bucket/folder';
const STAGING_HELP =
  "the folder in which a backup waits that comes from a bucket or goes there (default: the system's temporary one)";
const PASSPHRASE_FILE_HELP = 'the file that holds the passphrase (default: PLACARD_BACKUP_PASSPHRASE or its file)';

/** `placard backup`: everything that an installation has, into a folder or bucket; and the check of it. */
export const backupCommand: CliCommand = {
  name: 'backup',
  register: (program, context) => {
    const backup = program
      .command('backup')
      .description('Write everything of this installation into a folder or bucket, also while it runs; check it.');
    registerCreate(backup, context);
    registerVerify(backup, context);
    registerDrill(backup, context);
  },
};

/** `placard restore`: a backup into an empty data folder. */
export const restoreCommand: CliCommand = {
  name: 'restore',
  register: (program, context) => {
    program
      .command('restore')
      .description('Make the data folder of a backup again, in an empty PLACARD_DATA.')
      .argument('<location>', LOCATION_HELP)
      .option('--passphrase-file <file>', PASSPHRASE_FILE_HELP)
      .option('--staging <folder>', STAGING_HELP)
      .action(async (location: string, options: LocationOptions, command: Command) => {
        const passphrase = await readPassphrase(context.settings(), options);
        const from = { ...locationOf(location, options), passphrase };
        const manifest = await readFromLocation(context.settings(), from, (folder) =>
          restore(context, command, { folder, passphrase }),
        );
        const { dataDir } = context.settings();
        context.print(command, { dataDir, ...summaryOf(manifest) }, [
          `Restored into ${dataDir}: all events that were acknowledged before ${manifest.cutAt}.`,
          'Start Placard, then run `placard verify-counts`.',
          'Webhooks, mails, reports and exports wait until `placard release`.',
        ]);
      });
  },
};

function registerCreate(backup: Command, context: CliContext): void {
  backup
    .command('create', { isDefault: true })
    .description('Write a backup into an empty or new folder, or into a bucket.')
    .argument('<location>', LOCATION_HELP)
    .option('--passphrase-file <file>', PASSPHRASE_FILE_HELP)
    .option('--staging <folder>', STAGING_HELP)
    .option('--portable', 'PostgreSQL as rows instead of files: for another system, or a PostgreSQL by address')
    .action(async (name: string, options: CreateOptions, command: Command) => {
      const location = locationOf(name, options);
      const manifest = await writeToLocation(context.settings(), location, (folder) =>
        create(context, command, { folder, options }),
      );
      const summary = summaryOf(manifest);
      context.print(command, { folder: titleOf(location), ...summary }, [
        `${summary.files} files, ${summary.bytes} bytes in ${titleOf(location)}.`,
        `It holds all events that were acknowledged before ${manifest.cutAt}.`,
        'A change of it shows. Only its secrets are sealed: keep it where only you can read it, and the passphrase elsewhere.',
      ]);
    });
}

function registerVerify(backup: Command, context: CliContext): void {
  backup
    .command('verify')
    .description('Check that a holder of the passphrase wrote the backup, and every file of it.')
    .argument('<location>', LOCATION_HELP)
    .option('--passphrase-file <file>', PASSPHRASE_FILE_HELP)
    .option('--staging <folder>', STAGING_HELP)
    .action(async (location: string, options: LocationOptions, command: Command) => {
      const { verifyBackup } = await import('../../backup/restore-backup.ts');
      const passphrase = await readPassphrase(context.settings(), options);
      const from = { ...locationOf(location, options), passphrase };
      const manifest = await readFromLocation(context.settings(), from, (folder) => verifyBackup(folder, passphrase));
      context.print(command, { ok: true, ...summaryOf(manifest) }, [
        `${manifest.files.length} files are as they were written; the passphrase proves their list and opens the secrets.`,
      ]);
    });
}

function registerDrill(backup: Command, context: CliContext): void {
  backup
    .command('drill')
    .description('Restore a backup beside this installation, start the copy, compare its counts, and delete it.')
    .argument('<location>', LOCATION_HELP)
    .option('--passphrase-file <file>', PASSPHRASE_FILE_HELP)
    .option('--staging <folder>', "the folder in which the copy is made (default: the system's temporary one)")
    .option(
      '--clickhouse-url-file <file>',
      'the file that holds the address of an empty database, for a backup that ClickHouse made itself',
    )
    .action(async (location: string, options: DrillOptions, command: Command) => {
      const { drillBackup } = await import('./backup-drill.ts');
      const { clickhouseUrlFile, ...common } = options;
      const result = await drillBackup({
        location,
        ...common,
        clickhouseUrl:
          clickhouseUrlFile === undefined ? null : await readFirstLine(clickhouseUrlFile, 'The address of ClickHouse'),
        settings: context.settings(),
        log: context.log(),
        modulePath: context.modulePath,
        progress: (line) => report(command, line),
      });
      const { ok, cutAt, restoreSeconds, startSeconds, comparedCounters, differences, lost } = result;
      context.print(command, result, [
        ok
          ? `Proven: the backup of ${cutAt} restores in ${restoreSeconds} s and starts in ${startSeconds} s.`
          : `NOT PROVEN: the backup of ${cutAt} restores, and its counts differ.`,
        `${differences} differences in roll-ups and ${comparedCounters} delivery counters.`,
        ...(lost === null ? [] : [`Its analytics store lacks events: ${lost}.`]),
      ]);
      if (!ok) process.exitCode = 1;
    });
}

function locationOf(location: string, { staging }: LocationOptions): BackupLocation {
  return { location, ...(staging === undefined ? {} : { staging }) };
}

interface Job {
  readonly folder: string;
  readonly options: CreateOptions;
}

interface RestoreInto {
  readonly folder: string;
  readonly passphrase: Passphrase;
}

async function create(context: CliContext, command: Command, { folder, options }: Job): Promise<Manifest> {
  const [
    { makeBackup },
    { openOlap },
    { openPostgres },
    { needAnalytics, OLAP_MIGRATIONS },
    { findLockHolder },
    { readDemoProgress },
    { listMigrations },
    { partsFor },
  ] = await Promise.all([
    import('../../backup/make-backup.ts'),
    import('../../storage/olap/clickhouse.ts'),
    import('../../storage/sql/postgres.ts'),
    import('../../runtime/compose/migrate-stores.ts'),
    import('../../runtime/supervisor/data-lock.ts'),
    import('../../demo/demo-progress.ts'),
    import('../../storage/sql/migrations/list.ts').then(({ MIGRATIONS }) => ({
      listMigrations: () => Object.keys(MIGRATIONS),
    })),
    import('../../backup/parts.ts'),
  ]);
  const settings = context.settings();
  // A backup of one server would hold its shard alone.
  if (settings.clickhouseCluster !== null)
    throw new UsageError('A cluster of ClickHouse is backed up by hand: "By hand" in docs/operations/backup.md.');
  if (settings.clickhouseUrl !== null && settings.backupClickhouseTo === null)
    throw new UsageError('Set PLACARD_BACKUP_CLICKHOUSE_TO: ClickHouse writes its part of the backup itself.');
  const passphrase = await readPassphrase(settings, options);
  if (readDemoProgress(settings.dataDir) !== null)
    throw new UsageError('The demo is still being made: wait until /readyz says that its history is complete.');
  return context.withStores({ analytics: true }, async (stores) => {
    const log = context.log();
    const olap = openOlap({ url: needAnalytics(stores), log });
    const sql = openPostgres({ url: stores.postgresUrl, log, poolMax: 2, statementTimeoutMs: 60_000 });
    try {
      return await makeBackup({
        folder,
        dataDir: settings.dataDir,
        postgresUrl: stores.postgresOwnerUrl ?? stores.postgresUrl,
        olap,
        olapMigrations: OLAP_MIGRATIONS,
        clickhouseTarget: settings.backupClickhouseTo,
        parts: partsFor({
          postgres: settings.postgresUrl === null && options.portable !== true ? 'files' : 'rows',
          analytics: settings.clickhouseUrl === null ? 'tables' : 'own',
        }),
        passphrase,
        isOffline: findLockHolder(settings.dataDir)?.pid === process.pid,
        version: readVersion(),
        platform: `${process.platform}-${process.arch}`,
        migration: listMigrations().sort().at(-1) ?? 'none',
        nowMs: Date.now,
        progress: (part, { files, bytes }) => report(command, `${part}: ${files} files, ${bytes} bytes`),
        cluster: {
          db: sql.db,
          listNodes: () => listOtherNodes(context, sql.db),
          nowMs: Date.now,
          progress: (line) => report(command, line),
        },
      });
    } finally {
      await sql.close();
      await olap.close();
    }
  });
}

async function restore(context: CliContext, command: Command, { folder, passphrase }: RestoreInto): Promise<Manifest> {
  const [{ restoreBackup }, { countRedisKeys }, { openOlap }, migrations, { withStores }] = await Promise.all([
    import('../../backup/restore-backup.ts'),
    import('../../storage/hot/redis-keys.ts'),
    import('../../storage/olap/clickhouse.ts'),
    import('../../runtime/compose/migrate-stores.ts'),
    import('../../runtime/supervisor/borrow-stores.ts'),
  ]);
  const settings = context.settings();
  const log = context.log();
  const { redisUrl } = settings;
  return restoreBackup({
    folder,
    dataDir: resolve(settings.dataDir),
    olapMigrations: migrations.OLAP_MIGRATIONS,
    clickhouseTarget: settings.backupClickhouseTo,
    external: { postgres: settings.postgresUrl !== null, clickhouse: settings.clickhouseUrl !== null },
    redisKeys: redisUrl === null ? null : () => countRedisKeys(redisUrl),
    passphrase,
    program: { version: readVersion(), platform: `${process.platform}-${process.arch}` },
    log,
    progress: (step) => report(command, `${step}: done`),
    withStores: (dataDir, work) =>
      withStores(
        { settings: { ...settings, dataDir }, log, modulePath: context.modulePath, needs: { analytics: true } },
        async (stores) => {
          const olap = openOlap({ url: migrations.needAnalytics(stores), log });
          try {
            const { postgresUrl, postgresOwnerUrl } = stores;
            await work({ olap, postgresUrl, postgresOwnerUrl });
          } finally {
            await olap.close();
          }
        },
      ),
  });
}

/** Progress goes to standard error, so that the result stays one document. */
function report(command: Command, line: string): void {
  if (!isJsonRequested(command)) process.stderr.write(`${line}\n`);
}

function summaryOf({ version, cutAt, finishedAt, migration, nodes, files }: Manifest) {
  return {
    version,
    nodes,
    cutAt,
    finishedAt,
    migration,
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/**
 * The other nodes with a spool that run.
 * @throws UsageError that names those that are silent: what they acknowledged would be missing
 */
async function listOtherNodes(context: CliContext, db: Kysely<Database>): Promise<readonly CutNode[]> {
  const { readClusterStatus } = await import('../../cluster/cluster-status.ts');
  const { loadNodeId } = await import('../../cluster/secret-files.ts');
  const status = await readClusterStatus(db);
  const own = loadNodeId(context.settings().dataDir);
  const others = (status?.nodes ?? []).flatMap(({ id, host, parts }) => {
    const part = parts.find((one) => one.part === 'delivery' && one.state !== 'stopped');
    return id === own || part === undefined ? [] : [{ id, host, state: part.state, startedAt: part.startedAt }];
  });
  const silent = others.filter(({ state }) => state === 'silent');
  if (silent.length > 0)
    throw new UsageError(
      `Nodes with events of their own do not respond: ${silent.map(({ id, host }) => `${id} (${host})`).join(', ')}. Start them, or stop them in order; \`placard cluster forget <node>\` leaves out one that does not come back.`,
    );
  return others;
}

/** @throws UsageError when there is none, or it is too short */
async function readPassphrase(settings: Settings, { passphraseFile }: LocationOptions): Promise<Passphrase> {
  const { Passphrase, PASSPHRASE_CHARACTERS_MIN } = await import('../../backup/seal.ts');
  const passphrase =
    passphraseFile === undefined ? settings.backupPassphrase : await readFirstLine(passphraseFile, 'The passphrase');
  if (passphrase === null)
    throw new UsageError(
      'Give the passphrase: --passphrase-file <file>, PLACARD_BACKUP_PASSPHRASE_FILE or PLACARD_BACKUP_PASSPHRASE.',
    );
  if (passphrase.length < PASSPHRASE_CHARACTERS_MIN)
    throw new UsageError(`The passphrase has fewer than ${PASSPHRASE_CHARACTERS_MIN} characters.`);
  return new Passphrase(passphrase);
}

async function readFirstLine(path: string, what: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new UsageError(`${what} cannot be read: ${cause.message}`);
  });
  return text.replace(/\r?\n$/, '');
}
