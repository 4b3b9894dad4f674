import type { ReportedKeyValues } from '../targeting/key-value.ts';

/** Everything that is counted. `touch` is a touch on the path to a conversion. `flat_day` is a day of a FLAT line item that earned its price. `request` and `served` rows, and imported history, are sums (see `quantity`); all others are single events. */
export const EVENT_KINDS = [
  'request',
  'served',
  'impression',
  'viewable',
  'measurable',
  'click',
  'activity',
  'touch',
  'flat_day',
  'video_start',
  'video_first_quartile',
  'video_midpoint',
  'video_third_quartile',
  'video_complete',
  'video_mute',
  'video_unmute',
  'video_pause',
  'video_resume',
  'video_skip',
  'video_error',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/**
 * One row of the analytics table `events`, as it is written to the spool and inserted, there without the names of its columns.
 * Names are ClickHouse columns. Ids are decimal texts, '' = none. One event has one `event_id` however often it is sent.
 */
export interface EventRow {
  readonly event_id: string;
  readonly workspace_id: number;
  readonly kind: EventKind;
  /** UTC, `YYYY-MM-DD HH:MM:SS.mmm`. */
  readonly time: string;
  readonly impression_id: string;
  readonly advertiser_id: string;
  readonly campaign_id: string;
  readonly line_item_id: string;
  readonly line_item_type: string;
  readonly creative_id: string;
  readonly creative_format: string;
  readonly deal_id: string;
  readonly advertising_product_id: string;
  readonly site_id: string;
  readonly area_id: string;
  readonly ad_unit_id: string;
  /** "300x250", or ''. */
  readonly size: string;
  readonly country: string;
  readonly region: string;
  readonly device_type: string;
  readonly os: string;
  readonly browser: string;
  readonly npa: boolean;
  /** Unsigned 64-bit decimal text of the keyed user hash; '0' = no user. */
  readonly user_hash: string;
  readonly activity_id: string;
  /** 'click' | 'view' for attributed activities; the position in the path for touches: 'only' | 'first' | 'middle' | 'last'; else ''. */
  readonly attribution: string;
  /** The value of the activity, micros (decimal text); '0' elsewhere. */
  readonly value_micros: string;
  /** The earning of this event by the line item's pricing model, nanos (decimal text). */
  readonly revenue_nanos: string;
  /** How many events this row counts as: 1 for a single event, more for `request`, `served` and imported history. */
  readonly quantity: number;
  /** Why the event is not billed ('' = billable): robot, no_user_agent, address, rate, late, test, unmatched, repeat. */
  readonly invalid_reason: string;
  /** Left out by rows without any. */
  readonly key_values?: ReportedKeyValues;
}

/** The columns of rows of kinds `activity`, `touch` and `video_error` beyond {@link EventRow}; other rows leave these columns out. */
export interface ActivityColumns {
  /** The event's name as sent, such as `purchased`; of an error of a player: the domain of the third party's tag, '' = none. */
  readonly activity_event: string;
  /** The order reference as sent, '' = none. */
  readonly order_reference: string;
  /** Of an activity: its items; of a touch: the length of its path; of an error of a player: its VAST code. */
  readonly item_count: number;
  /** Decimal text. */
  readonly tax_micros: string;
  /** JSON array as sent, '' = none. */
  readonly products: string;
}

/** A column of the table `events`. */
export type EventColumn = keyof EventRow | keyof ActivityColumns;

/** Instant → `YYYY-MM-DD HH:MM:SS.mmm` in UTC. */
export function formatEventTime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 23).replace('T', ' ');
}

/** The dimensions of request and served counts. Ids are decimal texts, '' = none. */
export interface RequestCountKey {
  readonly kind: 'request' | 'served';
  readonly workspaceId: number;
  readonly siteId: string;
  readonly areaId: string;
  readonly adUnitId: string;
  readonly size: string;
  readonly country: string;
  readonly region: string;
  readonly deviceType: string;
  readonly os: string;
  readonly browser: string;
  readonly npa: boolean;
  /** Of the keys that the network reports. */
  readonly keyValues: ReportedKeyValues;
  /** Set on `served` alone. */
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly lineItemId: string;
  readonly lineItemType: string;
  readonly creativeId: string;
  readonly creativeFormat: string;
  readonly dealId: string;
  readonly advertisingProductId: string;
}

/** Where the ad path counts opportunities; sums are flushed to the spool every few seconds. Never waits. */
export interface RequestCounts {
  /** @param sum tells the sum apart from others: equal texts, equal keys. `key` is called when a sum begins. */
  add(sum: string, quantity: number, key: () => RequestCountKey): void;
}
