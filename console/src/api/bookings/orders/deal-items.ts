import { askGraphql } from '../../transport/graphql.ts';
import type { Scope } from '../../transport/scope.ts';
import type { DeliveryStatus, NamedChoice } from '../desk-list.ts';

/** A line item with the deal that it serves. */
export interface DealItem {
  readonly id: string;
  readonly name: string;
  readonly status: DeliveryStatus;
  readonly version: number;
  readonly deal: NamedChoice | null;
}

const ITEM = 'id name status version deal { id name }';
const ITEMS_SHOWN = 100;

/** Reads the line items that serve a deal, archived ones left out, and how many there are. */
export async function loadDealItems(scope: Scope, dealId: string, signal: AbortSignal) {
  const query = `query DealItems($id: ID!) { found: lineItems(first: ${ITEMS_SHOWN},
    where: { dealId: { eq: $id }, status: { not: { eq: ARCHIVED } } }) { nodes { ${ITEM} } totalCount } }`;
  type Body = { readonly found: { readonly nodes: readonly DealItem[]; readonly totalCount: number } };
  return (await askGraphql<Body>(scope, query, { id: dealId }, signal)).found;
}

/** Reads one line item with its deal; null when there is none of this id. */
export async function loadDealItem(scope: Scope, id: string): Promise<DealItem | null> {
  const query = `query DealItem($id: ID!) { found: lineItem(id: $id) { ${ITEM} } }`;
  return (await askGraphql<{ readonly found: DealItem | null }>(scope, query, { id })).found;
}
