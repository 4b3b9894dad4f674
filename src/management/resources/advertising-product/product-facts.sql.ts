import type { PriceOption } from '../../../domain/booking/product.ts';
import { findInParts } from '../../kernel/checks.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { findStatuses } from '../../kernel/resource.sql.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import { findUnknownTargets } from '../line-item/line-item-facts.sql.ts';

/** Facts beyond its own row that the rules of a product use. */
export interface ProductFacts {
  /** Ids of the targeting tree that are unknown in this workspace, as `site 12`. */
  readonly unknownTargets: readonly string[];
  /** The status of each advertiser that the product names and the workspace has, by id. */
  readonly advertisers: ReadonlyMap<string, string>;
}

/** The prices of a product. */
export function priceOptionsOf(row: StoredRow): readonly PriceOption[] {
  return (row['price_options'] ?? []) as readonly PriceOption[];
}

/** The advertisers that a product is offered to by name; empty: all. */
export function offeredAdvertisersOf(row: StoredRow): readonly string[] {
  return (row['offered_advertiser_ids'] ?? []) as readonly string[];
}

/** Reads the facts of each row. */
export async function loadProductFacts(
  context: ManagementContext,
  rows: readonly StoredRow[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const unknownTargets = await findUnknownTargets(context, rows);
  const named = rows.flatMap((row) => [
    ...offeredAdvertisersOf(row),
    ...priceOptionsOf(row).flatMap(({ advertiserIds }) => advertiserIds),
  ]);
  const found = await findInParts([...new Set(named)].map(BigInt), (ids) =>
    findStatuses(queryableOf(context), context.principal.workspaceId, 'advertisers', ids),
  );
  const advertisers = new Map(found.map(({ id, status }) => [String(id), status]));
  return rows.map((_row, index): ProductFacts & Record<string, unknown> => ({
    unknownTargets: unknownTargets[index] ?? [],
    advertisers,
  }));
}
