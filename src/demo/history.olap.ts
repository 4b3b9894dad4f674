import type { Environment } from '../domain/tenancy/workspace.ts';
import { mutate } from '../storage/olap/mutate.ts';
import type { Olap } from '../storage/olap/olap.ts';
import { HOUR_CURVE, WEEKDAY_CURVE } from './traffic-curve.ts';

/** One way an ad was shown in the past: a creative of a line item in an ad unit, with its believable rates. */
export interface HistoryStream {
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly lineItemId: string;
  readonly lineItemType: string;
  readonly creativeId: string;
  readonly creativeFormat: string;
  readonly dealId: string;
  readonly advertisingProductId: string;
  readonly siteId: string;
  readonly areaId: string;
  readonly adUnitId: string;
  readonly size: string;
  /** ISO 3166-1 alpha-2; '' = those of the whole network. */
  readonly country: string;
  /** Impressions in an average hour. */
  readonly hourly: number;
  /** 1: paced to a goal, so that no day of the week is busier and nothing grows; else 0. */
  readonly isPaced: number;
  /** Its flight, in epoch seconds; the end is exclusive. */
  readonly startsAt: number;
  readonly endsAt: number;
  /** Clicks per impression. */
  readonly clickRate: number;
  /** Viewable share of the measurable impressions. */
  readonly viewability: number;
  /** Nanos that one impression, viewable impression, click or attributed activity earns; three of them are 0. */
  readonly nanosPerImpression: number;
  readonly nanosPerViewable: number;
  readonly nanosPerClick: number;
  readonly nanosPerActivity: number;
  /** What a day of its line item earns, under FLAT; 0 in all streams of a line item but one. */
  readonly nanosPerDay: number;
}

/** The scope of the history. `hours` stretches of an hour up to `untilMs`, so that the hour in hand has its part; production being larger than staging. */
export interface HistoryPlan {
  readonly workspaceId: number;
  readonly environment: Environment;
  readonly activityId: string;
  readonly streams: readonly HistoryStream[];
  readonly untilMs: number;
  readonly hours: number;
  /** IANA zone whose hours and weekdays the traffic curve follows. */
  readonly timezone: string;
}

const TEXTS = [
  'advertiserId',
  'campaignId',
  'lineItemId',
  'lineItemType',
  'creativeId',
  'creativeFormat',
  'dealId',
  'advertisingProductId',
  'siteId',
  'areaId',
  'adUnitId',
  'size',
  'country',
] as const;
const NUMBERS = [
  'hourly',
  'isPaced',
  'startsAt',
  'endsAt',
  'clickRate',
  'viewability',
  'nanosPerImpression',
  'nanosPerViewable',
  'nanosPerClick',
  'nanosPerActivity',
  'nanosPerDay',
] as const;

/** Each kind of event with its count as a share of the hour's impressions `n`, and what one of them earns. */
const KINDS: readonly { readonly kind: string; readonly count: string; readonly nanos: string }[] = [
  { kind: 'request', count: 'toUInt32(n * 1.12) + 1', nanos: '0' },
  { kind: 'served', count: 'toUInt32(n * 1.04) + 1', nanos: '0' },
  { kind: 'impression', count: 'n', nanos: 'nanosPerImpression' },
  { kind: 'measurable', count: 'toUInt32(n * 0.96)', nanos: '0' },
  {
    kind: 'viewable',
    count: 'toUInt32(n * 0.96 * least(0.97, viewability * (0.94 + 0.12 * r3)))',
    nanos: 'nanosPerViewable',
  },
  { kind: 'click', count: 'toUInt32(n * clickRate * (0.7 + 0.6 * r2) + r3)', nanos: 'nanosPerClick' },
  { kind: 'activity', count: 'toUInt32(n * clickRate * 0.04 * (0.5 + r2) + r1)', nanos: 'nanosPerActivity' },
  // The present day earns its price with its first impression.
  { kind: 'flat_day', count: 'nanosPerDay > 0 AND hourOfDay = 0 AND day < today', nanos: 'nanosPerDay' },
  { kind: 'video_start', count: "if(creativeFormat = 'VIDEO', toUInt32(n * 0.93), 0)", nanos: '0' },
  {
    kind: 'video_complete',
    count: "if(creativeFormat = 'VIDEO', toUInt32(n * 0.93 * (0.58 + 0.1 * r2)), 0)",
    nanos: '0',
  },
];

/** A run of whole hours of a plan, counted back from its end, and the name by which inserting it twice counts once. */
export interface HistoryStretch {
  readonly fromHour: number;
  readonly hours: number;
  readonly token: string;
}

/**
 * Writes one stretch of the history into `events` (and so into every roll-up). Safe to repeat with the same plan and token: the rows
 * follow from the plan alone, and are one block in one order, so that the token covers all of them in every table.
 */
export async function writeHistory(olap: Olap, plan: HistoryPlan, stretch: HistoryStretch): Promise<void> {
  await olap.command(INSERT_HISTORY, historyParams(plan, stretch), {
    max_partitions_per_insert_block: 200,
    max_threads: 1,
    max_insert_threads: 1,
    min_insert_block_size_rows: 10_000_000,
    min_insert_block_size_bytes: 1_000_000_000,
    insert_deduplicate: 1,
    insert_deduplication_token: stretch.token,
    deduplicate_blocks_in_dependent_materialized_views: 1,
  });
}

/** Deletes everything counted for a workspace, raw and rolled up. */
export async function clearHistory(olap: Olap, workspaceId: number, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const found = await olap.query({
      sql: `SELECT 1 AS found FROM ${table} WHERE workspace_id = {workspace: UInt32} LIMIT 1`,
      params: { workspace: workspaceId },
      isFinal: true,
    });
    // A mutation rewrites every part of a table: not for a workspace that has nothing in it.
    if (found.length === 0) continue;
    await mutate(olap, {
      table,
      action: 'DELETE WHERE workspace_id = {workspace: UInt32}',
      params: { workspace: workspaceId },
      mark: String(workspaceId),
    });
  }
}

function historyParams(
  plan: HistoryPlan,
  { fromHour, hours }: HistoryStretch,
): Record<string, string | number | (string | number)[]> {
  const params: Record<string, string | number | (string | number)[]> = {
    workspace: plan.workspaceId,
    activity: plan.activityId,
    until: Math.floor(plan.untilMs / 1_000),
    from: fromHour,
    count: hours,
    hours: plan.hours,
    zone: plan.timezone,
    seed: plan.environment === 'production' ? 1 : 7,
  };
  for (const name of TEXTS) params[name] = plan.streams.map((stream) => stream[name]);
  for (const name of NUMBERS) params[name] = plan.streams.map((stream) => stream[name]);
  return params;
}

/** A day belongs to its line item, not to an ad of it. */
const ofAd = (name: string): string => `if(kind = 'flat_day', '', ${name})`;

const INSERT_HISTORY = insertStatement();

function insertStatement(): string {
  const names = [...TEXTS, ...NUMBERS];
  const arrays = [
    ...TEXTS.map((name) => `{${name}: Array(String)}`),
    ...NUMBERS.map((name) => `{${name}: Array(Float64)}`),
  ].join(', ');
  const columns = names.map((name, at) => `stream.${at + 1} AS ${name}`).join(', ');
  const counted = KINDS.map(({ kind, count, nanos }) => `('${kind}', toUInt32(${count}), toFloat64(${nanos}))`).join(
    ', ',
  );
  return `
INSERT INTO events (event_id, workspace_id, kind, time, impression_id, advertiser_id, campaign_id, line_item_id, line_item_type, creative_id,
  creative_format, deal_id, advertising_product_id, site_id, area_id, ad_unit_id, size, country, region, device_type, os, browser, npa, user_hash,
  activity_id, attribution, value_micros, revenue_nanos, quantity, invalid_reason)
SELECT concat('demo:', toString({workspace: UInt32}), ':', kind, ':', toString(h), ':', lineItemId, ':', creativeId, ':', adUnitId),
  {workspace: UInt32}, one.1 AS kind, fromUnixTimestamp64Milli(toInt64(moment) * 1000 + toInt64(r4 * 3599000), 'UTC'), '',
  advertiserId, campaignId, lineItemId, lineItemType, ${ofAd('creativeId')}, ${ofAd('creativeFormat')}, dealId, advertisingProductId,
  ${['siteId', 'areaId', 'adUnitId', 'size', 'userCountry'].map(ofAd).join(', ')}, '',
  ${['deviceType', 'os', 'browser'].map(ofAd).join(', ')}, r4 < 0.22, if(r4 < 0.22 OR kind = 'flat_day', 0, 1 + cityHash64(h, lineItemId, adUnitId) % 60000),
  if(kind = 'activity', {activity: String}, ''), if(kind = 'activity', if(r2 < 0.8, 'click', 'view'), ''),
  if(kind = 'activity', toInt64(one.2 * (40 + 160 * r3)) * 1000000, 0), toInt64(one.2 * one.3), one.2, ''
FROM (
  SELECT *,
    ['desktop', 'mobile', 'tablet'][deviceIndex] AS deviceType,
    [['Windows', 'macOS', 'Linux'], ['Android', 'iOS', 'Android'], ['iOS', 'Android', 'iOS']][deviceIndex][1 + toUInt8(r5 * 2.99)] AS os,
    if(os = 'iOS' OR (os = 'macOS' AND r6 < 0.5), 'Safari', if(r6 < 0.72, 'Chrome', if(r6 < 0.86, 'Firefox', 'Edge'))) AS browser,
    if(country != '', country, ['PL', 'PL', 'PL', 'PL', 'PL', 'PL', 'DE', 'DE', 'SE', 'FR'][1 + toUInt8(r6 * 9.99)]) AS userCountry
  FROM (
    SELECT *, 1 + (r1 > 0.42) + (r1 > 0.93) AS deviceIndex,
      toUInt32(hourly * curve * if(isPaced = 1, 1, weekday * growth) * if(isPaced = 1, 0.95 + 0.1 * r2, 0.75 + 0.5 * r2) + r3) AS n
    FROM (
      SELECT number AS h, ${columns}, {until: UInt32} - (h + 1) * 3600 AS moment,
        toHour(toDateTime(moment), {zone: String}) AS hourOfDay, toDayOfWeek(toDateTime(moment), 0, {zone: String}) AS dayOfWeek,
        toDate(toDateTime(moment), {zone: String}) AS day, toDate(toDateTime({until: UInt32}), {zone: String}) AS today,
        [${HOUR_CURVE.join(', ')}][hourOfDay + 1] AS curve,
        [${WEEKDAY_CURVE.join(', ')}][dayOfWeek] AS weekday,
        1.08 - 0.16 * (h / greatest(1, {hours: UInt32})) AS growth,
        ${[1, 2, 3, 4, 5, 6].map((n) => `(cityHash64(${n}, {seed: UInt8}, h, lineItemId, creativeId, adUnitId) % 10000) / 10000 AS r${n}`).join(', ')}
      FROM numbers({from: UInt32}, {count: UInt32})
      ARRAY JOIN arrayZip(${arrays}) AS stream
      WHERE moment >= startsAt AND moment < endsAt
    )
  )
)
ARRAY JOIN [${counted}] AS one
WHERE one.2 > 0`;
}
