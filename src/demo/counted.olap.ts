import type { Olap } from '../storage/olap/olap.ts';

/** The counted events of one served ad, by kind. */
export interface CountedRow {
  readonly impression_id: string;
  readonly line_item_id: string;
  readonly line_item_type: string;
  readonly kind: string;
  /** '' = counted; else why it is not billed. */
  readonly invalid_reason: string;
  /** Unsigned decimal text. */
  readonly events: string;
  /** Nanos, decimal text. */
  readonly revenue: string;
}

/** The events of these ads in the last three hours. At most 50 ids. */
export function readCounted(olap: Olap, workspaceId: number, impressionIds: readonly string[]): Promise<CountedRow[]> {
  return olap.query<CountedRow>({
    sql: `SELECT impression_id, any(line_item_id) AS line_item_id, any(line_item_type) AS line_item_type, kind, invalid_reason,
        toString(sum(quantity)) AS events, toString(sum(revenue_nanos)) AS revenue
      FROM events
      WHERE workspace_id = {workspace: UInt32} AND time > now() - INTERVAL 3 HOUR 
        AND impression_id IN {ids: Array(String)}
      GROUP BY impression_id, kind, invalid_reason`,
    params: { workspace: workspaceId, ids: impressionIds.slice(0, 50) },
    timeoutMs: 3000,
  });
}
