import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { PlacardError } from '../../domain/errors.ts';
import { quotaExceeded } from '../../domain/tenancy/quota.ts';
import { countLockOf, lockAndCount, lockCount } from '../../storage/sql/count-lock.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { runTogether } from '../../storage/sql/together.ts';
import type { ManagementContext } from './context.ts';
import type { StoredRow } from './field.ts';
import type { Resource } from './resource.ts';
import { firstOf } from './resource.sql.ts';

type InTransaction = ManagementContext & { readonly transaction: Transaction<Database> };

/** The remaining quota of each table in a running transaction: a bulk call counts the table once, not for each row. */
const headrooms = new WeakMap<object, Map<string, number>>();

/**
 * Reserves one object of the quota of its kind; archived ones count. No other transaction of the workspace creates objects until this
 * one ends. A row that a savepoint undoes stays counted until then.
 *
 * @throws PlacardError `quota_exceeded`
 */
export async function reserveObject(context: InTransaction, resource: Resource): Promise<void> {
  const { granted, refusal } = await reserveObjects(context, resource, 1);
  if (granted === 0) throw refusal();
}

/** How many objects the quota admits, and what makes the error for the others. An error that nobody throws would cost its stack trace. */
export interface Reserved {
  readonly granted: number;
  readonly refusal: () => PlacardError;
}

/** As {@link reserveObject}, for several at once. */
export async function reserveObjects(context: InTransaction, resource: Resource, wanted: number): Promise<Reserved> {
  const byTable = headroomsOf(context);
  return reserveOf(context, resource, byTable.get(resource.table) ?? (await countLeft(context, resource)), wanted);
}

/**
 * As {@link reserveObject}, in one round trip with the statement that writes the object. Over the quota it fails after the write, so that the
 * transaction, or its savepoint, undoes it.
 */
export async function reserveWith(
  context: InTransaction,
  resource: Resource,
  insert: RawBuilder<StoredRow>,
): Promise<StoredRow> {
  const { transaction, principal } = context;
  if (headroomsOf(context).has(resource.table)) {
    await reserveObject(context, resource);
    return firstOf((await insert.execute(transaction)).rows);
  }
  const lock = countLockOf(creationOf(principal.workspaceId));
  const [, [counted], rows] = await runTogether<Database, [unknown, Count, StoredRow]>(transaction, [
    lock,
    countAbove(context, resource),
    insert,
  ]);
  const { granted, refusal } = reserveOf(context, resource, leftOf(context, resource, counted), 1);
  if (granted === 0) throw refusal();
  return firstOf(rows);
}

function headroomsOf({ transaction }: InTransaction): Map<string, number> {
  const known = headrooms.get(transaction) ?? new Map<string, number>();
  headrooms.set(transaction, known);
  return known;
}

function reserveOf(context: InTransaction, resource: Resource, left: number, wanted: number): Reserved {
  const { quotas } = context;
  const granted = Math.max(0, Math.min(left, wanted));
  headroomsOf(context).set(resource.table, left - granted);
  const use = { used: quotas.objects - left + granted, limit: quotas.objects };
  const refusal = (): PlacardError => {
    const advice = `It has reached its limit of objects of the kind ${resource.type}; ask the operator for more.`;
    return quotaExceeded('objects', use, advice);
  };
  return { granted, refusal };
}

/** Waits until no other transaction of the workspace creates objects, and keeps others waiting until this one ends. */
export function lockCreation(transaction: Kysely<Database>, workspaceId: number): Promise<void> {
  return lockCount(transaction, creationOf(workspaceId));
}

const creationOf = (workspaceId: number): string => `objects of ${workspaceId}`;

/** The objects of a table above an id, and the highest of their ids. */
interface Count {
  readonly count: bigint;
  readonly last_id: bigint | null;
}

async function countLeft(context: InTransaction, resource: Resource): Promise<number> {
  const { transaction, principal } = context;
  const count = countAbove(context, resource);
  return leftOf(context, resource, await lockAndCount(transaction, creationOf(principal.workspaceId), count));
}

/** Counts the objects that were not there at the last count. */
function countAbove(context: InTransaction, resource: Resource): RawBuilder<Count> {
  const { workspaceId } = context.principal;
  return sql<Count>`
    SELECT count(*), max(id) AS last_id FROM ${sql.table(resource.table)}
    WHERE workspace_id = ${sql.lit(workspaceId)} AND id > ${sql.lit(knownCount(context, resource).lastId)}`;
}

function leftOf(context: InTransaction, resource: Resource, found: Count | undefined): number {
  const known = knownCount(context, resource);
  const objects = known.objects + Number(found?.count ?? 0n);
  context.objectCounts?.set(countName(context, resource), { objects, lastId: found?.last_id ?? known.lastId });
  return context.quotas.objects - objects;
}

function knownCount(context: InTransaction, resource: Resource) {
  return context.objectCounts?.get(countName(context, resource)) ?? { objects: 0, lastId: 0n };
}

function countName({ principal }: InTransaction, resource: Resource): string {
  return `${principal.workspaceId} ${resource.table}`;
}
