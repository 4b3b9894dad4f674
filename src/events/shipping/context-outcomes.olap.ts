import { HOURS_OF_PART } from '../../domain/events/context-outcome.ts';
import type { AskedOutcomes, ContextOutcome } from '../../domain/events/context-outcome.ts';
import { COUNTED_KINDS } from '../../domain/pricing/pricing-models.ts';
import { EVENTS_TABLE, STORED_AT_COLUMN } from './events.olap.ts';
import type { Olap } from '../../storage/olap/olap.ts';

const TIMEOUT_MS = 120_000;
const HOUR_MS = 3_600_000;
/** Events of a click come up to thirty days after the ad. */
const OLDEST_MS = 32 * 86_400_000;
/** Most contexts of one reading: those with the most events. */
const CONTEXTS_MAX = 200_000;

/** Impressions, and the events that matter to their line item, of each creative in each context. */
export async function readContextOutcomes(
  olap: Pick<Olap, 'query'>,
  { workspaceId, events, fromMs, toMs }: AskedOutcomes,
): Promise<ContextOutcome[]> {
  const counts = COUNTED_KINDS.map((kind) => `sumIf(quantity, kind = '${kind}') AS n_${kind}`).join(', ');
  const rows = await olap.query<Record<string, string>>({
    sql: `SELECT line_item_id, creative_id, site_id, ad_unit_id, device_type, country,
        toString(intDiv(toHour(time, 'UTC'), ${HOURS_OF_PART})) AS part, ${counts}
      FROM ${EVENTS_TABLE} WHERE workspace_id = {workspaceId: UInt32} AND invalid_reason = '' AND kind IN {kinds: Array(String)}
        AND ${STORED_AT_COLUMN} > fromUnixTimestamp64Milli({from: Int64}, 'UTC')
        AND ${STORED_AT_COLUMN} <= fromUnixTimestamp64Milli({to: Int64}, 'UTC')
        AND time >= fromUnixTimestamp64Milli({oldest: Int64}, 'UTC') AND line_item_id IN {lineItems: Array(String)}
      GROUP BY line_item_id, creative_id, site_id, ad_unit_id, device_type, country, part
      ORDER BY sum(quantity) DESC LIMIT ${CONTEXTS_MAX}`,
    params: {
      workspaceId,
      kinds: COUNTED_KINDS,
      from: fromMs,
      to: toMs,
      oldest: Math.max(0, fromMs - OLDEST_MS),
      lineItems: [...events.keys()],
    },
    timeoutMs: TIMEOUT_MS,
  });
  return rows.flatMap((row) => {
    const lineItemId = row['line_item_id'] ?? '';
    const kinds = events.get(lineItemId) ?? [];
    const context = {
      siteId: row['site_id'] ?? '',
      adUnitId: row['ad_unit_id'] ?? '',
      deviceType: row['device_type'] ?? '',
      country: row['country'] ?? '',
      timeMs: Number(row['part']) * HOURS_OF_PART * HOUR_MS,
    };
    const of = { lineItemId, creativeId: row['creative_id'] ?? '', context, trials: Number(row['n_impression']) };
    return kinds.map((kind) => ({ ...of, kind, hits: Number(row[`n_${kind}`]) }));
  });
}
