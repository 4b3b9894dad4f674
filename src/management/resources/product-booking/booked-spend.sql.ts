import { sql, type Transaction } from 'kysely';
import type { BuyerScope } from '../../../domain/tenancy/principal.ts';
import { lockCount } from '../../../storage/sql/count-lock.ts';
import type { Database } from '../../../storage/sql/schema.ts';

/** What is asked of the bookings of buyers. */
export interface BookedQuery {
  readonly workspaceId: number;
  readonly advertiserIds: BuyerScope['advertiserIds'];
  /** A booking that is changed, and not counted; null: none. */
  readonly exceptId: bigint | null;
}

/**
 * What keys of buyers have booked for some advertisers, in micros. Waits until no other transaction books for a buyer of the workspace, and keeps
 * others waiting until this one ends. A booking that was archived before its start is not counted.
 */
export async function readBookedSpend(trx: Transaction<Database>, query: BookedQuery): Promise<bigint> {
  const { workspaceId, advertiserIds, exceptId } = query;
  await lockCount(trx, `bookings of buyers of ${workspaceId}`);
  const { rows } = await sql<{ booked: bigint | null }>`
    SELECT sum(budget_micros)::bigint AS booked FROM ${sql.table('line_items')}
    WHERE workspace_id = ${workspaceId} AND buyer_key_id IS NOT NULL AND id <> ${exceptId ?? 0n}
      AND NOT (status = 'ARCHIVED' AND (starts_at IS NULL OR updated_at < starts_at))
      AND campaign_id IN (SELECT id FROM ${sql.table('campaigns')}
        WHERE workspace_id = ${workspaceId} AND advertiser_id = ANY(${[...advertiserIds]}::bigint[]))`.execute(
    trx.withoutPlugins(),
  );
  return rows[0]?.booked ?? 0n;
}
