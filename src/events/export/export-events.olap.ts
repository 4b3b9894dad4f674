import type { EventColumn } from '../../domain/events/event.ts';
import type { Olap, OlapSettings } from '../../storage/olap/olap.ts';
import type { ExportedWorkspace } from '../../storage/export/exported-workspaces.sql.ts';
import { EVENTS_TABLE, STORED_AT_COLUMN } from '../shipping/events.olap.ts';
import { type ExportedFile, HOUR_MS, type HourManifest } from './export-layout.ts';

/** A column of an exported file. */
export interface ExportColumn {
  readonly name: EventColumn | typeof STORED_AT_COLUMN | 'network_id' | 'environment';
  /** The type in Parquet, as tools that read it say. */
  readonly type: 'string' | 'bool' | 'int64' | 'timestamp (ms, UTC)' | 'map<string, string>';
  /** SQL of its value. */
  readonly sql: string;
  /** For docs/export.md. */
  readonly meaning: string;
}

/** The rows of the user that an erasure removes. The parameter is 0 where nobody is erased; no user has this hash. */
const IS_ERASED = '(events.user_hash != 0 AND events.user_hash = {erased: UInt64})';

function text(name: EventColumn, meaning: string): ExportColumn {
  return { name, type: 'string', sql: `toString(events.${name})`, meaning };
}

function amount(name: EventColumn, meaning: string): ExportColumn {
  return { name, type: 'int64', sql: `toInt64(events.${name})`, meaning };
}

function ofUser(name: EventColumn, meaning: string): ExportColumn {
  return { name, type: 'string', sql: `if(${IS_ERASED}, '', toString(events.${name}))`, meaning };
}

/** The columns of exported events, in their order. docs/export.md has them; a test compares the two. */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  text('event_id', 'unique: no two rows of all files have the same one'),
  { name: 'network_id', type: 'string', sql: '{networkId: String}', meaning: 'id of the network' },
  { name: 'environment', type: 'string', sql: '{environment: String}', meaning: '`production` or `staging`' },
  text(
    'kind',
    'what happened: `request`, `served`, `impression`, `viewable`, `click`, `activity`, `touch`, `video_start` …',
  ),
  { name: 'time', type: 'timestamp (ms, UTC)', sql: 'events.time', meaning: 'when it happened' },
  {
    name: STORED_AT_COLUMN,
    type: 'timestamp (ms, UTC)',
    sql: `events.${STORED_AT_COLUMN}`,
    meaning: 'when the analytics store received it; 1970 for events from before this column',
  },
  text('impression_id', 'the impression that a click, viewable impression, conversion or video event belongs to'),
  text('advertiser_id', 'id of the advertiser'),
  text('campaign_id', 'id of the campaign'),
  text('line_item_id', 'id of the line item'),
  text('line_item_type', '`SPONSORSHIP`, `STANDARD`, `PRICE` or `HOUSE`'),
  text('creative_id', 'id of the creative'),
  text('creative_format', '`IMAGE`, `HTML`, `NATIVE`, `VIDEO` or `AUDIO`'),
  text('deal_id', 'id of the deal'),
  text('advertising_product_id', 'id of the advertising product'),
  text('site_id', 'id of the site'),
  text('area_id', 'id of the area'),
  text('ad_unit_id', 'id of the ad unit'),
  text('size', 'such as `300x250`'),
  text('country', 'ISO 3166-1, two letters'),
  text('region', 'region of the country'),
  text('device_type', '`desktop`, `mobile`, `tablet` …'),
  text('os', 'operating system'),
  text('browser', 'browser'),
  { name: 'npa', type: 'bool', sql: 'events.npa', meaning: 'true: no personalisation, and no user' },
  {
    name: 'user_hash',
    type: 'string',
    sql: `if(events.npa OR events.user_hash = 0 OR ${IS_ERASED}, '', leftPad(lower(hex(events.user_hash)), 16, '0'))`,
    meaning: 'keyed hash of the user, 16 hex digits; empty under `npa`, without a user, and after an erasure',
  },
  text('activity_id', 'id of the activity'),
  text(
    'attribution',
    '`click` or `view` for an attributed conversion; `only`, `first`, `middle` or `last` for a touch on its path',
  ),
  amount('value_micros', 'what the conversion was worth, in millionths of the currency'),
  amount('revenue_nanos', 'what the event earned, in billionths of the currency'),
  amount('quantity', 'number of events in the row: 1, except for `request`, `served` and imported history'),
  text('invalid_reason', 'why the event is not billed; empty = billable'),
  text(
    'activity_event',
    "the activity's event as sent, such as `purchased`; for `video_error`: the domain of the third party whose tag failed",
  ),
  ofUser('order_reference', 'the order reference as sent'),
  amount(
    'item_count',
    'items of the order; for a touch: the number of touches of its conversion; for `video_error`: the error code of VAST',
  ),
  amount('tax_micros', 'tax of the order, in millionths of the currency'),
  ofUser('products', 'JSON array as sent'),
  {
    name: 'key_values',
    type: 'map<string, string>',
    sql: "CAST(events.key_values, 'Map(String, String)')",
    meaning: "values of the network's reported keys, by key; `0`: the arm of the [experiment](experiments.md) that ran",
  },
];

/** The columns as a manifest names them. */
export const MANIFEST_COLUMNS: HourManifest['columns'] = EXPORT_COLUMNS.map(({ name, type }) => ({ name, type }));

/** Which rows a file holds. */
export type FileRange = Pick<ExportedFile, 'storedFrom' | 'storedUntil' | 'slice' | 'slices'>;

/** An hour of a workspace. */
export interface ExportHour {
  readonly workspace: ExportedWorkspace;
  readonly hourMs: number;
}

/** Reports come first: one thread, and the lowest priority where the store has any. */
const EXPORT_SETTINGS: OlapSettings = { max_threads: 1, priority: 10 };
const STATEMENT_TIMEOUT_MS = 600_000;
/** One look at the table covers so much, so that its result stays small. */
const DAY_MS = 24 * HOUR_MS;

const IN_HOUR = `events.workspace_id = {workspaceId: UInt32}
  AND events.time >= fromUnixTimestamp64Milli({from: Int64}, 'UTC') AND events.time < fromUnixTimestamp64Milli({until: Int64}, 'UTC')`;

/** Numbers that this program computed: the statement holds them as literals. */
function inFile({ storedFrom, storedUntil, slice, slices }: FileRange): string {
  const instant = (ms: number): string => `fromUnixTimestamp64Milli(toInt64(${requireCount(ms)}), 'UTC')`;
  const inSlice =
    slices === 1 ? '' : ` AND cityHash64(events.event_id) % ${requireCount(slices)} = ${requireCount(slice)}`;
  return `events.${STORED_AT_COLUMN} >= ${instant(storedFrom)} AND events.${STORED_AT_COLUMN} < ${instant(storedUntil)}${inSlice}`;
}

function requireCount(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not a count`);
  return value;
}

function hourParams({ workspace, hourMs }: ExportHour): Record<string, string | number> {
  return { workspaceId: workspace.workspaceId, from: hourMs, until: hourMs + HOUR_MS };
}

/** The store's clock, by which it says when it received an event; epoch milliseconds. */
export async function readStoreClock(olap: Olap): Promise<number> {
  const [row] = await olap.query<{ ms: string }>({ sql: 'SELECT toUnixTimestamp64Milli(now64(3)) AS ms' });
  return Number(row?.ms ?? 0);
}

/** Events of one hour of a workspace. */
export interface HourCount {
  readonly workspaceId: number;
  readonly hourMs: number;
  readonly rows: number;
}

/** How many events each hour has that the store received before an instant, by workspace; the oldest hours first. */
export async function countHours(
  olap: Olap,
  range: { readonly fromMs: number; readonly untilMs: number; readonly storedUntilMs: number },
): Promise<HourCount[]> {
  const counts: HourCount[] = [];
  for (let fromMs = range.fromMs; fromMs < range.untilMs; fromMs += DAY_MS) {
    const rows = await olap.query<{ workspace_id: number; hour: number; total: string }>({
      sql: `SELECT workspace_id, toUnixTimestamp(toStartOfHour(time)) AS hour, count() AS total FROM ${EVENTS_TABLE}
        WHERE time >= fromUnixTimestamp64Milli({fromMs: Int64}, 'UTC') AND time < fromUnixTimestamp64Milli({untilMs: Int64}, 'UTC')
          AND ${STORED_AT_COLUMN} < fromUnixTimestamp64Milli({storedUntilMs: Int64}, 'UTC')
        GROUP BY workspace_id, hour ORDER BY hour, workspace_id`,
      params: { ...range, fromMs, untilMs: Math.min(fromMs + DAY_MS, range.untilMs) },
      settings: EXPORT_SETTINGS,
      timeoutMs: STATEMENT_TIMEOUT_MS,
      isFinal: true,
    });
    for (const { workspace_id, hour, total } of rows)
      counts.push({ workspaceId: workspace_id, hourMs: hour * 1_000, rows: Number(total) });
  }
  return counts;
}

/** How many events of an hour each file should hold now. */
export async function countFiles(olap: Olap, hour: ExportHour, files: readonly FileRange[]): Promise<number[]> {
  return countEach(olap, hour, files, 'true');
}

/** How many events of a user each file holds. @param userHash as column `user_hash` has it */
export async function countFilesOfUser(
  olap: Olap,
  hour: ExportHour,
  files: readonly FileRange[],
  userHash: string,
): Promise<number[]> {
  return countEach(olap, hour, files, `events.user_hash = toUInt64('${BigInt(userHash)}')`);
}

const COUNTED_AT_ONCE = 50;

async function countEach(
  olap: Olap,
  hour: ExportHour,
  files: readonly FileRange[],
  condition: string,
): Promise<number[]> {
  const counts: number[] = [];
  for (let start = 0; start < files.length; start += COUNTED_AT_ONCE) {
    const part = files.slice(start, start + COUNTED_AT_ONCE);
    const columns = part.map((file, at) => `countIf(${inFile(file)}) AS c${at}`).join(', ');
    const [row] = await olap.query<Record<string, string>>({
      sql: `SELECT ${columns} FROM ${EVENTS_TABLE} AS events WHERE ${IN_HOUR} AND ${condition}`,
      params: hourParams(hour),
      settings: EXPORT_SETTINGS,
      timeoutMs: STATEMENT_TIMEOUT_MS,
      isFinal: true,
    });
    counts.push(...part.map((_file, at) => Number(row?.[`c${at}`] ?? 0)));
  }
  return counts;
}

/** The bytes of a file, as the store writes Parquet. The same rows give the same bytes. @param erased '0' = nobody */
export function streamFile(olap: Olap, hour: ExportHour, file: FileRange, erased: string): AsyncIterable<Buffer> {
  const columns = EXPORT_COLUMNS.map(({ name, sql }) => `${sql} AS ${name}`).join(', ');
  return olap.stream({
    // The columns of the result have names of the table's columns: inside, those of the table are meant.
    sql: `SELECT ${columns} FROM ${EVENTS_TABLE} AS events
      WHERE ${IN_HOUR} AND ${inFile(file)} ORDER BY events.time, events.event_id`,
    params: {
      ...hourParams(hour),
      networkId: hour.workspace.networkId,
      environment: hour.workspace.environment,
      erased,
    },
    settings: {
      ...EXPORT_SETTINGS,
      max_bytes_before_external_sort: 200_000_000,
      output_format_parquet_compression_method: 'zstd',
      output_format_parquet_string_as_string: 1,
      output_format_parquet_parallel_encoding: 0,
    },
    timeoutMs: STATEMENT_TIMEOUT_MS,
    isFinal: true,
    format: 'Parquet',
  });
}

/** Hours in which a user has events. @param userHash as column `user_hash` has it */
export async function readHoursOfUser(olap: Olap, workspaceId: number, userHash: string): Promise<number[]> {
  return readHours(olap, 'user_hash = toUInt64({userHash: String})', { workspaceId, userHash });
}

/** Hours of a workspace that are older than an instant and have events. */
export async function readHoursBefore(olap: Olap, workspaceId: number, beforeMs: number): Promise<number[]> {
  return readHours(olap, "time < fromUnixTimestamp64Milli({beforeMs: Int64}, 'UTC')", { workspaceId, beforeMs });
}

async function readHours(olap: Olap, condition: string, params: Record<string, string | number>): Promise<number[]> {
  const rows = await olap.query<{ hour: number }>({
    sql: `SELECT DISTINCT toUnixTimestamp(toStartOfHour(time)) AS hour FROM ${EVENTS_TABLE}
      WHERE workspace_id = {workspaceId: UInt32} AND ${condition} ORDER BY hour`,
    params,
    timeoutMs: STATEMENT_TIMEOUT_MS,
    isFinal: true,
  });
  return rows.map(({ hour }) => hour * 1_000);
}

/** Whether the store is still removing a user from events: until then a file could hold the user. */
export async function isErasing(olap: Olap): Promise<boolean> {
  const [row] = await olap.query<{ running: string }>({
    sql: `SELECT count() AS running FROM ${olap.dialect.systemTable('mutations')}
      WHERE database = currentDatabase() AND table = '${olap.dialect.stored(EVENTS_TABLE)}' AND NOT is_done
        AND position(command, 'user_hash') > 0`,
  });
  return row !== undefined && row.running !== '0';
}
