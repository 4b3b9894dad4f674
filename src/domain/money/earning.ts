import type { CounterKind } from './counter-key.ts';
import type { PricingModel } from '../booking/line-item.ts';
import { nanosPerAction, nanosPerImpression } from './money.ts';
import type { Nanos } from './money.ts';

/** Event kinds that can be billed, or that goals and limits count. */
export type CountedKind = 'impression' | 'viewable' | 'click' | 'activity';

/** The counter that an event of each kind adds to. */
export const COUNTER_OF: Readonly<Record<CountedKind, CounterKind>> = {
  impression: 'imp',
  viewable: 'view',
  click: 'clk',
  activity: 'conv',
};

/** The event that earns, by pricing model; FLAT earns by the day. */
export const EARNING_EVENT: Readonly<Record<PricingModel, CountedKind | null>> = {
  CPM: 'impression',
  VCPM: 'viewable',
  CPC: 'click',
  CPA: 'activity',
  FLAT: null,
};

/** What a price is a price for. */
export interface Priced {
  readonly pricingModel: PricingModel;
  readonly priceMicros: number;
}

/** What one earning event earns; under FLAT, one day. */
export function nanosEach({ pricingModel, priceMicros }: Priced): Nanos {
  const price = BigInt(priceMicros);
  return pricingModel === 'CPM' || pricingModel === 'VCPM' ? nanosPerImpression(price) : nanosPerAction(price);
}

/** What a billable event of this kind earns: only the event that the pricing model names earns. */
export function earnedNanos(kind: CountedKind, ad: Priced): Nanos {
  return EARNING_EVENT[ad.pricingModel] === kind ? nanosEach(ad) : 0n;
}

/**
 * Whether an event is the showing of a companion: it counts for its creative alone, because its line item is counted, and billed,
 * for the master. A click on a companion is a click like any other.
 */
export function isBeside(kind: CountedKind, ad: { readonly companion: boolean }): boolean {
  return ad.companion && (kind === 'impression' || kind === 'viewable');
}
