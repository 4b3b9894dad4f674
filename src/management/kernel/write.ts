import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type { FieldProblem } from '../../domain/errors.ts';
import { PlacardError } from '../../domain/errors.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { ManagementContext } from './context.ts';
import type { Columns, StoredRow } from './field.ts';
import { initialColumns, type Noun } from './resource.ts';
import { findStatuses, insertRow, lockRow, updateRow } from './resource.sql.ts';
import { takeObject } from './object-quota.sql.ts';
import { changeAll } from './transactions.sql.ts';

/** A write's result: the row as it stands, and what the writer should know but was not refused for. */
export interface Written {
  readonly row: StoredRow;
  readonly warnings: readonly FieldProblem[];
}

/** Input of a write as GraphQL coerced it: absent fields are absent, null is null. */
export type WriteInput = Readonly<Record<string, unknown>>;

/** Which object an update is for, and which version the caller had read; null = whatever stands. */
export interface UpdateTarget {
  readonly id: string;
  readonly version: number | null;
}

type InTransaction = ManagementContext & { transaction: Transaction<Database> };

/** Creates one object. @throws PlacardError `validation_failed` naming every wrong field */
export function createObject(
  context: ManagementContext,
  noun: Noun,
  input: WriteInput,
  options: { readonly trial: boolean; readonly path: string },
): Promise<Written> {
  return changeAll(context, options.trial, async (inner) => {
    await takeObject(inner, noun);
    const problems: FieldProblem[] = [];
    const given = decodeInput(noun, input, { path: options.path, creating: true, problems });
    const columns = { ...initialColumns(noun), ...given };
    const warnings = await judgeRow(inner, noun, draftRow(inner, columns), {
      before: null,
      given,
      path: options.path,
      problems,
    });
    const row = await storing(noun, options.path, () =>
      insertRow(
        inner.transaction,
        inner.principal.workspaceId,
        noun.table,
        stored(noun, { ...columns, updated_by: inner.principal.actor }),
      ),
    );
    audit(inner, noun, {
      action: 'create',
      id: row.id,
      before: null,
      after: shownColumns(noun, row, Object.keys(columns)),
    });
    return { row, warnings };
  });
}

/**
 * Changes the given fields of one object; absent ones stay. Nothing is written when nothing differs.
 * @throws PlacardError `not_found`, `conflict` (stale version), `validation_failed`
 */
export function updateObject(
  context: ManagementContext,
  noun: Noun,
  target: UpdateTarget,
  change: { readonly input: WriteInput; readonly trial: boolean; readonly path: string; readonly action?: string },
): Promise<Written> {
  return changeAll(context, change.trial, async (inner) => {
    const before = await lockTarget(inner, noun, target);
    const problems: FieldProblem[] = [];
    const given = decodeInput(noun, change.input, { path: change.path, creating: false, problems });
    if (before['status'] === 'ARCHIVED' && given['status'] === undefined) {
      problems.push({
        path: `${change.path}.status`,
        code: 'archived',
        message: 'It is archived; give it another status to change it.',
      });
    }
    const row = { ...before, ...given } as StoredRow;
    const warnings = await judgeRow(inner, noun, row, { before, given, path: change.path, problems });
    const differing = Object.fromEntries(
      Object.entries(given).filter(([column, value]) => !isDeepStrictEqual(value, before[column])),
    );
    const names = Object.keys(differing);
    if (names.length === 0) return { row: before, warnings };
    const after = await storing(noun, change.path, () =>
      updateRow(
        inner.transaction,
        { workspaceId: inner.principal.workspaceId, id: before.id },
        noun.table,
        stored(noun, { ...differing, updated_by: inner.principal.actor }),
      ),
    );
    audit(inner, noun, {
      action: change.action ?? 'update',
      id: before.id,
      before: shownColumns(noun, before, names),
      after: shownColumns(noun, after, names),
    });
    return { row: after, warnings };
  });
}

/** Stores a copy of a row with some columns changed. For rows that are valid already: nothing is checked again. */
export async function insertCopy(
  inner: InTransaction,
  noun: Noun,
  copy: { readonly row: StoredRow; readonly changes: Columns },
): Promise<StoredRow> {
  await takeObject(inner, noun);
  const own = Object.fromEntries(
    noun.fields.flatMap((field) => field.columns.map((column) => [column, copy.row[column]])),
  );
  const columns = { ...own, ...copy.changes, updated_by: inner.principal.actor };
  const row = await insertRow(inner.transaction, inner.principal.workspaceId, noun.table, stored(noun, columns));
  audit(inner, noun, {
    action: 'create',
    id: row.id,
    before: null,
    after: shownColumns(noun, row, Object.keys(columns)),
  });
  return row;
}

async function lockTarget(inner: InTransaction, noun: Noun, target: UpdateTarget): Promise<StoredRow> {
  const found = isDecimalId(target.id)
    ? await lockRow(inner.transaction, inner.principal.workspaceId, noun.table, BigInt(target.id))
    : undefined;
  if (found === undefined)
    throw new PlacardError('not_found', `There is no ${noun.singular} with the id ${target.id.slice(0, 40)}.`);
  if (target.version !== null && target.version !== found.version) throw staleVersion(noun, found, target.version);
  return found;
}

function staleVersion(noun: Noun, found: StoredRow, version: number): PlacardError {
  const changedAt = found.updated_at.toISOString();
  const changedBy = found.updated_by === '' ? 'the system' : found.updated_by;
  return new PlacardError(
    'conflict',
    `The ${noun.singular} ${found.id} is at version ${found.version}, not ${version}: ${changedBy} changed it at ${changedAt}. Read it again.`,
    { details: { currentVersion: found.version, changedBy, changedAt } },
  );
}

/** Turns given fields into columns. null clears where it may; else it is a problem, and so is a missing required field. */
export function decodeInput(
  noun: Noun,
  input: WriteInput,
  options: { readonly path: string; readonly creating: boolean; readonly problems: FieldProblem[] },
): Columns {
  const columns: Columns = {};
  for (const field of noun.fields) {
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

/** Checks references and cross-field rules; throws all problems at once, and returns the warnings. */
async function judgeRow(
  inner: InTransaction,
  noun: Noun,
  row: StoredRow,
  options: { before: StoredRow | null; given: Columns; path: string; problems: FieldProblem[] },
): Promise<readonly FieldProblem[]> {
  const { problems, path } = options;
  await checkReferences(inner, noun, { given: options.given, path, problems });
  let warnings: readonly FieldProblem[] = [];
  if (problems.length === 0) {
    const loaded = (await noun.loadFacts?.(inner, row)) ?? {};
    const judgement = noun.judge(row, { nowMs: inner.nowMs(), before: options.before, loaded });
    problems.push(...judgement.problems.map((problem) => under(path, problem)));
    warnings = judgement.warnings.map((warning) => under(path, warning));
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
  noun: Noun,
  options: { given: Columns; path: string; problems: FieldProblem[] },
): Promise<void> {
  for (const field of noun.fields) {
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
          message: `There is no ${field.reference.noun} with the id ${id}.`,
        });
      } else if (found.status === 'ARCHIVED') {
        options.problems.push({
          path,
          code: 'archived',
          message: `The ${field.reference.noun} ${id} is archived; restore it first.`,
        });
      }
    }
  }
}

/** A row that is not stored yet, so that rules see the same shape on creation and on change. */
function draftRow(inner: InTransaction, columns: Columns): StoredRow {
  const now = new Date(inner.nowMs());
  const own = { workspace_id: inner.principal.workspaceId, id: 0n, version: 1, created_at: now, updated_at: now };
  return { ...columns, ...own, updated_by: inner.principal.actor };
}

function stored(noun: Noun, columns: Columns): Columns {
  const jsonColumns = new Set(noun.fields.flatMap((field) => field.jsonColumns));
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [
      name,
      jsonColumns.has(name) && value !== null ? JSON.stringify(value) : value,
    ]),
  );
}

/** The fields behind some columns as callers see them, for the audit log. */
function shownColumns(noun: Noun, row: StoredRow, columns: readonly string[]): Record<string, unknown> {
  const touched = noun.fields.filter((field) => field.columns.some((column) => columns.includes(column)));
  return Object.fromEntries(touched.map((field) => [field.name, field.read(row)]));
}

function audit(
  inner: InTransaction,
  noun: Noun,
  change: { action: string; id: bigint; before: Record<string, unknown> | null; after: Record<string, unknown> | null },
): void {
  inner.audits.push({
    by: inner.principal,
    action: `${noun.singular}.${change.action}`,
    objectKind: noun.singular,
    objectId: String(change.id),
    ...(change.before === null ? {} : { before: change.before }),
    ...(change.after === null ? {} : { after: change.after }),
    more: { requestId: inner.requestId },
  });
}

/** Runs a statement and turns constraint violations into problems of the fields they are about. */
async function storing(noun: Noun, path: string, run: () => Promise<StoredRow>): Promise<StoredRow> {
  try {
    return await run();
  } catch (error) {
    const { code, constraint } = error as { code?: unknown; constraint?: unknown };
    const field = typeof constraint === 'string' ? noun.uniqueFields[constraint] : undefined;
    if (code !== '23505' || field === undefined) throw error;
    const message = `Another ${noun.singular} already has this ${field}; choose a different one.`;
    throw validationFailed([{ path: `${path}.${field}`, code: 'taken', message }]);
  }
}
