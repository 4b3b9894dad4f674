import type { RowValue } from './row-format.ts';

/** A batch has at most so many values, so that making one does not hold up the event loop for long, and at least so many rows. */
const BATCH_VALUES = 30_000;
const BATCH_ROWS_MIN = 500;

/** The rows of a batch of so many columns. @param rowsMax for few columns */
export function batchRows(columns: number, rowsMax: number): number {
  return Math.max(BATCH_ROWS_MIN, Math.min(rowsMax, Math.floor(BATCH_VALUES / Math.max(1, columns))));
}

/** Rows in batches of this many, the last one with fewer. Each batch waits for a turn of the event loop. */
export async function* inBatches(
  slices: AsyncIterable<readonly (readonly RowValue[])[]>,
  size: number,
): AsyncGenerator<readonly (readonly RowValue[])[]> {
  let batch: (readonly RowValue[])[] = [];
  for await (const rows of slices) {
    batch.push(...rows);
    while (batch.length >= size) {
      yield batch.slice(0, size);
      batch = batch.slice(size);
    }
  }
  if (batch.length > 0) yield batch;
}
