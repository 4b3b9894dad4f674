import type { Targeting } from '../targeting/targeting.ts';
import { splitConjuncts } from '../targeting/targeting-conjuncts.ts';
import type { PlaceCurve, PlaceKind, TrafficCurve } from './traffic-curve.ts';
import { mergeCurves, PLACE_KINDS } from './traffic-curve.ts';

/** Where a line item can serve, as far as its targeting names inventory that it needs. */
export interface TrafficPlaces {
  readonly place: PlaceKind;
  /** Sorted, each once. */
  readonly ids: readonly string[];
}

const FINEST_FIRST: readonly PlaceKind[] = ['adUnit', 'area', 'site'];

/** The finest places that targeting asks for: ad units, else areas, else sites; null = anywhere. */
export function requiredPlaces(targeting: Targeting | null): TrafficPlaces | null {
  const conjuncts = splitConjuncts(targeting);
  for (const place of FINEST_FIRST) {
    const found = conjuncts.find(({ requirement }) => requirement?.fieldName === place)?.requirement;
    if (found !== undefined && found !== null) return { place, ids: [...found.values].sort() };
  }
  return null;
}

/** Whether targeting asks for more than inventory, whose own curves are known exactly. */
export function isNarrowed(targeting: Targeting | null): boolean {
  const places: readonly string[] = PLACE_KINDS;
  return splitConjuncts(targeting).some(
    ({ requirement, exact }) => !exact || requirement === null || !places.includes(requirement.fieldName),
  );
}

/**
 * The curve of the traffic in these places together: by their own curves where all are known, else by those of their sites; null
 * when one of these is not known either, or there is no place at all: then the network's own holds.
 */
export function placesCurve(
  places: TrafficPlaces,
  siteIds: readonly string[],
  find: (place: PlaceKind, id: string) => PlaceCurve | undefined,
): TrafficCurve | null {
  const own = mergeCurves(places.ids.map((id) => find(places.place, id)));
  return own ?? (places.place === 'site' ? null : mergeCurves(siteIds.map((id) => find('site', id))));
}
