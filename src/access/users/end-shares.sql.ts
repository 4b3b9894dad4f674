import type { Transaction } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import { findMemberBehind } from './member-behind.sql.ts';

/**
 * Ends the links to reports that a member or a key of theirs made, or that they claimed: who leaves still has their addresses.
 * @param of.networkId null: those of every network
 */
export async function endSharesOfMember(
  trx: Transaction<Database>,
  { userId, networkId }: { readonly userId: string; readonly networkId: string | null },
  now: Date,
): Promise<void> {
  await trx
    .updateTable('report_shares')
    .from('workspaces')
    .set({ revoked_at: now })
    .whereRef('workspaces.id', '=', 'report_shares.workspace_id')
    .$if(networkId !== null, (query) => query.where('workspaces.network_id', '=', BigInt(networkId ?? 0)))
    .where((eb) =>
      eb.or([
        eb('report_shares.owner_id', '=', BigInt(userId)),
        // Of a program that does not know owners, which runs beside this one during an upgrade.
        eb.and([eb('report_shares.owner_id', 'is', null), eb('report_shares.created_by', 'like', `user:${userId} %`)]),
      ]),
    )
    .where('report_shares.revoked_at', 'is', null)
    .execute();
}

/** Ends the links to reports that a key made: a stolen key may have made them. Those that another member has claimed stay. */
export async function endSharesOfKey(
  trx: Transaction<Database>,
  { workspaceId, id }: { readonly workspaceId: number; readonly id: string },
  now: Date,
): Promise<void> {
  // The id ends at the space: key:1 is not key:12.
  const actor = `key:${id} `;
  const { network_id: networkId } = await trx
    .selectFrom('workspaces')
    .select('network_id')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const maker = await findMemberBehind(trx, { actor, networkId: String(networkId) });
  await trx
    .updateTable('report_shares')
    .set({ revoked_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('created_by', 'like', `${actor}%`)
    .where((eb) => eb.or([eb('owner_id', 'is', null), ...(maker === null ? [] : [eb('owner_id', '=', BigInt(maker))])]))
    .where('revoked_at', 'is', null)
    .execute();
}
