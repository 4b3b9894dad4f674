import type { FieldProblem, PlacardError } from '../../domain/errors.ts';
import { refusedByStore } from '../../http/shared/problem.ts';
import { type RowOutcome, type ResolvedRow, versionOfNew, writeRows } from './batch-write.ts';
import { type BulkOptions, type BulkOutcome, runTogether } from './bulk.ts';
import type { ManagementContext } from './context.ts';
import type { WriteInput } from './drafts.ts';
import {
  chosen,
  externalReferences,
  findKnown,
  type Known,
  keyOf,
  resolveReferences,
  wantedOf,
} from './external-ids.ts';
import { report } from './field.ts';
import type { Resource } from './resource.ts';
import type { ExternalRow } from './resource.sql.ts';
import { checkText } from './scalar-fields.ts';
import { changeAll } from './transactions.sql.ts';
import { createObject, type InTransaction, updateObject, type Written } from './write.ts';

const EXTERNAL_ID_RULE = { lengthMax: 200 };

/** One row of an upsert. */
export type UpsertInput = WriteInput & { readonly externalId: string; readonly version?: number | null };

/** One row of an upsert, where it is in the request, and what is known to be wrong with it. */
export interface UpsertRow {
  readonly input: UpsertInput;
  readonly path: string;
  readonly problems: FieldProblem[];
}

/** How rows are upserted. */
export interface UpsertOptions {
  /** The outcomes end with the first row that fails; no row after it is written. */
  readonly stopsAtFailure?: boolean;
  /** The outcome of a row whose write fails unexpectedly in the database. Default: the failure is thrown. */
  readonly onUnexpected?: (error: unknown) => PlacardError;
}

/**
 * Creates or changes many objects by their external ids. All of them are looked up at once, behind the lock of creations: of two
 * calls with one new external id, the second finds the object of the first.
 */
export function upsertAll(
  context: ManagementContext,
  resource: Resource,
  options: BulkOptions & { readonly rows: readonly UpsertInput[] },
): Promise<BulkOutcome> {
  const keys = options.rows.map((row) => keyOf(row.externalId));
  return runTogether(context, options, (inner) => {
    const rows = options.rows.map((input, index): UpsertRow => {
      const path = `inputs.${index}`;
      const problems: FieldProblem[] = [];
      const first = keys.indexOf(keys[index] ?? '');
      if (first !== index)
        report(
          problems,
          `${path}.externalId`,
          'duplicate',
          `The row inputs.${first} has the same; give each one once.`,
        );
      return { input, path, problems };
    });
    return upsertRows(inner, resource, rows);
  });
}

/**
 * Creates or changes objects by their external ids, in the order of the rows: a row sees what the rows before it did. Rows that have nothing to
 * do with each other share their statements.
 */
export async function upsertRows(
  inner: InTransaction,
  resource: Resource,
  rows: readonly UpsertRow[],
  options: UpsertOptions = {},
): Promise<RowOutcome[]> {
  const inputs = rows.map(({ input }) => input);
  const known = await findKnown(inner, wantedOf(resource, inputs));
  const own = known.get(resource.table) ?? new Map<string, readonly ExternalRow[]>();
  const outcomes: RowOutcome[] = [];
  while (outcomes.length < rows.length) {
    const rest = rows.slice(outcomes.length);
    const wave = rest.slice(0, countIndependent(resource, rest, known));
    const resolved = wave.map((row) => resolveRow(resource, row, known));
    const written = await writeTogether(inner, resource, resolved, options);
    for (const [index, outcome] of written.entries()) {
      const key = keyOf(wave[index]?.input.externalId);
      if ('row' in outcome) own.set(key, [{ external_id: key, id: outcome.row.id, status: 'ACTIVE' }]);
    }
    outcomes.push(...written);
    if (options.stopsAtFailure === true && written.some((outcome) => !('row' in outcome))) break;
  }
  return outcomes;
}

/** How many of the rows, from the first on, have nothing to do with each other: no object is in two of them, none refers to another. */
function countIndependent(resource: Resource, rows: readonly UpsertRow[], known: Known): number {
  const own = known.get(resource.table);
  const references = externalReferences(resource).filter(({ table }) => table === resource.table);
  const keys = new Set<string>();
  const ids = new Set<string>();
  for (const [index, { input }] of rows.entries()) {
    const key = keyOf(input.externalId);
    const refers = references.some(({ name, field }) => {
      const named = input[name];
      return (typeof named === 'string' && keys.has(keyOf(named))) || ids.has(String(input[field.name]));
    });
    if (keys.has(key) || refers) return index;
    keys.add(key);
    for (const { id } of own?.get(key) ?? []) ids.add(String(id));
  }
  return rows.length;
}

function resolveRow(resource: Resource, { input, path, problems }: UpsertRow, known: Known): ResolvedRow {
  const key = checkText(input.externalId, `${path}.externalId`, EXTERNAL_ID_RULE, problems);
  const resolved = resolveReferences(resource, input, { known, path, problems });
  const found = chosen(known.get(resource.table)?.get(key) ?? [], `${path}.externalId`, problems);
  return { found, input: resolved, path, problems };
}

/** PostgreSQL refuses a value: its data, a constraint, or one of our own rules. */
const REFUSED_VALUE = /^(22|23|PA)/;

/** Writes independent rows at once; when the database refuses one of them, row by row. */
async function writeTogether(
  inner: InTransaction,
  resource: Resource,
  rows: readonly ResolvedRow[],
  options: UpsertOptions,
): Promise<RowOutcome[]> {
  try {
    return await changeAll(inner, false, (own) => writeRows(own, resource, rows, options.stopsAtFailure));
  } catch (error) {
    if (!isRefusedValue(error)) throw error;
  }
  const outcomes: RowOutcome[] = [];
  for (const row of rows) {
    const outcome = await writeAlone(inner, resource, row, options);
    outcomes.push(outcome);
    if (options.stopsAtFailure === true && !('row' in outcome)) break;
  }
  return outcomes;
}

async function writeAlone(
  inner: InTransaction,
  resource: Resource,
  row: ResolvedRow,
  { onUnexpected }: UpsertOptions,
): Promise<RowOutcome> {
  try {
    const [outcome] = await changeAll(inner, false, (own) => writeRows(own, resource, [row]));
    return outcome as RowOutcome;
  } catch (error) {
    const refusal = refusedByStore(error) ?? (isRefusedValue(error) ? onUnexpected?.(error) : undefined);
    if (refusal === undefined) throw error;
    return refusal;
  }
}

function isRefusedValue(error: unknown): boolean {
  return REFUSED_VALUE.test(String((error as { code?: unknown } | null)?.code));
}

/** Creates one object, or changes the one that was found. */
export function writeRow(inner: ManagementContext, resource: Resource, row: ResolvedRow): Promise<Written> {
  const { found, input, path, problems } = row;
  const version = (input['version'] ?? null) as number | null;
  if (found !== null) {
    const target = { id: String(found.id), version };
    return updateObject(inner, resource, target, { input, trial: false, path, problems });
  }
  const wrong = version === null ? problems : [...problems, versionOfNew(resource, path)];
  return createObject(inner, resource, input, { trial: false, path, problems: wrong });
}
