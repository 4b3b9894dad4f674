import { mutate } from '../../storage/olap/mutate.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { EVENTS_TABLE } from '../shipping/events.olap.ts';

const WHERE = "workspace_id = {workspaceId: UInt32} AND time < fromUnixTimestamp64Milli({beforeMs: Int64}, 'UTC')";

/** How many events of a workspace are older than an instant. */
export async function countEventsBefore(olap: Olap, workspaceId: number, beforeMs: number): Promise<number> {
  const [row] = await olap.query<{ total: string }>({
    sql: `SELECT count() AS total FROM ${EVENTS_TABLE} WHERE ${WHERE}`,
    params: { workspaceId, beforeMs },
    isFinal: true,
  });
  return Number(row?.total ?? 0);
}

/** Deletes them and resolves when they are gone. The sums behind reports stay. */
export async function deleteEventsBefore(olap: Olap, workspaceId: number, beforeMs: number): Promise<void> {
  await mutate(olap, {
    table: EVENTS_TABLE,
    action: `DELETE WHERE ${WHERE}`,
    params: { workspaceId, beforeMs },
    mark: String(beforeMs),
  });
}
