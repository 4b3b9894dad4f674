import { COUNTED_EVENTS, PRICING, type PricingModel } from './pricing-models.ts';

/** A question about what bookings of a product paid. */
export interface ClearedQuestion {
  readonly workspaceId: number;
  /** Decimal ids. */
  readonly lineItemIds: readonly string[];
  readonly fromMs: number;
}

/** What a line item had since then. */
export interface ClearedFigures {
  readonly lineItemId: string;
  /** Billable events, by the column that sums them, such as `impressions`. */
  readonly counts: Readonly<Record<string, number>>;
  readonly revenueNanos: bigint;
}

/** Reads what line items paid. */
export interface ClearedPrices {
  /** In no order; line items without an event are left out. @throws OlapError while the analytics store does not respond */
  readCleared(question: ClearedQuestion): Promise<readonly ClearedFigures[]>;
}

/** A line item that pays by its bid. */
export interface Bidder {
  readonly lineItemId: string;
  readonly advertiserId: string;
}

/** Percentiles of the price of a unit, in micros. */
export interface PriceGuidance {
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
}

/** How many days back prices count. */
export const GUIDANCE_DAYS = 30;
/** Advertisers beside the one who asks: of two, each would know the price of the other. */
export const GUIDANCE_ADVERTISERS_MIN = 3;
/** Billable events. */
export const GUIDANCE_UNITS_MIN = 100;
/** Shown prices have this many significant digits, so that no bid of another advertiser is shown as it is. */
const DIGITS = 2;

interface Asked {
  readonly pricingModel: PricingModel;
  readonly floorMicros: number;
  readonly bidders: readonly Bidder[];
  readonly figures: ReadonlyMap<string, ClearedFigures>;
  /** The advertisers of the caller, by decimal id: they do not count for the minimum. */
  readonly own: ReadonlySet<string>;
}

/** The percentiles of the prices that bidders paid, each unit counted once; null where there are too few advertisers or units. */
export function guidanceOf({ pricingModel, floorMicros, bidders, figures, own }: Asked): PriceGuidance | null {
  const paid = bidders.flatMap(({ lineItemId, advertiserId }) => {
    const had = figures.get(lineItemId);
    const units = had === undefined ? 0 : unitsOf(pricingModel, had);
    if (had === undefined || units === 0) return [];
    return [{ advertiserId, units, micros: microsOf(pricingModel, had.revenueNanos, units) }];
  });
  const others = new Set(paid.map(({ advertiserId }) => advertiserId).filter((id) => !own.has(id)));
  const total = paid.reduce((sum, { units }) => sum + units, 0);
  if (others.size < GUIDANCE_ADVERTISERS_MIN || total < GUIDANCE_UNITS_MIN) return null;
  const sorted = paid.toSorted((a, b) => a.micros - b.micros);
  const at = (share: number): number => {
    let below = 0;
    const found = sorted.find(({ units }) => (below += units) >= share * total) ?? sorted.at(-1);
    return Math.max(floorMicros, Math.round(Number((found?.micros ?? 0).toPrecision(DIGITS))));
  };
  return { p25: at(0.25), p50: at(0.5), p75: at(0.75), p90: at(0.9) };
}

function unitsOf(pricingModel: PricingModel, { counts }: ClearedFigures): number {
  const { event } = PRICING[pricingModel];
  return event === null ? 0 : (counts[COUNTED_EVENTS[event].sum] ?? 0);
}

/** Micros of a unit: a thousand events, or one. */
function microsOf(pricingModel: PricingModel, nanos: bigint, units: number): number {
  const nanosOfOne = Number(nanos) / units;
  return PRICING[pricingModel].unit === 'thousand' ? nanosOfOne : nanosOfOne / 1_000;
}
