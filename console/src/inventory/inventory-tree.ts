import type { CatalogRows } from '../api/bookings/catalog.ts';
import type { InventoryFigures, SiteInventory } from '../api/inventory/inventory.ts';

/** A row of the tree. Levels begin at 1. */
export interface TreeRow {
  /** `site 3`, `area 4`, `adUnit 5`. */
  readonly key: string;
  readonly kind: 'site' | 'area' | 'adUnit';
  readonly id: string;
  readonly name: string;
  readonly level: number;
  /** Null: it has no children. */
  readonly isOpen: boolean | null;
  /** The row above it in the tree; null for sites. */
  readonly parentKey: string | null;
  readonly position: number;
  readonly siblings: number;
  readonly figures: InventoryFigures;
  readonly adUnit: CatalogRows['adUnits'] | null;
}

/** The input of the tree. A site that is open and not in `below` is still being read. */
export interface TreeInput {
  readonly sites: readonly CatalogRows['sites'][];
  readonly below: ReadonlyMap<string, SiteInventory>;
  readonly figures: ReadonlyMap<string, InventoryFigures>;
  /** Keys of rows that are open. */
  readonly open: ReadonlySet<string>;
}

const NOTHING: InventoryFigures = { requests: 0, served: 0, impressions: 0, revenue: 0 };

/** The visible rows, in their order. */
export function buildRows({ sites, below, figures, open }: TreeInput): readonly TreeRow[] {
  const bySite = sumBySite(figures);
  return sites.flatMap((site, at) => {
    const key = `site ${site.id}`;
    const isOpen = open.has(key);
    const row: TreeRow = {
      key,
      kind: 'site',
      id: site.id,
      name: site.name,
      level: 1,
      isOpen: site.adUnits.totalCount === 0 ? null : isOpen,
      parentKey: null,
      position: at + 1,
      siblings: sites.length,
      figures: bySite.get(site.id) ?? NOTHING,
      adUnit: null,
    };
    const inventory = below.get(site.id);
    return isOpen && inventory !== undefined ? [row, ...rowsOfSite(key, site.id, inventory, { figures, open })] : [row];
  });
}

function rowsOfSite(
  siteKey: string,
  siteId: string,
  { areas, adUnits }: SiteInventory,
  { figures, open }: Pick<TreeInput, 'figures' | 'open'>,
): TreeRow[] {
  const figuresOf = (unit: CatalogRows['adUnits']): InventoryFigures => figures.get(`${siteId}/${unit.id}`) ?? NOTHING;
  const used = areas.filter(({ id }) => adUnits.some(({ area }) => area?.id === id));
  const free = adUnits.filter(({ area }) => area === null);
  const siblings = used.length + free.length;
  const unitRow = (
    unit: CatalogRows['adUnits'],
    at: Pick<TreeRow, 'level' | 'parentKey' | 'position' | 'siblings'>,
  ): TreeRow => ({
    ...at,
    key: `adUnit ${unit.id}`,
    kind: 'adUnit',
    id: unit.id,
    name: unit.name,
    isOpen: null,
    figures: figuresOf(unit),
    adUnit: unit,
  });
  const areaRows = used.flatMap((area, at) => {
    const key = `area ${area.id}`;
    const own = adUnits.filter((unit) => unit.area?.id === area.id);
    const isOpen = open.has(key);
    const row: TreeRow = {
      key,
      kind: 'area',
      id: area.id,
      name: area.name,
      level: 2,
      isOpen,
      parentKey: siteKey,
      position: at + 1,
      siblings,
      figures: own.map(figuresOf).reduce(add, NOTHING),
      adUnit: null,
    };
    const units = own.map((unit, index) =>
      unitRow(unit, { level: 3, parentKey: key, position: index + 1, siblings: own.length }),
    );
    return isOpen ? [row, ...units] : [row];
  });
  const freeRows = free.map((unit, at) =>
    unitRow(unit, { level: 2, parentKey: siteKey, position: used.length + at + 1, siblings }),
  );
  return [...areaRows, ...freeRows];
}

function sumBySite(figures: TreeInput['figures']): Map<string, InventoryFigures> {
  const sums = new Map<string, InventoryFigures>();
  for (const [key, one] of figures) {
    const [siteId = ''] = key.split('/');
    sums.set(siteId, add(sums.get(siteId) ?? NOTHING, one));
  }
  return sums;
}

function add(one: InventoryFigures, other: InventoryFigures): InventoryFigures {
  return {
    requests: one.requests + other.requests,
    served: one.served + other.served,
    impressions: one.impressions + other.impressions,
    revenue: one.revenue + other.revenue,
  };
}

/** What figures come to; null where there is nothing to divide by. Percent, and money for a thousand. */
export function ratesOf({ requests, served, impressions, revenue }: InventoryFigures): {
  readonly fillPercent: number | null;
  readonly price: number | null;
  readonly ecpm: number | null;
} {
  return {
    // Responses of requests just before the first day count in it.
    fillPercent: requests === 0 ? null : Math.min(100, (100 * served) / requests),
    price: impressions === 0 ? null : (1_000 * revenue) / impressions,
    ecpm: requests === 0 ? null : (1_000 * revenue) / requests,
  };
}

/** What a key does in a row of the tree: the row to focus next, or the row to open or close; null: nothing. */
export function keyInTree(
  rows: readonly TreeRow[],
  at: number,
  key: string,
): { readonly focus?: number; readonly toggle?: string } | null {
  const row = rows[at];
  if (row === undefined) return null;
  const parent = rows.findIndex((one) => one.key === row.parentKey);
  switch (key) {
    case 'ArrowDown':
      return { focus: Math.min(rows.length - 1, at + 1) };
    case 'ArrowUp':
      return { focus: Math.max(0, at - 1) };
    case 'Home':
      return { focus: 0 };
    case 'End':
      return { focus: rows.length - 1 };
    case 'ArrowRight':
      if (row.isOpen === false) return { toggle: row.key };
      return row.isOpen === true && rows[at + 1]?.parentKey === row.key ? { focus: at + 1 } : null;
    case 'ArrowLeft':
      if (row.isOpen === true) return { toggle: row.key };
      return parent < 0 ? null : { focus: parent };
    default:
      return null;
  }
}
