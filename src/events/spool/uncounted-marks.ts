import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '../../domain/log/log.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { listSpoolFiles, listWorkerIndexes } from './spool-files.ts';
import type { SpoolFile } from './spool-files.ts';

/**
 * Knows whether there are acknowledged events that the hot store, because it was unavailable, has not counted yet. Until then it has
 * neither their ids nor the contacts of their users.
 */
export interface UncountedMarks {
  /** An event of this spool file (`<worker index>/<file id>`) could not be counted. Call it before the event is acknowledged. */
  add(spoolFile: string): void;
  /** Whether this machine has such events; true when its disk fails. Reads one folder, which is usually empty. Never throws. */
  any(): boolean;
  /** Whether any machine has: `any`, or another machine said so in the last seconds, or the hot store is unavailable. */
  anywhere(): Promise<boolean>;
  /** Stops telling other machines. */
  stop(): void;
}

const FOLDER = 'uncounted';
const MARK = /^w(\d{1,4})\.(\d{13}-[0-9a-f]{8}b?)$/;
/** Tells other machines, for as long as marks are there. */
const SHARED_KEY = 'uncounted';
const SHARED_TTL_MS = 3_000;
const SHARE_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 200;

/** Options of marks. */
export interface UncountedMarksDeps {
  readonly spoolDir: string;
  /** Worker indexes whose spool files this process ships; their marks without a spool file are deleted now. */
  readonly workerIndexes: readonly number[];
  /** The same for this worker index and all above it, which have no worker, even when their folder is gone. Default: none. */
  readonly orphansFrom?: number;
  readonly hot: HotStore;
  readonly log: Log;
}

/** Marks are files, so that those of a killed worker remain known. */
export function openUncountedMarks(deps: UncountedMarksDeps): UncountedMarks {
  deleteStale(deps);
  const marks = new FileMarks(deps);
  if (marks.any()) marks.tellOthers();
  return marks;
}

/** Marks every spool file that waits to be counted: the hot store may lack what it counted of them. @throws what the disk throws */
export function markWaiting(spoolDir: string): void {
  for (const index of listWorkerIndexes(spoolDir))
    for (const { folder, fileId, state } of listSpoolFiles(join(spoolDir, `w${index}`)))
      if (state !== 'settled') writeMark(join(spoolDir, FOLDER), `${folder}.${fileId}`);
}

function writeMark(dir: string, name: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  closeSync(openSync(join(dir, name), 'w', 0o600));
}

/** All lines of a spool file are counted: deletes its mark. */
export function deleteMark({ dir, folder, fileId }: SpoolFile): void {
  rmSync(join(dirname(dir), FOLDER, `${folder}.${fileId}`), { force: true });
}

/** {@link UncountedMarks.anywhere} of a process that records no events. */
export async function hasUncountedMarks({ spoolDir, hot }: MarkSources): Promise<boolean> {
  return hasMarks(join(spoolDir, FOLDER)) || (await isToldByOthers(hot));
}

/** Where marks are. */
export interface MarkSources {
  readonly spoolDir: string;
  readonly hot: Pick<HotStore, 'get'>;
}

class FileMarks implements UncountedMarks {
  readonly #deps: UncountedMarksDeps;
  readonly #dir: string;
  /** Names of marks that this process made or, when the disk refused, holds in memory. */
  readonly #made = new Set<string>();
  readonly #onlyInMemory = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #isTelling = false;
  #toldMs = Number.NEGATIVE_INFINITY;

  constructor(deps: UncountedMarksDeps) {
    this.#deps = deps;
    this.#dir = join(deps.spoolDir, FOLDER);
  }

  add(spoolFile: string): void {
    const name = `w${spoolFile.replace('/', '.')}`;
    if (!this.#made.has(name)) {
      this.#made.add(name);
      if (!this.#write(name)) this.#onlyInMemory.add(name);
    }
    this.tellOthers();
  }

  any(): boolean {
    return this.#onlyInMemory.size > 0 || hasMarks(this.#dir);
  }

  async anywhere(): Promise<boolean> {
    return this.any() || (await isToldByOthers(this.#deps.hot));
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Repeats until no mark is left. */
  tellOthers(): void {
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  #look(): void {
    for (const name of this.#onlyInMemory)
      if (!isWaiting(this.#deps.spoolDir, name) || this.#write(name)) this.#onlyInMemory.delete(name);
    if (!this.any()) {
      this.#made.clear();
      this.stop();
      return;
    }
    if (this.#isTelling || performance.now() - this.#toldMs < SHARE_EVERY_MS) return;
    this.#isTelling = true;
    this.#deps.hot
      .set(SHARED_KEY, '1', SHARED_TTL_MS)
      .then(() => (this.#toldMs = performance.now()))
      // It is still unavailable: the next look tries again.
      .catch(() => undefined)
      .finally(() => (this.#isTelling = false));
  }

  #write(name: string): boolean {
    try {
      writeMark(this.#dir, name);
      return true;
    } catch (error) {
      this.#deps.log.event('event.mark_failed', { err: error, mark: name });
      return false;
    }
  }
}

/** A mark is obsolete when all lines of its spool file are counted, or the file is gone. */
function deleteStale(deps: UncountedMarksDeps): void {
  const { spoolDir, workerIndexes, orphansFrom = Number.POSITIVE_INFINITY, log } = deps;
  const dir = join(spoolDir, FOLDER);
  for (const name of marksIn(dir)) {
    const [, digits = ''] = MARK.exec(name) ?? [];
    const workerIndex = Number(digits);
    const isOwn = workerIndexes.includes(workerIndex) || workerIndex >= orphansFrom;
    if (!isOwn || isWaiting(spoolDir, name)) continue;
    if (!existsSync(join(spoolDir, `w${digits}`))) log.event('event.mark_without_spool', { mark: name });
    rmSync(join(dir, name), { force: true });
  }
}

/** Whether lines of a mark's spool file may wait to be counted. */
function isWaiting(spoolDir: string, name: string): boolean {
  const [, workerIndex = '', file = ''] = MARK.exec(name) ?? [];
  return listSpoolFiles(join(spoolDir, `w${workerIndex}`)).some(
    (one) => one.fileId === file && one.state !== 'settled',
  );
}

/** True when the disk fails. */
function hasMarks(dir: string): boolean {
  try {
    return marksIn(dir).length > 0;
  } catch {
    return true;
  }
}

/** True when the hot store is unavailable. */
async function isToldByOthers(hot: Pick<HotStore, 'get'>): Promise<boolean> {
  try {
    return (await hot.get(SHARED_KEY)) !== null;
  } catch {
    return true;
  }
}

function marksIn(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => MARK.test(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
