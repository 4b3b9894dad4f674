import type { Kysely } from 'kysely';
import type { BookedLineItem } from '../../../domain/booking/availability.ts';
import type { Database } from '../../../storage/sql/schema.ts';

/** Most line items that are read; those with the smallest ids. */
export const BOOKED_MAX = 5_000;

/** Line items with a goal or a share of voice that are active or reserved and have not ended, of campaigns that are so as well. `delivered` is 0. */
export async function readBookedGoals(
  sql: Kysely<Database>,
  workspaceId: number,
  { nowMs, timezone }: { readonly nowMs: number; readonly timezone: string },
): Promise<BookedLineItem[]> {
  const now = new Date(nowMs);
  const rows = await sql
    .selectFrom('line_items')
    .innerJoin('campaigns', (join) =>
      join
        .onRef('campaigns.workspace_id', '=', 'line_items.workspace_id')
        .onRef('campaigns.id', '=', 'line_items.campaign_id'),
    )
    .where('line_items.workspace_id', '=', workspaceId)
    .where('line_items.status', 'in', ['ACTIVE', 'RESERVED'])
    .where('campaigns.status', 'in', ['ACTIVE', 'RESERVED'])
    .where((eb) => eb.or([eb('line_items.ends_at', 'is', null), eb('line_items.ends_at', '>', now)]))
    .where((eb) => eb.or([eb('campaigns.ends_at', 'is', null), eb('campaigns.ends_at', '>', now)]))
    .where((eb) => eb.or([eb('line_items.goal', 'is not', null), eb('line_items.type', '=', 'SPONSORSHIP')]))
    .select([
      'line_items.id',
      'line_items.name',
      'line_items.type',
      'line_items.goal',
      'line_items.share_percent',
      'line_items.targeting',
      'line_items.starts_at',
      'line_items.ends_at',
      'line_items.timezone',
      'line_items.status',
      'campaigns.status as campaignStatus',
      'campaigns.starts_at as campaignStartsAt',
      'campaigns.ends_at as campaignEndsAt',
    ])
    .orderBy('line_items.id')
    .limit(BOOKED_MAX)
    .execute();
  return rows.map((row) => ({
    id: String(row.id),
    name: row.name,
    type: row.type,
    goal: row.goal,
    sharePercent: row.share_percent,
    targeting: row.targeting,
    startsAtMs: latest(row.starts_at, row.campaignStartsAt),
    endsAtMs: earliest(row.ends_at, row.campaignEndsAt),
    timezone: row.timezone ?? timezone,
    isReserved: row.status === 'RESERVED' || row.campaignStatus === 'RESERVED',
    delivered: 0,
  }));
}

function latest(one: Date | null, other: Date | null): number | null {
  if (one === null || other === null) return (one ?? other)?.getTime() ?? null;
  return Math.max(one.getTime(), other.getTime());
}

function earliest(one: Date | null, other: Date | null): number | null {
  if (one === null || other === null) return (one ?? other)?.getTime() ?? null;
  return Math.min(one.getTime(), other.getTime());
}
