import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isSameProcessRunning, type ProcessRecord, readProcessSpace, recordProcess } from './process-identity.ts';

/** Thrown when another `placard serve`, or a command, holds the data folder. */
export class DataFolderLockedError extends Error {
  readonly pid: number;

  constructor(dataDir: string, { pid, host, since }: Pick<LockRecord, 'pid' | 'host' | 'since'>) {
    const elsewhere =
      host === null || host === hostname() ? '' : ` on the machine or in the container ${host}, since ${since ?? '?'}`;
    super(
      `The data folder ${dataDir} is in use by a running placard (process ${pid}${elsewhere}). Stop that one first, or set PLACARD_DATA to another folder.`,
    );
    this.name = 'DataFolderLockedError';
    this.pid = pid;
  }
}

/** What a lock says of its holder. */
interface LockRecord extends ProcessRecord {
  /** From `readProcessSpace`; null: an older program, or a system without it. */
  readonly space: string | null;
  readonly host: string | null;
  /** ISO 8601. */
  readonly since: string | null;
}

/** How often the holder touches its lock. */
const BEAT_MS = 2_000;
/** A holder elsewhere whose lock is not touched for this time has ended. */
const SILENT_MS = 10_000;
const LOOK_MS = 100;

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
export function findLockHolder(dataDir: string): LockRecord | null {
  const record = readRecord(lockPath(dataDir));
  return record !== null && isRunning(lockPath(dataDir), record) ? record : null;
}

/**
 * Takes the lock file `<data>/placard.pid` for this process. A lock whose process has ended is taken over.
 * @throws DataFolderLockedError when another process holds it
 */
export function acquireDataLock(dataDir: string): DataLock {
  const path = lockPath(dataDir);
  const lock = acquireLock(path, {
    isHeld: (holder) => isRunning(path, holder),
    refusal: (holder) => new DataFolderLockedError(dataDir, holder),
  });
  return touched(path, lock);
}

/**
 * Takes the lock of the hot store for this process, `<data>/run/hot-store.pid`. The process that holds it is the only one that opens the store.
 * @throws HotStoreOwnedError when another process, or this one, holds it
 */
export function acquireHotStoreLock(dataDir: string): DataLock {
  mkdirSync(join(dataDir, 'run'), { recursive: true, mode: 0o700 });
  // Who holds the data folder has made sure that nobody elsewhere runs on it.
  return acquireLock(join(dataDir, 'run', 'hot-store.pid'), {
    isHeld: isRunningHere,
    refusal: ({ pid }) => new HotStoreOwnedError(dataDir, pid),
  });
}

function acquireLock(
  path: string,
  {
    isHeld,
    refusal,
  }: { readonly isHeld: (holder: LockRecord) => boolean; readonly refusal: (holder: LockRecord) => Error },
): DataLock {
  const own: LockRecord = {
    ...recordProcess(process.pid),
    space: readProcessSpace(),
    host: hostname(),
    since: new Date().toISOString(),
  };
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(own)}\n`, { mode: 0o644 });
  try {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      // A link either makes the whole file at once or fails: no process reads half a lock.
      if (tryLink(draft, path)) return { release: () => releaseLock(path, own) };
      const holder = readRecord(path);
      if (holder !== null && isHeld(holder)) throw refusal(holder);
      removeStaleLock(path);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  throw new Error(`Could not take the lock ${path} in ${attemptsMax} attempts.`);
}

/** A lock that shows to other machines that its holder runs. */
function touched(path: string, lock: DataLock): DataLock {
  const beat = setInterval(() => {
    try {
      utimesSync(path, new Date(), new Date());
    } catch {
      // A disk that refuses it refuses a second start as well.
    }
  }, BEAT_MS).unref();
  return {
    release: () => {
      clearInterval(beat);
      lock.release();
    },
  };
}

/**
 * Whether the holder of a lock runs. A process of another machine or container cannot be seen: it runs if it touches its lock while we look.
 * Blocks for as long, since nothing may begin before that.
 */
function isRunning(path: string, holder: LockRecord): boolean {
  if (!isElsewhere(holder)) return isSameProcessRunning(holder);
  const before = touchedMs(path);
  for (let waitedMs = 0; waitedMs < SILENT_MS; waitedMs += LOOK_MS) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
    const now = touchedMs(path);
    if (now === null) return false;
    if (now !== before) return true;
  }
  return false;
}

/** Null: the lock was released. */
function touchedMs(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
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
  if (holder !== null && isRunningHere(holder)) tryLink(moved, path);
  rmSync(moved, { force: true });
}

function isRunningHere(holder: LockRecord): boolean {
  return !isElsewhere(holder) && isSameProcessRunning(holder);
}

/** Whether a holder runs, or ran, where its process cannot be seen. What ran on this machine before it was started again is known to have ended. */
function isElsewhere({ space, host }: LockRecord): boolean {
  const own = readProcessSpace();
  if (space === null || own === null || space === own) return false;
  return host !== hostname() || bootOf(space) === bootOf(own);
}

const bootOf = (space: string): string => space.split(' ', 1)[0] ?? '';

function releaseLock(path: string, own: ProcessRecord): void {
  const holder = readRecord(path);
  if (holder?.pid === own.pid && holder.identity === own.identity) rmSync(path, { force: true });
}

function readRecord(path: string): LockRecord | null {
  const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Partial<LockRecord> | null;
    if (typeof value?.pid !== 'number' || !Number.isSafeInteger(value.pid) || value.pid <= 0) return null;
    const { pid, identity, space, host, since } = value;
    return {
      pid,
      identity: textOrNull(identity),
      space: textOrNull(space),
      host: textOrNull(host),
      since: textOrNull(since),
    };
  } catch {
    return null;
  }
}
