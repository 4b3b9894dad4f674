import { lockCount } from '../../../storage/sql/count-lock.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import { hasEnded } from './experiment.rules.ts';

/** Finds another experiment that has not ended, when the row itself has not. In a transaction, that stays so until its end. */
export async function loadExperimentFacts(
  context: ManagementContext,
  row: StoredRow,
): Promise<Record<string, unknown>> {
  const { workspaceId } = context.principal;
  const now = new Date(context.nowMs());
  if (hasEnded(row, now.getTime())) return {};
  const db = queryableOf(context);
  await lockCount(db, `experiments of ${workspaceId}`);
  const other = await db
    .selectFrom('experiments')
    .select(['id', 'name', 'ends_at'])
    .where('workspace_id', '=', workspaceId)
    .where('ends_at', '>', now)
    .whereRef('ends_at', '>', 'starts_at')
    .where('id', '<>', row.id)
    .executeTakeFirst();
  return other === undefined ? {} : { other };
}
