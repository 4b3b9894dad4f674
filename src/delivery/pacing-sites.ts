import type { WorkspaceSnapshot } from '../domain/snapshot.ts';
import type { CompiledLineItem } from './compile-rows.ts';
import { splitConjuncts } from './targeting.ts';

const known = new WeakMap<CompiledLineItem, readonly string[] | null>();

/**
 * The sites whose traffic a line item can serve on, sorted, as far as its targeting names ad units, areas or sites that it needs;
 * null = any. Worked out once for each version of a line item.
 */
export function sitesOf(row: CompiledLineItem, snapshot: WorkspaceSnapshot): readonly string[] | null {
  const remembered = known.get(row);
  if (remembered !== undefined) return remembered;
  const found = findSites(row, snapshot);
  known.set(row, found);
  return found;
}

function findSites(row: CompiledLineItem, snapshot: WorkspaceSnapshot): readonly string[] | null {
  const required = new Map<string, ReadonlySet<string>>();
  for (const { requirement } of splitConjuncts(row.lineItem.targeting)) {
    if (requirement !== null && !required.has(requirement.fieldName))
      required.set(requirement.fieldName, requirement.values);
  }
  const adUnits = required.get('adUnit');
  if (adUnits !== undefined)
    return sorted(snapshot.adUnits.filter(({ id }) => adUnits.has(id)).map(({ siteId }) => siteId));
  const areas = required.get('area');
  if (areas !== undefined) return sorted(snapshot.areas.filter(({ id }) => areas.has(id)).map(({ siteId }) => siteId));
  const sites = required.get('site');
  return sites === undefined ? null : sorted([...sites]);
}

function sorted(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)].sort();
}
