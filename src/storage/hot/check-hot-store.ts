import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { HotStoreWalk } from './walk-hot-store.ts';

/** A walk that does not end in its time by so much is killed, and counts as damage: it runs in a circle. */
const GRACE_MS = 30_000;
/** Damaged stores that are kept for an operator; the oldest goes first. */
const KEPT_MAX = 3;
const DAMAGED_PREFIX = 'hot-damaged-';
const FOLDER = 'hot';
const REBUILD_FILE = 'hot-rebuild.json';

/** Why and since when the counters of a store have to be made again. */
export interface RebuildOrder {
  readonly reason: string;
  readonly atMs: number;
}

/**
 * Walks the LMDB store of a data folder in a process of its own, which damage may end: nothing else is touched by that. Safe beside
 * processes that use the store. No store: whole.
 */
export async function checkHotStore(dataDir: string, timeLimitMs: number): Promise<HotStoreWalk> {
  const dir = join(dataDir, FOLDER);
  if (!existsSync(join(dir, 'data.mdb'))) return { state: 'whole', entries: 0 };
  const path = fileURLToPath(new URL('check-process.ts', import.meta.url));
  const child = fork(path, [dir, String(timeLimitMs)], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  return await new Promise<HotStoreWalk>((resolve) => {
    const timer = setTimeout(() => {
      resolve({ state: 'damaged', reason: 'its walk does not end' });
      child.kill('SIGKILL');
    }, timeLimitMs + GRACE_MS);
    const end = (walk: HotStoreWalk): void => {
      clearTimeout(timer);
      resolve(walk);
    };
    child.once('message', (message) => end(message as HotStoreWalk));
    child.once('error', (error) => end({ state: 'damaged', reason: error.message }));
    child.once('exit', (code, signal) =>
      end({ state: 'damaged', reason: `reading it ended the process with ${signal ?? `exit code ${code}`}` }),
    );
  });
}

/**
 * Moves a damaged store out of the way, for an operator, and orders that its counters are made again. Call it only while no process
 * has the store open.
 * @returns the folder's new name
 */
export function moveDamagedAside(dataDir: string, order: RebuildOrder): string {
  // The order first: a crash in between moves the store aside at the next start.
  writeFileSync(join(dataDir, REBUILD_FILE), JSON.stringify(order), { mode: 0o600 });
  const name = `${DAMAGED_PREFIX}${new Date(order.atMs).toISOString().replaceAll(/[:.]/g, '-')}`;
  renameSync(join(dataDir, FOLDER), join(dataDir, name));
  mkdirSync(join(dataDir, FOLDER), { mode: 0o700 });
  for (const old of listDamaged(dataDir).slice(0, -KEPT_MAX))
    rmSync(join(dataDir, old), { recursive: true, force: true });
  return name;
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

/** What a guard checks, and how long it may take. Times in milliseconds. */
export interface HotStoreCheck {
  readonly dataDir: string;
  readonly log: Logger;
  readonly timeLimitMs: number;
  readonly nowMs: number;
}

/**
 * Checks a store before anything uses it; a damaged one is moved aside.
 * @returns true when it was moved aside
 */
export async function checkBeforeUse({ dataDir, log, timeLimitMs, nowMs }: HotStoreCheck): Promise<boolean> {
  const walk = await checkHotStore(dataDir, timeLimitMs);
  if (walk.state === 'unfinished')
    log.info({ entries: walk.entries, timeLimitMs }, 'the hot store was checked in part: no damage in what was read');
  if (walk.state !== 'damaged') return false;
  const keptIn = moveDamagedAside(dataDir, { reason: walk.reason, atMs: nowMs });
  log.error(
    { reason: walk.reason, keptIn },
    'the hot store is damaged: it was moved aside, and its counters are made again',
  );
  return true;
}
