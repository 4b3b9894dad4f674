import type { Olap } from '../../storage/olap/olap.ts';
import { EVENTS_TABLE } from '../shipping/events.olap.ts';

/** Longest that one deletion may run, in seconds. */
const DELETE_SECONDS_MAX = 3_600;

const WHERE = "workspace_id = {workspaceId: UInt32} AND time < fromUnixTimestamp64Milli({beforeMs: Int64}, 'UTC')";

/** How many events of a workspace are older than an instant. */
export async function countEventsBefore(olap: Olap, workspaceId: number, beforeMs: number): Promise<number> {
  const [row] = await olap.query<{ total: string }>({
    sql: `SELECT count() AS total FROM ${EVENTS_TABLE} WHERE ${WHERE}`,
    params: { workspaceId, beforeMs },
  });
  return Number(row?.total ?? 0);
}

/** Deletes them and resolves when they are gone. The sums behind reports stay. */
export async function deleteEventsBefore(olap: Olap, workspaceId: number, beforeMs: number): Promise<void> {
  await olap.command(
    `ALTER TABLE ${EVENTS_TABLE} DELETE WHERE ${WHERE}`,
    { workspaceId, beforeMs },
    { mutations_sync: 2, max_execution_time: DELETE_SECONDS_MAX },
  );
}
