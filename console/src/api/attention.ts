import type { ReviewedCreative } from '../desk/attention.ts';
import { type LineItem, loadLineItems } from './desk-list.ts';
import { askGraphql } from './graphql.ts';
import type { Scope } from './scope.ts';

const PAGE_ROWS = 100;
const PAGES_MAX = 5;
const CREATIVES_MAX = 100;

/** Active line items, the newest first, and creatives that do not pass review. */
export interface Watched {
  readonly lineItems: readonly LineItem[];
  /** Some older active line items were not read. */
  readonly isPartial: boolean;
  readonly creatives: readonly ReviewedCreative[];
}

const CREATIVES = `query DeskReviews { creatives(
  filter: { statuses: [ACTIVE], reviewStates: [PENDING, REJECTED] }, sort: { field: ID, direction: DESC }, first: ${CREATIVES_MAX}) {
    nodes { id name reviewState lineItem { id name status } } } }`;

/** Reads what may need a person. */
export async function loadWatched(scope: Scope, signal: AbortSignal): Promise<Watched> {
  const reviews = askGraphql<{ creatives: { nodes: readonly ReviewedCreative[] } }>(scope, CREATIVES, {}, signal);
  const lineItems: LineItem[] = [];
  let after: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const request = { filter: { statuses: ['ACTIVE'] as const }, sort: { field: 'ID', direction: 'DESC' } as const };
    const found = await loadLineItems(scope, { ...request, first: PAGE_ROWS, after }, signal);
    lineItems.push(...found.rows);
    after = found.endCursor;
    if (after === null) break;
  }
  return { lineItems, isPartial: after !== null, creatives: (await reviews).creatives.nodes };
}
