import { type CallApi, runGraphql } from '../api/call-api.ts';
import { AdcpError } from '../protocol/adcp-error.ts';
import type { AccountRef } from '../protocol/parts.ts';
import type { SellerContext } from '../api/seller-context.ts';

/** Most accounts that one key sees here. */
const ACCOUNTS_MAX = 1_000;
const PAGE = 100;

/** An account: an advertiser that the key of the agent reaches. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'ARCHIVED';
  readonly domains: readonly string[];
}

interface AdvertiserPage {
  readonly advertisers: {
    readonly nodes: readonly Account[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

export const ADVERTISERS = `query Accounts($first: Int, $after: String) {
  advertisers(first: $first, after: $after) {
    nodes { id: databaseId name status domains }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const ADVERTISER = `query Account($id: ID!) {
  advertiser(id: $id) { id: databaseId name status domains }
}`;

/** The accounts of a key, by id. @throws AdcpError where the key reaches too many to be a buyer's */
export async function readAccounts(call: CallApi): Promise<Account[]> {
  const accounts: Account[] = [];
  let after: string | null = null;
  do {
    const variables: Record<string, unknown> = { first: PAGE, after };
    const { advertisers }: AdvertiserPage = await runGraphql<AdvertiserPage>(call, { query: ADVERTISERS, variables });
    accounts.push(...advertisers.nodes);
    after = advertisers.pageInfo.hasNextPage ? advertisers.pageInfo.endCursor : null;
  } while (after !== null && accounts.length < ACCOUNTS_MAX);
  return accounts;
}

/**
 * The account that a request names. One of another buyer is not told from one that does not exist.
 *
 * @throws AdcpError `ACCOUNT_NOT_FOUND`, `ACCOUNT_AMBIGUOUS`, `ACCOUNT_SUSPENDED`
 */
export async function resolveAccount(
  { call, environment }: Pick<SellerContext, 'call' | 'environment'>,
  reference: AccountRef,
): Promise<Account> {
  if ('account_id' in reference) return usable(await readAccount(call, reference.account_id));
  // A sandbox account of production would be a live one.
  if (reference.sandbox === true && environment !== 'staging') throw notFound();
  const found = findByBrand(await readAccounts(call), reference.brand.domain);
  if (found.length > 1)
    throw new AdcpError('ACCOUNT_AMBIGUOUS', 'Several accounts of this key have this brand. Name one by account_id.', {
      field: 'account',
      suggestion: 'Call list_accounts, then send account_id.',
    });
  return usable(found[0] ?? null);
}

/** Accounts of a brand: those whose ads lead to its domain. Archived ones count only where no other is left. */
export function findByBrand(accounts: readonly Account[], domain: string): Account[] {
  const found = accounts.filter(({ domains }) => domains.includes(domain));
  const inUse = found.filter(({ status }) => status === 'ACTIVE');
  return inUse.length > 0 ? inUse : found;
}

async function readAccount(call: CallApi, id: string): Promise<Account | null> {
  // The API would refuse other texts in words of its own.
  if (!/^\d{1,19}$/.test(id)) return null;
  const { advertiser } = await runGraphql<{ advertiser: Account | null }>(call, {
    query: ADVERTISER,
    variables: { id },
  });
  return advertiser;
}

function usable(account: Account | null): Account {
  if (account === null) throw notFound();
  if (account.status === 'ARCHIVED')
    throw new AdcpError('ACCOUNT_SUSPENDED', 'This account is closed.', { field: 'account' });
  return account;
}

function notFound(): AdcpError {
  return new AdcpError('ACCOUNT_NOT_FOUND', 'This key has no such account.', {
    field: 'account',
    suggestion: 'Call list_accounts to see the accounts of your key. The publisher binds further ones to it.',
  });
}

/** An account as `core/account.json` of the protocol has it. */
export function renderAccount({ id, name, status, domains }: Account, isSandbox: boolean): object {
  const [domain] = domains;
  return {
    account_id: id,
    name,
    advertiser: name,
    status: status === 'ACTIVE' ? 'active' : 'closed',
    billing: 'operator',
    ...(domain === undefined ? {} : { brand: { domain } }),
    sandbox: isSandbox,
  };
}
