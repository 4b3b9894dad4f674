import { CROCKFORD } from '../../domain/ids/ids.ts';
import type { AskedConversions, ConversionAges } from '../../domain/events/conversion-ages.ts';
import type { Olap } from '../../storage/olap/olap.ts';

const TIMEOUT_MS = 120_000;
const HOUR_MS = 3_600_000;
/** Delays are told apart by a fifth: so many steps double them. */
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
  const shown = await olap.query<Record<'id' | 'advertiser' | 'count', string> & { hour: number }>({
    sql: `SELECT toString(line_item_id) AS id, toString(max(advertiser_id)) AS advertiser, toUnixTimestamp(toStartOfHour(time)) AS hour,
        sum(impressions) AS count
      FROM delivery_line_item_hourly WHERE workspace_id = {workspaceId: UInt32} AND line_item_id IN arrayMap(id -> toUInt64(id), {lineItems: Array(String)})
        AND time >= fromUnixTimestamp64Milli({since: Int64}, 'UTC')
      GROUP BY line_item_id, hour HAVING count > 0`,
    params,
    timeoutMs: TIMEOUT_MS,
  });
  const converted = await olap.query<Record<'id' | 'count', string> & { step: number }>({
    sql: `SELECT line_item_id AS id, toInt32(floor(${STEPS} * log2(1 + greatest(0, (toUnixTimestamp64Milli(time) - shown_ms) / 1000) / ${FIRST_STEP_SECONDS}))) AS step,
        count() AS count
      FROM (SELECT line_item_id, time, ${MADE_MS} AS shown_ms FROM events
        WHERE workspace_id = {workspaceId: UInt32} AND kind = 'activity' AND invalid_reason = ''
          AND time >= fromUnixTimestamp64Milli({since: Int64}, 'UTC')
          AND line_item_id IN {lineItems: Array(String)}
          AND match(impression_id, '${ULID}'))
      WHERE shown_ms >= {since: Int64}
      GROUP BY line_item_id, step`,
    params,
    timeoutMs: TIMEOUT_MS,
  });
  const delays = Map.groupBy(converted, ({ id }) => id);
  return [...Map.groupBy(shown, ({ id }) => id)].map(([lineItemId, hours]) => ({
    lineItemId,
    advertiserId: hours[0]?.advertiser ?? '',
    shown: hours.map(({ hour, count }) => ({
      ageMs: Math.max(0, nowMs - (hour * 1_000 + HOUR_MS / 2)),
      count: Number(count),
    })),
    converted: (delays.get(lineItemId) ?? []).map(({ step, count }) => ({
      delayMs: delayOfStep(step),
      count: Number(count),
    })),
  }));
}

/** The middle of a step. */
function delayOfStep(step: number): number {
  return 1_000 * FIRST_STEP_SECONDS * (2 ** ((step + 0.5) / STEPS) - 1);
}
