import { LINE_ITEM_TYPES } from '../../../domain/booking/line-item.ts';
import type { Deal, LineItem } from '../../../domain/booking/line-item.ts';
import { PRICING } from '../../../domain/pricing/pricing-models.ts';
import { compareIds } from './sorted-by-id.ts';
import type { WorkSteps } from './work-steps.ts';

/**
 * The sort key of line items: the group, then varying prices before fixed ones, then the dearest, so that a scan in PRICE can stop at its
 * first hit. The id comes last, so that no two are equal.
 */
export interface LineItemRank {
  readonly booked: LineItem;
  /** Line items of one group compete; lower groups go first. */
  readonly group: number;
  /** Its price never depends on counters or on the request. */
  readonly staticPrice: boolean;
  /** Own price in micros: the fixed price of the deal, else that of the line item. */
  readonly priceMicros: number;
}

const LEVELS = 32;
const LINE_ITEMS_PER_STEP = 4_096;

/** The sort key of a line item. */
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
 * The line items in their order. Sorting prices alone is many times faster than comparing line items.
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

/** The first position of an ordered list that is not before `rank`, from position `from` on. */
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

/** Consecutive indexes, up to `to` (exclusive). */
export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

/** Whole groups that one search of the index covers. */
export interface Stretch extends IndexRange {
  /** The end of each group (exclusive), ascending. */
  readonly groupEnds: readonly number[];
}

/** Below this length, adding the next group to a search costs less than another search. */
const STRETCH_LINE_ITEMS_MIN = 2_048;

/** Cuts ordered line items into stretches: a decision that finds a winner in one stretch skips the next ones. */
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
