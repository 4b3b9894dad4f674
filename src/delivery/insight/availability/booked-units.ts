import type { AdUnit } from '../../../domain/booking/inventory.ts';
import type { Targeting, TargetingTest } from '../../../domain/targeting/targeting.ts';

/** The ad units, of those given, that a targeting does not rule out by site, area or ad unit. Other conditions count as met. */
export function unitsOf(targeting: Targeting | null, adUnits: readonly AdUnit[]): readonly AdUnit[] {
  return targeting === null ? adUnits : adUnits.filter((unit) => holds(targeting, unit) !== false);
}

/** Null: it depends on more than the inventory. */
function holds(targeting: Targeting, unit: AdUnit): boolean | null {
  if ('all' in targeting) return every(targeting.all.map((one) => holds(one, unit)));
  if ('any' in targeting) return negate(every(targeting.any.map((one) => negate(holds(one, unit)))));
  if ('not' in targeting) return negate(holds(targeting.not, unit));
  return test(targeting, unit);
}

/** False where one is false, else null where one is not known. */
function every(results: readonly (boolean | null)[]): boolean | null {
  if (results.includes(false)) return false;
  return results.includes(null) ? null : true;
}

function negate(result: boolean | null): boolean | null {
  return result === null ? null : !result;
}

function test({ dimension, operator, values }: TargetingTest, unit: AdUnit): boolean | null {
  const own = { site: unit.siteId, area: unit.areaId ?? '', adUnit: unit.id }[
    dimension as 'site' | 'area' | 'adUnit'
  ] as string | undefined;
  if (own === undefined || (operator !== 'is' && operator !== 'isNot')) return null;
  return values.includes(own) === (operator === 'is');
}
