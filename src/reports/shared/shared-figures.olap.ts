import { COUNTED_EVENTS } from '../../domain/pricing/pricing-models.ts';
import { zoneFitsBuckets } from '../compile/relation.ts';
import type { Olap } from '../../storage/olap/olap.ts';

const TIMEOUT_MS = 15_000;
/** Days that a shared report goes back. */
export const SHARED_DAYS = 400;
const DAY_MS = 86_400_000;
const HOUR_SECONDS = 3_600;

/** Counts of one line item on one day of the network's time zone. */
export interface SharedDay {
  readonly lineItemId: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly impressions: number;
  readonly viewable: number;
  readonly clicks: number;
  readonly conversions: number;
  readonly completed: number;
  /** Nanos. */
  readonly spend: bigint;
}

const SUMS = {
  impressions: COUNTED_EVENTS.impression.sum,
  viewable: COUNTED_EVENTS.viewable.sum,
  clicks: COUNTED_EVENTS.click.sum,
  conversions: COUNTED_EVENTS.activity.sum,
  completed: COUNTED_EVENTS.video_complete.sum,
  spend: 'revenue_nanos',
};

type Row = Readonly<Record<keyof typeof SUMS | 'line_item' | 'day', string>>;

/** The figures of a campaign by line item and day, from the roll-ups that reports use. @throws OlapError */
export async function readSharedDays(
  olap: Olap,
  of: { readonly workspaceId: number; readonly campaignId: string; readonly timezone: string },
  nowMs: number,
): Promise<SharedDay[]> {
  const fromMs = nowMs - SHARED_DAYS * DAY_MS;
  // Days of a zone that is not whole hours off UTC begin within an hour.
  const isOfHours = zoneFitsBuckets(HOUR_SECONDS, { timezone: of.timezone, range: [fromMs, nowMs] });
  const sums = Object.entries(SUMS).map(([name, column]) => `toString(sum(facts.${column})) AS ${name}`);
  const rows = await olap.query<Row>({
    sql: `SELECT toString(facts.line_item_id) AS line_item, toString(toDate(facts.time, {zone: String})) AS day, ${sums.join(', ')}
      FROM ${isOfHours ? 'delivery_line_item_hourly' : 'delivery_quarter_hourly'} AS facts
      WHERE facts.workspace_id = {workspace: UInt32} AND facts.campaign_id = {campaign: UInt64}
        AND facts.time >= toDateTime({from: Int64}, 'UTC')
      GROUP BY line_item, day ORDER BY day, line_item`,
    params: {
      workspace: of.workspaceId,
      campaign: of.campaignId,
      zone: of.timezone,
      from: Math.floor(fromMs / 1_000),
    },
    timeoutMs: TIMEOUT_MS,
    isFinal: true,
  });
  return rows.map((row) => ({
    lineItemId: row.line_item,
    day: row.day,
    impressions: Number(row.impressions),
    viewable: Number(row.viewable),
    clicks: Number(row.clicks),
    conversions: Number(row.conversions),
    completed: Number(row.completed),
    spend: BigInt(row.spend),
  }));
}
