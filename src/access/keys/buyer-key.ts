import type { BuyerScope } from '../../domain/tenancy/principal.ts';
import type { Module } from '../../domain/tenancy/workspace.ts';

/**
 * The module of a buyer's key. No operation is open to this module, so a program that knows no buyers lets the key do hardly anything.
 */
export const BUYER_MARK = 'BUYER';

/** The columns of a key that say what it may reach. */
export interface KeyReachColumns {
  readonly modules: readonly string[] | null;
  readonly advertiser_ids: readonly string[];
  readonly spend_limit_micros: bigint | null;
}

/** What a stored key may reach. A buyer's key without advertisers reaches nothing. */
export function keyReach(row: KeyReachColumns): {
  readonly modules: readonly Module[] | null;
  readonly buyer?: BuyerScope;
} {
  if (row.modules?.includes(BUYER_MARK) !== true) return { modules: row.modules as readonly Module[] | null };
  const spendLimitMicros = row.spend_limit_micros === null ? null : String(row.spend_limit_micros);
  return { modules: null, buyer: { advertiserIds: row.advertiser_ids, spendLimitMicros } };
}

/** The columns of a key that may reach this. */
export function reachColumns(
  modules: readonly Module[] | null,
  buyer: BuyerScope | null,
): { modules: string[] | null; advertiser_ids: string[]; spend_limit_micros: bigint | null } {
  if (buyer === null)
    return { modules: modules === null ? null : [...modules], advertiser_ids: [], spend_limit_micros: null };
  const { advertiserIds, spendLimitMicros } = buyer;
  return {
    modules: [BUYER_MARK],
    advertiser_ids: [...advertiserIds],
    spend_limit_micros: spendLimitMicros === null ? null : BigInt(spendLimitMicros),
  };
}
