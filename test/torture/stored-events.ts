import { localDay } from '../../src/domain/time/calendar.ts';
import type { PricingModel } from '../../src/domain/pricing/pricing-models.ts';
import type { Olap } from '../../src/storage/olap/olap.ts';
import type { BookedLineItem, Booking } from './booking.ts';

/** The kinds of events that are compared. */
export const EVENT_KINDS = ['impression', 'viewable', 'click', 'activity', 'flat_day'] as const;

/** One valid event as the event table has it. */
export interface StoredEvent {
  readonly eventId: string;
  readonly kind: (typeof EVENT_KINDS)[number];
  /** Rows with this id; more than one is an error. */
  readonly copies: number;
  /** Of all copies. */
  readonly nanos: bigint;
  readonly impressionId: string;
  /** '' = a conversion that nothing is credited for. */
  readonly lineItemId: string;
  readonly attribution: 'click' | 'view' | '';
  readonly valueMicros: bigint;
  /** JSON, sorted by key, as the roll-ups of key-values have it; '' = none. */
  readonly keyValues: string;
  readonly timeMs: number;
}

/** Reads all valid events of the booking. */
export async function readStored(olap: Olap, booking: Booking): Promise<readonly StoredEvent[]> {
  const rows = await olap.query<Record<string, string>>({
    sql: `SELECT event_id, kind, toString(count()) AS copies, toString(sum(revenue_nanos)) AS nanos,
        any(impression_id) AS impression, any(toString(line_item_id)) AS line_item, any(attribution) AS credited,
        toString(any(value_micros)) AS value, toString(toUnixTimestamp64Milli(any(time))) AS ms,
        any(if(empty(key_values), '', toJSONString(mapSort(key_values)))) AS pairs
      FROM events WHERE workspace_id = {workspaceId: UInt32} AND invalid_reason = ''
        AND (toString(advertiser_id) = {advertiserId: String} OR toString(activity_id) = {activityId: String})
        AND kind IN ('impression', 'viewable', 'click', 'activity', 'flat_day')
      GROUP BY event_id, kind`,
    params: { workspaceId: booking.workspaceId, advertiserId: booking.advertiserId, activityId: booking.activityId },
  });
  return rows.map((row) => ({
    eventId: row['event_id'] ?? '',
    kind: (row['kind'] ?? '') as StoredEvent['kind'],
    copies: Number(row['copies']),
    nanos: BigInt(row['nanos'] ?? 0),
    impressionId: row['impression'] ?? '',
    lineItemId: row['line_item'] ?? '',
    attribution: (row['credited'] ?? '') as StoredEvent['attribution'],
    valueMicros: BigInt(row['value'] ?? 0),
    keyValues: row['pairs'] ?? '',
    timeMs: Number(row['ms']),
  }));
}

/** The sums of some events. */
export interface Sums {
  impressions: bigint;
  clicks: bigint;
  viewable_impressions: bigint;
  activities: bigint;
  post_click_activities: bigint;
  post_view_activities: bigint;
  activity_value_micros: bigint;
  revenue_nanos: bigint;
}

/** The columns of a roll-up that are compared. */
export const SUM_COLUMNS = [
  'impressions',
  'clicks',
  'viewable_impressions',
  'activities',
  'post_click_activities',
  'post_view_activities',
  'activity_value_micros',
  'revenue_nanos',
] as const satisfies readonly (keyof Sums)[];

const COLUMN_OF = {
  impression: 'impressions',
  viewable: 'viewable_impressions',
  click: 'clicks',
  activity: 'activities',
} as const;

/** Sums of events by some key. Money is what each event should have earned. */
export function sumBy(
  stored: readonly StoredEvent[],
  booking: Booking,
  keyOf: (event: StoredEvent) => string | null,
): ReadonlyMap<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const event of stored) {
    const key = keyOf(event);
    if (key === null) continue;
    const sum = sums.get(key) ?? noSums();
    sums.set(key, sum);
    if (event.kind !== 'flat_day') sum[COLUMN_OF[event.kind]] += 1n;
    if (event.attribution === 'click') sum.post_click_activities += 1n;
    if (event.attribution === 'view') sum.post_view_activities += 1n;
    if (event.kind === 'activity') sum.activity_value_micros += event.valueMicros;
    sum.revenue_nanos += earningOf(event, booking);
  }
  return sums;
}

/** All sums are zero. */
export function noSums(): Sums {
  return {
    impressions: 0n,
    clicks: 0n,
    viewable_impressions: 0n,
    activities: 0n,
    post_click_activities: 0n,
    post_view_activities: 0n,
    activity_value_micros: 0n,
    revenue_nanos: 0n,
  };
}

const EARNING_KIND = {
  CPM: 'impression',
  VCPM: 'viewable',
  CPC: 'click',
  CPA: 'activity',
  FLAT: 'flat_day',
  CPCV: 'video_complete',
} as const satisfies Record<PricingModel, string>;

/** The expected earnings of an event, in nanos. */
export function earningOf({ kind, lineItemId }: StoredEvent, booking: Booking): bigint {
  const lineItem = findLineItem(booking, lineItemId);
  return lineItem !== undefined && EARNING_KIND[lineItem.pricingModel] === kind ? lineItem.nanosEach : 0n;
}

export function findLineItem(booking: Booking, id: string): BookedLineItem | undefined {
  return booking.lineItems.find(({ lineItemId }) => lineItemId === id);
}

/** The day on which a line item's counters count an event. */
export function lineItemDay(event: StoredEvent, booking: Booking): string {
  return localDay(event.timeMs, findLineItem(booking, event.lineItemId)?.timezone ?? booking.networkTimezone);
}
