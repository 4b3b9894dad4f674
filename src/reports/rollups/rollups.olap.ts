/**
 * The tables that reports read, fed one by the other as events arrive, block by block:
 *
 * - `delivery_quarter_hourly` keeps every dimension in UTC buckets of 15 minutes. Every zone in use is a whole number of
 *   quarter hours off UTC, so it serves days, weeks and months of any zone exactly.
 * - `delivery_hourly` keeps the booking dimensions in hours: several times smaller, right for zones that are whole hours off.
 * - `delivery_daily` keeps them in UTC days: the inside of long ranges, whose ends come from hours.
 * - `delivery_line_item_hourly` and `delivery_line_item_daily` are the same by line item, without the dimensions within a line item:
 *   several times smaller again, and enough for most dashboards.
 * - `delivery_key_values_hourly` and `delivery_key_values_daily` keep the reported key-values of requests, by line item and site.
 * - `delivery_versions` states which days were written to, and when.
 *
 * Finer queries (minutes, seconds, single events) go to `events` itself, through {@link EVENT_FACTS}.
 */

import type { EventKind } from '../../domain/events/event.ts';
import type { OlapMigration } from '../../storage/olap/migrate-olap.ts';
import type { OlapDialect } from '../../storage/olap/olap-dialect.ts';
import { TOUCH_CREDITS } from './touch-credits.olap.ts';
import { VIDEO_ERROR_COLUMNS } from './video-errors.olap.ts';
import { createNames } from './names-table.olap.ts';
import { createVersions, createVersionsView, VERSIONS_TABLE } from './versions-table.olap.ts';

/** Ids of booking objects; 0 = none. */
const BOOKING_IDS = [
  'advertiser_id',
  'campaign_id',
  'line_item_id',
  'creative_id',
  'deal_id',
  'advertising_product_id',
  'site_id',
  'activity_id',
] as const;
const BOOKING_TEXTS = ['line_item_type', 'creative_format'] as const;
const CREATIVE_COLUMNS: readonly string[] = ['creative_id', 'creative_format'];
/** The dimensions within a line item: the roll-ups by line item lack them. */
const PLACEMENT_COLUMNS: readonly string[] = [...CREATIVE_COLUMNS, 'site_id'];
/** The columns of the wide table alone. */
const CONTEXT_IDS = ['area_id', 'ad_unit_id'] as const;
const CONTEXT_TEXTS = ['size', 'country', 'region', 'device_type', 'os', 'browser'] as const;

/** Columns that `delivery_hourly` does not have. */
export const CONTEXT_COLUMNS: readonly string[] = [...CONTEXT_IDS, ...CONTEXT_TEXTS, 'npa'];
/** Columns that the roll-ups by line item do not have. */
export const BELOW_LINE_ITEM_COLUMNS: readonly string[] = [...PLACEMENT_COLUMNS, ...CONTEXT_COLUMNS];
/** Columns that the roll-ups of key-values do not have. */
export const BELOW_KEY_VALUES_COLUMNS: readonly string[] = [...CREATIVE_COLUMNS, ...CONTEXT_COLUMNS];

const BILLABLE = "invalid_reason = ''";

/** The value of one event for each counted column. */
const COUNTS: Readonly<Record<string, string>> = {
  impressions: `if(kind = 'impression' AND ${BILLABLE}, quantity, 0)`,
  gross_impressions: "if(kind = 'impression', quantity, 0)",
  requests: "if(kind = 'request', quantity, 0)",
  served: "if(kind = 'served', quantity, 0)",
  clicks: `if(kind = 'click' AND ${BILLABLE}, quantity, 0)`,
  gross_clicks: "if(kind = 'click', quantity, 0)",
  viewable_impressions: `if(kind = 'viewable' AND ${BILLABLE}, quantity, 0)`,
  measurable_impressions: `if(kind = 'measurable' AND ${BILLABLE}, quantity, 0)`,
  activities: `if(kind = 'activity' AND ${BILLABLE}, quantity, 0)`,
  post_click_activities: `if(kind = 'activity' AND attribution = 'click' AND ${BILLABLE}, quantity, 0)`,
  post_view_activities: `if(kind = 'activity' AND attribution = 'view' AND ${BILLABLE}, quantity, 0)`,
  video_starts: `if(kind = 'video_start' AND ${BILLABLE}, quantity, 0)`,
  video_completes: `if(kind = 'video_complete' AND ${BILLABLE}, quantity, 0)`,
};

/** Exact amounts: 128 bits, so that no sum overflows. */
const AMOUNTS: Readonly<Record<string, string>> = {
  revenue_nanos: 'toInt128(revenue_nanos)',
  activity_value_micros: `if(kind = 'activity' AND ${BILLABLE}, toInt128(value_micros), toInt128(0))`,
};

/** The counted columns of every roll-up, and of {@link EVENT_FACTS}. */
export const COUNTED_COLUMNS: readonly string[] = [...Object.keys(COUNTS), ...Object.keys(AMOUNTS)];

/** Who counts as a reached user: billable impressions with a user, personalisation not refused. */
const IS_REACH = `kind = 'impression' AND ${BILLABLE} AND toUInt64(user_hash) != 0 AND NOT npa`;

const asId = (column: string): string => `toUInt64OrZero(toString(${column})) AS ${column}`;
const asText = (column: string): string => `CAST(${column}, 'LowCardinality(String)') AS ${column}`;

/** The columns that single events have beyond the roll-ups. */
const EVENT_COLUMNS = ['key_values', ...TOUCH_CREDITS, ...VIDEO_ERROR_COLUMNS] as const;

const factsWith = (columns: readonly string[], table = 'events'): string =>
  `(SELECT workspace_id, time, ${[
    ...[...BOOKING_IDS, ...CONTEXT_IDS].map(asId),
    ...[...BOOKING_TEXTS, ...CONTEXT_TEXTS].map(asText),
    'npa',
    ...columns,
    ...Object.entries({ ...COUNTS, ...AMOUNTS }).map(([column, value]) => `${value} AS ${column}`),
    `if(${IS_REACH}, toUInt64(user_hash), NULL) AS users`,
  ].join(', ')} FROM ${table})`;

/**
 * All reported key-values of an event as one text: JSON, sorted by key; '' = none. ClickHouse parses such a text once for each dictionary
 * entry; it reads a map for each row, so that reports on maps cost two to three times as much.
 */
const KEY_VALUES_TEXT =
  "CAST(if(empty(key_values), '', toJSONString(mapSort(key_values))), 'LowCardinality(String)') AS key_values";

/** The value of one key in {@link KEY_VALUES_TEXT}, '' = none. `key` is SQL of a decimal text: it never holds a quote. */
export function valueInText(column: string, key: string): string {
  return `simpleJSONExtractString(${column}, ${key})`;
}

const factsOfKind = (kind: EventKind): string => `${factsWith(EVENT_COLUMNS).slice(0, -1)} WHERE kind = '${kind}')`;

/** As {@link EVENT_FACTS}, of touches alone. */
export const TOUCH_FACTS = factsOfKind('touch');
/** As {@link EVENT_FACTS}, of errors of players alone. */
export const VIDEO_ERROR_FACTS = factsOfKind('video_error');

/** `events` with the columns of the roll-ups, one row an event; `users` is the reached user's hash, or null. */
export const EVENT_FACTS = factsWith(EVENT_COLUMNS);

interface RollUp {
  readonly table: string;
  /** SQL of a bucket's start, of an instant `facts.time`. */
  readonly bucket: string;
  /** The table whose inserted blocks are summed up further; null: single events. */
  readonly fedBy: string | null;
  readonly ids: readonly string[];
  readonly texts: readonly string[];
  readonly npa: boolean;
  /** The stretch of time whose rows of one line item lie together; monotonic in `time`. */
  readonly slice: string;
  /** Rows of one mark: fewer where queries read thin slices. */
  readonly markRows: number;
  /** A month without a write for a day becomes one part: thin slices of few parts are read in half of the time. */
  readonly joinsMonths: boolean;
  /**
   * Holds the sums of all line items by bucket, in the aggregates of reports, always in step with its rows: a report by hour over 90 days
   * reads 2,160 rows instead of a row for each line item and hour.
   */
  readonly sumsBuckets: boolean;
}

const bucketOf = (unit: string): string => `toStartOfInterval(toDateTime(facts.time, 'UTC'), INTERVAL ${unit}, 'UTC')`;

const QUARTER_HOURLY: RollUp = {
  table: 'delivery_quarter_hourly',
  bucket: bucketOf('900 SECOND'),
  fedBy: null,
  ids: [...BOOKING_IDS, ...CONTEXT_IDS],
  texts: [...BOOKING_TEXTS, ...CONTEXT_TEXTS],
  npa: true,
  slice: 'toDate(time)',
  markRows: 8192,
  joinsMonths: false,
  sumsBuckets: false,
};
const HOURLY: RollUp = {
  table: 'delivery_hourly',
  bucket: bucketOf('3600 SECOND'),
  fedBy: QUARTER_HOURLY.table,
  ids: BOOKING_IDS,
  texts: BOOKING_TEXTS,
  npa: false,
  slice: 'toMonday(time)',
  markRows: 2048,
  joinsMonths: false,
  sumsBuckets: false,
};
const DAILY: RollUp = { ...HOURLY, table: 'delivery_daily', bucket: bucketOf('1 DAY'), fedBy: HOURLY.table };
const LINE_ITEM_HOURLY: RollUp = {
  ...HOURLY,
  table: 'delivery_line_item_hourly',
  fedBy: HOURLY.table,
  ids: BOOKING_IDS.filter((column) => !PLACEMENT_COLUMNS.includes(column)),
  texts: BOOKING_TEXTS.filter((column) => !PLACEMENT_COLUMNS.includes(column)),
  markRows: 512,
  joinsMonths: true,
  sumsBuckets: true,
};
const LINE_ITEM_DAILY: RollUp = {
  ...LINE_ITEM_HOURLY,
  sumsBuckets: false,
  table: 'delivery_line_item_daily',
  bucket: DAILY.bucket,
  fedBy: LINE_ITEM_HOURLY.table,
};

const KEY_VALUES_HOURLY: RollUp = {
  ...HOURLY,
  table: 'delivery_key_values_hourly',
  fedBy: null,
  ids: BOOKING_IDS.filter((column) => !CREATIVE_COLUMNS.includes(column)),
  texts: [...BOOKING_TEXTS.filter((column) => !CREATIVE_COLUMNS.includes(column)), 'key_values'],
  // A query over all line items reads hours only for the ends of its range: in weekly slices they would be a hundredth of the rows.
  slice: QUARTER_HOURLY.slice,
  markRows: 512,
  joinsMonths: true,
};
const KEY_VALUES_DAILY: RollUp = {
  ...KEY_VALUES_HOURLY,
  table: 'delivery_key_values_daily',
  bucket: DAILY.bucket,
  slice: DAILY.slice,
  fedBy: KEY_VALUES_HOURLY.table,
};

/** Each behind what feeds it. */
const ROLL_UPS: readonly RollUp[] = [
  QUARTER_HOURLY,
  HOURLY,
  DAILY,
  LINE_ITEM_HOURLY,
  LINE_ITEM_DAILY,
  KEY_VALUES_HOURLY,
  KEY_VALUES_DAILY,
];

/** Tables that hold counts by workspace, in the order in which they are emptied. */
export const COUNTED_TABLES: readonly string[] = ['events', ...ROLL_UPS.map(({ table }) => table), VERSIONS_TABLE];

/** The roll-ups, each with the longest bucket in which all of its rows lie. */
export const ROLL_UP_BUCKETS: Readonly<Record<string, 'hour' | 'day'>> = {
  [QUARTER_HOURLY.table]: 'hour',
  [HOURLY.table]: 'hour',
  [LINE_ITEM_HOURLY.table]: 'hour',
  [KEY_VALUES_HOURLY.table]: 'hour',
  [DAILY.table]: 'day',
  [LINE_ITEM_DAILY.table]: 'day',
  [KEY_VALUES_DAILY.table]: 'day',
};

const JOIN_MONTHS = 'min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1';

/** Where a row is stored on a cluster; views fill the roll-ups of their own server. */
const SHARD_KEY = 'cityHash64(workspace_id, line_item_id)';

const dimensionsOf = (rollUp: RollUp): string[] => [...rollUp.ids, ...rollUp.texts, ...(rollUp.npa ? ['npa'] : [])];

/** Rows of one line item lie together in stretches of time: its quarter is a dozen thin slices, and a network's day is few parts. */
function createStored(rollUp: RollUp, dialect: OlapDialect): string {
  const slices = ['workspace_id', rollUp.slice, 'line_item_id'];
  const rest = dimensionsOf(rollUp).filter((column) => column !== 'line_item_id');
  const columns = [
    'workspace_id UInt32',
    "time DateTime('UTC') CODEC(DoubleDelta, ZSTD)",
    ...rollUp.ids.map((id) => `${id} UInt64`),
    ...rollUp.texts.map((text) => `${text} LowCardinality(String)`),
    ...(rollUp.npa ? ['npa Bool'] : []),
    ...Object.keys(COUNTS).map((column) => `${column} SimpleAggregateFunction(sum, UInt64)`),
    ...Object.keys(AMOUNTS).map((column) => `${column} SimpleAggregateFunction(sum, Int128)`),
    'users AggregateFunction(uniqCombined64, UInt64)',
    ...(rollUp.sumsBuckets
      ? [
          `PROJECTION by_hour (SELECT workspace_id, time, ${COUNTED_COLUMNS.map((column) => `sumOrNull(${column})`).join(', ')}
            GROUP BY workspace_id, time)`,
        ]
      : []),
  ];
  const settings = [
    `index_granularity = ${rollUp.markRows}`,
    dialect.deduplicated,
    ...(rollUp.joinsMonths ? [JOIN_MONTHS] : []),
    // When parts merge, their sums are made again from the rows of the merged part.
    ...(rollUp.sumsBuckets ? ["deduplicate_merge_projection_mode = 'rebuild'"] : []),
  ];
  return `CREATE TABLE IF NOT EXISTS ${dialect.stored(rollUp.table)}${dialect.onCluster} (${columns.join(', ')})
    ENGINE = ${dialect.mergeTree('Aggregating')} PARTITION BY toYYYYMM(time) PRIMARY KEY (${slices.join(', ')})
    ORDER BY (${[...slices, ...rest, 'time'].join(', ')}) SETTINGS ${settings.join(', ')}`;
}

function createTable(rollUp: RollUp, dialect: OlapDialect): readonly string[] {
  return [createStored(rollUp, dialect), ...dialect.distribute(rollUp.table, SHARD_KEY)];
}

/** Each server sums up what it stores, block by block. */
function createView(rollUp: RollUp, dialect: OlapDialect): string {
  const { fedBy, bucket } = rollUp;
  const from =
    fedBy === null
      ? factsWith(rollUp.texts.includes('key_values') ? [KEY_VALUES_TEXT] : [], dialect.stored('events'))
      : // RESTORE into a database of another name drops the alias of a table, not the alias of a subquery.
        `(SELECT * FROM ${dialect.stored(fedBy)})`;
  const users =
    fedBy === null
      ? 'uniqCombined64StateIf(assumeNotNull(facts.users), facts.users IS NOT NULL)'
      : 'uniqCombined64MergeState(facts.users)';
  const keys = ['workspace_id', ...dimensionsOf(rollUp)];
  const selected = [
    ...keys.map((column) => `facts.${column} AS ${column}`),
    `${bucket} AS time`,
    ...Object.keys(COUNTS).map((column) => `sum(toUInt64(facts.${column})) AS ${column}`),
    ...Object.keys(AMOUNTS).map((column) => `sum(facts.${column}) AS ${column}`),
    `${users} AS users`,
  ];
  return `CREATE MATERIALIZED VIEW IF NOT EXISTS ${rollUp.table}_feed${dialect.onCluster} TO ${dialect.stored(rollUp.table)} AS
    SELECT ${selected.join(', ')} FROM ${from} AS facts
    GROUP BY ${[...keys.map((column) => `facts.${column}`), bucket].join(', ')}`;
}

/** The roll-ups and what feeds them. They run after the migrations of the events module: the views read `events`. */
export const REPORT_OLAP_MIGRATIONS: readonly OlapMigration[] = [
  {
    id: 'reports-0100-rollups',
    replaces: ['reports-0001-rollups', 'reports-0002-line-items', 'reports-0003-key-values', 'reports-0004-by-hour'],
    statements: (dialect) => [
      createNames(dialect),
      ...ROLL_UPS.flatMap((rollUp) => createTable(rollUp, dialect)),
      ...createVersions(DAILY.table, dialect),
      createVersionsView(`${VERSIONS_TABLE}_line_items_feed`, LINE_ITEM_DAILY.table, dialect),
      createVersionsView(`${VERSIONS_TABLE}_key_values_feed`, KEY_VALUES_DAILY.table, dialect),
      // The last to be fed comes first: a block that arrives before all views are there goes all the way, or nowhere.
      ...ROLL_UPS.toReversed().map((rollUp) => createView(rollUp, dialect)),
    ],
  },
];
