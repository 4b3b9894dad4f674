import type { FieldProblem } from '../../domain/errors.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { ManagementContext } from './context.ts';
import type { StoredRow } from './field.ts';
import { changeAll } from './transactions.sql.ts';
import type { InTransaction, Written } from './write.ts';

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
export function runBulk<Row>(
  context: ManagementContext,
  options: BulkOptions,
  rows: readonly Row[],
  write: (inner: ManagementContext, row: Row, index: number) => Promise<Written>,
): Promise<BulkOutcome> {
  return runTogether(context, options, async (inner) => {
    const each: (Written | PlacardError)[] = [];
    for (const [index, row] of rows.entries()) each.push(await tryRow(() => write(inner, row, index)));
    return each;
  });
}

/** As {@link runBulk}, with a function that writes all rows; it returns the outcome of each. */
export async function runTogether(
  context: ManagementContext,
  options: BulkOptions,
  writeAll: (inner: InTransaction) => Promise<readonly (Written | PlacardError)[]>,
): Promise<BulkOutcome> {
  try {
    const results = await changeAll(context, options.trial, async (inner) => {
      const each = (await writeAll(inner)).map(resultOf);
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

/** The outcome of one row: an error that is ours is its outcome, any other one is thrown. */
export async function tryRow<T>(write: () => Promise<T>): Promise<T | PlacardError> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof PlacardError)) throw error;
    return error;
  }
}

function resultOf(outcome: Written | PlacardError, index: number): BulkResult {
  if (outcome instanceof PlacardError) {
    const { code, message, fields } = outcome;
    return { index, written: null, code, message, problems: fields, warnings: [] };
  }
  return { index, written: outcome.row, code: null, message: null, problems: [], warnings: outcome.warnings };
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
