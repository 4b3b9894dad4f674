/**
 * What the allocation plan gives a line item at present. It competes for a part of each opportunity that admits it: a fair share of all, and
 * one that heeds what PRICE would pay. By its need, it takes more than its fair share, because it gets less elsewhere.
 */
export interface PlannedShare {
  readonly fair: number;
  readonly need: number;
  /** The same of the part that heeds what PRICE would pay. */
  readonly costFair: number;
  readonly costNeed: number;
  /** The plan has another share for it from then on. Epoch milliseconds. */
  readonly untilMs: number;
}

/** The allocation plan of a workspace, as a decision reads it. */
export interface Allocation {
  /** Decisions may remember its shares, for as long as they are valid. */
  readonly isConstant: boolean;
  /** What PRICE pays for a thousand opportunities, mean. */
  readonly meanValueMicros: number;
  /** Null: the plan knows no goal of the line item. */
  find(lineItemId: string, nowMs: number): PlannedShare | null;
}

/** The most steps toward a price; some suffice. */
const STEPS_MAX = 40;
const PRECISION = 1e-9;

/**
 * The price of an opportunity: the least one, from 0, at which `scale × (want − price)`, summed over all that are positive, is at most 1. The
 * sum is a convex function of the price, so that steps along its slope approach it from below.
 */
export function sharePrice(scales: Float64Array, wants: Float64Array, count: number): number {
  let price = 0;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    let sum = 0;
    let slope = 0;
    for (let at = 0; at < count; at += 1) {
      const above = (wants[at] as number) - price;
      if (above <= 0) continue;
      sum += (scales[at] as number) * above;
      slope += scales[at] as number;
    }
    if (sum <= 1 + PRECISION) return price;
    price += (sum - 1) / slope;
  }
  return price;
}
