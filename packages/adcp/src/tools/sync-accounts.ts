import { z } from 'zod';
import { AdcpError, renderError } from '../protocol/adcp-error.ts';
import { AccountRef, BrandRef, Domain, IdempotencyKey, PushConfig, RequestBase } from '../protocol/parts.ts';
import { type Account, findByBrand, readAccounts, renderAccount } from '../selling/accounts.ts';
import { sellerTool } from './seller-tool.ts';

const Entry = z.union([
  z.looseObject({
    account: z.undefined().optional(),
    brand: BrandRef,
    operator: Domain,
    billing: z.enum(['operator', 'agent', 'advertiser']),
    sandbox: z.boolean().optional(),
    notification_configs: z.array(z.unknown()).max(16).optional(),
  }),
  z.looseObject({
    account: AccountRef,
    brand: z.undefined().optional(),
    operator: z.undefined().optional(),
    notification_configs: z.array(z.unknown()).max(16).optional(),
  }),
]);
type Entry = z.infer<typeof Entry>;

/** Matches the buyer's accounts with those of its key. Accounts are made by the publisher, so nothing is stored and no entry can be created. */
export const syncAccounts = sellerTool({
  name: 'sync_accounts',
  title: 'Match accounts',
  description:
    'Finds the accounts of your key by brand, and says which of yours the publisher has not bound to it. It creates none.',
  input: z.looseObject({
    ...RequestBase,
    idempotency_key: IdempotencyKey,
    accounts: z.array(Entry).max(1_000),
    delete_missing: z.boolean().optional(),
    dry_run: z.boolean().optional(),
    push_notification_config: PushConfig.optional(),
  }),
  run: async ({ call, environment }, { accounts, dry_run: isDry }) => {
    const known = await readAccounts(call);
    const isSandbox = environment === 'staging';
    return {
      ...(isDry === true ? { dry_run: true } : {}),
      accounts: accounts.map((entry) => matched(entry, known, isSandbox)),
    };
  },
});

function matched(entry: Entry, known: readonly Account[], isSandbox: boolean): object {
  const reference = entry.account;
  const [brand, operator] =
    entry.brand !== undefined
      ? [entry.brand, entry.operator]
      : reference !== undefined && 'brand' in reference
        ? [reference.brand, reference.operator]
        : [undefined, undefined];
  const found =
    reference !== undefined && 'account_id' in reference
      ? known.filter(({ id }) => id === reference.account_id)
      : findByBrand(known, brand?.domain ?? '');
  const problem = problemOf(entry, found, isSandbox);
  const [account] = found;
  const shownBrand = brand ?? { domain: account?.domains[0] ?? 'unknown.invalid' };
  const base = { brand: shownBrand, operator: operator ?? shownBrand.domain };
  if (problem !== null || account === undefined)
    return {
      ...base,
      action: 'failed',
      status: 'rejected',
      ...(problem === null ? {} : { errors: [renderError(problem)] }),
    };
  const warnings =
    entry['payment_terms'] === undefined ? [] : ['Payment terms are those of the order; they are not agreed here.'];
  return {
    ...renderAccount(account, isSandbox),
    ...base,
    action: 'unchanged',
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function problemOf(entry: Entry, found: readonly Account[], isSandbox: boolean): AdcpError | null {
  if (entry.notification_configs !== undefined && entry.notification_configs.length > 0)
    return new AdcpError('UNSUPPORTED_FEATURE', 'This seller sends no account notifications.', {
      field: 'notification_configs',
    });
  if ('billing' in entry && entry.billing !== undefined && entry.billing !== 'operator')
    return new AdcpError('BILLING_NOT_SUPPORTED', 'The publisher invoices the operator.', {
      field: 'billing',
      details: { supported_billing: ['operator'] },
    });
  if ('sandbox' in entry && entry.sandbox === true && !isSandbox) return unbound();
  if (found.length === 1) return null;
  return found.length === 0
    ? unbound()
    : new AdcpError('ACCOUNT_AMBIGUOUS', 'Several accounts of this key have this brand. Name one by account_id.');
}

function unbound(): AdcpError {
  return new AdcpError('ACCOUNT_NOT_FOUND', 'This key has no such account. The publisher binds accounts to keys.');
}
