import { LINE_ITEM_TYPES } from '../../../domain/booking/line-item.ts';
import type { Deal, LineItem } from '../../../domain/booking/line-item.ts';
import { PRICING } from '../../../domain/pricing/pricing-models.ts';
import { compareIds } from './sorted-by-id.ts';
import type { WorkSteps } from './work-steps.ts';

/**
 * What the order of rows goes by: group, inside those of varying price first, then the dearest, so that a scan in PRICE can stop at
 * its first hit; last the id, so that no two rows are equal.
 */
export interface LineItemRank {
  readonly booked: LineItem;
  /** Rows of one group compete; lower groups go first. */
  readonly group: number;
  /** Its price never depends on counters or on the request. */
  readonly staticPrice: boolean;
  /** Own price in micros: the deal's fixed one before the line item's. */
  readonly priceMicros: number;
}

const LEVELS = 32;
const LINE_ITEMS_PER_STEP = 4_096;

/** Where a line item's row stands. */
export function rankOf(lineItem: LineItem, deal: Deal | null): LineItemRank {
  const tier = LINE_ITEM_TYPES.indexOf(lineItem.type);
  return {
    booked: lineItem,
    // Tier, then level; levels count within SPONSORSHIP and STANDARD only.
    group: tier * LEVELS + (tier < 2 ? lineItem.level : 0),
    staticPrice: deal === null && PRICING[lineItem.pricingModel].event === 'impression',
    priceMicros: deal?.fixedPriceMicros ?? lineItem.priceMicros,
  };
}

function bucketOf({ group, staticPrice }: LineItemRank): number {
  return group * 2 + (staticPrice ? 1 : 0);
}

function compareRanks(left: LineItemRank, right: LineItemRank): number {
  return (
    bucketOf(left) - bucketOf(right) ||
    right.priceMicros - left.priceMicros ||
    compareIds(left.booked.id, right.booked.id)
  );
}

/**
 * The rows in their order. Sorting prices alone is many times faster than comparing rows.
 * @param byId in ascending order of line item ids
 */
export function* sortByRank<T extends LineItemRank>(byId: readonly T[]): WorkSteps<T[]> {
  const buckets = new Map<number, T[]>();
  yield* group(byId, bucketOf, buckets);
  const sorted: T[] = [];
  for (const bucket of [...buckets.keys()].sort((left, right) => left - right)) {
    const byPrice = new Map<number, T[]>();
    yield* group(buckets.get(bucket) ?? [], ({ priceMicros }) => priceMicros, byPrice);
    const dearestFirst = Float64Array.from(byPrice.keys()).sort().reverse();
    for (const [position, price] of dearestFirst.entries()) {
      if (position % LINE_ITEMS_PER_STEP === 0) yield;
      for (const lineItem of byPrice.get(price) ?? []) sorted.push(lineItem);
    }
  }
  return sorted;
}

function* group<T>(lineItems: readonly T[], keyOf: (lineItem: T) => number, into: Map<number, T[]>): WorkSteps<void> {
  for (const [position, lineItem] of lineItems.entries()) {
    if (position % LINE_ITEMS_PER_STEP === LINE_ITEMS_PER_STEP - 1) yield;
    const key = keyOf(lineItem);
    const equals = into.get(key);
    if (equals === undefined) into.set(key, [lineItem]);
    else equals.push(lineItem);
  }
}

/** The first position in ordered rows that is not before `place`, from position `from` on. */
export function findPosition(ordered: readonly LineItemRank[], rank: LineItemRank, from: number): number {
  let low = from;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareRanks(ordered[middle] as LineItemRank, rank) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Neighbouring rows, up to `to` (exclusive). */
export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

/** Neighbouring rows that are looked for at once: whole groups. */
export interface Stretch extends IndexRange {
  /** Where each of its groups ends (exclusive), ascending. */
  readonly groupEnds: readonly number[];
}

/** Below so many rows looking for the next group as well costs less than asking again. */
const STRETCH_LINE_ITEMS_MIN = 2_048;

/** Cuts ordered rows into stretches: whoever finds a taker in one need not look for rows of the next. */
export function cutStretches(ordered: readonly LineItemRank[]): Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  while (from < ordered.length) {
    const groupEnds: number[] = [];
    let to = from;
    while (to < ordered.length && to - from < STRETCH_LINE_ITEMS_MIN) {
      to = endOfGroup(ordered, to);
      groupEnds.push(to);
    }
    stretches.push({ from, to, groupEnds });
    from = to;
  }
  return stretches;
}

function endOfGroup(ordered: readonly LineItemRank[], index: number): number {
  const { group } = ordered[index] as LineItemRank;
  let low = index + 1;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ordered[middle] as LineItemRank).group <= group) low = middle + 1;
    else high = middle;
  }
  return low;
}
