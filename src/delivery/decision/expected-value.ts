import type { CounterKind } from '../../domain/money/counter-key.ts';
import { lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import { COUNTER_OF } from '../../domain/money/earning.ts';
import type { CountedKind } from '../../domain/money/earning.ts';
import type { LineItem } from '../../domain/booking/line-item.ts';
import type { CompiledLineItem } from './index/compile-line-items.ts';
import type { DeliveryState } from './delivery-state.ts';

/** What is assumed of a line item without history, and how many impressions that assumption weighs. */
const CLICK_PRIOR = { rate: 0.001, weight: 1_000 } as const;
const CONVERSION_PRIOR = { rate: 0.0001, weight: 10_000 } as const;
const VIEWABLE_PRIOR = { rate: 0.5, weight: 1_000 } as const;
/** Impressions a day over which a flat day price is spread. */
const FLAT_IMPRESSIONS_PER_DAY = 10_000;

/**
 * Expected earning of one thousand impressions in micros: CPM as it is; vCPM, CPC and CPA by the smoothed viewable, click and
 * conversion rates of the line item; FLAT spread over 10,000 impressions a day.
 */
export function expectedCpmMicros(row: CompiledLineItem, workspaceId: number, state: DeliveryState): number {
  const { lineItem, priceMicros } = row;
  switch (row.pricingModel) {
    case 'CPM':
      return priceMicros;
    case 'VCPM':
      return Math.round(priceMicros * eventRate('viewable', lineItem, workspaceId, state));
    case 'CPC':
      return Math.round(priceMicros * 1_000 * eventRate('click', lineItem, workspaceId, state));
    case 'CPA':
      return Math.round(priceMicros * 1_000 * eventRate('activity', lineItem, workspaceId, state));
    case 'FLAT':
      return Math.round((priceMicros * 1_000) / FLAT_IMPRESSIONS_PER_DAY);
  }
}

const PRIORS = { viewable: VIEWABLE_PRIOR, click: CLICK_PRIOR, activity: CONVERSION_PRIOR } as const;

/** How many events of a kind one impression of the line item brings, shrunk toward what is usual; never above 1. */
export function eventRate(kind: CountedKind, lineItem: LineItem, workspaceId: number, state: DeliveryState): number {
  if (kind === 'impression') return 1;
  const read = (what: CounterKind) =>
    state.counter(lifetimeCounterKey({ workspaceId, scope: 'li', id: lineItem.id, kind: what }));
  const prior = PRIORS[kind];
  return Math.min(1, (read(COUNTER_OF[kind]) + prior.rate * prior.weight) / (read('imp') + prior.weight));
}
