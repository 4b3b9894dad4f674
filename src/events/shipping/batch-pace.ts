import { setImmediate, setTimeout } from 'node:timers/promises';
import { openedAtMs } from '../spool/spool-files.ts';
import type { SpoolFile } from '../spool/spool-files.ts';
import { BATCH_BYTES_MAX } from './batch-folders.ts';

/** When batches are made: small ones soon, so that reports are up to date; large ones seldom, because every insert has a fixed cost. */
export interface BatchPace {
  /** Smallest pause between batches that are not full. */
  readonly everyMs: number;
  /** How long files of more than {@link SMALL_BYTES} wait for others. */
  readonly joinMs: number;
}

/** Spool files of this size do not wait for others. */
const SMALL_BYTES = 1_000_000;
/** Fewer are not inserted beside another batch: until that has ended, they grow. */
const BESIDE_BYTES_MIN = 8_000_000;

/** What decides when a batch is made. */
export interface BatchMoment {
  readonly pace: BatchPace;
  /** Since the last batch was made. */
  readonly sinceLastMs: number;
  readonly nowMs: number;
  /** Batches that are being inserted. */
  readonly inserting: number;
}

/** Whether the files that wait become a batch now. */
export function isBatchDue(files: readonly SpoolFile[], { pace, sinceLastMs, nowMs, inserting }: BatchMoment): boolean {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes >= BATCH_BYTES_MAX) return true;
  if (files.length === 0 || sinceLastMs < pace.everyMs) return false;
  if (inserting > 0 && bytes < BESIDE_BYTES_MIN) return false;
  if (bytes < SMALL_BYTES || sinceLastMs >= pace.joinMs) return true;
  return files.some(({ fileId }) => nowMs - openedAtMs(fileId) >= pace.joinMs);
}

/** A turn of the event loop that takes longer says that requests wait. */
const BUSY_TURN_MS = 4;
/** How much longer than such a turn the shipper then waits, and at most. */
const WAIT_FACTOR = 4;
const WAIT_MS_MAX = 100;

/** Lets requests go first: waits for a turn of the event loop, and longer when that turn shows that requests wait. */
export async function letRequestsPass(elapsedMs: () => number = () => performance.now()): Promise<void> {
  const startedMs = elapsedMs();
  await setImmediate();
  const turnMs = elapsedMs() - startedMs;
  if (turnMs > BUSY_TURN_MS) await setTimeout(Math.min(WAIT_MS_MAX, turnMs * WAIT_FACTOR));
}
