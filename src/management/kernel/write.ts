import type { Transaction } from 'kysely';
import type { FieldProblem } from '../../domain/errors.ts';
import { decimalIdOf } from '../../domain/ids/global-ids.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { ChangeVerb } from '../../domain/booking/change-types.ts';
import { checkDrafts } from './checks.ts';
import type { ManagementContext } from './context.ts';
import {
  type Draft,
  draftChange,
  draftCreation,
  objectMissing,
  shownColumns,
  staleVersion,
  validationFailed,
  type WriteInput,
} from './drafts.ts';
import type { Columns, StoredRow } from './field.ts';
import type { Resource } from './resource.ts';
import { insertRow, lockRow, updateRow } from './resource.sql.ts';
import {
  buyerProblems,
  hasBuyerStatus,
  newStatusProblems,
  statusProblems,
  withBuyerReview,
} from '../buyers/buyer-writes.ts';
import { mayStop, noticeProblems } from '../buyers/notice-periods.sql.ts';
import { reserveObject } from './object-quota.sql.ts';
import { changeAll } from './transactions.sql.ts';

/** The result of a write: the row after it, and warnings. */
export interface Written {
  readonly row: StoredRow;
  readonly warnings: readonly FieldProblem[];
}

/** The object that an update changes, and the version that the caller read; null for any version. */
export interface UpdateTarget {
  readonly id: string;
  readonly version: number | null;
}

/** Where an input is in the request, and what is known to be wrong with it before it is looked at. */
export interface InputOptions {
  readonly trial: boolean;
  readonly path: string;
  readonly problems?: readonly FieldProblem[];
  /** Columns that no input has, such as the price option of a booking. */
  readonly columns?: Columns;
}

/** A context whose transaction runs. */
export type InTransaction = ManagementContext & { readonly transaction: Transaction<Database> };

/** Creates one object. @throws PlacardError `validation_failed` naming every wrong field */
export function createObject(
  context: ManagementContext,
  resource: Resource,
  input: WriteInput,
  options: InputOptions,
): Promise<Written> {
  return changeAll(context, options.trial, async (inner) => {
    // First, because facts may count objects under the lock of the reservation.
    await reserveObject(inner, resource);
    const { workspaceId, actor } = inner.principal;
    const by = { workspaceId, actor, nowMs: inner.nowMs() };
    const draft = draftCreation(resource, { input, path: options.path, problems: options.problems ?? [] }, by);
    withColumns(draft, options.columns);
    const warnings = await validateDraft(inner, resource, draft);
    const row = await storeDraft(inner, resource, draft);
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
  change: InputOptions & { readonly input: WriteInput; readonly action?: ChangeVerb },
): Promise<Written> {
  return changeAll(context, change.trial, async (inner) => {
    const before = await lockTarget(inner, resource, target);
    const { input, path, problems = [] } = change;
    const draft = draftChange(resource, before, { input, path, problems });
    withColumns(draft, change.columns);
    const warnings = await validateDraft(inner, resource, draft);
    if (Object.keys(draft.columns).length === 0) return { row: before, warnings };
    return { row: await storeDraft(inner, resource, draft, { action: change.action }), warnings };
  });
}

/** Creates one object from an input, within what the caller may give. Its problems are at `input`. */
export function createByCaller(
  context: ManagementContext,
  resource: Resource,
  input: WriteInput,
  trial: boolean,
): Promise<Written> {
  const path = 'input';
  if (context.caller.buyer === undefined) return createObject(context, resource, input, { trial, path });
  const problems = [...buyerProblems(resource.type, input), ...newStatusProblems(resource.type, input)];
  if (problems.length > 0) throw validationFailed(problems);
  return createObject(context, resource, withBuyerReview(resource.type, input, true), { trial, path });
}

/** Changes one object by an input, within what the caller may change. */
export function updateByCaller(
  context: ManagementContext,
  resource: Resource,
  target: UpdateTarget,
  change: { readonly input: WriteInput; readonly trial: boolean },
): Promise<Written> {
  const { input, trial } = change;
  const path = 'input';
  if (context.caller.buyer === undefined) return updateObject(context, resource, target, { input, trial, path });
  const { type } = resource;
  const problems = buyerProblems(type, input);
  if (problems.length > 0) throw validationFailed(problems);
  return changeAll(context, trial, async (inner) => {
    const found = await buyerChangeProblems(inner, resource, target, input);
    if (found.length > 0) throw validationFailed(found);
    const reviewed = withBuyerReview(type, input, false);
    return updateObject(inner, resource, target, { input: reviewed, trial: false, path });
  });
}

/** What is wrong with a buyer's change, for the present state of the object. */
async function buyerChangeProblems(
  inner: InTransaction,
  resource: Resource,
  target: UpdateTarget,
  input: WriteInput,
): Promise<FieldProblem[]> {
  const { type } = resource;
  const [isStatus, isStop] = [hasBuyerStatus(type, input), mayStop(type, input)];
  if (!isStatus && !isStop) return [];
  const row = await lockTarget(inner, resource, target);
  const { workspaceId, actor } = inner.principal;
  const found = isStatus ? statusProblems(type, row, input, actor) : [];
  if (found.length > 0) return found;
  return noticeProblems(inner.transaction, { workspaceId, nowMs: inner.nowMs() }, { type, row, input });
}

/** Sets columns of a draft that no input has; those that stay as they are are left out. */
function withColumns(draft: Draft, columns: Columns = {}): void {
  Object.assign(draft.row, columns);
  const changed = Object.entries(columns).filter(([name, value]) => value !== draft.before?.[name]);
  Object.assign(draft.columns, Object.fromEntries(changed));
}

/** How a draft is stored. */
interface StoreOptions {
  /** Default: `create` without a row before, else `update`. */
  readonly action?: ChangeVerb | undefined;
}

/** Stores a draft without problems, as a new object or a change of the one before, and audits it. A new object is reserved before. */
export async function storeDraft(
  inner: InTransaction,
  resource: Resource,
  draft: Draft,
  { action = draft.before === null ? 'create' : 'update' }: StoreOptions = {},
): Promise<StoredRow> {
  const { workspaceId, actor } = inner.principal;
  const columns = stored(resource, { ...draft.columns, updated_by: actor });
  const { before } = draft;
  const row = await storing(resource, draft.path, () =>
    before === null
      ? insertRow(inner.transaction, workspaceId, resource.table, columns)
      : updateRow(inner.transaction, { workspaceId, id: before.id }, resource.table, columns),
  );
  auditWrite(inner, resource, { draft, row, action });
  return row;
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
  const columns = { ...own, ...copy.changes };
  const row = await insertRow(
    inner.transaction,
    inner.principal.workspaceId,
    resource.table,
    stored(resource, { ...columns, updated_by: inner.principal.actor }),
  );
  auditWrite(inner, resource, { draft: { before: null, columns }, row, action: 'create' });
  return row;
}

async function lockTarget(inner: InTransaction, resource: Resource, target: UpdateTarget): Promise<StoredRow> {
  const id = decimalIdOf(resource.type, target.id);
  const found =
    id === null ? undefined : await lockRow(inner.transaction, inner.principal.workspaceId, resource.table, BigInt(id));
  if (found === undefined) throw objectMissing(resource, target.id);
  if (target.version !== null && target.version !== found.version) throw staleVersion(resource, found, target.version);
  return found;
}

/** Throws all problems of a draft at once; returns its warnings. */
async function validateDraft(inner: InTransaction, resource: Resource, draft: Draft): Promise<readonly FieldProblem[]> {
  const [warnings = []] = await checkDrafts(inner, resource, [draft]);
  if (draft.problems.length > 0) throw validationFailed(draft.problems);
  return warnings;
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

/** One write, as the audit log has it. */
export interface AuditedWrite {
  readonly draft: Pick<Draft, 'before' | 'columns'>;
  /** After the write. */
  readonly row: StoredRow;
  readonly action: ChangeVerb;
}

/** Adds a write to the entries of the transaction. */
export function auditWrite(inner: InTransaction, resource: Resource, { draft, row, action }: AuditedWrite): void {
  const names = Object.keys(draft.columns);
  inner.audits.push({
    by: inner.principal,
    action: `${resource.singular}.${action}`,
    objectKind: resource.singular,
    objectId: String(row.id),
    ...(draft.before === null ? {} : { before: shownColumns(resource, draft.before, names) }),
    after: shownColumns(resource, row, names),
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
