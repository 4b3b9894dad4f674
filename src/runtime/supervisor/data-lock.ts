import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSameProcessRunning, type ProcessRecord, recordProcess } from './process-identity.ts';

/** Thrown when another `placard serve`, or a command, holds the data folder. */
export class DataFolderLockedError extends Error {
  readonly pid: number;

  constructor(dataDir: string, pid: number) {
    super(
      `The data folder ${dataDir} is in use by a running placard (process ${pid}). Stop that one first, or set PLACARD_DATA to another folder.`,
    );
    this.name = 'DataFolderLockedError';
    this.pid = pid;
  }
}

/** Thrown when a process has the hot store of the data folder open. */
export class HotStoreOwnedError extends Error {
  override readonly name = 'HotStoreOwnedError';

  constructor(dataDir: string, pid: number) {
    super(`The hot store of ${dataDir} is open in process ${pid}, and only one process may have it open.`);
  }
}

/** A held lock. */
export interface DataLock {
  /** Does nothing when another process holds the lock. */
  release(): void;
}

const attemptsMax = 20;

function lockPath(dataDir: string): string {
  return join(dataDir, 'placard.pid');
}

/** The process that holds the data folder and still runs; null when none does. */
export function findLockHolder(dataDir: string): ProcessRecord | null {
  const record = readRecord(lockPath(dataDir));
  return record !== null && isSameProcessRunning(record) ? record : null;
}

/**
 * Takes the lock file `<data>/placard.pid` for this process. A lock whose process has ended is taken over.
 * @throws DataFolderLockedError when another process holds it
 */
export function acquireDataLock(dataDir: string): DataLock {
  return acquireLock(lockPath(dataDir), (pid) => new DataFolderLockedError(dataDir, pid));
}

/**
 * Takes the lock of the hot store for this process, `<data>/run/hot-store.pid`. The process that holds it is the only one that opens the store.
 * @throws HotStoreOwnedError when another process, or this one, holds it
 */
export function acquireHotStoreLock(dataDir: string): DataLock {
  mkdirSync(join(dataDir, 'run'), { recursive: true, mode: 0o700 });
  return acquireLock(join(dataDir, 'run', 'hot-store.pid'), (pid) => new HotStoreOwnedError(dataDir, pid));
}

function acquireLock(path: string, refusal: (holderPid: number) => Error): DataLock {
  const own = recordProcess(process.pid);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(own)}\n`, { mode: 0o644 });
  try {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      // A link either makes the whole file at once or fails: no process reads half a lock.
      if (tryLink(draft, path)) return { release: () => releaseLock(path, own) };
      const holder = readRecord(path);
      if (holder !== null && isSameProcessRunning(holder)) throw refusal(holder.pid);
      removeStaleLock(path);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  throw new Error(`Could not take the lock ${path} in ${attemptsMax} attempts.`);
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Two starting processes may both have seen the stale lock: the moved file is read again, and put back if its process is alive. */
function removeStaleLock(path: string): void {
  const moved = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, moved);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const holder = readRecord(moved);
  if (holder !== null && isSameProcessRunning(holder)) tryLink(moved, path);
  rmSync(moved, { force: true });
}

function releaseLock(path: string, own: ProcessRecord): void {
  const holder = readRecord(path);
  if (holder?.pid === own.pid && holder.identity === own.identity) rmSync(path, { force: true });
}

function readRecord(path: string): ProcessRecord | null {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Partial<ProcessRecord> | null;
    if (typeof value?.pid !== 'number' || !Number.isSafeInteger(value.pid) || value.pid <= 0) return null;
    return { pid: value.pid, identity: typeof value.identity === 'string' ? value.identity : null };
  } catch {
    return null;
  }
}
