import type { Targeting } from '../targeting/targeting.ts';
import { splitConjuncts } from '../targeting/targeting-conjuncts.ts';
import type { InventoryCurve, InventoryKind, TrafficCurve } from './traffic-curve.ts';
import { mergeCurves, INVENTORY_KINDS } from './traffic-curve.ts';

/** Where a line item can serve, as far as its targeting names inventory that it needs. */
export interface TrafficInventory {
  readonly kind: InventoryKind;
  /** Sorted, each once. */
  readonly ids: readonly string[];
}

const FINEST_FIRST: readonly InventoryKind[] = ['adUnit', 'area', 'site'];

/** The finest inventory that targeting asks for: ad units, else areas, else sites; null = anywhere. */
export function requiredInventory(targeting: Targeting | null): TrafficInventory | null {
  const conjuncts = splitConjuncts(targeting);
  for (const kind of FINEST_FIRST) {
    const found = conjuncts.find(({ requirement }) => requirement?.fieldName === kind)?.requirement;
    if (found !== undefined && found !== null) return { kind, ids: [...found.values].sort() };
  }
  return null;
}

/** Whether targeting asks for more than inventory, whose own curves are known exactly. */
export function isNarrowed(targeting: Targeting | null): boolean {
  const kinds: readonly string[] = INVENTORY_KINDS;
  return splitConjuncts(targeting).some(
    ({ requirement, exact }) => !exact || requirement === null || !kinds.includes(requirement.fieldName),
  );
}

/**
 * The curve of all traffic of this inventory: by their own curves where all are known, else by those of its sites; null
 * when one of these is not known either, or the inventory is empty: then the network's own holds.
 */
export function inventoryCurve(
  inventory: TrafficInventory,
  siteIds: readonly string[],
  find: (kind: InventoryKind, id: string) => InventoryCurve | undefined,
): TrafficCurve | null {
  const own = mergeCurves(inventory.ids.map((id) => find(inventory.kind, id)));
  return own ?? (inventory.kind === 'site' ? null : mergeCurves(siteIds.map((id) => find('site', id))));
}
