import { isDeepStrictEqual } from 'node:util';
import type { FieldProblem } from '../../domain/errors.ts';
import { PlacardError } from '../../domain/errors.ts';
import { type Columns, inputForm, type StoredRow } from './field.ts';
import { initialColumns, type Resource } from './resource.ts';

/** The input of a write after GraphQL's coercion: absent fields are absent, null is null. */
export type WriteInput = Readonly<Record<string, unknown>>;

/** In an input: the value of a field whose problem is reported already. */
export const UNRESOLVED = Symbol('unresolved');

/** One write before it is stored: the row that its input asks for, and what is known to be wrong with it. */
export interface Draft {
  /** The row before the change; null for a new object. */
  readonly before: StoredRow | null;
  /** The columns that the input sets. */
  readonly given: Columns;
  /** The columns to store: all that a new object has, or those that change. */
  readonly columns: Columns;
  /** The row as it would be: rules see one shape on creation and on change. */
  readonly row: StoredRow;
  /** Where the input is in the request. */
  readonly path: string;
  readonly problems: FieldProblem[];
}

/** Who writes, where and when. */
export interface DraftScope {
  readonly workspaceId: number;
  readonly actor: string;
  readonly nowMs: number;
}

/** An input and where it is in the request; its problems are added to `problems`. */
export interface DraftInput {
  readonly input: WriteInput;
  readonly path: string;
  readonly problems: readonly FieldProblem[];
}

/** The draft of a new object. */
export function draftCreation(resource: Resource, { input, path, problems: known }: DraftInput, by: DraftScope): Draft {
  const problems = [...known];
  const given = decodeInput(resource, input, { path, creating: true, problems });
  const columns = { ...initialColumns(resource), ...given };
  const now = new Date(by.nowMs);
  const own = { workspace_id: by.workspaceId, id: 0n, version: 1, created_at: now, updated_at: now };
  const row = { ...columns, ...own, updated_by: by.actor };
  return { before: null, given, columns, row, path, problems };
}

/** The draft of a change of the given fields; absent ones stay. */
export function draftChange(
  resource: Resource,
  before: StoredRow,
  { input, path, problems: known }: DraftInput,
): Draft {
  const problems = [...known];
  const decoded = decodeInput(resource, input, { path, creating: false, problems });
  const given = withoutFixed(resource, decoded, { before, path, problems });
  if (before['status'] === 'ARCHIVED' && given['status'] === undefined) {
    const message = 'It is archived; give it another status to change it.';
    problems.push({ path: `${path}.status`, code: 'archived', message });
  }
  const columns = Object.fromEntries(
    Object.entries(given).filter(([column, value]) => !isDeepStrictEqual(value, before[column])),
  );
  return { before, given, columns, row: { ...before, ...given } as StoredRow, path, problems };
}

/** Converts input fields to columns. null clears a clearable field and is a problem for others; so is a missing required field. */
export function decodeInput(
  resource: Resource,
  input: WriteInput,
  options: { readonly path: string; readonly creating: boolean; readonly problems: FieldProblem[] },
): Columns {
  const columns: Columns = {};
  for (const field of resource.fields) {
    const value = field.input === null ? undefined : input[field.name];
    if (value === UNRESOLVED) continue;
    if (value === undefined && !(options.creating && field.requiredOnCreate)) continue;
    const path = `${options.path}.${field.name}`;
    if (value === undefined) {
      options.problems.push({ path, code: 'required', message: 'Give a value.' });
    } else if (value === null) {
      if (field.clearable) Object.assign(columns, field.cleared);
      else options.problems.push({ path, code: 'null_not_allowed', message: 'Give a value, or leave the field out.' });
    } else {
      Object.assign(columns, field.write(value, path, options.problems));
    }
  }
  return columns;
}

/** Leaves out the fields that only a creation sets; one that differs from the stored value is a problem. */
function withoutFixed(
  resource: Resource,
  given: Columns,
  options: { readonly before: StoredRow; readonly path: string; readonly problems: FieldProblem[] },
): Columns {
  const kept = { ...given };
  for (const { name, columns } of resource.fields.filter(({ updatable, input }) => input !== null && !updatable)) {
    const isOther = columns.some(
      (column) => column in kept && !isDeepStrictEqual(kept[column], options.before[column]),
    );
    const message = 'It cannot change after creation; leave it out.';
    if (isOther) options.problems.push({ path: `${options.path}.${name}`, code: 'cannot_change', message });
    for (const column of columns) delete kept[column];
  }
  return kept;
}

/** Reads the fields of some columns as callers give them, for the audit log and the feed of changes. */
export function shownColumns(resource: Resource, row: StoredRow, columns: readonly string[]): Record<string, unknown> {
  const touched = resource.fields.filter((field) => field.columns.some((column) => columns.includes(column)));
  return Object.fromEntries(touched.map((field) => [field.name, inputForm(field, row)]));
}

/** All wrong fields as one error; the message names the first few. */
export function validationFailed(problems: readonly FieldProblem[]): PlacardError {
  const named = problems.slice(0, 3).map((problem) => `${problem.path}: ${problem.message}`);
  const more = problems.length > 3 ? ` (and ${problems.length - 3} more)` : '';
  return new PlacardError('validation_failed', `${named.join(' ')}${more}`, { fields: problems });
}

/** A change of an object that is at another version than the caller read. */
export function staleVersion(resource: Resource, found: StoredRow, version: number): PlacardError {
  const changedAt = found.updated_at.toISOString();
  const changedBy = found.updated_by === '' ? 'the system' : found.updated_by;
  return new PlacardError(
    'conflict',
    `The ${resource.singular} ${found.id} is at version ${found.version}, not ${version}: ${changedBy} changed it at ${changedAt}. Read it again.`,
    { details: { currentVersion: found.version, changedBy, changedAt } },
  );
}

/** The object that a change names is not in the workspace. */
export function objectMissing(resource: Resource, id: string): PlacardError {
  return new PlacardError('not_found', `There is no ${resource.singular} with the id ${id.slice(0, 40)}.`);
}
