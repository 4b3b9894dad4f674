import type { Kysely, Selectable, Transaction } from 'kysely';
import { fieldError, PlacardError } from '../../domain/errors.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import type { NetworkStatus } from '../../domain/tenancy/workspace.ts';
import type { Database, NetworksTable } from '../../storage/sql/schema.ts';
import type { AuditActor } from '../audit/audit.sql.ts';
import { inTransaction } from '../audit/transaction.sql.ts';
import { recordForBoth } from './record-for-both.sql.ts';

/** How long the data of a closed network stays when nobody says otherwise, in days. */
export const DELETION_DAYS = 30;
/** The longest time that may be stated, in days. */
const DELETION_DAYS_MAX = 3_650;
const DAY_MS = 86_400_000;

/** Who does what with which network. */
export interface NetworkAction {
  /** Decimal id. */
  readonly id: string;
  readonly by: AuditActor;
}

/**
 * Closes a network: it serves nothing and nothing can be changed, as when it is suspended; its jobs rest, and only its admins can still read.
 * Links that were served before still count for as long as they are valid. Closing a closed network changes and records nothing.
 *
 * @throws PlacardError `unknown_network`
 */
export async function closeNetwork(
  db: Kysely<Database>,
  { id, by }: NetworkAction,
  now: Date = new Date(),
): Promise<{ readonly name: string; readonly closedAt: Date }> {
  return inTransaction(db, async (trx) => {
    const network = await lockNetwork(trx, id);
    if (network.closed_at !== null) return { name: network.name, closedAt: network.closed_at };
    await trx
      .updateTable('networks')
      .set((eb) => ({
        status: 'SUSPENDED',
        status_before_close: network.status,
        closed_at: now,
        version: eb('version', '+', 1),
        updated_at: now,
      }))
      .where('id', '=', BigInt(id))
      .execute();
    const entry = {
      action: 'network.close',
      objectKind: 'network',
      objectId: id,
      before: { status: network.status },
      after: { status: 'SUSPENDED' },
    };
    await recordForBoth(trx, entry, by, now);
    return { name: network.name, closedAt: now };
  });
}

/**
 * Opens a closed network again, with the status that it had, and cancels a planned deletion.
 *
 * @throws PlacardError `unknown_network`; `conflict` when it is not closed, or its deletion has begun
 */
export async function reopenNetwork(
  db: Kysely<Database>,
  { id, by }: NetworkAction,
  now: Date = new Date(),
): Promise<{ readonly name: string; readonly status: NetworkStatus }> {
  return inTransaction(db, async (trx) => {
    const network = await lockNetwork(trx, id);
    if (network.closed_at === null) throw new PlacardError('conflict', `Network ${id} is not closed.`);
    await refuseBegun(trx, id);
    const status = network.status_before_close ?? 'PAUSED';
    await trx
      .updateTable('networks')
      .set((eb) => ({
        status,
        status_before_close: null,
        closed_at: null,
        delete_at: null,
        version: eb('version', '+', 1),
        updated_at: now,
      }))
      .where('id', '=', BigInt(id))
      .execute();
    const entry = { action: 'network.reopen', objectKind: 'network', objectId: id, after: { status } };
    await recordForBoth(trx, entry, by, now);
    return { name: network.name, status };
  });
}

/** A deletion as an operator plans it. */
export interface PlannedDeletion extends NetworkAction {
  /** The network's name, as a confirmation. */
  readonly confirm: string;
  /** How long its data stays from now on: 0 to 3,650 days. */
  readonly days: number;
}

/**
 * Plans the deletion of a closed network; a second call moves the time.
 *
 * @throws PlacardError `unknown_network`; `conflict` when it is not closed, or its deletion has begun; `validation_failed` naming `confirm` or `days`
 */
export async function planDeletion(
  db: Kysely<Database>,
  { id, by, confirm, days }: PlannedDeletion,
  now: Date = new Date(),
): Promise<{ readonly name: string; readonly deleteAt: Date }> {
  if (!Number.isInteger(days) || days < 0 || days > DELETION_DAYS_MAX)
    throw fieldError('days', 'out_of_range', `give a whole number from 0 to ${DELETION_DAYS_MAX}`);
  return inTransaction(db, async (trx) => {
    const network = await lockNetwork(trx, id);
    if (network.closed_at === null)
      throw new PlacardError('conflict', `Network ${id} is open. Close it first: placard networks close ${id}`);
    if (confirm !== network.name)
      throw fieldError('confirm', 'not_allowed', `repeat the name of the network: ${JSON.stringify(network.name)}`);
    await refuseBegun(trx, id);
    const deleteAt = new Date(now.getTime() + days * DAY_MS);
    await trx.updateTable('networks').set({ delete_at: deleteAt }).where('id', '=', BigInt(id)).execute();
    const entry = { action: 'network.planDeletion', objectKind: 'network', objectId: id, after: { deleteAt, days } };
    await recordForBoth(trx, entry, by, now);
    return { name: network.name, deleteAt };
  });
}

async function lockNetwork(trx: Transaction<Database>, id: string): Promise<Selectable<NetworksTable>> {
  const row = isDecimalId(id)
    ? await trx.selectFrom('networks').selectAll().where('id', '=', BigInt(id)).forUpdate().executeTakeFirst()
    : undefined;
  if (row === undefined) throw new PlacardError('unknown_network', `There is no network ${id.slice(0, 40)}.`);
  return row;
}

async function refuseBegun(trx: Transaction<Database>, id: string): Promise<void> {
  const begun = await trx
    .selectFrom('network_deletions')
    .select('begun_at')
    .where('network_id', '=', BigInt(id))
    .executeTakeFirst();
  if (begun !== undefined)
    throw new PlacardError('conflict', `The deletion of network ${id} began at ${begun.begun_at.toISOString()}.`);
}
