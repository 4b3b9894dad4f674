import type { Olap } from '../../src/storage/olap/olap.ts';

/** The size of the data that reports are measured on. */
export const ROWS = { lineItems: 5_000, creativesPerLineItem: 2, days: 90 } as const;
/** The first line item's id; the rest follow. */
export const FIRST_LINE_ITEM = 500_000;

const DAY_MS = 86_400_000;

/** The UTC days that are filled: up to the day before yesterday, so that all of them are closed in any zone. */
export function filledDays(nowMs: number): { readonly firstMs: number; readonly lastMs: number } {
  const lastMs = Math.floor(nowMs / DAY_MS) * DAY_MS - 2 * DAY_MS;
  return { firstMs: lastMs - (ROWS.days - 1) * DAY_MS, lastMs };
}

/**
 * Fills the roll-ups of one workspace: every line item's creatives served in every hour. Written to the widest table, one context
 * an hour and creative; the materialized views bring the rows to hours, days and versions, as they do with events.
 * @returns rows of the hourly table
 */
export async function fillRollUps(
  olap: Olap,
  workspaceId: number,
  firstMs: number,
  days: number = ROWS.days,
): Promise<number> {
  const perDay = ROWS.lineItems * ROWS.creativesPerLineItem * 24;
  for (let day = 0; day < days; day += 1) {
    await olap.command(INSERT_DAY, { workspaceId, perDay, day, from: (firstMs + day * DAY_MS) / 1000 });
  }
  return perDay * days;
}

/** `h` is a hash that stands for chance; `l` the line item, `c` the creative. */
const INSERT_DAY = `INSERT INTO delivery_quarter_hourly (workspace_id, time, advertiser_id, campaign_id, line_item_id, creative_id,
    site_id, area_id, ad_unit_id, line_item_type, creative_format, size, country, device_type, os, browser, npa, impressions,
    gross_impressions, served, clicks, gross_clicks, viewable_impressions, measurable_impressions, revenue_nanos, users)
  SELECT {workspaceId:UInt32}, toDateTime({from:UInt32} + (number % 24) * 3600 + h % 4 * 900, 'UTC'), 1000 + l % 50, 10000 + l % 500,
    ${FIRST_LINE_ITEM} + l, 1000000 + l * 2 + c, 1 + h % 4, 1 + h % 8, 1 + h % 20,
    arrayElement(['STANDARD', 'SPONSORSHIP', 'PRICE', 'HOUSE'], 1 + l % 4), 'IMAGE', arrayElement(['300x250', '728x90', '320x50'], 1 + h % 3),
    arrayElement(['PL', 'DE', 'FR', 'US', 'GB'], 1 + intDiv(h, 8) % 5), arrayElement(['desktop', 'phone', 'tablet'], 1 + intDiv(h, 64) % 3),
    arrayElement(['Windows', 'Android', 'iOS'], 1 + intDiv(h, 128) % 3), arrayElement(['Chrome', 'Safari', 'Firefox'], 1 + intDiv(h, 512) % 3),
    h % 10 = 0, 10 + h % 500, 10 + h % 500 + h % 7, 12 + h % 500, h % 9, h % 9, 5 + h % 250, 8 + h % 400, toInt128(10 + h % 500) * 1500000,
    arrayReduce('uniqCombined64State', [toUInt64(h % 100000), toUInt64(intDiv(h, 100000) % 100000)])
  FROM (SELECT number, cityHash64(number, {day:UInt32}) AS h, intDiv(number, 24) % ${ROWS.lineItems} AS l,
    intDiv(number, ${24 * ROWS.lineItems}) AS c FROM numbers({perDay:UInt32}))
  SETTINGS max_threads = 1`;

/** The data of the key-value measurements: line items, each with ten sets of values in every hour. */
export const KEY_VALUE_ROWS = { lineItems: 1_000, setsPerLineItem: 10, sections: 48 } as const;
/** Ids of the two keys: section and kind of page. */
export const KEYS = { section: 900_001, kind: 900_002 } as const;

/**
 * Fills the roll-up of key-values of one workspace: {@link KEY_VALUE_ROWS} over the same days as {@link fillRollUps}. The materialized
 * views bring the rows to days.
 * @returns rows of the hourly table
 */
export async function fillKeyValues(olap: Olap, workspaceId: number, firstMs: number): Promise<number> {
  const perDay = KEY_VALUE_ROWS.lineItems * KEY_VALUE_ROWS.setsPerLineItem * 24;
  for (let day = 0; day < ROWS.days; day += 1) {
    await olap.command(INSERT_KEY_VALUES_DAY, { workspaceId, perDay, day, from: (firstMs + day * DAY_MS) / 1000 });
  }
  return perDay * ROWS.days;
}

/** `j` is the number of the set within the line item: its section, of one site, and its kind of page. */
const INSERT_KEY_VALUES_DAY = `INSERT INTO delivery_key_values_hourly (workspace_id, time, advertiser_id, campaign_id, line_item_id, site_id,
    line_item_type, key_values, impressions, gross_impressions, served, clicks, gross_clicks, viewable_impressions,
    measurable_impressions, revenue_nanos, users)
  SELECT {workspaceId:UInt32}, toDateTime({from:UInt32} + (number % 24) * 3600, 'UTC'), 1000 + l % 50, 10000 + l % 500,
    ${FIRST_LINE_ITEM} + l, 1 + section % 4, arrayElement(['STANDARD', 'SPONSORSHIP', 'PRICE', 'HOUSE'], 1 + l % 4),
    concat('{"${KEYS.section}":"section-', toString(section), '","${KEYS.kind}":"', arrayElement(['article', 'list', 'video'], 1 + j % 3), '"}'),
    10 + h % 500, 10 + h % 500 + h % 7, 12 + h % 500, h % 9, h % 9, 5 + h % 250, 8 + h % 400, toInt128(10 + h % 500) * 1500000,
    arrayReduce('uniqCombined64State', [toUInt64(h % 100000), toUInt64(intDiv(h, 100000) % 100000)])
  FROM (SELECT number, cityHash64(number, {day:UInt32}) AS h, intDiv(number, 24) % ${KEY_VALUE_ROWS.lineItems} AS l,
    intDiv(number, ${24 * KEY_VALUE_ROWS.lineItems}) AS j, (l * 7 + j * 5) % ${KEY_VALUE_ROWS.sections} AS section FROM numbers({perDay:UInt32}))
  SETTINGS max_threads = 1`;

/** Merges closed months now, as the store does after a day. */
export async function joinClosedMonths(olap: Olap, lastMs: number): Promise<void> {
  const open = new Date(lastMs).toISOString().slice(0, 7).replace('-', '');
  const parts = await olap.query<{ table: string; month: string }>({
    sql: `SELECT DISTINCT table, partition_id AS month FROM system.parts WHERE active AND database = currentDatabase()
      AND (table LIKE 'delivery_line_item%' OR table LIKE 'delivery_key_values%') AND partition_id != {open:String}`,
    params: { open },
  });
  for (const { table, month } of parts) await olap.command(`OPTIMIZE TABLE ${table} PARTITION ID '${month}' FINAL`);
}

/** Waits until the store has nothing left to merge, at most `timeoutMs`. */
export async function waitForMerges(olap: Olap, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let quiet = 0;
  while (quiet < 4 && performance.now() < deadline) {
    const [row] = await olap.query<{ n: string }>({ sql: 'SELECT count() AS n FROM system.merges' });
    quiet = row?.n === '0' ? quiet + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
