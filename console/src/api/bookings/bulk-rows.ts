import { type CatalogFilter, type CatalogKind, type CatalogRows, loadCatalog } from './catalog.ts';
import {
  type Campaign,
  campaignFilter,
  type ListFilter,
  type ListPage,
  loadCampaignPage,
  type PageRequest,
} from './desk-list.ts';
import type { Scope } from '../transport/scope.ts';

/** The largest page of a list. */
const PAGE_MAX = 100;

/** How much is read, and who is told of it. */
export interface BulkReadOptions {
  readonly max: number;
  /** Told how many rows are read. */
  onProgress?: (count: number) => void;
}

/** Reads page after page, each row once. */
async function readPages<Row extends { readonly id: string }>(
  load: (page: Pick<PageRequest, 'sort' | 'first' | 'after'>) => Promise<ListPage<Row>>,
  { max, onProgress }: BulkReadOptions,
): Promise<readonly Row[]> {
  const rows = new Map<string, Row>();
  for (let after: string | null = null; rows.size < max; ) {
    const first = Math.min(PAGE_MAX, max - rows.size);
    const page: ListPage<Row> = await load({ sort: { field: 'ID', direction: 'ASC' }, first, after });
    for (const row of page.rows) rows.set(row.id, row);
    onProgress?.(rows.size);
    after = page.endCursor;
    if (after === null) break;
  }
  return [...rows.values()];
}

/** Members that changes of many campaigns need. */
export type BulkCampaign = Pick<
  Campaign,
  'id' | 'name' | 'status' | 'version' | 'startsAt' | 'endsAt' | 'labels' | 'caps'
>;

const BULK_CAMPAIGN_FIELDS = `id name status version startsAt endsAt labels
  caps { impressionsPerDay impressionsLifetime clicksPerDay clicksLifetime spendPerDay spendLifetime }`;

/** Reads what a change of many needs of all campaigns that match, at most `max`. */
export function loadBulkCampaigns(
  scope: Scope,
  filter: ListFilter,
  options: BulkReadOptions,
): Promise<readonly BulkCampaign[]> {
  const narrowed = campaignFilter(filter);
  return readPages<BulkCampaign>(
    (page) => loadCampaignPage(scope, BULK_CAMPAIGN_FIELDS, { ...page, filter: narrowed }),
    options,
  );
}

/** Reads all objects of a kind that match, at most `max`. */
export function loadBulkCatalog<Kind extends CatalogKind>(
  scope: Scope,
  { kind, filter }: { readonly kind: Kind; readonly filter: CatalogFilter },
  options: BulkReadOptions,
): Promise<readonly CatalogRows[Kind][]> {
  return readPages((page) => loadCatalog(scope, kind, { ...page, filter }), options);
}
