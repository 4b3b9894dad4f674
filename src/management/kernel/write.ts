import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type { FieldProblem } from '../../domain/errors.ts';
import { PlacardError } from '../../domain/errors.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { ManagementContext } from './context.ts';
import type { Columns, StoredRow } from './field.ts';
import { initialColumns, type Resource } from './resource.ts';
import { findStatuses, insertRow, lockRow, updateRow } from './resource.sql.ts';
import { reserveObject } from './object-quota.sql.ts';
import { changeAll } from './transactions.sql.ts';

/** The result of a write: the row after it, and warnings. */
export interface Written {
  readonly row: StoredRow;
  readonly warnings: readonly FieldProblem[];
}

/** The input of a write after GraphQL's coercion: absent fields are absent, null is null. */
export type WriteInput = Readonly<Record<string, unknown>>;

/** The object that an update changes, and the version that the caller read; null for any version. */
export interface UpdateTarget {
  readonly id: string;
  readonly version: number | null;
}

type InTransaction = ManagementContext & { transaction: Transaction<Database> };

/** Creates one object. @throws PlacardError `validation_failed` naming every wrong field */
export function createObject(
  context: ManagementContext,
  resource: Resource,
  input: WriteInput,
  options: { readonly trial: boolean; readonly path: string },
): Promise<Written> {
  return changeAll(context, options.trial, async (inner) => {
    await reserveObject(inner, resource);
    const problems: FieldProblem[] = [];
    const given = decodeInput(resource, input, { path: options.path, creating: true, problems });
    const columns = { ...initialColumns(resource), ...given };
    const warnings = await validateRow(inner, resource, draftRow(inner, columns), {
      before: null,
      given,
      path: options.path,
      problems,
    });
    const row = await storing(resource, options.path, () =>
      insertRow(
        inner.transaction,
        inner.principal.workspaceId,
        resource.table,
        stored(resource, { ...columns, updated_by: inner.principal.actor }),
      ),
    );
    audit(inner, resource, {
      action: 'create',
      id: row.id,
      before: null,
      after: shownColumns(resource, row, Object.keys(columns)),
    });
    return { row, warnings };
  });
}

/**
 * Changes the given fields of one object; absent ones stay. An update without a difference writes nothing.
 * @throws PlacardError `not_found`, `conflict` (stale version), `validation_failed`
 */
export function updateObject(
  context: ManagementContext,
  resource: Resource,
  target: UpdateTarget,
  change: { readonly input: WriteInput; readonly trial: boolean; readonly path: string; readonly action?: string },
): Promise<Written> {
  return changeAll(context, change.trial, async (inner) => {
    const before = await lockTarget(inner, resource, target);
    const problems: FieldProblem[] = [];
    const given = decodeInput(resource, change.input, { path: change.path, creating: false, problems });
    if (before['status'] === 'ARCHIVED' && given['status'] === undefined) {
      problems.push({
        path: `${change.path}.status`,
        code: 'archived',
        message: 'It is archived; give it another status to change it.',
      });
    }
    const row = { ...before, ...given } as StoredRow;
    const warnings = await validateRow(inner, resource, row, { before, given, path: change.path, problems });
    const differing = Object.fromEntries(
      Object.entries(given).filter(([column, value]) => !isDeepStrictEqual(value, before[column])),
    );
    const names = Object.keys(differing);
    if (names.length === 0) return { row: before, warnings };
    const after = await storing(resource, change.path, () =>
      updateRow(
        inner.transaction,
        { workspaceId: inner.principal.workspaceId, id: before.id },
        resource.table,
        stored(resource, { ...differing, updated_by: inner.principal.actor }),
      ),
    );
    audit(inner, resource, {
      action: change.action ?? 'update',
      id: before.id,
      before: shownColumns(resource, before, names),
      after: shownColumns(resource, after, names),
    });
    return { row: after, warnings };
  });
}

/** Stores a copy of a row with some columns changed. The row is valid already and is not validated again. */
export async function insertCopy(
  inner: InTransaction,
  resource: Resource,
  copy: { readonly row: StoredRow; readonly changes: Columns },
): Promise<StoredRow> {
  await reserveObject(inner, resource);
  const own = Object.fromEntries(
    resource.fields.flatMap((field) => field.columns.map((column) => [column, copy.row[column]])),
  );
  const columns = { ...own, ...copy.changes, updated_by: inner.principal.actor };
  const row = await insertRow(
    inner.transaction,
    inner.principal.workspaceId,
    resource.table,
    stored(resource, columns),
  );
  audit(inner, resource, {
    action: 'create',
    id: row.id,
    before: null,
    after: shownColumns(resource, row, Object.keys(columns)),
  });
  return row;
}

async function lockTarget(inner: InTransaction, resource: Resource, target: UpdateTarget): Promise<StoredRow> {
  const found = isDecimalId(target.id)
    ? await lockRow(inner.transaction, inner.principal.workspaceId, resource.table, BigInt(target.id))
    : undefined;
  if (found === undefined)
    throw new PlacardError('not_found', `There is no ${resource.singular} with the id ${target.id.slice(0, 40)}.`);
  if (target.version !== null && target.version !== found.version) throw staleVersion(resource, found, target.version);
  return found;
}

function staleVersion(resource: Resource, found: StoredRow, version: number): PlacardError {
  const changedAt = found.updated_at.toISOString();
  const changedBy = found.updated_by === '' ? 'the system' : found.updated_by;
  return new PlacardError(
    'conflict',
    `The ${resource.singular} ${found.id} is at version ${found.version}, not ${version}: ${changedBy} changed it at ${changedAt}. Read it again.`,
    { details: { currentVersion: found.version, changedBy, changedAt } },
  );
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
    const path = `${options.path}.${field.name}`;
    if (value === undefined) {
      if (options.creating && field.requiredOnCreate)
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

/** Validates references and cross-field rules; throws all problems at once, and returns the warnings. */
async function validateRow(
  inner: InTransaction,
  resource: Resource,
  row: StoredRow,
  options: { before: StoredRow | null; given: Columns; path: string; problems: FieldProblem[] },
): Promise<readonly FieldProblem[]> {
  const { problems, path } = options;
  await checkReferences(inner, resource, { given: options.given, path, problems });
  let warnings: readonly FieldProblem[] = [];
  if (problems.length === 0) {
    const loaded = (await resource.loadFacts?.(inner, row)) ?? {};
    const findings = resource.validate(row, { nowMs: inner.nowMs(), before: options.before, loaded });
    problems.push(...findings.problems.map((problem) => under(path, problem)));
    warnings = findings.warnings.map((warning) => under(path, warning));
  }
  if (problems.length > 0) throw validationFailed(problems);
  return warnings;
}

/** All wrong fields as one error; the message names the first few. */
export function validationFailed(problems: readonly FieldProblem[]): PlacardError {
  const named = problems.slice(0, 3).map((problem) => `${problem.path}: ${problem.message}`);
  const more = problems.length > 3 ? ` (and ${problems.length - 3} more)` : '';
  return new PlacardError('validation_failed', `${named.join(' ')}${more}`, { fields: problems });
}

function under(path: string, problem: FieldProblem): FieldProblem {
  return { ...problem, path: `${path}.${problem.path}` };
}

async function checkReferences(
  inner: InTransaction,
  resource: Resource,
  options: { given: Columns; path: string; problems: FieldProblem[] },
): Promise<void> {
  for (const field of resource.fields) {
    if (field.reference === undefined) continue;
    for (const column of field.columns) {
      const id = options.given[column];
      if (typeof id !== 'bigint') continue;
      const [found] = await findStatuses(inner.transaction, inner.principal.workspaceId, field.reference.table, [id]);
      const path = `${options.path}.${field.name}`;
      if (found === undefined) {
        options.problems.push({
          path,
          code: 'unknown',
          message: `There is no ${field.reference.label} with the id ${id}.`,
        });
      } else if (found.status === 'ARCHIVED') {
        options.problems.push({
          path,
          code: 'archived',
          message: `The ${field.reference.label} ${id} is archived; restore it first.`,
        });
      }
    }
  }
}

/** Builds the row of an object that is not stored yet: rules see the same shape on creation and on change. */
function draftRow(inner: InTransaction, columns: Columns): StoredRow {
  const now = new Date(inner.nowMs());
  const own = { workspace_id: inner.principal.workspaceId, id: 0n, version: 1, created_at: now, updated_at: now };
  return { ...columns, ...own, updated_by: inner.principal.actor };
}

function stored(resource: Resource, columns: Columns): Columns {
  const jsonColumns = new Set(resource.fields.flatMap((field) => field.jsonColumns));
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [
      name,
      jsonColumns.has(name) && value !== null ? JSON.stringify(value) : value,
    ]),
  );
}

/** Reads the fields of some columns as callers see them, for the audit log. */
function shownColumns(resource: Resource, row: StoredRow, columns: readonly string[]): Record<string, unknown> {
  const touched = resource.fields.filter((field) => field.columns.some((column) => columns.includes(column)));
  return Object.fromEntries(touched.map((field) => [field.name, field.read(row)]));
}

function audit(
  inner: InTransaction,
  resource: Resource,
  change: { action: string; id: bigint; before: Record<string, unknown> | null; after: Record<string, unknown> | null },
): void {
  inner.audits.push({
    by: inner.principal,
    action: `${resource.singular}.${change.action}`,
    objectKind: resource.singular,
    objectId: String(change.id),
    ...(change.before === null ? {} : { before: change.before }),
    ...(change.after === null ? {} : { after: change.after }),
    more: { requestId: inner.requestId },
  });
}

/** Runs a statement and reports violated unique constraints as problems of their fields. */
async function storing(resource: Resource, path: string, run: () => Promise<StoredRow>): Promise<StoredRow> {
  try {
    return await run();
  } catch (error) {
    const { code, constraint } = error as { code?: unknown; constraint?: unknown };
    const field = typeof constraint === 'string' ? resource.uniqueFields[constraint] : undefined;
    if (code !== '23505' || field === undefined) throw error;
    const message = `Another ${resource.singular} already has this ${field}; choose a different one.`;
    throw validationFailed([{ path: `${path}.${field}`, code: 'taken', message }]);
  }
}
