import { findPosition } from './line-item-order.ts';
import type { LineItemRank } from './line-item-order.ts';
import type { WorkSteps } from './work-steps.ts';

/** How the rows of one compilation became those of the next: which went, which came, and where the others stand now. */
export interface LineItemEdits<T> {
  /** The present rows, in their order. */
  readonly lineItems: readonly T[];
  readonly countBefore: number;
  /** The present number of a former row; −1 = gone. */
  readonly newIndexOf: Int32Array;
  /** Former numbers of the rows that went, ascending. */
  readonly removed: readonly number[];
  /** Present numbers of the rows that came, ascending. */
  readonly added: readonly number[];
  /** Runs of rows that stayed neighbours. */
  readonly runs: readonly Run[];
}

/** `length` rows that stood from `before` on, and stand from `now` on. */
export interface Run {
  readonly before: number;
  readonly now: number;
  readonly length: number;
}

const LINE_ITEMS_PER_STEP = 16_384;

/**
 * Takes rows out of ordered ones, and puts others in at their places.
 * @param removed numbers of the rows to take out, ascending
 * @param added what to put in, ordered; no two rows, left or new, may have the same place
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
