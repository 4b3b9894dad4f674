import type { Olap } from '../../src/storage/olap/olap.ts';
import { ROWS } from './report-rows.ts';

/** The reported keys of the network. */
export const REPORT_KEYS = [{ id: '900001', code: 'bench_section', name: 'Section', isArchived: false }] as const;

const LINE_ITEMS = 1_000;
const DAY_MS = 86_400_000;

/** Fills the events of workspace 1, a day an insert; the views bring them to the roll-ups. */
export async function fillEvents(olap: Olap, events: number, firstMs: number): Promise<void> {
  const perDay = Math.ceil(events / ROWS.days);
  for (let day = 0; day < ROWS.days; day += 1)
    await olap.command(INSERT_DAY, { perDay, day, from: (firstMs + day * DAY_MS) / 1_000 });
}

/** `h` is a hash that stands for chance, `l` the line item. */
const INSERT_DAY = `INSERT INTO events (event_id, workspace_id, kind, time, impression_id, advertiser_id, campaign_id, line_item_id, line_item_type,
    creative_id, creative_format, site_id, area_id, ad_unit_id, size, country, device_type, os, browser, npa, user_hash, revenue_nanos,
    quantity, key_values)
  SELECT concat(hex(h), ':imp'), 1, if(h % 50 = 0, 'click', 'impression'), toDateTime64({from:UInt32} + intDiv(h, 7) % 86400, 3, 'UTC'), hex(h),
    toString(1000 + l % 50), toString(10000 + l % 500), toString(500000 + l), arrayElement(['STANDARD', 'SPONSORSHIP', 'PRICE', 'HOUSE'], 1 + l % 4),
    toString(1000000 + l * 2 + h % 2), 'IMAGE', toString(1 + h % 4), toString(1 + h % 8), toString(1 + h % 20),
    arrayElement(['300x250', '728x90', '320x50'], 1 + h % 3), arrayElement(['PL', 'DE', 'FR', 'US', 'GB'], 1 + intDiv(h, 8) % 5),
    arrayElement(['desktop', 'phone', 'tablet'], 1 + intDiv(h, 64) % 3), arrayElement(['Windows', 'Android', 'iOS'], 1 + intDiv(h, 128) % 3),
    arrayElement(['Chrome', 'Safari', 'Firefox'], 1 + intDiv(h, 512) % 3), h % 10 = 0, 1 + intDiv(h, 1000) % 1000000, 12340000, 1,
    map('900001', concat('section-', toString(h % 48)))
  FROM (SELECT cityHash64(number, {day:UInt32}) AS h, intDiv(h, 4096) % ${LINE_ITEMS} AS l FROM numbers({perDay:UInt32}))
  SETTINGS max_threads = 1, max_insert_threads = 1, max_block_size = 1000000, min_insert_block_size_rows = 1000000`;

/** A question, as a report's query and as SQL. */
export interface RawQuestion {
  readonly name: string;
  readonly query: object;
  readonly sql: string;
}

const member = (name: string): string => `campaign_overview.${name}`;
const iso = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

/** What dashboards ask, each with the best SQL that we know for our tables. */
export function rawQuestions({ lastMs }: { readonly lastMs: number }): readonly RawQuestion[] {
  const lastDays = (count: number): [string, string] => [iso(lastMs - (count - 1) * DAY_MS), iso(lastMs)];
  const within = (count: number): string =>
    `workspace_id = 1 AND time >= toDateTime('${lastDays(count)[0]} 00:00:00', 'UTC') AND time < toDateTime('${iso(lastMs + DAY_MS)} 00:00:00', 'UTC')`;
  const time = (count: number, granularity?: string): object => ({
    dimension: member('time'),
    dateRange: lastDays(count),
    ...(granularity === undefined ? {} : { granularity }),
  });
  const measures = ['impressions', 'clicks', 'revenue'].map(member);
  const sums = 'sum(impressions) AS impressions, sum(clicks) AS clicks, sum(revenue_nanos) AS revenue';
  // Only this form can be read from the projection by hour.
  const hourSums = sums.replaceAll('sum(', 'sumOrNull(');
  return [
    {
      name: '90 days by day',
      query: { measures, timeDimensions: [time(90, 'day')] },
      sql: `SELECT time, ${sums} FROM delivery_line_item_daily WHERE ${within(90)} GROUP BY time ORDER BY time LIMIT 10000`,
    },
    {
      name: '90 days by hour',
      query: { measures, timeDimensions: [time(90, 'hour')] },
      sql: `SELECT time, ${hourSums} FROM delivery_line_item_hourly WHERE ${within(90)} GROUP BY time ORDER BY time LIMIT 10000`,
    },
    {
      name: '90 days by line item, by revenue',
      query: {
        measures,
        dimensions: [member('line_item_id')],
        timeDimensions: [time(90)],
        order: { [member('revenue')]: 'desc' },
      },
      sql: `SELECT line_item_id, ${sums} FROM delivery_line_item_daily WHERE ${within(90)} GROUP BY line_item_id ORDER BY revenue DESC LIMIT 10000`,
    },
    {
      name: '30 days by key-value',
      query: { measures, dimensions: [member('kv_bench_section')], timeDimensions: [time(30)] },
      sql: `SELECT simpleJSONExtractString(key_values, '900001') AS section, ${sums} FROM delivery_key_values_daily WHERE ${within(30)}
        GROUP BY section ORDER BY impressions DESC LIMIT 10000`,
    },
    {
      name: '30 days by creative, users in two countries',
      query: {
        measures: ['impressions', 'unique_users'].map(member),
        dimensions: [member('creative_id')],
        timeDimensions: [time(30)],
        filters: [{ member: member('country'), operator: 'equals', values: ['PL', 'DE'] }],
      },
      sql: `SELECT creative_id, sum(impressions) AS impressions, uniqCombined64Merge(users) AS users FROM delivery_quarter_hourly
        WHERE ${within(30)} AND country IN ('PL', 'DE') GROUP BY creative_id ORDER BY impressions DESC LIMIT 10000`,
    },
  ];
}
