import type { FieldProblem } from '../../domain/errors.ts';
import { plainIdOf } from '../../domain/ids/global-ids.ts';
import type { ManagementContext } from './context.ts';
import { type Field, report } from './field.ts';
import { lockCreation } from './object-quota.sql.ts';
import { type Resource, resourceOfTable } from './resource.ts';
import { type ExternalRow, findExternal } from './resource.sql.ts';
import { queryableOf } from './transactions.sql.ts';
import { UNRESOLVED, type WriteInput } from './drafts.ts';

/** The field that names an object in the caller's own system. */
export const EXTERNAL_ID = 'externalId';

/** A field that names another object by its external id: `campaignExternalId` beside `campaignId`. */
export interface ExternalReference {
  readonly name: string;
  readonly field: Field;
  readonly table: string;
}

/** The objects with the external ids of one call, by table and external id. */
export type Known = Map<string, Map<string, readonly ExternalRow[]>>;

/** The references of a resource whose objects have external ids. */
export function externalReferences(resource: Resource): ExternalReference[] {
  return resource.fields.flatMap((field) => {
    const table = field.reference?.table;
    if (table === undefined || field.input === null || !field.name.endsWith('Id')) return [];
    const hasExternalIds = resourceOfTable(table).fields.some(({ name }) => name === EXTERNAL_ID);
    return hasExternalIds ? [{ name: field.name.replace(/Id$/, 'ExternalId'), field, table }] : [];
  });
}

/** An external id as it is stored. */
export const keyOf = (value: unknown): string => String(value).trim();

/** The external ids that some rows name, by table. */
export function wantedOf(resource: Resource, rows: readonly WriteInput[]): Map<string, Set<string>> {
  const wanted = new Map<string, Set<string>>();
  for (const { name, table } of [{ name: EXTERNAL_ID, table: resource.table }, ...externalReferences(resource)]) {
    const keys = wanted.get(table) ?? new Set<string>();
    for (const row of rows) if (typeof row[name] === 'string') keys.add(keyOf(row[name]));
    wanted.set(table, keys);
  }
  return wanted;
}

/** Looks external ids up, one statement for each table, and keeps other transactions from creating objects until this one ends. */
export async function findKnown(
  context: ManagementContext,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Known> {
  const { workspaceId } = context.principal;
  const db = queryableOf(context);
  await lockCreation(db, workspaceId);
  const known: Known = new Map();
  for (const [table, keys] of wanted) {
    const storable = [...keys].filter((key) => !key.includes('\0'));
    const rows = storable.length === 0 ? [] : await findExternal(db, workspaceId, table, storable);
    const byKey = new Map<string, readonly ExternalRow[]>();
    for (const row of rows) byKey.set(row.external_id, [...(byKey.get(row.external_id) ?? []), row]);
    known.set(table, byKey);
  }
  return known;
}

/** The one object that an external id means, or null. Two that are not archived are a problem. */
export function chosen(rows: readonly ExternalRow[], path: string, problems: FieldProblem[]): ExternalRow | null {
  const [first, second] = rows;
  if (first !== undefined && second !== undefined && second.status !== 'ARCHIVED') {
    const message = `Several objects have this external id, such as ${second.id} and ${first.id}; change all but one by their ids.`;
    report(problems, path, 'ambiguous', message);
  }
  return first ?? null;
}

/** The input with the ids of the objects that it names by external ids. */
export function resolveReferences(
  resource: Resource,
  row: WriteInput,
  options: { readonly known: Known; readonly path: string; readonly problems: FieldProblem[] },
): WriteInput {
  const { known, path, problems } = options;
  const input: Record<string, unknown> = { ...row };
  for (const { name, field, table } of externalReferences(resource)) {
    const given = row[name];
    if (given === undefined) continue;
    const key = given === null ? null : keyOf(given);
    const found = key === null ? null : chosen(known.get(table)?.get(key) ?? [], `${path}.${name}`, problems);
    const ownId = row[field.name] ?? null;
    const own = ownId === null ? null : plainIdOf(resourceOfTable(table).type, ownId);
    if (key !== null && found === null) {
      const message = `There is no ${field.reference?.label} with this external id.`;
      report(problems, `${path}.${name}`, 'unknown', message);
      input[field.name] = UNRESOLVED;
    } else if (row[field.name] !== undefined && own !== (found === null ? null : String(found.id))) {
      report(problems, `${path}.${name}`, 'one_of', `It names another object than ${field.name}; give one of them.`);
      input[field.name] = UNRESOLVED;
    } else {
      input[field.name] = found === null ? null : String(found.id);
    }
  }
  return input;
}
