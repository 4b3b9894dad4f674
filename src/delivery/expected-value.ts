import type { CounterKind } from '../domain/counter-key.ts';
import { lifetimeCounterKey } from '../domain/counter-key.ts';
import type { LineItem } from '../domain/line-item.ts';
import type { CompiledLineItem } from './compile-rows.ts';
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
  switch (lineItem.pricingModel) {
    case 'CPM':
      return priceMicros;
    case 'VCPM':
      return Math.round(priceMicros * smoothedRate('view', lineItem, workspaceId, state));
    case 'CPC':
      return Math.round(priceMicros * 1_000 * smoothedRate('clk', lineItem, workspaceId, state));
    case 'CPA':
      return Math.round(priceMicros * 1_000 * smoothedRate('conv', lineItem, workspaceId, state));
    case 'FLAT':
      return Math.round((priceMicros * 1_000) / FLAT_IMPRESSIONS_PER_DAY);
  }
}

const PRIORS = { view: VIEWABLE_PRIOR, clk: CLICK_PRIOR, conv: CONVERSION_PRIOR } as const;

/** Events per impression, shrunk toward the prior; never above 1. */
function smoothedRate(
  kind: keyof typeof PRIORS,
  lineItem: LineItem,
  workspaceId: number,
  state: DeliveryState,
): number {
  const read = (what: CounterKind) =>
    state.counter(lifetimeCounterKey({ workspaceId, scope: 'li', id: lineItem.id, kind: what }));
  const prior = PRIORS[kind];
  return Math.min(1, (read(kind) + prior.rate * prior.weight) / (read('imp') + prior.weight));
}
