import type { Olap } from '../../../storage/olap/olap.ts';
import type { OlapMigration } from '../../../storage/olap/migrate-olap.ts';
import { OPPORTUNITY_SAMPLE_MIGRATION } from '../../traffic/opportunity-sample.olap.ts';

/** Outcomes of sampled decisions by line item and hour. This module writes and reads it. */
export const DECISION_REASONS_TABLE = 'decision_reasons';

/** One row of {@link DECISION_REASONS_TABLE}. */
export interface DecisionReasonRow {
  readonly workspace_id: number;
  readonly line_item_id: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS`: the beginning of the hour, or the second after a change of the line item within it. */
  readonly hour: string;
  /** `won`, or the set of tests that it failed (`writeOutcome`); of earlier versions the first of them. */
  readonly reason: string;
  /** Decisions that the sample represents. */
  readonly quantity: number;
}

export const DECISION_REASON_COLUMNS: readonly (keyof DecisionReasonRow)[] = [
  'workspace_id',
  'line_item_id',
  'hour',
  'reason',
  'quantity',
];

/** The tables of this module. Rows of decision reasons live for 35 days. */
export const DELIVERY_OLAP_MIGRATIONS: readonly OlapMigration[] = [
  {
    id: '0040-decision-reasons',
    statements: (dialect) => [
      `CREATE TABLE IF NOT EXISTS ${dialect.stored(DECISION_REASONS_TABLE)}${dialect.onCluster} (
  workspace_id UInt32,
  line_item_id LowCardinality(String),
  hour DateTime('UTC'),
  reason LowCardinality(String),
  quantity UInt64
) ENGINE = ${dialect.mergeTree('Summing', 'quantity')}
ORDER BY (workspace_id, line_item_id, hour, reason)
TTL hour + INTERVAL 35 DAY
SETTINGS ${dialect.deduplicated}`,
      ...dialect.distribute(DECISION_REASONS_TABLE, 'cityHash64(workspace_id, line_item_id)'),
    ],
  },
  OPPORTUNITY_SAMPLE_MIGRATION,
];

/** Outcomes of one line item in one hour, or in the part of it after a change. */
export interface CountedOutcome {
  /** As `writeOutcome` wrote it. */
  readonly outcome: string;
  /** The beginning of the hour or of its part. */
  readonly fromMs: number;
  readonly quantity: number;
}

/** How often each outcome occurred since an hour, by line item, most frequent first. */
export async function readDecisionReasons(
  olap: Olap,
  workspaceId: number,
  lineItemIds: readonly string[],
  sinceMs: number,
): Promise<Map<string, CountedOutcome[]>> {
  const rows = await olap.query<{ line_item_id: string; reason: string; at: string; total: string }>({
    sql: `SELECT line_item_id, reason, toUnixTimestamp(hour) AS at, sum(quantity) AS total FROM ${DECISION_REASONS_TABLE}
WHERE workspace_id = {workspace: UInt32} AND line_item_id IN {lineItems: Array(String)} AND hour >= toDateTime({since: UInt32}, 'UTC')
GROUP BY line_item_id, reason, hour ORDER BY total DESC, reason`,
    params: { workspace: workspaceId, lineItems: lineItemIds, since: Math.floor(sinceMs / 1_000) },
    timeoutMs: 10_000,
  });
  const found = new Map<string, CountedOutcome[]>(lineItemIds.map((id) => [id, []]));
  for (const { line_item_id, reason, at, total } of rows)
    found.get(line_item_id)?.push({ outcome: reason, fromMs: Number(at) * 1_000, quantity: Number(total) });
  return found;
}
