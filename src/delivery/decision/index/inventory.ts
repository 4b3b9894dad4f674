import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import { inNfc } from '../../../domain/text/one-form.ts';
import type { Inventory } from './compiled-workspace.ts';

/** The look-ups of a snapshot's inventory. */
export function indexInventory(snapshot: Pick<WorkspaceSnapshot, 'sites' | 'areas' | 'adUnits'>): Inventory {
  const sites = snapshot.sites.filter((site) => site.status === 'ACTIVE');
  const adUnits = snapshot.adUnits.filter((unit) => unit.status === 'ACTIVE');
  return {
    sitesByCode: new Map(sites.map((site) => [inNfc(site.code), site])),
    areasByCode: new Map(snapshot.areas.map((area) => [`${area.siteId}/${inNfc(area.code)}`, area])),
    adUnitsByName: new Map(adUnits.map((unit) => [inNfc(unit.name), unit])),
    adUnitsBySite: Map.groupBy(adUnits, (unit) => unit.siteId),
    adUnitsById: new Map(adUnits.map((unit) => [unit.id, unit])),
    archivedAdUnitNames: new Set(
      snapshot.adUnits.filter((unit) => unit.status !== 'ACTIVE').map((unit) => inNfc(unit.name)),
    ),
  };
}
