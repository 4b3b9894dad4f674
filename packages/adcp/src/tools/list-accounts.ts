import { z } from 'zod';
import { AdcpError } from '../protocol/adcp-error.ts';
import { pageOf } from '../protocol/pages.ts';
import { AccountRef, PageRequest, RequestBase } from '../protocol/parts.ts';
import { readAccounts, renderAccount, resolveAccount } from '../selling/accounts.ts';
import { sellerTool } from './seller-tool.ts';

/** Accounts of the agent's key. */
export const listAccounts = sellerTool({
  name: 'list_accounts',
  title: 'List accounts',
  description: 'The accounts that your key can buy for. The publisher binds accounts to keys.',
  input: z.looseObject({
    ...RequestBase,
    account: AccountRef.optional(),
    status: z.enum(['active', 'pending_approval', 'rejected', 'payment_required', 'suspended', 'closed']).optional(),
    sandbox: z.boolean().optional(),
    pagination: PageRequest.optional(),
  }),
  run: async (context, { account, status, sandbox, pagination: page }) => {
    const isSandbox = context.environment === 'staging';
    if (sandbox !== undefined && sandbox !== isSandbox)
      return { accounts: [], pagination: pageOf([], page).pagination };
    const all = account === undefined ? await readAccounts(context.call) : await findOne(context, account);
    const wanted = all.filter(
      (one) => status === undefined || status === (one.status === 'ACTIVE' ? 'active' : 'closed'),
    );
    const { items, pagination } = pageOf(wanted, page);
    return { accounts: items.map((one) => renderAccount(one, isSandbox)), pagination };
  },
});

/** The account of a filter; nothing where the key has none. */
async function findOne(context: Parameters<typeof resolveAccount>[0], reference: AccountRef) {
  try {
    return [await resolveAccount(context, reference)];
  } catch (error) {
    if (error instanceof AdcpError && error.code === 'ACCOUNT_NOT_FOUND') return [];
    throw error;
  }
}
