import { type Kysely, type Selectable, sql } from 'kysely';
import type { NetworkDeletionsTable } from '../../storage/sql/access-schema.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { inTransaction } from '../audit/transaction.sql.ts';
import { recordForBoth } from './record-for-both.sql.ts';

/** A deletion that has begun. */
export interface NetworkDeletion {
  readonly networkId: string;
  readonly name: string;
  readonly workspaceIds: readonly number[];
  readonly begunAt: Date;
  /** The steps that have ended, each with how many rows, keys or files it deleted. */
  readonly done: Readonly<Record<string, number>>;
  /** Rows of PostgreSQL that are deleted so far. */
  readonly rows: number;
  /** When the last of them was deleted; null: some are left. */
  readonly rowsGoneAt: Date | null;
  /** Null: it goes on. */
  readonly endedAt: Date | null;
}

/** Deletions that have begun, newest first, at most 1,000; or only those that have not ended. */
export async function listDeletions(db: Kysely<Database>, { onlyOpen = false } = {}): Promise<NetworkDeletion[]> {
  const all = db.selectFrom('network_deletions').selectAll().orderBy('begun_at', 'desc').limit(1_000);
  const rows = await (onlyOpen ? all.where('ended_at', 'is', null) : all).execute();
  return rows.map(toDeletion);
}

/** One deletion, as it is now. @throws Error when there is none */
export async function readDeletion(db: Kysely<Database>, networkId: string): Promise<NetworkDeletion> {
  const query = db.selectFrom('network_deletions').selectAll().where('network_id', '=', BigInt(networkId));
  return toDeletion(await query.executeTakeFirstOrThrow());
}

function toDeletion(row: Selectable<NetworkDeletionsTable>): NetworkDeletion {
  return {
    networkId: String(row.network_id),
    name: row.name,
    workspaceIds: row.workspace_ids,
    begunAt: row.begun_at,
    done: row.done,
    rows: Number(row.rows_deleted),
    rowsGoneAt: row.rows_gone_at,
    endedAt: row.ended_at,
  };
}

/** Begins the deletions whose time has come; from then on nobody can reopen these networks. @returns their ids */
export async function beginDeletions(db: Kysely<Database>, now: Date): Promise<string[]> {
  return inTransaction(db, async (trx) => {
    const due = await trx
      .selectFrom('networks')
      .select(['id', 'name'])
      .where('closed_at', 'is not', null)
      .where('delete_at', '<=', now)
      .where((eb) =>
        eb.not(
          eb.exists(eb.selectFrom('network_deletions').select('network_id').whereRef('network_id', '=', 'networks.id')),
        ),
      )
      .orderBy('id')
      .limit(100)
      .forUpdate()
      .execute();
    for (const { id, name } of due) {
      const workspaces = await trx.selectFrom('workspaces').select('id').where('network_id', '=', id).execute();
      const values = { network_id: id, name, workspace_ids: workspaces.map((one) => one.id), begun_at: now };
      await trx.insertInto('network_deletions').values(values).execute();
    }
    return due.map(({ id }) => String(id));
  });
}

/** Records that a step has ended. */
export async function recordStep(
  db: Kysely<Database>,
  networkId: string,
  step: string,
  deleted: number,
): Promise<void> {
  const added = sql<string>`done || jsonb_build_object(${step}::text, ${deleted}::bigint)`;
  await db.updateTable('network_deletions').set({ done: added }).where('network_id', '=', BigInt(networkId)).execute();
}

/** Records the end of a deletion, in the log of the installation and in that of the network, both of which stay. */
export async function endDeletion(db: Kysely<Database>, networkId: string, now: Date): Promise<NetworkDeletion> {
  return inTransaction(db, async (trx) => {
    const deletion = await readDeletion(trx, networkId);
    const { name, done } = deletion;
    await trx
      .updateTable('network_deletions')
      .set({ ended_at: now })
      .where('network_id', '=', BigInt(networkId))
      .execute();
    const by = { actor: 'system:network-deletions', remoteAddress: '', networkId, workspaceId: null };
    const entry = {
      action: 'network.delete',
      objectKind: 'network',
      objectId: networkId,
      before: { name },
      more: { done },
    };
    await recordForBoth(trx, entry, by, now);
    return deletion;
  });
}
