import { mutate } from '../../storage/olap/mutate.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { EVENTS_TABLE } from '../shipping/events.olap.ts';

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
  options: { readonly askEveryMs?: number } = {},
): Promise<number> {
  const params = { workspaceId, userHash };
  const [row] = await olap.query<{ total: string }>({
    sql: `SELECT count() AS total FROM ${EVENTS_TABLE} WHERE ${WHERE}`,
    params,
    isFinal: true,
  });
  const total = Number(row?.total ?? 0);
  if (total === 0) return 0;
  const action = `UPDATE user_hash = 0, order_reference = '', products = '' WHERE ${WHERE}`;
  await mutate(olap, { table: EVENTS_TABLE, action, params, mark: userHash }, options);
  return total;
}
