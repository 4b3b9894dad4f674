import type { Nanos } from './money.ts';
import { COUNTED_EVENTS, PRICING } from '../pricing/pricing-models.ts';
import type { CountedKind, PricingModel } from '../pricing/pricing-models.ts';

/** The price of a line item, with its pricing model. */
export interface Priced {
  readonly pricingModel: PricingModel;
  readonly priceMicros: number;
}

/**
 * The nanos that one earning event, or one day, earns for each micro of the price. One impression at a CPM of p micros earns exactly
 * p nanos.
 */
const NANOS_PER_PRICE_MICRO = { thousand: 1, each: 1_000, day: 1_000 } as const;

/** The earning of one earning event; under FLAT, of one day. */
export function nanosEach({ pricingModel, priceMicros }: Priced): Nanos {
  return BigInt(priceMicros) * BigInt(NANOS_PER_PRICE_MICRO[PRICING[pricingModel].unit]);
}

/** The earning of a billable event of this kind: only the event that the pricing model names earns. */
export function earnedNanos(kind: CountedKind, ad: Priced): Nanos {
  return PRICING[ad.pricingModel].event === kind ? nanosEach(ad) : 0n;
}

/** The price that the events of an ad earn: what is bid, or what is booked. Micros. */
export function earnedPriceMicros({ pricingModel, priceMicros }: Priced, bidMicros: number): number {
  return PRICING[pricingModel].price === 'bid' ? bidMicros : priceMicros;
}

/** The amount that a response certainly holds on money limits, in nanos; 0 where it holds an expected amount. */
export function firmNanos(ad: Priced, bidMicros: number): number {
  const { hold, unit } = PRICING[ad.pricingModel];
  return hold === 'firm' ? earnedPriceMicros(ad, bidMicros) * NANOS_PER_PRICE_MICRO[unit] : 0;
}

/**
 * Whether an event is the showing of a companion: it counts for its creative alone, because its line item is counted, and billed,
 * for the master. A click on a companion is a click like any other.
 */
export function isBeside(kind: CountedKind, ad: { readonly companion: boolean }): boolean {
  return ad.companion && COUNTED_EVENTS[kind].isExposure;
}
