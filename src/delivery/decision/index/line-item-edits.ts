import type { LineItemColumns } from './line-item-columns.ts';
import { findPosition } from './line-item-order.ts';
import type { LineItemRank } from './line-item-order.ts';
import type { WorkSteps } from './work-steps.ts';

/** The difference between the line items of two compilations: the removed ones, the added ones, and the new positions of the others. */
export interface LineItemEdits {
  /** The number of line items now. */
  readonly count: number;
  readonly countBefore: number;
  /** Former positions of the removed line items, ascending. */
  readonly removed: readonly number[];
  /** Present positions of the added line items, ascending. */
  readonly added: readonly number[];
  /** Runs of line items that stayed neighbours, ascending: as few as possible. */
  readonly runs: readonly Run[];
}

/** `length` line items that moved from position `before` to position `now`. */
export interface Run {
  readonly before: number;
  readonly now: number;
  readonly length: number;
}

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
  const runs: Run[] = [];
  const addedPositions: number[] = [];
  let next = 0;
  let count = 0;
  const copyUntil = (until: number): void => {
    if (until <= next) return;
    runs.push({ before: next, now: count, length: until - next });
    count += until - next;
    next = until;
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
  copyRemaining(before.length);
  return { count, countBefore: before.length, removed, added: addedPositions, runs };
}

/** Whether the line items that stay have their former positions. */
export function positionsStay({ count, countBefore, runs }: LineItemEdits): boolean {
  return count === countBefore && runs.every((run) => run.before === run.now);
}

/** Finds present positions by former ones: fast for positions that ascend. */
export class PositionMap {
  readonly #runs: readonly Run[];
  #at = 0;
  #before = 0;
  #end = 0;
  #shift = 0;

  constructor({ runs }: LineItemEdits) {
    this.#runs = runs;
    this.#use(0);
  }

  /** The present position; −1 = removed. */
  find(former: number): number {
    if (former < this.#before) this.#use(this.#searchRun(former));
    else if (former >= this.#end) {
      const next = this.#runs[this.#at + 1];
      const isInNext = next !== undefined && former < next.before + next.length;
      this.#use(isInNext ? this.#at + 1 : this.#searchRun(former));
    }
    return former >= this.#before && former < this.#end ? former + this.#shift : -1;
  }

  /** The last run that begins at or before a former position. */
  #searchRun(former: number): number {
    let low = 0;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#runs[middle] as Run).before <= former) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  #use(at: number): void {
    const { before, now, length } = this.#runs[at] ?? { before: 0, now: 0, length: 0 };
    this.#at = at;
    this.#before = before;
    this.#end = before + length;
    this.#shift = now - before;
  }
}
