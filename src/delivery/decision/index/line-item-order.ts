import { LINE_ITEM_TYPES } from '../../../domain/booking/line-item.ts';
import type { Deal, LineItem, LineItemType } from '../../../domain/booking/line-item.ts';
import { PRICING } from '../../../domain/pricing/pricing-models.ts';
import type { LineItemColumns } from './line-item-columns.ts';
import type { WorkSteps } from './work-steps.ts';

/**
 * The sort key of line items: the group, then varying prices before fixed ones, then the dearest, so that a scan in PRICE can stop at its
 * first hit. The id comes last, so that no two are equal.
 */
export interface LineItemRank {
  /** The group (those of one compete; lower ones go first), and whether the price is fixed: it never depends on counters or on the request. */
  readonly bucket: number;
  /** Own price in micros: the fixed price of the deal, else that of the line item. */
  readonly priceMicros: number;
  readonly rankId: bigint;
}

const LEVELS = 32;
const LINE_ITEMS_PER_STEP = 4_096;

/** The sort key of a line item. @throws SyntaxError when its id is not a number */
export function rankOf(lineItem: LineItem, deal: Deal | null): LineItemRank {
  const tier = LINE_ITEM_TYPES.indexOf(lineItem.type);
  // Tier, then level; levels count within SPONSORSHIP and STANDARD only.
  const group = tier * LEVELS + (tier < 2 ? lineItem.level : 0);
  const isStatic = deal === null && PRICING[lineItem.pricingModel].event === 'impression';
  return {
    bucket: group * 2 + (isStatic ? 1 : 0),
    priceMicros: deal?.fixedPriceMicros ?? lineItem.priceMicros,
    rankId: BigInt(lineItem.id),
  };
}

/** Line items of one group compete; lower groups go first. */
export function groupOfBucket(bucket: number): number {
  return bucket >>> 1;
}

/** Whether the price never depends on counters or on the request. */
export function isStaticBucket(bucket: number): boolean {
  return (bucket & 1) === 1;
}

export function typeOfBucket(bucket: number): LineItemType {
  return LINE_ITEM_TYPES[Math.floor(groupOfBucket(bucket) / LEVELS)] as LineItemType;
}

/** Negative when the line item at a position comes before the rank. */
function compareAt({ buckets, pricesMicros, ids }: LineItemColumns, position: number, rank: LineItemRank): number {
  const order = (buckets[position] as number) - rank.bucket || rank.priceMicros - (pricesMicros[position] as number);
  if (order !== 0) return order;
  const id = ids[position] as bigint;
  return id < rank.rankId ? -1 : id > rank.rankId ? 1 : 0;
}

/**
 * The line items in their order. Sorting prices alone is many times faster than comparing line items.
 * @param byId in ascending order of line item ids
 */
export function* sortByRank<T extends LineItemRank>(byId: readonly T[]): WorkSteps<T[]> {
  const buckets = new Map<number, T[]>();
  yield* group(byId, ({ bucket }) => bucket, buckets);
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

/** The first position that is not before `rank`, from position `from` on. */
export function findPosition(columns: LineItemColumns, rank: LineItemRank, from: number): number {
  let low = from;
  let high = columns.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareAt(columns, middle, rank) < 0) low = middle + 1;
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

/** The buckets of line items in their order. */
export interface OrderedBuckets {
  readonly length: number;
  bucketAt(position: number): number;
}

/** The line items of a tier. */
export function findTier(lineItems: OrderedBuckets, type: LineItemType): IndexRange {
  const first = LINE_ITEM_TYPES.indexOf(type) * LEVELS * 2;
  const from = findBucket(lineItems, first, 0);
  return { from, to: findBucket(lineItems, first + LEVELS * 2, from) };
}

/** The first position, from one on, whose bucket is not below this one. */
function findBucket(lineItems: OrderedBuckets, bucket: number, from: number): number {
  let low = from;
  let high = lineItems.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lineItems.bucketAt(middle) < bucket) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Below this length, adding the next group to a search costs less than another search. */
const STRETCH_LINE_ITEMS_MIN = 2_048;

/** Cuts line items into stretches: a decision that finds a winner in one stretch skips the next ones. */
export function cutStretches(lineItems: OrderedBuckets): Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  while (from < lineItems.length) {
    const groupEnds: number[] = [];
    let to = from;
    while (to < lineItems.length && to - from < STRETCH_LINE_ITEMS_MIN) {
      to = findBucket(lineItems, (groupOfBucket(lineItems.bucketAt(to)) + 1) * 2, to + 1);
      groupEnds.push(to);
    }
    stretches.push({ from, to, groupEnds });
    from = to;
  }
  return stretches;
}
