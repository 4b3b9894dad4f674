import type { EventColumn } from '../../domain/events/event.ts';
import type { OlapMigration } from '../../storage/olap/migrate-olap.ts';

/** The analytics table of all events. This module writes it; the reports module sums it up. */
export const EVENTS_TABLE = 'events';

/**
 * Batches of events are inserted here; the table itself stores nothing, a view hands each block on to {@link EVENTS_TABLE}. Its texts are
 * plain: reading texts into `LowCardinality` one by one takes as long as everything else of an insert, converting a block of them does not.
 */
export const EVENTS_INTAKE_TABLE = 'events_intake';

const COLUMN_TYPES: Readonly<Record<EventColumn, string>> = {
  event_id: 'String CODEC(ZSTD(1))',
  workspace_id: 'UInt32',
  kind: 'LowCardinality(String)',
  time: "DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1))",
  impression_id: 'String CODEC(ZSTD(1))',
  advertiser_id: 'LowCardinality(String)',
  campaign_id: 'LowCardinality(String)',
  line_item_id: 'LowCardinality(String)',
  line_item_type: 'LowCardinality(String)',
  creative_id: 'LowCardinality(String)',
  creative_format: 'LowCardinality(String)',
  deal_id: 'LowCardinality(String)',
  advertising_product_id: 'LowCardinality(String)',
  site_id: 'LowCardinality(String)',
  area_id: 'LowCardinality(String)',
  ad_unit_id: 'LowCardinality(String)',
  size: 'LowCardinality(String)',
  country: 'LowCardinality(String)',
  region: 'LowCardinality(String)',
  device_type: 'LowCardinality(String)',
  os: 'LowCardinality(String)',
  browser: 'LowCardinality(String)',
  npa: 'Bool',
  user_hash: 'UInt64',
  activity_id: 'LowCardinality(String)',
  attribution: 'LowCardinality(String)',
  value_micros: 'Int64',
  revenue_nanos: 'Int64',
  quantity: 'UInt32',
  invalid_reason: 'LowCardinality(String)',
  activity_event: 'LowCardinality(String)',
  order_reference: 'String CODEC(ZSTD(1))',
  item_count: 'UInt32',
  tax_micros: 'Int64',
  products: 'String CODEC(ZSTD(1))',
  key_values: 'Map(LowCardinality(String), String)',
};

/** The store's own marks: who it is, and how far it is known to be. */
export const STORE_MARKS_TABLE = 'placard_store_marks';
/** When the store received the row. Exported files are parts of this time. Inserts do not name it. */
export const STORED_AT_COLUMN = 'stored_at';

/** The columns that inserts name, in the table's order. */
export const EVENT_COLUMNS: readonly string[] = Object.keys(COLUMN_TYPES);

/**
 * Where a row is stored on a cluster. Events of one line item and ad unit are together, so that the roll-ups of a shard are as much smaller as its
 * events.
 */
const SHARD_KEY = 'cityHash64(workspace_id, line_item_id, ad_unit_id)';

const columnList = Object.entries(COLUMN_TYPES)
  .map(([name, type]) => `  ${name} ${type}`)
  .join(',\n');

/** The columns of {@link EVENTS_INTAKE_TABLE} with their types. A new column of `events` needs the same column here and a new view. */
export const INTAKE_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(COLUMN_TYPES).map(([name, type]) => [
    name,
    type.replace(/ CODEC\(.*\)$/, '').replaceAll('LowCardinality(String)', 'String'),
  ]),
);

const intakeColumns = Object.entries(INTAKE_TYPES)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');

/** The tables of this module. */
export const EVENT_OLAP_MIGRATIONS: readonly OlapMigration[] = [
  {
    id: '0100-events',
    replaces: ['0001-events', '0002-key-values', '0003-intake', '0004-stored-at', '0005-store-marks'],
    statements: (dialect) => [
      `CREATE TABLE IF NOT EXISTS ${dialect.stored(EVENTS_TABLE)}${dialect.onCluster} (
${columnList},
  ${STORED_AT_COLUMN} DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') CODEC(Delta, ZSTD(1))
) ENGINE = ${dialect.mergeTree()}
PARTITION BY toYYYYMM(time)
ORDER BY (workspace_id, toStartOfHour(time), kind, line_item_id)
SETTINGS ${dialect.deduplicated}`,
      ...dialect.distribute(EVENTS_TABLE, SHARD_KEY),
      `CREATE TABLE IF NOT EXISTS ${dialect.stored(EVENTS_INTAKE_TABLE)}${dialect.onCluster} (${intakeColumns}) ENGINE = Null`,
      ...dialect.distribute(EVENTS_INTAKE_TABLE, SHARD_KEY),
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${EVENTS_INTAKE_TABLE}_feed${dialect.onCluster} TO ${dialect.stored(EVENTS_TABLE)} AS
        SELECT ${EVENT_COLUMNS.join(', ')} FROM ${dialect.stored(EVENTS_INTAKE_TABLE)}`,
      `CREATE TABLE IF NOT EXISTS ${STORE_MARKS_TABLE}${dialect.onCluster} (store_id String, number UInt64)
        ENGINE = ${dialect.mergeTreeEverywhere('Replacing', 'number')} ORDER BY store_id`,
    ],
  },
];
