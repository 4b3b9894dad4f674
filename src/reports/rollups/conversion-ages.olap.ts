import { CROCKFORD } from '../../domain/ids/ids.ts';
import type { AskedConversions, ConversionAges } from '../../domain/events/conversion-ages.ts';
import type { Olap } from '../../storage/olap/olap.ts';

const TIMEOUT_MS = 120_000;
const HOUR_MS = 3_600_000;
/** Ages and delays are rounded: four steps double them. A line item has at most some sixty of each, however many impressions it has. */
const STEPS = 4;
const FIRST_STEP_SECONDS = 60;
/** An id of an impression, of which ten characters tell when it was made. ClickHouse has a function for that, the embedded one has not. */
const ULID = `^[0-7][${CROCKFORD}]{25}$`;
const MADE_MS = `arraySum(at -> (position('${CROCKFORD}', substring(impression_id, at, 1)) - 1) * toInt64(exp2(5 * (10 - at))),
  range(1, 11))`;

/** Impressions by age, from the hourly roll-up, and conversions by the time between their ad and them. An impression's id tells when its ad was decided. */
export async function readConversionAges(
  olap: Pick<Olap, 'query'>,
  { workspaceId, lineItemIds, sinceMs, nowMs }: AskedConversions,
): Promise<ConversionAges[]> {
  if (lineItemIds.length === 0) return [];
  const sinceHourMs = Math.ceil(sinceMs / HOUR_MS) * HOUR_MS;
  const params = { workspaceId, lineItems: lineItemIds, since: sinceHourMs };
  const shown = await olap.query<StepsOfLineItem & { readonly advertiser: string }>({
    sql: `SELECT id, any(advertiser) AS advertiser, ${GATHERED} FROM (
        SELECT toString(line_item_id) AS id, toString(max(advertiser_id)) AS advertiser,
          ${stepOf('{now: Int64} / 1000 - toUnixTimestamp(toStartOfHour(time)) - 1800')} AS step, sum(impressions) AS count
        FROM delivery_line_item_hourly WHERE workspace_id = {workspaceId: UInt32}
          AND line_item_id IN arrayMap(id -> toUInt64(id), {lineItems: Array(String)})
          AND time >= fromUnixTimestamp64Milli({since: Int64}, 'UTC')
        GROUP BY line_item_id, step HAVING count > 0) GROUP BY id`,
    params: { ...params, now: nowMs },
    timeoutMs: TIMEOUT_MS,
  });
  const converted = await olap.query<StepsOfLineItem>({
    sql: `SELECT id, ${GATHERED} FROM (
        SELECT line_item_id AS id, ${stepOf('(toUnixTimestamp64Milli(time) - shown_ms) / 1000')} AS step, count() AS count
        FROM (SELECT line_item_id, time, ${MADE_MS} AS shown_ms FROM events
          WHERE workspace_id = {workspaceId: UInt32} AND kind = 'activity' AND invalid_reason = ''
            AND time >= fromUnixTimestamp64Milli({since: Int64}, 'UTC')
            AND line_item_id IN {lineItems: Array(String)} AND match(impression_id, '${ULID}'))
        WHERE shown_ms >= {since: Int64}
        GROUP BY line_item_id, step) GROUP BY id`,
    params,
    timeoutMs: TIMEOUT_MS,
  });
  const delays = new Map(converted.map((row) => [row.id, timesOf(row)]));
  return shown.map((row) => ({
    lineItemId: row.id,
    advertiserId: row.advertiser,
    shown: timesOf(row).map(({ ms, count }) => ({ ageMs: ms, count })),
    converted: (delays.get(row.id) ?? []).map(({ ms, count }) => ({ delayMs: ms, count })),
  }));
}

/** Counts by step, as arrays, so that a line item is one row. */
interface StepsOfLineItem {
  readonly id: string;
  readonly steps: readonly number[];
  readonly counts: readonly string[];
}

const GATHERED = 'groupArray(step) AS steps, groupArray(count) AS counts';

function stepOf(seconds: string): string {
  return `toInt32(floor(${STEPS} * log2(1 + greatest(0, ${seconds}) / ${FIRST_STEP_SECONDS})))`;
}

function timesOf({ steps, counts }: StepsOfLineItem): { readonly ms: number; readonly count: number }[] {
  return steps.map((step, at) => ({ ms: middleOfStep(step), count: Number(counts[at]) }));
}

/** The middle of a step. */
function middleOfStep(step: number): number {
  return 1_000 * FIRST_STEP_SECONDS * (2 ** ((step + 0.5) / STEPS) - 1);
}
