import type { LineItem } from '../api/bookings/desk-list.ts';
import { goalValue } from '../delivery/delivery-days.ts';
import { type DeliveryState, deliveryStateOf } from '../delivery/delivery-sentence.ts';

/** The sums of the line items of an order. */
export interface RollUp {
  /** The number of line items in each state, the largest first. */
  readonly states: readonly { readonly state: DeliveryState; readonly count: number }[];
  /** Money of all goals that are priced by what they count, as exact text; null: there is none. */
  readonly booked: string | null;
  /** Line items that are not in `booked`: without a goal, or with another price. */
  readonly unpriced: number;
  /** Delivered money in percent of the money that the plans expect by now; null: no plan expects any. */
  readonly pacePercent: number | null;
}

type RolledItem = Pick<
  LineItem,
  'status' | 'startsAt' | 'endsAt' | 'campaign' | 'goal' | 'delivery' | 'timezone' | 'price' | 'pricingModel'
>;

/** Rolls line items up. Goals of different kinds add up by their money. */
export function rollUp(items: readonly RolledItem[], nowMs: number): RollUp {
  const states = new Map<DeliveryState, number>();
  let [bookedCents, unpriced, delivered, expected] = [0, 0, 0, 0];
  for (const item of items) {
    const state = deliveryStateOf(item, nowMs);
    states.set(state, (states.get(state) ?? 0) + 1);
    const value = valueOf(item);
    if (value === null) {
      unpriced += 1;
      continue;
    }
    bookedCents += Math.round(value * 100);
    const progress = item.delivery?.progress ?? null;
    if (progress === null || progress.goal === 0 || (progress.expected ?? 0) <= 0) continue;
    const unit = value / progress.goal;
    delivered += unit * progress.delivered;
    expected += unit * (progress.expected ?? 0);
  }
  return {
    states: [...states].map(([state, count]) => ({ state, count })).toSorted((one, other) => other.count - one.count),
    booked: unpriced === items.length ? null : (bookedCents / 100).toFixed(2),
    unpriced,
    pacePercent: expected === 0 ? null : Math.round((100 * delivered) / expected),
  };
}

/** The money of the goal of a flight; null: the goal is by day, or it has no price of its own. */
function valueOf({ goal, price, pricingModel }: RolledItem): number | null {
  const value = goal?.period === 'LIFETIME' ? goalValue(goal, price, pricingModel) : null;
  return value === null || Number(value) === 0 ? null : Number(value);
}
