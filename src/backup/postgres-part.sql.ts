import { randomBytes } from 'node:crypto';
import { chmod, chown, readdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Client } from 'pg';
import { choosePostgresDir, findPostgresAccount, type PostgresAccount } from '../storage/sql/postgres-account.ts';
import { type BackupWriter, copyBack, walkFolder } from './backup-files.ts';
import { BackupError } from './manifest.ts';
import type { BackupPart, RestoreTarget } from './part.ts';

const PREFIX = 'postgres/';
const LAST_FILE = 'global/pg_control';
const LABEL_FILE = 'backup_label';
const START_TIMEOUT_MS = 600_000;
/** Folders whose content belongs to the running server; it expects the folders themselves. */
const EMPTIED = /^(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//;
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)|backup_label.*|(?:.*\/)?(?:pgsql_tmp.*|pg_internal\.init.*))$/;
/** Files that PostgreSQL itself reads and writes. None of its configuration: settings of a configuration file can run commands. */
const FILES =
  /^postgres\/(?:PG_VERSION|backup_label|(?:global|base\/\d+)\/(?:PG_VERSION|pg_control|pg_filenode\.map|(?:t\d+_)?\d+(?:_fsm|_vm|_init)?(?:\.\d+)?)|pg_wal\/[0-9A-F]{24}|pg_(?:xact|commit_ts|twophase|multixact\/(?:members|offsets))\/[0-9A-F]+|pg_stat\/pgstat\.stat|pg_logical\/replorigin_checkpoint)$/;
const FOLDERS = /^postgres\/(?:global|base|base\/\d+|pg_[a-z_]+(?:\/[a-z_]+)?)$/;
/** The configuration of a restored cluster. All settings come with the command line of the start; connections are local, by password. */
const CONFIGURATION: Readonly<Record<string, string>> = {
  'postgresql.conf': '# Placard names all settings when it starts PostgreSQL.\n',
  'postgresql.auto.conf': '',
  'pg_hba.conf': 'host all all 127.0.0.1/32 scram-sha-256\n',
  'pg_ident.conf': '',
};
const SEGMENT = /^[0-9A-F]{24}$/;

/**
 * The files of the built-in PostgreSQL, by its own method of online backups: what changes while they are copied is repaired from the
 * journal between the start and the end of the copy, which is part of the backup. The copy is the database at its end.
 */
export const postgresPart: BackupPart = {
  name: 'postgres',
  needsStillness: false,
  files: FILES,
  folders: FOLDERS,
  async write({ postgresUrl, writer }) {
    const client = new Client({ connectionString: postgresUrl, connectionTimeoutMillis: 10_000 });
    await client.connect();
    try {
      await copyCluster(client, writer);
    } finally {
      await client.end();
    }
  },
  async restore(target) {
    const account = await findPostgresAccount(target.log);
    const dir = join(await choosePostgresDir(target.dataDir, account, target.log), 'cluster');
    await restoreCluster(target, { dir, account });
  },
};

async function copyCluster(client: Client, writer: BackupWriter): Promise<void> {
  const { dir } = await readRow<{ dir: string }>(client, "SELECT current_setting('data_directory') AS dir");
  // The slot keeps the server from reusing files of the journal. It ends with the connection.
  const slot = `placard_backup_${randomBytes(4).toString('hex')}`;
  await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [slot]);
  await client.query(`SET statement_timeout = ${START_TIMEOUT_MS}`);
  await client.query("SELECT pg_backup_start('placard', true)");
  const files: string[] = [];
  for await (const { path, isFolder } of walkFolder(dir)) {
    const isKept = !EMPTIED.test(path) || (isFolder && path.startsWith('pg_wal/'));
    if (!isKept || LEFT_OUT.test(path) || path === LAST_FILE) continue;
    if (isFolder && FOLDERS.test(PREFIX + path)) writer.addFolder(PREFIX + path);
    if (!isFolder && FILES.test(PREFIX + path)) files.push(path);
  }
  for (const path of [...files, LAST_FILE])
    await writer.copy(PREFIX + path, { path: join(dir, path) }).catch(ignoreMissing);
  const end = await readRow<{ lsn: string; labelfile: string; spcmapfile: string }>(
    client,
    'SELECT lsn::text, labelfile, spcmapfile FROM pg_backup_stop(false)',
  );
  if (end.spcmapfile.trim() !== '')
    throw new BackupError('The database has tablespaces, which a backup does not hold.');
  await writer.write(PREFIX + LABEL_FILE, end.labelfile);
  const { last } = await readRow<{ last: string }>(client, 'SELECT pg_walfile_name($1::pg_lsn) AS last', [end.lsn]);
  await copyJournal(dir, writer, { first: /\(file ([0-9A-F]{24})\)/.exec(end.labelfile)?.[1] ?? '', last });
}

async function copyJournal(dir: string, writer: BackupWriter, range: { first: string; last: string }): Promise<void> {
  const names = (await readdir(join(dir, 'pg_wal'))).filter(
    (name) => SEGMENT.test(name) && name >= range.first && name <= range.last,
  );
  if (!names.includes(range.first) || !names.includes(range.last))
    throw new BackupError('The journal of PostgreSQL does not reach back to the start of the backup: repeat it.');
  for (const name of names.sort()) await writer.copy(`${PREFIX}pg_wal/${name}`, { path: join(dir, 'pg_wal', name) });
}

async function readRow<T extends object>(client: Client, sql: string, values: readonly string[] = []): Promise<T> {
  const { rows } = await client.query<T>(sql, [...values]);
  const [row] = rows;
  if (row === undefined) throw new Error(`PostgreSQL gave no row for: ${sql}`);
  return row;
}

/** Made under another name and renamed, so that a cluster with its own name is always whole. */
async function restoreCluster(
  target: RestoreTarget,
  { dir, account }: { readonly dir: string; readonly account: PostgresAccount },
): Promise<void> {
  const aside = join(dirname(dir), `${basename(dir)}.new`);
  await copyBack(target, { prefix: PREFIX, to: aside });
  for (const [name, text] of Object.entries(CONFIGURATION))
    await writeFile(join(aside, name), text, { mode: 0o600, flag: 'wx', flush: true });
  await changeOwner(aside, account);
  for await (const { path } of walkFolder(aside)) await changeOwner(join(aside, path), account);
  await chmod(aside, 0o700);
  await rename(aside, dir);
}

async function changeOwner(path: string, { uid, gid }: PostgresAccount): Promise<void> {
  if (uid !== null && gid !== null) await chown(path, uid, gid);
}

/** The server deleted it: the journal says so too. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
