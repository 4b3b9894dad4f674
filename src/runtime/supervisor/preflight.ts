import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { readDiskSpace } from '../../storage/free-disk.ts';
import { SECRET_FILES } from '../../storage/secrets.ts';
import { acquireDataLock, type DataLock } from './data-lock.ts';
import { hasCore, hasWorkers, type ServeRole } from './endpoints.ts';
import { resolvePort } from './free-port.ts';

/** Less than this and events are refused soon after the start. */
const FREE_BYTES_MIN = 200 * 1_048_576;
/** A clock before the date of the program itself is wrong. */
const CLOCK_MIN_MS = Date.UTC(2026, 0, 1);
const CLOCK_MAX_MS = Date.UTC(2100, 0, 1);

/** Made by workers, which have read the secrets before. */
const DATA_FOLDERS: readonly string[] = ['spool', 'ledger'];

/** Thrown when Placard cannot start here; the message lists every reason at once, and what to do about each. */
export class CannotStartError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const lines = problems.map((problem) => `  ${problem}`);
    super(`Placard cannot start: ${problems.length} problem${problems.length === 1 ? '' : 's'}.\n${lines.join('\n')}`);
    this.name = 'CannotStartError';
    this.problems = problems;
  }
}

/** The input of the checks of a start. */
export interface StartCheck {
  readonly settings: Settings;
  readonly role: ServeRole;
  readonly nowMs: number;
  /** Ends processes that a killed start left behind: they may hold the ports. Called with the lock held. */
  readonly endLeftovers: () => Promise<void>;
}

/**
 * Takes the data folder, and checks everything else that a start needs of this machine before any work: free disk, the clock and
 * the ports. Makes the data folder when it is missing, and leaves nothing else behind when it throws.
 *
 * @throws CannotStartError with all problems
 */
export async function checkBeforeStart(check: StartCheck): Promise<DataLock> {
  const { settings, nowMs, endLeftovers } = check;
  const problems: string[] = [];
  const lock = lockFolder(settings.dataDir, problems);
  try {
    if (lock !== null) await checkDisk(settings.dataDir, problems);
    checkSecrets(settings, problems);
    checkClock(nowMs, problems);
    if (problems.length === 0) await endLeftovers();
    await checkPorts(check, problems);
    if (lock === null || problems.length > 0) throw new CannotStartError(problems);
    return lock;
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function lockFolder(dataDir: string, problems: string[]): DataLock | null {
  try {
    checkDataFolder(dataDir);
    return acquireDataLock(dataDir);
  } catch (error) {
    problems.push(reasonOf(error));
    return null;
  }
}

function checkClock(nowMs: number, problems: string[]): void {
  if (nowMs >= CLOCK_MIN_MS && nowMs <= CLOCK_MAX_MS) return;
  const shown = new Date(nowMs).toISOString();
  problems.push(
    `The clock of this machine says ${shown}: set it, preferably with NTP. Days, budgets and keys depend on it.`,
  );
}

/** An empty folder, such as a volume that was mounted before the first start, holds nothing that secrets belong to. */
function holdsFiles(folder: string): boolean {
  return (
    existsSync(folder) && readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile())
  );
}

/** New secrets would end every key, every link of ads that are shown, and every user's history, without a word. */
function checkSecrets(settings: Settings, problems: string[]): void {
  const { dataDir } = settings;
  if (!DATA_FOLDERS.some((name) => holdsFiles(join(dataDir, name)))) return;
  const { secretsLinkKeys, secretsPepper, secretsUserHash, joinToken } = settings;
  const given: Readonly<Record<string, string | null>> = {
    'link-keys': secretsLinkKeys,
    pepper: secretsPepper,
    'user-hash': secretsUserHash,
  };
  if (joinToken !== null) return;
  const missing = SECRET_FILES.filter(
    (name) => (given[name] ?? null) === null && !existsSync(join(dataDir, 'secrets', name)),
  );
  if (missing.length === 0) return;
  const files = missing.map((name) => `secrets/${name}`).join(', ');
  problems.push(
    `The data folder ${dataDir} holds events or ads, but not ${files}: put the files back from a backup or another node. To begin with new secrets, which end all keys and links, delete spool and ledger as well.`,
  );
}

/** @throws Error saying what is wrong with the folder */
function checkDataFolder(dataDir: string): void {
  const elsewhere = 'or set PLACARD_DATA to another folder';
  try {
    mkdirSync(dataDir, { recursive: true });
    if (!statSync(dataDir).isDirectory()) throw new Error('it is not a folder');
  } catch (error) {
    const reason = reasonOf(error);
    throw new Error(`The data folder ${dataDir} cannot be made (${reason}): make it for this user, ${elsewhere}.`);
  }
  const owner = statSync(dataDir).uid;
  const user = process.getuid?.() ?? owner;
  if (user !== 0 && owner !== user) {
    throw new Error(
      `The data folder ${dataDir} belongs to user ${owner}, and this is user ${user}: start as its owner, chown it, ${elsewhere}.`,
    );
  }
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    tryWriting(join(dataDir, `.start-check.${process.pid}`));
  } catch (error) {
    throw new Error(
      `The data folder ${dataDir} cannot be written (${reasonOf(error)}): give this user the right to write there, ${elsewhere}.`,
    );
  }
}

/** Only a write that reaches the disk shows a file system that is full, or mounted to be read only. */
function tryWriting(path: string): void {
  const file = openSync(path, 'w', 0o600);
  try {
    writeSync(file, 'ok');
    fsyncSync(file);
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

async function checkDisk(dataDir: string, problems: string[]): Promise<void> {
  const { freeBytes } = await readDiskSpace(dataDir);
  if (freeBytes >= FREE_BYTES_MIN) return;
  const [free, least] = [freeBytes, FREE_BYTES_MIN].map((bytes) => `${Math.floor(bytes / 1_048_576)} MiB`);
  problems.push(
    `The disk of ${dataDir} has ${free} free, and ${least} are needed: free some, or move the data folder.`,
  );
}

async function checkPorts({ settings, role }: StartCheck, problems: string[]): Promise<void> {
  const { bind, corePort, deliveryPort } = settings;
  const wanted: readonly (readonly [port: number, setting: string])[] = [
    ...(settings.metricsPort === null ? [] : [[settings.metricsPort, 'PLACARD_METRICS_PORT'] as const]),
    ...(settings.sqlPort === null || !hasCore(role) ? [] : [[settings.sqlPort, 'PLACARD_SQL_PORT'] as const]),
    ...(role === 'delivery' ? [] : [[corePort, 'PLACARD_CORE_PORT'] as const]),
    ...(!hasWorkers(role) ? [] : [[deliveryPort, 'PLACARD_DELIVERY_PORT'] as const]),
  ];
  for (const [port, setting] of wanted) {
    if (port === 0) continue;
    try {
      await resolvePort(port, bind, setting);
    } catch (error) {
      problems.push(reasonOf(error));
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
