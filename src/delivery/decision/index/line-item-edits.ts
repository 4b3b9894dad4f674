import type { LineItemColumns } from './line-item-columns.ts';
import { findPosition } from './line-item-order.ts';
import type { LineItemRank } from './line-item-order.ts';
import type { WorkSteps } from './work-steps.ts';

/** The difference between the line items of two compilations: the removed ones, the added ones, and the new positions of the others. */
export interface LineItemEdits {
  /** The number of line items now. */
  readonly count: number;
  readonly countBefore: number;
  /** The present position by former position; −1 = removed. */
  readonly newIndexOf: Int32Array;
  /** Former positions of the removed line items, ascending. */
  readonly removed: readonly number[];
  /** Present positions of the added line items, ascending. */
  readonly added: readonly number[];
  /** Runs of line items that stayed neighbours. */
  readonly runs: readonly Run[];
}

/** `length` line items that moved from position `before` to position `now`. */
export interface Run {
  readonly before: number;
  readonly now: number;
  readonly length: number;
}

const LINE_ITEMS_PER_STEP = 16_384;

/**
 * Removes line items from their order and inserts others by their rank.
 * @param removed positions of the line items to remove, ascending
 * @param added ordered; no two line items may have the same rank
 */
export function* editLineItems(
  before: LineItemColumns,
  removed: readonly number[],
  added: readonly LineItemRank[],
): WorkSteps<LineItemEdits> {
  const newIndexOf = new Int32Array(before.length).fill(-1);
  const runs: Run[] = [];
  const addedPositions: number[] = [];
  let next = 0;
  let count = 0;
  const copyUntil = (until: number): void => {
    if (until > next) runs.push({ before: next, now: count, length: until - next });
    for (; next < until; next += 1) newIndexOf[next] = count++;
  };
  let nextRemoved = 0;
  const copyRemaining = (until: number): void => {
    for (; nextRemoved < removed.length && (removed[nextRemoved] as number) < until; nextRemoved += 1) {
      copyUntil(removed[nextRemoved] as number);
      next += 1;
    }
    copyUntil(until);
  };
  for (const rank of added) {
    copyRemaining(findPosition(before, rank, next));
    addedPositions.push(count++);
    if (addedPositions.length % 1_024 === 0) yield;
  }
  while (next < before.length) {
    copyRemaining(Math.min(before.length, next + LINE_ITEMS_PER_STEP));
    yield;
  }
  return { count, countBefore: before.length, newIndexOf, removed, added: addedPositions, runs };
}
