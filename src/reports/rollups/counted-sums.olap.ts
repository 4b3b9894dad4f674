import type { CountedSum, ReadCountedSums } from '../../domain/money/counted-sums.ts';
import { COUNTED_EVENTS, COUNTED_KINDS, EVENT_COUNTERS } from '../../domain/pricing/pricing-models.ts';
import type { EventCounter } from '../../domain/pricing/pricing-models.ts';
import type { Olap } from '../../storage/olap/olap.ts';

const TIMEOUT_MS = 600_000;
const DAY_MS = 86_400_000;

interface SumRow extends Readonly<Record<SumKind, string>> {
  readonly workspace_id: number;
  readonly advertiser: string;
  readonly campaign: string;
  readonly line_item: string;
  readonly creative: string;
  readonly day: string;
}

type SumKind = EventCounter | 'spend';
/** Each counter with its events and its column of the roll-ups. */
const SUMS = COUNTED_KINDS.map((kind) => ({ kind, ...COUNTED_EVENTS[kind] }));
const SUM_KINDS: readonly SumKind[] = [...EVENT_COUNTERS, 'spend'];
const IDS = ['advertiser', 'campaign', 'line_item', 'creative'] as const;

/** The counted columns of the roll-up by quarter hours. */
const PARTS = SUMS.map(({ counter, sum }) => `toString(sum(toInt128(${sum}))) AS ${counter}`).join(', ');

/** Reads what delivery counted from the roll-ups. @throws OlapError */
export function readCountedSums(olap: Olap): ReadCountedSums {
  return async ({ timezone, fromMs }) => {
    const day = timezone === null ? "''" : 'toString(toDate(facts.time, {zone: String}))';
    const rows = await olap.query<SumRow>({
      sql: `SELECT workspace_id, ${IDS.map((id) => `toString(facts.${id}_id) AS ${id}`).join(', ')}, ${day} AS day,
          ${PARTS}, toString(sum(revenue_nanos)) AS spend
        FROM delivery_quarter_hourly AS facts
        WHERE facts.line_item_id != 0 AND facts.time >= toDateTime({from: Int64}, 'UTC')
        GROUP BY workspace_id, ${IDS.map((id) => `facts.${id}_id`).join(', ')}, day`,
      params: {
        from: Math.floor(fromMs / DAY_MS) * (DAY_MS / 1_000),
        ...(timezone === null ? {} : { zone: timezone }),
      },
      timeoutMs: TIMEOUT_MS,
      isFinal: true,
    });
    return rows.map(sumOf);
  };
}

function sumOf(row: SumRow): CountedSum {
  const idOf = (id: string): string => (id === '0' ? '' : id);
  return {
    workspaceId: Number(row.workspace_id),
    advertiserId: idOf(row.advertiser),
    campaignId: idOf(row.campaign),
    lineItemId: idOf(row.line_item),
    creativeId: idOf(row.creative),
    day: row.day,
    counts: Object.fromEntries(SUM_KINDS.map((kind) => [kind, BigInt(row[kind])])) as Record<SumKind, bigint>,
  };
}
