import type { FieldProblem, PlacardError } from '../../domain/errors.ts';
import { checkDrafts } from './checks.ts';
import {
  type Draft,
  draftChange,
  draftCreation,
  objectMissing,
  staleVersion,
  validationFailed,
  type WriteInput,
} from './drafts.ts';
import type { StoredRow } from './field.ts';
import { reserveObjects } from './object-quota.sql.ts';
import type { Resource } from './resource.ts';
import { insertRows, lockRows, type RowChange, updateRows } from './resource.sql.ts';
import { auditWrite, type InTransaction } from './write.ts';

/** The input of one object, and what is known to be wrong with it. */
export interface ResolvedRow {
  /** The object that it changes; null: it creates one. */
  readonly found: { readonly id: bigint | string } | null;
  readonly input: WriteInput;
  readonly path: string;
  readonly problems: readonly FieldProblem[];
}

/** What a row came to. */
export interface RowWritten {
  readonly outcome: 'created' | 'changed' | 'unchanged';
  /** The object after the write. */
  readonly row: StoredRow;
  readonly warnings: readonly FieldProblem[];
}

/** The outcome of one row of a batch; an error: nothing of the row was written. */
export type RowOutcome = RowWritten | PlacardError;

/** A row on its way: `failure` is set as soon as it is known. */
interface Pending {
  readonly source: ResolvedRow;
  draft: Draft | null;
  warnings: readonly FieldProblem[];
  failure: PlacardError | null;
  row: StoredRow | null;
}

/**
 * Creates and changes the objects of some rows in a fixed number of statements. No object is in two rows, none refers to another one of them,
 * and new ones have an external id, each its own. With `stopsAtFailure`, nothing is written from the first row on that fails, and the outcomes
 * end with it.
 */
export async function writeRows(
  inner: InTransaction,
  resource: Resource,
  sources: readonly ResolvedRow[],
  stopsAtFailure = false,
): Promise<RowOutcome[]> {
  const all = sources.map((source): Pending => ({ source, draft: null, warnings: [], failure: null, row: null }));
  await makeDrafts(inner, resource, all);
  const drafted = all.filter(hasDraft);
  const warnings = await checkDrafts(
    inner,
    resource,
    drafted.map(({ draft }) => draft),
  );
  for (const [index, one] of drafted.entries()) {
    one.warnings = warnings[index] ?? [];
    if (one.draft.problems.length > 0) one.failure = validationFailed(one.draft.problems);
  }
  const failed = all.findIndex(({ failure }) => failure !== null);
  const rows = stopsAtFailure && failed !== -1 ? all.slice(0, failed + 1) : all;
  await reserve(inner, resource, rows);
  const reserved = rows.findIndex(({ failure }) => failure !== null);
  const written = stopsAtFailure && reserved !== -1 ? rows.slice(0, reserved + 1) : rows;
  await store(inner, resource, written);
  return written.map(outcomeOf);
}

type Drafted = Pending & { readonly draft: Draft };

const hasDraft = (one: Pending): one is Drafted => one.draft !== null;
const isSound = (one: Pending): one is Drafted => one.draft !== null && one.failure === null;
const isNew = ({ draft }: Drafted): boolean => draft.before === null;
const isDifferent = ({ draft }: Drafted): boolean => Object.keys(draft.columns).length > 0;

/** Locks the objects that rows change, and makes the draft of each row. */
async function makeDrafts(inner: InTransaction, resource: Resource, rows: readonly Pending[]): Promise<void> {
  const { workspaceId, actor } = inner.principal;
  const by = { workspaceId, actor, nowMs: inner.nowMs() };
  const ids = rows.flatMap(({ source }) => (source.found === null ? [] : [BigInt(source.found.id)]));
  const locked = ids.length === 0 ? [] : await lockRows(inner.transaction, workspaceId, resource.table, ids);
  const byId = new Map(locked.map((row) => [String(row.id), row]));
  for (const one of rows) {
    const { found, input, path, problems } = one.source;
    const version = (input['version'] ?? null) as number | null;
    if (found === null) {
      const wrong = version === null ? problems : [...problems, versionOfNew(resource, path)];
      one.draft = draftCreation(resource, { input, path, problems: wrong }, by);
      continue;
    }
    const before = byId.get(String(found.id));
    if (before === undefined) one.failure = objectMissing(resource, String(found.id));
    else if (version !== null && version !== before.version) one.failure = staleVersion(resource, before, version);
    else one.draft = draftChange(resource, before, { input, path, problems });
  }
}

/** The problem of a version of an object that does not exist. */
export function versionOfNew(resource: Resource, path: string): FieldProblem {
  const message = `A new ${resource.singular} has no version; leave it out to create one.`;
  return { path: `${path}.version`, code: 'unknown', message };
}

async function reserve(inner: InTransaction, resource: Resource, rows: readonly Pending[]): Promise<void> {
  const creations = rows.filter(isSound).filter(isNew);
  if (creations.length === 0) return;
  const { granted, refusal } = await reserveObjects(inner, resource, creations.length);
  const refused = creations.slice(granted);
  if (refused.length === 0) return;
  const failure = refusal();
  for (const one of refused) (one as Pending).failure = failure;
}

async function store(inner: InTransaction, resource: Resource, rows: readonly Pending[]): Promise<void> {
  const sound = rows.filter(isSound);
  await storeNew(inner, resource, sound.filter(isNew));
  await storeChanged(
    inner,
    resource,
    sound.filter((one) => !isNew(one) && isDifferent(one)),
  );
  for (const one of sound) {
    const { draft } = one;
    if (one.row === null) one.row = draft.before;
    else auditWrite(inner, resource, { draft, row: one.row, action: isNew(one) ? 'create' : 'update' });
  }
}

async function storeNew(inner: InTransaction, resource: Resource, rows: readonly Drafted[]): Promise<void> {
  const { workspaceId, actor } = inner.principal;
  for (const group of byColumns(rows)) {
    const columns = group.map(({ draft }) => ({ ...draft.columns, updated_by: actor }));
    const marks = await insertRows(inner.transaction, workspaceId, resource.table, columns);
    for (const one of group) {
      const mark = marks.get(one.draft.columns['external_id']);
      if (mark === undefined) throw new Error(`A new ${resource.singular} was not stored.`);
      one.row = { ...one.draft.row, id: mark.id, created_at: mark.updated_at, updated_at: mark.updated_at };
    }
  }
}

/** Rows that write the same columns share a statement. */
function byColumns(rows: readonly Drafted[]): Iterable<Drafted[]> {
  return Map.groupBy(rows, ({ draft }) => Object.keys(draft.columns).toSorted().join(' ')).values();
}

async function storeChanged(inner: InTransaction, resource: Resource, rows: readonly Drafted[]): Promise<void> {
  const { workspaceId, actor } = inner.principal;
  for (const group of byColumns(rows)) {
    const changes = group.map(
      ({ draft }): RowChange => ({ id: draft.row.id, columns: { ...draft.columns, updated_by: actor } }),
    );
    const updatedAt = await updateRows(inner.transaction, workspaceId, resource.table, changes);
    for (const one of group) {
      const { row } = one.draft;
      one.row = { ...row, version: row.version + 1, updated_at: updatedAt, updated_by: actor };
    }
  }
}

function outcomeOf({ draft, failure, row, warnings }: Pending): RowOutcome {
  if (failure !== null) return failure;
  if (draft === null || row === null) throw new Error('A row of the batch was not written.');
  const outcome = draft.before === null ? 'created' : row === draft.before ? 'unchanged' : 'changed';
  return { outcome, row, warnings };
}
