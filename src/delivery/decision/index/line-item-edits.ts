import { findPosition } from './line-item-order.ts';
import type { LineItemRank } from './line-item-order.ts';
import type { WorkSteps } from './work-steps.ts';

/** The difference between the line items of two compilations: the removed ones, the added ones, and the new indexes of the others. */
export interface LineItemEdits<T> {
  /** The present line items, in their order. */
  readonly lineItems: readonly T[];
  readonly countBefore: number;
  /** The present index by former index; −1 = removed. */
  readonly newIndexOf: Int32Array;
  /** Former indexes of the removed line items, ascending. */
  readonly removed: readonly number[];
  /** Present indexes of the added line items, ascending. */
  readonly added: readonly number[];
  /** Runs of line items that stayed neighbours. */
  readonly runs: readonly Run[];
}

/** `length` line items that moved from index `before` to index `now`. */
export interface Run {
  readonly before: number;
  readonly now: number;
  readonly length: number;
}

const LINE_ITEMS_PER_STEP = 16_384;

/**
 * Removes line items from an ordered list and inserts others by their rank.
 * @param removed indexes of the line items to remove, ascending
 * @param added ordered; no two line items may have the same rank
 */
export function* editLineItems<T extends LineItemRank>(
  before: readonly T[],
  removed: readonly number[],
  added: readonly T[],
): WorkSteps<LineItemEdits<T>> {
  const lineItems: T[] = [];
  const newIndexOf = new Int32Array(before.length).fill(-1);
  const runs: Run[] = [];
  const addedIndexes: number[] = [];
  let next = 0;
  const copyUntil = (until: number): void => {
    if (until > next) runs.push({ before: next, now: lineItems.length, length: until - next });
    for (; next < until; next += 1) {
      newIndexOf[next] = lineItems.length;
      lineItems.push(before[next] as T);
    }
  };
  let nextRemoved = 0;
  const copyRemaining = (until: number): void => {
    for (; nextRemoved < removed.length && (removed[nextRemoved] as number) < until; nextRemoved += 1) {
      copyUntil(removed[nextRemoved] as number);
      next += 1;
    }
    copyUntil(until);
  };
  for (const lineItem of added) {
    copyRemaining(findPosition(before, lineItem, next));
    addedIndexes.push(lineItems.length);
    lineItems.push(lineItem);
    if (addedIndexes.length % 1_024 === 0) yield;
  }
  while (next < before.length) {
    copyRemaining(Math.min(before.length, next + LINE_ITEMS_PER_STEP));
    yield;
  }
  return { lineItems, countBefore: before.length, newIndexOf, removed, added: addedIndexes, runs };
}
