import { type CatalogFilter, type CatalogRows, loadCatalog } from '../bookings/catalog.ts';
import type { ListPage, ListSort } from '../bookings/desk-list.ts';
import { askGraphql } from '../transport/graphql.ts';
import { loadReport } from '../reports/reports.ts';
import type { Scope } from '../transport/scope.ts';

/** A named part of a site. */
export interface InventoryArea {
  readonly id: string;
  readonly name: string;
  readonly siteId: string;
}

/** Everything below a site. */
export interface SiteInventory {
  readonly areas: readonly InventoryArea[];
  readonly adUnits: readonly CatalogRows['adUnits'][];
  /** There are more ad units than were read. */
  readonly isCut: boolean;
}

/** What inventory earned in some days. Money in the network's currency. */
export interface InventoryFigures {
  readonly requests: number;
  readonly served: number;
  readonly impressions: number;
  readonly revenue: number;
}

const PAGE = 100;
const PAGES_MAX = 5;
const BY_NAME: ListSort = { field: 'NAME', direction: 'ASC' };

const AREAS = `query InventoryAreas($filter: AreaFilter) {
  areas(filter: $filter, sort: { field: NAME, direction: ASC }, first: ${PAGE}) { nodes { id name } } }`;

/** All objects of a kind by name, at most 500. */
async function loadMany<Kind extends 'sites' | 'adUnits'>(
  scope: Scope,
  kind: Kind,
  filter: CatalogFilter,
  signal: AbortSignal,
): Promise<{ readonly rows: readonly CatalogRows[Kind][]; readonly isCut: boolean }> {
  const rows: CatalogRows[Kind][] = [];
  let after: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const request = { filter: { statuses: ['ACTIVE'] as const, ...filter }, sort: BY_NAME, first: PAGE, after };
    const read: ListPage<CatalogRows[Kind]> = await loadCatalog(scope, kind, request, signal);
    rows.push(...read.rows);
    after = read.endCursor;
    if (after === null) return { rows, isCut: false };
  }
  return { rows, isCut: true };
}

/** The sites in use, at most 500. */
export async function loadSites(scope: Scope, signal: AbortSignal): Promise<readonly CatalogRows['sites'][]> {
  return (await loadMany(scope, 'sites', {}, signal)).rows;
}

/** The areas and ad units of a site: at most 100 and 500. */
export async function loadSiteInventory(scope: Scope, siteId: string, signal: AbortSignal): Promise<SiteInventory> {
  type Areas = { areas: { nodes: readonly { id: string; name: string }[] } };
  const filter = { siteIds: [siteId] };
  const [units, { areas }] = await Promise.all([
    loadMany(scope, 'adUnits', filter, signal),
    askGraphql<Areas>(scope, AREAS, { filter }, signal),
  ]);
  return { areas: areas.nodes.map((area) => ({ ...area, siteId })), adUnits: units.rows, isCut: units.isCut };
}

const CUBE = 'campaign_overview';
const ROWS_MAX = 5_000;

/** Figures by ad unit between two days, both included: keys are ids of sites and ad units, `<site>/<ad unit>`. */
export async function loadInventoryFigures(
  scope: Scope,
  days: { readonly from: string; readonly to: string; readonly timezone: string },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, InventoryFigures>> {
  const member = (name: string): string => `${CUBE}.${name}`;
  const { rows } = await loadReport(
    scope,
    {
      measures: ['requests', 'served', 'impressions', 'revenue'].map(member),
      dimensions: [member('site_id'), member('ad_unit_id')],
      timeDimensions: [{ dimension: member('time'), dateRange: [days.from, days.to] }],
      filters: [],
      order: [[member('requests'), 'desc']],
      timezone: days.timezone,
      limit: ROWS_MAX,
    },
    { signal },
  );
  return new Map(
    rows.map((row) => {
      const number = (name: string): number => Number(row[member(name)] ?? 0) || 0;
      const figures = {
        requests: number('requests'),
        served: number('served'),
        impressions: number('impressions'),
        revenue: number('revenue'),
      };
      return [`${String(row[member('site_id')])}/${String(row[member('ad_unit_id')])}`, figures];
    }),
  );
}
