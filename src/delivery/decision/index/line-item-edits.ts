import { findPosition } from './line-item-order.ts';
import type { RowPlace } from './line-item-order.ts';
import type { WorkSteps } from './work-steps.ts';

/** How the rows of one compilation became those of the next: which went, which came, and where the others stand now. */
export interface RowEdits<T> {
  /** The present rows, in their order. */
  readonly rows: readonly T[];
  readonly countBefore: number;
  /** The present number of a former row; −1 = gone. */
  readonly numberNow: Int32Array;
  /** Former numbers of the rows that went, ascending. */
  readonly gone: readonly number[];
  /** Present numbers of the rows that came, ascending. */
  readonly come: readonly number[];
  /** Runs of rows that stayed neighbours. */
  readonly runs: readonly Run[];
}

/** `length` rows that stood from `before` on, and stand from `now` on. */
export interface Run {
  readonly before: number;
  readonly now: number;
  readonly length: number;
}

const ROWS_PER_STEP = 16_384;

/**
 * Takes rows out of ordered ones, and puts others in at their places.
 * @param gone numbers of the rows to take out, ascending
 * @param come what to put in, ordered; no two rows, left or new, may have the same place
 */
export function* editRows<T extends RowPlace>(
  before: readonly T[],
  gone: readonly number[],
  come: readonly T[],
): WorkSteps<RowEdits<T>> {
  const rows: T[] = [];
  const numberNow = new Int32Array(before.length).fill(-1);
  const runs: Run[] = [];
  const comeNumbers: number[] = [];
  let next = 0;
  const keep = (until: number): void => {
    if (until > next) runs.push({ before: next, now: rows.length, length: until - next });
    for (; next < until; next += 1) {
      numberNow[next] = rows.length;
      rows.push(before[next] as T);
    }
  };
  let goneAt = 0;
  const keepBut = (until: number): void => {
    for (; goneAt < gone.length && (gone[goneAt] as number) < until; goneAt += 1) {
      keep(gone[goneAt] as number);
      next += 1;
    }
    keep(until);
  };
  for (const row of come) {
    keepBut(findPosition(before, row, next));
    comeNumbers.push(rows.length);
    rows.push(row);
    if (comeNumbers.length % 1_024 === 0) yield;
  }
  while (next < before.length) {
    keepBut(Math.min(before.length, next + ROWS_PER_STEP));
    yield;
  }
  return { rows, countBefore: before.length, numberNow, gone, come: comeNumbers, runs };
}
