import type { AdUnit } from '../../../domain/booking/inventory.ts';
import type { Targeting, TargetingTest } from '../../../domain/targeting/targeting.ts';
import { allBits, hasBit, setBit, wordsOf } from '../../decision/index/bit-set.ts';
import type { WorkSteps } from '../../decision/index/work-steps.ts';

/** The tests that ad units decide. */
const DIMENSIONS = ['site', 'area', 'adUnit'] as const;
type InventoryDimension = (typeof DIMENSIONS)[number];

/** Positions of the ad units with a value, ascending. */
type Positions = Readonly<Record<InventoryDimension, ReadonlyMap<string, readonly number[]>>>;

/** Ad units that are entered between two steps. */
const UNITS_PER_STEP = 500;

/** Finds the ad units of a targeting by the ids that it names, instead of trying it on each ad unit. Sets are of positions in `adUnits`. */
export class BookedUnits {
  readonly adUnits: readonly AdUnit[];
  readonly #positions: Positions;

  private constructor(adUnits: readonly AdUnit[], positions: Positions) {
    this.adUnits = adUnits;
    this.#positions = positions;
  }

  /** Enters the ad units, in steps. */
  static *of(adUnits: readonly AdUnit[]): WorkSteps<BookedUnits> {
    const positions = {
      site: new Map<string, number[]>(),
      area: new Map<string, number[]>(),
      adUnit: new Map<string, number[]>(),
    };
    for (const [at, { id, siteId, areaId }] of adUnits.entries()) {
      enter(positions.site, siteId, at);
      enter(positions.area, areaId ?? '', at);
      enter(positions.adUnit, id, at);
      if (at % UNITS_PER_STEP === 0) yield;
    }
    return new BookedUnits(adUnits, positions);
  }

  /** The ad units that a targeting does not rule out by site, area or ad unit. Other conditions count as met. */
  *leftBy(targeting: Targeting | null): WorkSteps<Uint32Array> {
    if (targeting === null) return allBits(this.adUnits.length);
    return this.#others(yield* this.#find(targeting, false));
  }

  /** The ad units on which a condition is certainly true, or certainly false. */
  *#find(targeting: Targeting, wanted: boolean): WorkSteps<Uint32Array> {
    yield;
    if ('all' in targeting) return yield* this.#combine(targeting.all, wanted, wanted);
    if ('any' in targeting) return yield* this.#combine(targeting.any, wanted, !wanted);
    if ('not' in targeting) return yield* this.#find(targeting.not, !wanted);
    return this.#test(targeting, wanted);
  }

  /** @param isOfAll those that are found for all conditions; false: for any of them */
  *#combine(conditions: readonly Targeting[], wanted: boolean, isOfAll: boolean): WorkSteps<Uint32Array> {
    const { length } = this.adUnits;
    const found = isOfAll ? allBits(length) : new Uint32Array(wordsOf(length));
    for (const condition of conditions) {
      const own = yield* this.#find(condition, wanted);
      if (isOfAll) retainCommon(found, own);
      else addAll(found, own);
    }
    return found;
  }

  #test({ dimension, operator, values }: TargetingTest, wanted: boolean): Uint32Array {
    const { length } = this.adUnits;
    const found = new Uint32Array(wordsOf(length));
    if (!isOfInventory(dimension) || (operator !== 'is' && operator !== 'isNot')) return found;
    for (const value of new Set(values))
      for (const at of this.#positions[dimension].get(value) ?? []) setBit(found, at);
    return (operator === 'is') === wanted ? found : this.#others(found);
  }

  #others(units: Uint32Array): Uint32Array {
    const others = allBits(this.adUnits.length);
    for (let at = 0; at < others.length; at += 1) others[at] = (others[at] as number) & ~(units[at] as number);
    return others;
  }
}

function retainCommon(units: Uint32Array, others: Uint32Array): void {
  for (let at = 0; at < units.length; at += 1) units[at] = (units[at] as number) & (others[at] as number);
}

function addAll(units: Uint32Array, others: Uint32Array): void {
  for (let at = 0; at < units.length; at += 1) units[at] = (units[at] as number) | (others[at] as number);
}

/** The number of ad units of a set, and of those that are chosen as well. */
export function countUnits(
  units: Uint32Array,
  chosen: Uint32Array,
): { readonly units: number; readonly chosen: number } {
  let [all, own] = [0, 0];
  for (let at = 0; at < units.length * 32; at += 1) {
    if (!hasBit(units, at)) continue;
    all += 1;
    if (hasBit(chosen, at)) own += 1;
  }
  return { units: all, chosen: own };
}

function isOfInventory(dimension: string): dimension is InventoryDimension {
  return (DIMENSIONS as readonly string[]).includes(dimension);
}

function enter(positions: Map<string, number[]>, value: string, at: number): void {
  const known = positions.get(value);
  if (known === undefined) positions.set(value, [at]);
  else known.push(at);
}
