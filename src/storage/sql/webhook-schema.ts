import type { ColumnType, Generated } from 'kysely';
import type { ForecastRecordReason, ForecastRecordState } from '../../domain/booking/forecast-record.ts';
import type { Goal } from '../../domain/booking/line-item.ts';

type Instant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type Count = ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>;

/** ACTIVE webhooks send; PAUSED ones wait where they are. */
export type WebhookStatus = 'ACTIVE' | 'PAUSED';

/** The state of one message: it waits for a try, was accepted, or was given up. */
export type WebhookMessageStatus = 'PENDING' | 'DELIVERED' | 'FAILED';

/** Addresses that are told of changes. Owned by the management module. */
export interface WebhooksTable {
  workspace_id: number;
  id: ColumnType<bigint, never, never>;
  name: string;
  url: string;
  /** Types of changes: `*`, `lineItem.*`, `lineItem.update`. */
  types: ColumnType<string[], readonly string[], readonly string[]>;
  status: WebhookStatus;
  /** Both this and the installation's own secret give the webhook's. */
  salt: string;
  /** The number of the change up to which messages were made. */
  position: ColumnType<bigint, bigint, bigint>;
  /** A process works on it until then. */
  leased_until: Instant;
  /** Since when every try has failed; null when the last one was accepted. */
  failing_since: Instant;
  created_by: string;
  version: Generated<number>;
  created_at: ColumnType<Date, Date | undefined, never>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

/** Messages to webhooks. A message is made from its change when it is sent. */
export interface WebhookDeliveriesTable {
  workspace_id: number;
  id: ColumnType<bigint, never, never>;
  webhook_id: bigint;
  /** The number of the change; null for a test. */
  sequence: ColumnType<bigint | null, bigint | null, never>;
  type: string;
  status: WebhookMessageStatus;
  attempts: Generated<number>;
  next_at: Instant;
  error: string | null;
  /** Of the last try: the status of the response; null when there was no response. */
  response_status: ColumnType<number | null, number | null | undefined, number | null>;
  /** When the last try ended. */
  tried_at: Instant;
  created_at: ColumnType<Date, Date | undefined, never>;
  ended_at: Instant;
}

/** The status of a line item's goal. Owned by the management module. */
export interface LineItemGoalStatusTable {
  workspace_id: number;
  line_item_id: bigint;
  /** The last status that was found. */
  found: string;
  /** The last status in the feed of changes. */
  told: string;
}

/** How a serving line item came along when it was looked at last. Owned by the management module. */
export interface LineItemStandingsTable {
  workspace_id: number;
  line_item_id: bigint;
  /** Null without a plan. */
  goal_status: string | null;
  pacing_percent: number | null;
  impressions: bigint;
  /** A whole number as text. */
  spend_nanos: string;
  /** What it may miss of its goal, and what is left of it, as money: whole numbers as text. */
  missing_nanos: Generated<string>;
  left_nanos: Generated<string>;
  /** When its impressions were last found to have grown. */
  moved_at: Date;
}

/** Forecasts of booked line items, and their scores. Owned by `delivery/insight/forecast-records`. */
export interface ForecastRecordsTable {
  workspace_id: number;
  line_item_id: ColumnType<bigint, bigint, never>;
  made_at: ColumnType<Date, Date, never>;
  /** A digest of all that the forecast depends on in the booking. */
  terms: string;
  /** The version of the model of forecasts. */
  model: number;
  /** The forecast part of the flight. */
  starts_at: ColumnType<Date, Date, never>;
  ends_at: ColumnType<Date, Date, never>;
  goal: ColumnType<Goal | null, string | null, never>;
  sampled_hours: ColumnType<number | null, number | null | undefined, never>;
  matched: Count;
  available: Count;
  /** All of these are impressions. */
  impressions: Count;
  likely_low: Count;
  likely_high: Count;
  possible_low: Count;
  possible_high: Count;
  revenue_micros: Count;
  displaced_micros: Count;
  /** Impressions that were counted before the forecast. */
  counted_before: Count;
  state: ForecastRecordState;
  reason: ForecastRecordReason | null;
  delivered: Count;
  error: ColumnType<number | null, never, number>;
  inside_likely: ColumnType<boolean | null, never, boolean>;
  inside_possible: ColumnType<boolean | null, never, boolean>;
  closed_at: ColumnType<Date | null, Date | null | undefined, Date>;
}

/** The tables of webhooks, of the progress of goals, and of forecasts. */
export interface WebhookTables {
  forecast_records: ForecastRecordsTable;
  line_item_standings: LineItemStandingsTable;
  line_item_goal_status: LineItemGoalStatusTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
}
