import { fork } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '../../domain/log/log.ts';
import type { HotStoreWalk } from './walk-hot-store.ts';

/** A walk that does not end in its time by so much is killed. It counts as damage when it used the processor all along: a circle. */
const GRACE_MS = 30_000;
/** Longest that the process of a check takes to begin, on a machine that is starved. */
const BEGIN_MS = 120_000;
/** Signals that damage ends a process with. Any other, such as that of an operator or of a full memory, says nothing of the store. */
const DAMAGE_SIGNALS: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE']);
/** The last message of a process may be read after its end was seen. */
const LAST_MESSAGE_MS = 250;
const CPU_TICKS_PER_SECOND = 100;
/** Damaged stores that are kept for an operator; the oldest goes first. */
const KEPT_MAX = 3;
const DAMAGED_PREFIX = 'hot-damaged-';
const FOLDER = 'hot';
/** Workers make it after they have opened the store: where it stands, a store has been. */
const SPOOL_FOLDER = 'spool';
const REBUILD_FILE = 'hot-rebuild.json';

/** Why and since when the counters of a store have to be made again. */
export interface RebuildOrder {
  readonly reason: string;
  readonly atMs: number;
}

/** The result of a check: the walk, or why there was none. Only damage that was seen is called so. */
export type HotStoreCheckResult = HotStoreWalk | { readonly state: 'unchecked'; readonly reason: string };

/** The messages of the process of a check. */
export type CheckMessage = 'begun' | HotStoreCheckResult;

/**
 * Walks the LMDB store of a data folder in a process of its own, which damage may end: nothing else is touched by that. Safe beside
 * processes that use the store. No store: whole.
 */
export async function checkHotStore(dataDir: string, timeLimitMs: number): Promise<HotStoreCheckResult> {
  const dir = join(dataDir, FOLDER);
  if (!hasStore(dataDir)) return { state: 'whole', entries: 0 };
  const path = fileURLToPath(new URL('check-process.ts', import.meta.url));
  const child = fork(path, [dir, String(timeLimitMs)], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  return await new Promise<HotStoreCheckResult>((resolve) => {
    let hasBegun = false;
    const unchecked = (reason: string): void => end({ state: 'unchecked', reason });
    const end = (result: HotStoreCheckResult): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      resolve(result);
    };
    const endCircle = (): void => {
      const isBusy = usedCpuMs(child.pid) > timeLimitMs + GRACE_MS / 2;
      if (isBusy) end({ state: 'damaged', reason: 'its walk does not end' });
      else unchecked('reading it takes too long');
    };
    let timer = setTimeout(() => unchecked('the process that reads it does not begin'), BEGIN_MS);
    child.on('message', (message) => {
      const said = message as CheckMessage;
      if (said !== 'begun') return end(said);
      hasBegun = true;
      clearTimeout(timer);
      timer = setTimeout(endCircle, timeLimitMs + GRACE_MS);
    });
    child.once('error', (error) => unchecked(error.message));
    child.once('exit', (code, signal) => {
      const reason = `reading it ended the process with ${signal ?? `exit code ${code}`}`;
      const conclude = (): void => {
        if (hasBegun && signal !== null && DAMAGE_SIGNALS.has(signal)) end({ state: 'damaged', reason });
        else unchecked(reason);
      };
      setTimeout(conclude, LAST_MESSAGE_MS);
    });
  });
}

function hasStore(dataDir: string): boolean {
  return existsSync(join(dataDir, FOLDER, 'data.mdb'));
}

/** Whether a store was here and is gone. */
export function isStoreGone(dataDir: string): boolean {
  return !hasStore(dataDir) && existsSync(join(dataDir, SPOOL_FOLDER));
}

/** Processor time of a process, as Linux tells it; 0 where nobody does. */
function usedCpuMs(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return ((user + system) * 1_000) / CPU_TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/**
 * Moves a damaged store out of the way, for an operator, and orders that its counters are made again. Call it only while no process
 * has the store open.
 * @returns the folder's new name
 */
export function moveDamagedAside(dataDir: string, order: RebuildOrder): string {
  // The order first: a crash in between moves the store aside at the next start.
  writeOrder(dataDir, order);
  const name = `${DAMAGED_PREFIX}${new Date(order.atMs).toISOString().replaceAll(/[:.]/g, '-')}`;
  renameSync(join(dataDir, FOLDER), join(dataDir, name));
  mkdirSync(join(dataDir, FOLDER), { mode: 0o700 });
  syncPath(dataDir);
  for (const old of listDamaged(dataDir).slice(0, -KEPT_MAX))
    rmSync(join(dataDir, old), { recursive: true, force: true });
  return name;
}

/** On stable storage: an empty store without its order would spend every budget again. */
function writeOrder(dataDir: string, order: RebuildOrder): void {
  const path = join(dataDir, REBUILD_FILE);
  writeFileSync(path, JSON.stringify(order), { mode: 0o600, flush: true });
  syncPath(dataDir);
}

function syncPath(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Damaged stores that are kept, oldest first: names of folders in the data folder. */
export function listDamaged(dataDir: string): string[] {
  if (!existsSync(dataDir)) return [];
  return readdirSync(dataDir)
    .filter((name) => name.startsWith(DAMAGED_PREFIX))
    .sort();
}

/** The order to make counters again; null when there is none. */
export function readRebuildOrder(dataDir: string): RebuildOrder | null {
  const path = join(dataDir, REBUILD_FILE);
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RebuildOrder;
  } catch {
    // The file itself is the order; what it says is for the log.
    return { reason: 'unknown', atMs: 0 };
  }
}

/** The counters are made again. */
export function finishRebuild(dataDir: string): void {
  rmSync(join(dataDir, REBUILD_FILE), { force: true });
}

/** The store of a guard, and the limits of its check. Times in milliseconds. */
export interface HotStoreCheck {
  readonly dataDir: string;
  readonly log: Log;
  readonly timeLimitMs: number;
  readonly nowMs: number;
}

/**
 * Checks a store before anything uses it; a damaged one is moved aside. Of one that is gone (deleted, or left out of a backup) the
 * counters are made again as well.
 * @returns true when counters are to be made again that stood here
 */
export async function checkBeforeUse({ dataDir, log, timeLimitMs, nowMs }: HotStoreCheck): Promise<boolean> {
  if (!hasStore(dataDir)) return orderForLost({ dataDir, log, nowMs });
  const check = await checkHotStore(dataDir, timeLimitMs);
  if (check.state === 'unfinished') log.event('hot_store.checked_in_part', { entries: check.entries, timeLimitMs });
  if (check.state === 'unchecked') log.event('hot_store.unchecked', { reason: check.reason });
  if (check.state !== 'damaged') return false;
  const keptIn = moveDamagedAside(dataDir, { reason: check.reason, atMs: nowMs });
  log.event('hot_store.damaged', { reason: check.reason, keptIn });
  return true;
}

function orderForLost({ dataDir, log, nowMs }: Pick<HotStoreCheck, 'dataDir' | 'log' | 'nowMs'>): boolean {
  if (!isStoreGone(dataDir) || readRebuildOrder(dataDir) !== null) return false;
  writeOrder(dataDir, { reason: 'the store is gone', atMs: nowMs });
  log.event('hot_store.missing');
  return true;
}
