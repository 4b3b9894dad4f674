import { ERRORS, type ErrorCode } from './error-codes.ts';
import type { ProblemCode } from './problem-codes.ts';

/** One wrong input field: its path (`input.flight.endsAt`), a stable code, and a sentence that says what to do. */
export interface FieldProblem {
  readonly path: string;
  readonly code: ProblemCode;
  readonly message: string;
}

/** Further contents of an error: wrong fields, extra body members, and the cause (logged, never sent). */
export interface PlacardErrorOptions {
  readonly fields?: readonly FieldProblem[];
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A failure that a caller may be told about. Anything else that is thrown is an internal error. */
export class PlacardError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldProblem[];
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string = ERRORS[code].message, options: PlacardErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PlacardError';
    this.code = code;
    this.fields = options.fields ?? [];
    this.details = options.details ?? {};
  }
}

/** The problem of one field, as a `validation_failed` error. */
export function fieldError(path: string, code: ProblemCode, message: string): PlacardError {
  return new PlacardError('validation_failed', `${path}: ${message}`, { fields: [{ path, code, message }] });
}

/** Runs checks that each throw what is wrong with one field. @throws PlacardError `validation_failed` with the problems of all of them */
export function checkAll(checks: readonly (() => void)[]): void {
  const fields = checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      if (!(error instanceof PlacardError) || error.code !== 'validation_failed') throw error;
      return error.fields;
    }
  });
  if (fields.length === 0) return;
  const message = fields.map((field) => `${field.path}: ${field.message}`).join('; ');
  throw new PlacardError('validation_failed', message, { fields });
}
