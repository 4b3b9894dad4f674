import { type CountedSum, IMPORTED_EVENT_PREFIX } from '../domain/money/counted-sums.ts';
import { COUNTED_EVENTS, COUNTED_KINDS, EVENT_COUNTERS } from '../domain/pricing/pricing-models.ts';
import type { Olap } from '../storage/olap/olap.ts';

const TIMEOUT_MS = 600_000;
const IDS = ['advertiser', 'campaign', 'line_item', 'creative'] as const;
const COUNTERS = COUNTED_KINDS.map(
  (kind) => `toString(sumIf(quantity, kind = '${kind}')) AS ${COUNTED_EVENTS[kind].counter}`,
).join(', ');

type SumRow = Readonly<Record<string, string | number>>;

/** Sums of one creative of one line item, with the ads that responses held. */
export interface ImportedSum extends CountedSum {
  readonly served: bigint;
}

/** Reads the sums of imported history alone, as a `ReadCountedSums`. @throws OlapError */
export function readImportedSums(
  olap: Olap,
): (of: { readonly timezone: string | null; readonly fromMs: number }) => Promise<ImportedSum[]> {
  return async ({ timezone, fromMs }) => {
    const rows = await olap.query<SumRow>({
      sql: `SELECT workspace_id, ${IDS.map((id) => `toString(${id}_id) AS ${id}`).join(', ')},
          ${timezone === null ? "''" : 'toString(toDate(events.time, {zone: String}))'} AS day,
          ${COUNTERS}, toString(sumIf(quantity, kind = 'served')) AS served, toString(sum(revenue_nanos)) AS spend
        FROM events
        WHERE startsWith(event_id, '${IMPORTED_EVENT_PREFIX}') AND invalid_reason = '' AND toString(line_item_id) NOT IN ('', '0')
          AND events.time >= fromUnixTimestamp64Milli({from: Int64}, 'UTC')
        GROUP BY workspace_id, ${IDS.map((id) => `${id}_id`).join(', ')}, day
        ORDER BY workspace_id, ${IDS.join(', ')}, day`,
      params: { from: fromMs, ...(timezone === null ? {} : { zone: timezone }) },
      timeoutMs: TIMEOUT_MS,
      isFinal: true,
    });
    return rows.map(sumOf);
  };
}

function sumOf(row: SumRow): ImportedSum {
  const text = (name: string): string => (row[name] === '0' ? '' : String(row[name] ?? ''));
  const count = (name: string): bigint => BigInt(row[name] ?? 0);
  return {
    workspaceId: Number(row['workspace_id']),
    advertiserId: text('advertiser'),
    campaignId: text('campaign'),
    lineItemId: text('line_item'),
    creativeId: text('creative'),
    day: String(row['day'] ?? ''),
    served: count('served'),
    counts: Object.fromEntries(
      [...EVENT_COUNTERS, 'spend'].map((kind) => [kind, count(kind)]),
    ) as unknown as CountedSum['counts'],
  };
}
