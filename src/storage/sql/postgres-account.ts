import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../../domain/log/log.ts';

const run = promisify(execFile);

/** The account that PostgreSQL runs as. Null ids: the one of this process. */
export interface PostgresAccount {
  readonly uid: number | null;
  readonly gid: number | null;
}

const accountName = 'postgres';
/** Written in the data folder when the cluster had to be put elsewhere; holds that path. */
const pointerName = 'postgres-location';
const systemDir = '/var/lib/placard';

/**
 * PostgreSQL refuses to run as root: then it is the system account `postgres`, made when missing.
 * @throws Error when this process is root and the account cannot be made
 */
export async function findPostgresAccount(log: Log): Promise<PostgresAccount> {
  if (process.getuid?.() !== 0) return { uid: null, gid: null };
  const found = await readAccount();
  if (found !== null) return found;
  log.event('postgres.account_created', { account: accountName });
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', accountName]);
  } catch (cause) {
    throw new Error(
      `PostgreSQL does not run as root, and the account "${accountName}" could not be made. ` +
        'Run Placard as another user, make that account, or set PLACARD_POSTGRES_URL.',
      { cause },
    );
  }
  const made = await readAccount();
  if (made === null) throw new Error(`The account "${accountName}" was made but cannot be read back.`);
  return made;
}

async function readAccount(): Promise<PostgresAccount | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', accountName]), run('id', ['-g', accountName])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return null;
  }
}

/**
 * The folder for the cluster, made and owned by the account: `<dataDir>/postgres`, or a folder of the system when the account
 * cannot reach that. A folder chosen once is kept, through a pointer file.
 */
export async function choosePostgresDir(dataDir: string, account: PostgresAccount, log: Log): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const pointer = join(dataDir, pointerName);
  const pointed = await readFile(pointer, 'utf8').catch(() => '');
  const dir = pointed.trim() === '' ? await pickDir(dataDir, account, log) : pointed.trim();
  await mkdir(dir, { recursive: true });
  if (account.uid !== null && account.gid !== null) await chown(dir, account.uid, account.gid);
  await chmod(dir, 0o700);
  if (dir !== join(await realpath(dataDir), 'postgres')) {
    await writeFile(pointer, `${dir}\n`);
    log.event('postgres.files_elsewhere', { dir, dataDir });
  }
  return dir;
}

async function pickDir(dataDir: string, account: PostgresAccount, log: Log): Promise<string> {
  const real = await realpath(dataDir);
  const inside = join(real, 'postgres');
  if (account.uid === null || (await canReach(inside, account))) return inside;
  if (await canReach(real, account)) {
    // Only the data folder itself is closed. It is ours: let others pass through, not list it. What is secret in it is 0600.
    const { mode } = await stat(real);
    await chmod(real, (mode & 0o777) | 0o001);
    log.event('postgres.folder_opened', { dataDir: real });
    return inside;
  }
  const name = createHash('sha256').update(resolve(real)).digest('hex').slice(0, 16);
  const parent = await makeSystemDir();
  return join(parent, name);
}

/** A folder outside homes that every account can pass through. */
export async function makeSystemDir(): Promise<string> {
  try {
    await mkdir(systemDir, { recursive: true, mode: 0o755 });
    return systemDir;
  } catch {
    const dir = join(tmpdir(), 'placard');
    await mkdir(dir, { recursive: true, mode: 0o755 });
    return dir;
  }
}

/** Whether the account may pass through every folder above `path`. */
export async function canReach(path: string, account: PostgresAccount): Promise<boolean> {
  if (account.uid === null) return true;
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    const { uid, gid, mode } = await stat(dir);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (dir === dirname(dir)) return true;
  }
}
