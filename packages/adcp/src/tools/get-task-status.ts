import { z } from 'zod';
import { findBuy } from '../buying/media-buys.ts';
import { AdcpError } from '../protocol/adcp-error.ts';
import type { Payload } from '../protocol/envelope.ts';
import { AccountRef, Id, RequestBase } from '../protocol/parts.ts';
import { resolveAccount } from '../selling/accounts.ts';
import { findStored, type StoredRequest } from '../selling/agent-requests.ts';
import { readPortfolio } from '../selling/products.ts';
import { renderCreated } from './create-media-buy.ts';
import type { SellerContext } from '../api/seller-context.ts';
import { sellerTool } from './seller-tool.ts';

const STATUSES = {
  RUNNING: 'working',
  SUBMITTED: 'submitted',
  COMPLETED: 'completed',
  REJECTED: 'rejected',
  FAILED: 'failed',
} as const;
/** Tools whose tasks are of the creative protocol. */
const CREATIVE_TOOLS = ['sync_creatives'];

/** How far a task is, which waits for a person or is done. */
export const getTaskStatus = sellerTool({
  name: 'get_task_status',
  title: 'Follow a task',
  description: 'Whether a submitted buy was approved or rejected, why, and with include_result the buy.',
  input: z.looseObject({
    ...RequestBase,
    task_id: Id,
    account: AccountRef.optional(),
    include_result: z.boolean().optional(),
    include_history: z.boolean().optional(),
  }),
  run: async (context, { task_id: id, account: reference, include_result: withResult }) => {
    const account = reference === undefined ? null : await resolveAccount(context, reference);
    const stored = await findStored(context.call, id);
    if (stored === null || (account !== null && stored.advertiserId !== account.id))
      throw new AdcpError('REFERENCE_NOT_FOUND', 'There is no such task.', { field: 'task_id' });
    const { state, tool, createdAt, updatedAt, reason } = stored;
    const isOver = state !== 'RUNNING' && state !== 'SUBMITTED';
    const result = withResult === true && state === 'COMPLETED' ? await resultOf(context, stored) : null;
    return {
      task_id: stored.id,
      task_type: tool,
      protocol: CREATIVE_TOOLS.includes(tool) ? 'creative' : 'media-buy',
      status: STATUSES[state],
      created_at: createdAt,
      updated_at: updatedAt,
      ...(isOver ? { completed_at: updatedAt } : {}),
      has_webhook: stored.noticeStatus !== null,
      ...(state === 'REJECTED'
        ? { error: { code: 'TERMS_REJECTED', message: reason ?? 'The publisher rejected the buy.' } }
        : {}),
      ...(result === null ? {} : { result }),
    };
  },
});

/** The response of a task: of one that a person approved, the buy as it is. */
async function resultOf(context: SellerContext, stored: StoredRequest): Promise<Payload | null> {
  const { decidedAt, campaignId, advertiserId, response } = stored;
  if (decidedAt === null || campaignId === null || advertiserId === null) return response;
  const [made, portfolio, account] = await Promise.all([
    findBuy(context.call, campaignId),
    readPortfolio(context.call),
    resolveAccount(context, { account_id: advertiserId }),
  ]);
  return made === null ? null : renderCreated(made, { account, portfolio, context });
}
