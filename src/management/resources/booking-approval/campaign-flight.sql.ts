import type { Database } from '../../../storage/sql/schema.ts';
import type { Kysely } from 'kysely';
import type { AuditEntry } from '../../../access/audit/audit.sql.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import { asksForApproval, holdFlight, narrowApproval } from './approvals.sql.ts';
import { type CampaignFacts, GUARANTEED_TYPES, isWithin, TERM_COLUMNS, termsOf } from './booking-terms.ts';

/** Reads the facts of each campaign. */
export async function loadCampaignFacts(
  context: ManagementContext,
  rows: readonly StoredRow[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const db = queryableOf(context);
  const { networkId, workspaceId } = context.principal;
  const ids = rows.map(({ id }) => id).filter((id) => id !== 0n);
  const asks = ids.length > 0 && (await asksForApproval(db, networkId));
  const live = asks ? await listLiveBookings(db, workspaceId, ids) : [];
  const byCampaign = Map.groupBy(live, ({ campaign_id }) => campaign_id);
  return rows.map((row): CampaignFacts & Record<string, unknown> => ({ liveBookings: byCampaign.get(row.id) ?? [] }));
}

async function listLiveBookings(db: Kysely<Database>, workspaceId: number, campaignIds: readonly bigint[]) {
  return db
    .selectFrom('line_items')
    .leftJoin('booking_approvals', (join) =>
      join
        .onRef('booking_approvals.workspace_id', '=', 'line_items.workspace_id')
        .onRef('booking_approvals.line_item_id', '=', 'line_items.id'),
    )
    .select(TERM_COLUMNS.map((name) => `line_items.${name}` as const))
    .select('booking_approvals.approved_terms')
    .where('line_items.workspace_id', '=', workspaceId)
    .where('line_items.campaign_id', 'in', campaignIds)
    .where('line_items.status', '=', 'ACTIVE')
    .where('line_items.type', 'in', GUARANTEED_TYPES)
    .where((eb) => eb.or([eb('line_items.starts_at', 'is', null), eb('line_items.ends_at', 'is', null)]))
    .execute();
}

/** The flight of a campaign before a transaction changed it. */
interface FlightChange {
  readonly campaignId: bigint;
  readonly before: { startsAt?: unknown; endsAt?: unknown };
}

/** The changes of flights in a transaction, one for each campaign. */
function flightChangesOf(changes: readonly AuditEntry[]): FlightChange[] {
  const byCampaign = new Map<string, FlightChange>();
  for (const { action, objectId, before } of changes) {
    const { startsAt, endsAt } = (before ?? {}) as FlightChange['before'];
    if (action !== 'campaign.update' || (startsAt === undefined && endsAt === undefined)) continue;
    const known = byCampaign.get(objectId)?.before;
    // What a later change of the transaction finds is not what was before the transaction.
    const first = { ...(startsAt === undefined ? {} : { startsAt }), ...(endsAt === undefined ? {} : { endsAt }) };
    byCampaign.set(objectId, { campaignId: BigInt(objectId), before: { ...first, ...known } });
  }
  return [...byCampaign.values()];
}

/** Keeps the approvals of line items that have the flight of a campaign when it becomes shorter: they promise less than was approved. */
export async function retainApprovals(
  db: Kysely<Database>,
  workspaceId: number,
  changes: readonly AuditEntry[],
): Promise<void> {
  for (const { campaignId, before } of flightChangesOf(changes)) {
    const now = await holdFlight(db, workspaceId, campaignId);
    const then = {
      starts_at: before.startsAt === undefined ? now.starts_at : dateOf(before.startsAt),
      ends_at: before.endsAt === undefined ? now.ends_at : dateOf(before.endsAt),
    };
    if (!isWithin(now, then)) continue;
    for (const booking of await listApproved(db, workspaceId, campaignId)) {
      const [from, to] = [termsOf(booking, then), termsOf(booking, now)];
      if (booking.approved_terms === from && from !== to)
        await narrowApproval(db, workspaceId, { lineItemId: booking.id, from, to });
    }
  }
}

function dateOf(value: unknown): Date | null {
  return value === null ? null : new Date(value as string | Date);
}

async function listApproved(db: Kysely<Database>, workspaceId: number, campaignId: bigint) {
  return db
    .selectFrom('line_items')
    .innerJoin('booking_approvals', (join) =>
      join
        .onRef('booking_approvals.workspace_id', '=', 'line_items.workspace_id')
        .onRef('booking_approvals.line_item_id', '=', 'line_items.id'),
    )
    .select('line_items.id')
    .select(TERM_COLUMNS.map((name) => `line_items.${name}` as const))
    .select('booking_approvals.approved_terms')
    .where('line_items.workspace_id', '=', workspaceId)
    .where('line_items.campaign_id', '=', campaignId)
    .where('booking_approvals.approved_terms', 'is not', null)
    .execute();
}
