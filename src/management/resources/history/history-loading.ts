import { onceInRequest } from '../../kernel/loaders.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import { hasWaitingHistory } from './history.sql.ts';

/**
 * Whether the history of the caller's workspace is still being imported or made, so that counters grow without delivery and say nothing of
 * pacing. One statement for a request. @throws what PostgreSQL throws
 */
export function loadHistoryLoading(context: ManagementContext): Promise<boolean> {
  const { workspaceId } = context.principal;
  return onceInRequest(context, 'historyLoading', async () => {
    if (context.isHistoryMade?.(workspaceId) === true) return true;
    return context.budget.read(() => hasWaitingHistory(queryableOf(context), workspaceId));
  });
}
