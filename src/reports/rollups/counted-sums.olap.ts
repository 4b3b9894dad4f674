import { IMPORTED_EVENT_PREFIX } from '../../domain/money/counted-sums.ts';
import type { CountedSum, ReadCountedSums } from '../../domain/money/counted-sums.ts';
import type { Olap } from '../../storage/olap/olap.ts';

const TIMEOUT_MS = 600_000;
const DAY_MS = 86_400_000;

interface SumRow {
  readonly workspace_id: number;
  readonly advertiser: string;
  readonly campaign: string;
  readonly line_item: string;
  readonly creative: string;
  readonly day: string;
  readonly imp: string;
  readonly view: string;
  readonly clk: string;
  readonly conv: string;
  readonly spend: string;
}

const IDS = ['advertiser', 'campaign', 'line_item', 'creative'] as const;

/** SQL of the counted columns, from the roll-up by quarter hours and, negative, from imported events. */
const ROLLED_UP = `SELECT workspace_id, time, ${IDS.map((id) => `${id}_id AS ${id}`).join(', ')},
  toInt128(impressions) AS i, toInt128(viewable_impressions) AS v, toInt128(clicks) AS c, toInt128(activities) AS a, revenue_nanos AS r
  FROM delivery_quarter_hourly`;
const subtracted = (kind: string): string => `-toInt128(if(kind = '${kind}', quantity, 0))`;
const IMPORTED = `SELECT workspace_id, toDateTime(time, 'UTC') AS time, ${IDS.map((id) => `toUInt64OrZero(toString(${id}_id)) AS ${id}`).join(', ')},
  ${subtracted('impression')} AS i, ${subtracted('viewable')} AS v, ${subtracted('click')} AS c, ${subtracted('activity')} AS a,
  -toInt128(revenue_nanos) AS r FROM events WHERE startsWith(event_id, '${IMPORTED_EVENT_PREFIX}') AND invalid_reason = ''`;

/** Reads what delivery counted from the roll-ups. @throws OlapError */
export function readCountedSums(olap: Olap): ReadCountedSums {
  return async ({ timezone, fromMs }) => {
    const day = timezone === null ? "''" : 'toString(toDate(facts.time, {zone: String}))';
    const rows = await olap.query<SumRow>({
      sql: `SELECT workspace_id, ${IDS.map((id) => `toString(facts.${id}) AS ${id}`).join(', ')}, ${day} AS day,
          toString(sum(i)) AS imp, toString(sum(v)) AS view, toString(sum(c)) AS clk, toString(sum(a)) AS conv, toString(sum(r)) AS spend
        FROM (${ROLLED_UP} UNION ALL ${IMPORTED}) AS facts
        WHERE facts.line_item != 0 AND facts.time >= toDateTime({from: Int64}, 'UTC')
        GROUP BY workspace_id, ${IDS.map((id) => `facts.${id}`).join(', ')}, day`,
      // Imported events are compared with quarter hours: both must begin together.
      params: {
        from: Math.floor(fromMs / DAY_MS) * (DAY_MS / 1_000),
        ...(timezone === null ? {} : { zone: timezone }),
      },
      timeoutMs: TIMEOUT_MS,
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
    counts: {
      imp: BigInt(row.imp),
      view: BigInt(row.view),
      clk: BigInt(row.clk),
      conv: BigInt(row.conv),
      spend: BigInt(row.spend),
    },
  };
}
