import type { SnapshotLists } from '../decision/index/snapshot-lists.ts';
import { requiredInventory } from '../../domain/pacing/traffic-inventory.ts';
import type { TrafficInventory } from '../../domain/pacing/traffic-inventory.ts';
import type { CompiledLineItem } from '../decision/index/compile-line-items.ts';

/** Inventory, and the sites that it belongs to. */
export interface SitedInventory extends TrafficInventory {
  /** Sorted, each once. */
  readonly siteIds: readonly string[];
}

/** The inventory of line items, computed once for each version of a line item. */
export class PacingInventories {
  readonly #known = new WeakMap<CompiledLineItem, SitedInventory | null>();

  /** The inventory to which the targeting restricts a line item; null = any. */
  of(lineItem: CompiledLineItem, snapshot: SnapshotLists): SitedInventory | null {
    const known = this.#known.get(lineItem);
    if (known !== undefined) return known;
    const inventory = requiredInventory(lineItem.booked.targeting);
    const found = inventory === null ? null : { ...inventory, siteIds: sitesOf(inventory, snapshot) };
    this.#known.set(lineItem, found);
    return found;
  }
}

function sitesOf({ kind, ids }: TrafficInventory, snapshot: SnapshotLists): readonly string[] {
  if (kind === 'site') return ids;
  const units = kind === 'adUnit' ? snapshot.adUnits : snapshot.areas;
  const targeted = new Set(ids);
  return [...new Set(units.filter(({ id }) => targeted.has(id)).map(({ siteId }) => siteId))].sort();
}
