import { basename, join } from 'node:path';
import { listSpoolFiles, listWorkerIndexes, openedAtMs } from '../spool/spool-files.ts';
import type { SpoolFile } from '../spool/spool-files.ts';
import { collectBatch, countBatched, listBatchedFiles } from './batch-folders.ts';
import { isBatchDue } from './batch-pace.ts';
import type { BatchPace } from './batch-pace.ts';
import type { ShipBatch } from './ship-batch.ts';

/** When batches are made. */
const PACE: BatchPace = { everyMs: 2_000, joinMs: 5_000 };

/** Makes the batches of a machine. */
export class MachineBatches {
  readonly #spoolDir: string;
  readonly #pace: BatchPace;
  readonly #elapsedMs: () => number;
  #madeAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: {
    readonly spoolDir: string;
    readonly pace: BatchPace | undefined;
    readonly elapsedMs: () => number;
  }) {
    this.#spoolDir = options.spoolDir;
    this.#pace = options.pace ?? PACE;
    this.#elapsedMs = options.elapsedMs;
  }

  /** Makes the next batch; null when none is due. A stopping shipper waits for no pause. */
  async next({
    inserting,
    stopping,
  }: {
    readonly inserting: number;
    readonly stopping: boolean;
  }): Promise<ShipBatch | null> {
    const dirs = listWorkerIndexes(this.#spoolDir).map((workerIndex) => join(this.#spoolDir, `w${workerIndex}`));
    const files = dirs.flatMap(listUnbatched);
    const elapsedMs = this.#elapsedMs();
    const sinceLastMs = stopping ? Number.POSITIVE_INFINITY : elapsedMs - this.#madeAtMs;
    if (!isBatchDue(files, { pace: this.#pace, sinceLastMs, nowMs: Date.now(), inserting })) return null;
    this.#madeAtMs = elapsedMs;
    return collectBatch(this.#spoolDir, files, Date.now());
  }
}

/** Files of these workers that the store may not have. A file is moved into a batch: in this order none is missed. */
export function listWaitingFiles(spoolDir: string, dirs: readonly string[]): SpoolFile[] {
  const own = dirs.flatMap(listSpoolFiles);
  const batched = dirs.flatMap((dir) => listBatchedFiles(spoolDir, basename(dir)));
  const seen = new Set(own.map(({ fileId }) => fileId));
  return [...own, ...batched.filter(({ fileId }) => !seen.has(fileId))];
}

/** How many files of these workers are in batches. */
export function countBatchedFiles(spoolDir: string, dirs: readonly string[]): number {
  return dirs.reduce((sum, dir) => sum + countBatched(spoolDir, basename(dir)), 0);
}

/** Spool files that the analytics store does not have yet. */
export interface ShipBacklog {
  readonly files: number;
  readonly bytes: number;
  /** When the oldest spool file with events was begun, epoch milliseconds; null: nothing waits. */
  readonly oldestMs: number | null;
}

/** Both together. */
export function addBacklogs(one: ShipBacklog, other: ShipBacklog): ShipBacklog {
  const oldest = [one.oldestMs, other.oldestMs].filter((ms) => ms !== null);
  const oldestMs = oldest.length === 0 ? null : Math.min(...oldest);
  return { files: one.files + other.files, bytes: one.bytes + other.bytes, oldestMs };
}

/** The sum of these files. */
export function sumUp(files: readonly SpoolFile[]): ShipBacklog {
  const opened = files.filter(({ bytes }) => bytes > 0).map(({ fileId }) => openedAtMs(fileId));
  return {
    files: files.length,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    oldestMs: opened.length === 0 ? null : opened.reduce((oldest, one) => Math.min(oldest, one)),
  };
}

/** Counted files of a worker that are in no batch yet. */
function listUnbatched(dir: string): readonly SpoolFile[] {
  const all = listSpoolFiles(dir);
  // Its sealed form is about to be deleted. If the counted form were shipped and deleted first, the file would be counted and shipped
  // again.
  const sealed = new Set(all.filter(({ state }) => state === 'sealed').map(({ fileId }) => fileId));
  return all.filter(({ state, fileId }) => state === 'settled' && !sealed.has(fileId));
}
