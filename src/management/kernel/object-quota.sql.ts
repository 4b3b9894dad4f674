import { type Kysely, sql, type Transaction } from 'kysely';
import type { PlacardError } from '../../domain/errors.ts';
import { quotaExceeded } from '../../domain/tenancy/quota.ts';
import { lockCount } from '../../storage/sql/count-lock.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { ManagementContext } from './context.ts';
import type { Resource } from './resource.ts';

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
  await lockCreation(transaction, principal.workspaceId);
  // Read under the lock: another transaction may have counted while this one waited.
  const known = knownCount(context, resource);
  const found = await countAbove(transaction, principal.workspaceId, resource, known.lastId);
  const objects = known.objects + Number(found.count);
  context.objectCounts?.set(countName(context, resource), { objects, lastId: found.last_id ?? known.lastId });
  return context.quotas.objects - objects;
}

/** Counts the objects that were not there at the last count. */
async function countAbove(
  transaction: Transaction<Database>,
  workspaceId: number,
  resource: Resource,
  lastId: bigint,
): Promise<Count> {
  const { rows } = await sql<Count>`
    SELECT count(*), max(id) AS last_id FROM ${sql.table(resource.table)}
    WHERE workspace_id = ${workspaceId} AND id > ${lastId}`.execute(
    // The quota is for all objects of the workspace, whatever the caller sees of them.
    transaction.withoutPlugins(),
  );
  return rows[0] ?? { count: 0n, last_id: null };
}

function knownCount(context: InTransaction, resource: Resource) {
  return context.objectCounts?.get(countName(context, resource)) ?? { objects: 0, lastId: 0n };
}

function countName({ principal }: InTransaction, resource: Resource): string {
  return `${principal.workspaceId} ${resource.table}`;
}
