import type { FieldProblem } from '../../domain/errors.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { ManagementContext } from './context.ts';
import type { StoredRow } from './field.ts';
import { changeAll } from './transactions.sql.ts';
import type { Written } from './write.ts';

/** The outcome of one row of a bulk change. */
export interface BulkResult {
  readonly index: number;
  /** The row after the change; null for an unchanged row. */
  readonly written: StoredRow | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
}

/** The outcome of all rows of a bulk change. */
export interface BulkOutcome {
  readonly results: readonly BulkResult[];
  readonly changedCount: number;
  readonly failedCount: number;
}

/** How a bulk change treats failures, and whether it is only a trial. */
export interface BulkOptions {
  readonly allOrNothing: boolean;
  readonly trial: boolean;
}

/** Undoes all rows of an all-or-nothing change, carrying the results out of the transaction. */
class BulkUndone extends Error {
  readonly results: readonly BulkResult[];

  constructor(results: readonly BulkResult[]) {
    super('A row failed.');
    this.results = results;
  }
}

/**
 * Changes many rows in one transaction, each behind a savepoint, and reports the result of each. All rows are tried even when an
 * early one fails, so that the caller learns of every problem at once. Unexpected failures stop everything.
 */
export async function runBulk<Row>(
  context: ManagementContext,
  options: BulkOptions,
  rows: readonly Row[],
  write: (inner: ManagementContext, row: Row, index: number) => Promise<Written>,
): Promise<BulkOutcome> {
  try {
    const results = await changeAll(context, options.trial, async (inner) => {
      const each: BulkResult[] = [];
      for (const [index, row] of rows.entries()) each.push(await tryRow(index, () => write(inner, row, index)));
      if (options.allOrNothing && each.some((result) => result.code !== null)) throw new BulkUndone(each);
      return each;
    });
    return summarise(options.trial ? results.map(undone) : results);
  } catch (error) {
    if (error instanceof BulkUndone) return summarise(error.results.map(undone));
    throw error;
  } finally {
    context.loaders.clear();
  }
}

async function tryRow(index: number, write: () => Promise<Written>): Promise<BulkResult> {
  try {
    const { row, warnings } = await write();
    return { index, written: row, code: null, message: null, problems: [], warnings };
  } catch (error) {
    if (!(error instanceof PlacardError)) throw error;
    return { index, written: null, code: error.code, message: error.message, problems: error.fields, warnings: [] };
  }
}

function undone(result: BulkResult): BulkResult {
  return { ...result, written: null };
}

function summarise(results: readonly BulkResult[]): BulkOutcome {
  return {
    results,
    changedCount: results.filter((result) => result.written !== null).length,
    failedCount: results.filter((result) => result.code !== null).length,
  };
}
