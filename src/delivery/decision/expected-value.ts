import { PRICING } from '../../domain/pricing/pricing-models.ts';
import type { CountedKind } from '../../domain/pricing/pricing-models.ts';
import type { RateContext } from '../../domain/events/context-outcome.ts';
import type { RateLifts } from '../value/context-model.ts';
import { drawRate, meanRate } from '../value/draw-rate.ts';
import type { RateEvidence } from '../value/draw-rate.ts';
import { evidenceByCounters, optimisticEvidence } from '../value/rate-evidence.ts';
import type { ContextMemory } from './index/context-memories.ts';
import type { CompiledLineItem } from './index/compile-line-items.ts';
import type { DeliveryState } from './delivery-state.ts';

/** Daily impressions over which a flat day price is spread. */
const FLAT_IMPRESSIONS_PER_DAY = 10_000;

/** The price of one event or day, times one thousand impressions. */
const THOUSAND_BY_UNIT = { thousand: 1, each: 1_000, day: 1_000 } as const;

/**
 * Expected earning of one thousand impressions in micros, which is what a line item bids. CPM is known. Other models use the rate of the event that earns
 * per impression of the line item. FLAT is spread over 10,000 impressions a day.
 */
export function expectedCpmMicros(
  lineItem: CompiledLineItem,
  workspaceId: number,
  state: DeliveryState,
  lifts: SlotLifts | null = null,
): number {
  const micros = cpmMicrosBy(lineItem, (kind) => meanRate(rateEvidence(kind, lineItem, workspaceId, state)));
  return lifts === null ? micros : liftMicros(micros, lineItem, liftOf(lineItem, lifts));
}

/** How rates depend on the context of one slot. */
export interface SlotLifts {
  readonly lifts: RateLifts;
  readonly context: RateContext;
  /** Null where nothing is remembered: explanations, replays and sampled decisions ask for each. */
  readonly memory: ContextMemory | null;
}

/** By which factor the rate of the event that earns is higher in a context; 1 where none is needed. */
export function liftOf({ booked, pricingModel }: CompiledLineItem, { lifts, context }: SlotLifts): number {
  const { event } = PRICING[pricingModel];
  if (event === null || event === 'impression') return 1;
  return lifts.lift({ kind: event, lineItemId: booked.id, creativeId: '' }, context);
}

/** A value in a context: at most what an event with each impression earns. */
export function liftMicros(micros: number, { pricingModel, priceMicros }: CompiledLineItem, lift: number): number {
  if (lift === 1) return micros;
  return Math.min(Math.round(micros * lift), priceMicros * THOUSAND_BY_UNIT[PRICING[pricingModel].unit]);
}

/** The input of a draw. */
export interface DrawInput {
  readonly workspaceId: number;
  readonly state: DeliveryState;
  readonly random: () => number;
  /** Of a trial of the line item (`trialWorth`). */
  readonly worth: number;
}

/**
 * The value by which a line item competes: a draw from what is known of its rate, so that a line item without a history is shown as often as it may be
 * the best (Thompson sampling). Without learned rates, or without trials, it is the expected value.
 */
export function drawnCpmMicros(lineItem: CompiledLineItem, { workspaceId, state, random, worth }: DrawInput): number {
  if (state.rate === undefined || state.isWithoutTrials === true)
    return expectedCpmMicros(lineItem, workspaceId, state);
  return cpmMicrosBy(lineItem, (kind) =>
    drawRate(optimisticEvidence(kind, rateEvidence(kind, lineItem, workspaceId, state), worth), random),
  );
}

function cpmMicrosBy({ pricingModel, priceMicros }: CompiledLineItem, rateOf: (kind: CountedKind) => number): number {
  const { event, unit } = PRICING[pricingModel];
  const thousand = priceMicros * THOUSAND_BY_UNIT[unit];
  if (event === null) return Math.round(thousand / FLAT_IMPRESSIONS_PER_DAY);
  return event === 'impression' ? thousand : Math.round(thousand * rateOf(event));
}

/** What is known of the events of a kind per impression of the line item. */
export function rateEvidence(
  kind: CountedKind,
  { booked, advertiser }: CompiledLineItem,
  workspaceId: number,
  state: DeliveryState,
): RateEvidence {
  const asked = { kind, workspaceId, advertiserId: advertiser.id, lineItemId: booked.id, creativeId: '' };
  return state.rate?.(asked, null) ?? evidenceByCounters(asked, null, (key) => state.counter(key));
}
