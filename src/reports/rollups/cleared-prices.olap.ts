import type { ClearedFigures, ClearedQuestion } from '../../domain/pricing/price-guidance.ts';
import { COUNTED_EVENTS, COUNTED_KINDS } from '../../domain/pricing/pricing-models.ts';
import type { Olap } from '../../storage/olap/olap.ts';

const TIMEOUT_MS = 10_000;
const DAY_SECONDS = 86_400;
const SUMS = [...new Set(COUNTED_KINDS.map((kind) => COUNTED_EVENTS[kind].sum))];

/** What line items had since a UTC day, by the figures of reports. @throws OlapError */
export async function readCleared(olap: Olap, { workspaceId, lineItemIds, fromMs }: ClearedQuestion) {
  if (lineItemIds.length === 0) return [];
  const from = Math.floor(fromMs / 1_000);
  const rows = await olap.query<Readonly<Record<string, string>>>({
    sql: `SELECT toString(line_item_id) AS item, toString(sum(revenue_nanos)) AS nanos,
      ${SUMS.map((column) => `toString(sum(${column})) AS sum_${column}`).join(', ')}
      FROM delivery_line_item_daily WHERE workspace_id = {workspace: UInt32} AND time >= toDateTime({from: UInt32}, 'UTC')
        AND line_item_id IN (SELECT toUInt64(arrayJoin({items: Array(String)}))) GROUP BY item`,
    params: { workspace: workspaceId, from: from - (from % DAY_SECONDS), items: lineItemIds },
    timeoutMs: TIMEOUT_MS,
  });
  return rows.map(
    (row): ClearedFigures => ({
      lineItemId: row['item'] ?? '',
      counts: Object.fromEntries(SUMS.map((column) => [column, Number(row[`sum_${column}`])])),
      revenueNanos: BigInt(row['nanos'] ?? 0),
    }),
  );
}
