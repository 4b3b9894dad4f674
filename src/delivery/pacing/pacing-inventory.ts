import type { WorkspaceSnapshot } from '../../domain/booking/snapshot.ts';
import { requiredPlaces } from '../../domain/pacing/traffic-places.ts';
import type { TrafficPlaces } from '../../domain/pacing/traffic-places.ts';
import type { CompiledLineItem } from '../decision/index/compile-line-items.ts';

/** Places, and the sites that they are of. */
export interface SitedPlaces extends TrafficPlaces {
  /** Sorted, each once. */
  readonly siteIds: readonly string[];
}

const known = new WeakMap<CompiledLineItem, SitedPlaces | null>();

/** Where a line item can serve, as far as its targeting says; null = anywhere. Worked out once for each version of a line item. */
export function placesOf(row: CompiledLineItem, snapshot: WorkspaceSnapshot): SitedPlaces | null {
  const remembered = known.get(row);
  if (remembered !== undefined) return remembered;
  const places = requiredPlaces(row.lineItem.targeting);
  const found = places === null ? null : { ...places, siteIds: sitesOf(places, snapshot) };
  known.set(row, found);
  return found;
}

function sitesOf({ place, ids }: TrafficPlaces, snapshot: WorkspaceSnapshot): readonly string[] {
  if (place === 'site') return ids;
  const inventory = place === 'adUnit' ? snapshot.adUnits : snapshot.areas;
  const wanted = new Set(ids);
  return [...new Set(inventory.filter(({ id }) => wanted.has(id)).map(({ siteId }) => siteId))].sort();
}
