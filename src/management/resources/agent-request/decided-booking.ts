import { PlacardError } from '../../../domain/errors.ts';
import { updateObject } from '../../kernel/write.ts';
import type { InTransaction } from '../../kernel/write.ts';
import { CAMPAIGN } from '../campaign/campaign.ts';
import { LINE_ITEM } from '../line-item/line-item.ts';
import { type AgentRequestRow, listBookedItems } from './agent-requests.sql.ts';

/**
 * A task that is approved says no more than the booking does: its campaign is live, and no line item of it is still a draft.
 *
 * @throws PlacardError `conflict`
 */
export async function checkLive(
  { transaction, principal }: InTransaction,
  { campaign_id: campaignId }: AgentRequestRow,
  status: string | undefined,
): Promise<void> {
  if (campaignId === null || status !== 'ACTIVE')
    throw new PlacardError('conflict', 'Make the campaign of the request ACTIVE first, with its line items.');
  const items = await listBookedItems(transaction, principal.workspaceId, campaignId);
  const [draft] = items.filter((one) => one.status === 'DRAFT');
  if (draft !== undefined)
    throw new PlacardError(
      'conflict',
      `Line item ${draft.id} is a DRAFT: make it ACTIVE or PAUSED first, or archive it.`,
    );
  if (!items.some((one) => one.status !== 'ARCHIVED'))
    throw new PlacardError('conflict', 'The campaign of the request has no line item that is in use.');
}

/** Archives the drafts of a booking that was rejected, so that they count for no limit of the buyer. */
export async function withdrawBooking(inner: InTransaction, campaignId: bigint): Promise<void> {
  const change = { input: { status: 'ARCHIVED' }, trial: false, path: 'input' } as const;
  for (const { id, status } of await listBookedItems(inner.transaction, inner.principal.workspaceId, campaignId))
    if (status === 'DRAFT') await updateObject(inner, LINE_ITEM, { id: String(id), version: null }, change);
  await updateObject(inner, CAMPAIGN, { id: String(campaignId), version: null }, change);
}
