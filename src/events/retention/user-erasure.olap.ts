import { setTimeout as sleep } from 'node:timers/promises';
import { OlapError } from '../../storage/olap/olap.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { EVENTS_TABLE } from '../shipping/events.olap.ts';

/** Longest that the rewriting of one user's events may run, in seconds. The wait for a statement is much shorter: after that we poll. */
const UPDATE_SECONDS_MAX = 3_600;
const ASK_EVERY_MS = 2_000;

const WHERE = 'workspace_id = {workspaceId: UInt32} AND user_hash = {userHash: UInt64}';

/**
 * Takes a user out of the stored events: they stay, because they were billed, but without user, order reference and products. Nothing else
 * changes, since reports of single events and of sums must agree. Resolves when the rewriting is complete.
 *
 * @param userHash decimal text, as column `user_hash` has it; not '0'
 * @returns how many events there were
 * @throws OlapError also when the store says that it cannot rewrite them, or takes more than an hour
 */
export async function anonymiseEvents(
  olap: Olap,
  workspaceId: number,
  userHash: string,
  { askEveryMs = ASK_EVERY_MS }: { readonly askEveryMs?: number } = {},
): Promise<number> {
  const params = { workspaceId, userHash };
  const deadlineMs = performance.now() + UPDATE_SECONDS_MAX * 1_000;
  const [row] = await olap.query<{ total: string }>({
    sql: `SELECT count() AS total FROM ${EVENTS_TABLE} WHERE ${WHERE}`,
    params,
  });
  const total = Number(row?.total ?? 0);
  if (total === 0) return 0;
  try {
    await olap.command(
      `ALTER TABLE ${EVENTS_TABLE} UPDATE user_hash = 0, order_reference = '', products = '' WHERE ${WHERE}`,
      params,
      { mutations_sync: 2, max_execution_time: UPDATE_SECONDS_MAX },
    );
  } catch (error) {
    if (!(error instanceof OlapError) || error.code !== 'timeout') throw error;
    // The statement has timed out here, and the store still works on it.
    while (await isRewriting(olap, userHash)) {
      if (performance.now() > deadlineMs) throw error;
      await sleep(askEveryMs);
    }
  }
  return total;
}

/** Whether the store is still removing this user from events. */
async function isRewriting(olap: Olap, userHash: string): Promise<boolean> {
  const [row] = await olap.query<{ running: string; failure: string }>({
    sql:
      'SELECT count() AS running, max(latest_fail_reason) AS failure FROM system.mutations ' +
      'WHERE database = currentDatabase() AND table = {table: String} AND NOT is_done AND position(command, {userHash: String}) > 0',
    params: { table: EVENTS_TABLE, userHash },
  });
  if (row === undefined || row.running === '0') return false;
  if (row.failure === '') return true;
  throw new OlapError('failed', `Events could not be rewritten: ${row.failure}`, { retryable: true });
}
