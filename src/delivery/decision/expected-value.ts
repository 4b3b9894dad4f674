import type { CounterKind } from '../../domain/money/counter-key.ts';
import { lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import { COUNTED_EVENTS, PRICING } from '../../domain/pricing/pricing-models.ts';
import type { CountedKind } from '../../domain/pricing/pricing-models.ts';
import type { LineItem } from '../../domain/booking/line-item.ts';
import type { CompiledLineItem } from './index/compile-line-items.ts';
import type { DeliveryState } from './delivery-state.ts';

/** Daily impressions over which a flat day price is spread. */
const FLAT_IMPRESSIONS_PER_DAY = 10_000;

/** The price of one event or day, times one thousand impressions. */
const THOUSAND_BY_UNIT = { thousand: 1, each: 1_000, day: 1_000 } as const;

/**
 * Expected earning of one thousand impressions in micros. CPM is known. Other models use the smoothed rate of the event that earns per
 * impression of the line item. FLAT is spread over 10,000 impressions a day.
 */
export function expectedCpmMicros(lineItem: CompiledLineItem, workspaceId: number, state: DeliveryState): number {
  const { booked, priceMicros } = lineItem;
  const { event, unit } = PRICING[booked.pricingModel];
  const thousand = priceMicros * THOUSAND_BY_UNIT[unit];
  if (event === null) return Math.round(thousand / FLAT_IMPRESSIONS_PER_DAY);
  return event === 'impression' ? thousand : Math.round(thousand * eventRate(event, booked, workspaceId, state));
}

/** Events of a kind per impression of the line item, shrunk toward the usual rate; never above 1. */
export function eventRate(kind: CountedKind, lineItem: LineItem, workspaceId: number, state: DeliveryState): number {
  const { counter, prior } = COUNTED_EVENTS[kind];
  if (prior === null) return 1;
  const read = (what: CounterKind) =>
    state.counter(lifetimeCounterKey({ workspaceId, scope: 'li', id: lineItem.id, kind: what }));
  return Math.min(1, (read(counter) + prior.rate * prior.weight) / (read('imp') + prior.weight));
}
