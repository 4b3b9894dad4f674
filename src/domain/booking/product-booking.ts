import { PRICING, type PricingModel } from '../pricing/pricing-models.ts';
import type { Targeting } from '../targeting/targeting.ts';
import type { GoalKind } from './line-item.ts';

/** What a goal counts for the event that earns; absent: no goal counts it. */
const GOAL_KIND_OF: Readonly<Record<string, GoalKind>> = {
  impression: 'IMPRESSIONS',
  viewable: 'VIEWABLE_IMPRESSIONS',
  click: 'CLICKS',
  activity: 'CONVERSIONS',
};

/** The goal that a price promises; null: none can be promised by this model. */
export function goalKindOf(model: PricingModel): GoalKind | null {
  const { event } = PRICING[model];
  return event === null ? null : (GOAL_KIND_OF[event] ?? null);
}

/** The tier of a product's line items: a share of voice by the day, a promised amount, or the highest price. */
export function tierOf(delivery: unknown, model: PricingModel): 'SPONSORSHIP' | 'STANDARD' | 'PRICE' {
  if (PRICING[model].unit === 'day') return 'SPONSORSHIP';
  return delivery === 'GUARANTEED' ? 'STANDARD' : 'PRICE';
}

/** The units of one price: a thousand events, or one. */
function unitsOfPrice(model: PricingModel): bigint {
  return PRICING[model].unit === 'thousand' ? 1_000n : 1n;
}

/** How many whole units (events, or days) an amount of money buys. @param priceMicros above 0 */
export function unitsFor(model: PricingModel, budgetMicros: bigint, priceMicros: bigint): bigint {
  return (budgetMicros * unitsOfPrice(model)) / priceMicros;
}

/** What so many units cost, in micros; a part of a micro is a whole one. */
export function costOf(model: PricingModel, units: bigint, priceMicros: bigint): bigint {
  const divisor = unitsOfPrice(model);
  return (units * priceMicros + divisor - 1n) / divisor;
}

/** Both trees must match: what is sold, and what the buyer adds. */
export function narrowedTargeting(sold: Targeting | null, added: Targeting | null): Targeting | null {
  if (sold === null || added === null) return sold ?? added;
  const parts = 'all' in sold ? sold.all : [sold];
  return { all: [...parts, added] };
}
