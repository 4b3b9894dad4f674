import { type FreeShare, PLAN_KEPT_MS } from '../../domain/pacing/free-timeline.ts';

/** A plan as it travels to those who decide: what other goals leave to each goal. */
export interface PublishedPlan {
  readonly madeAtMs: number;
  /** By line item; the earliest share first. */
  readonly shares: readonly (readonly [lineItemId: string, shares: readonly FreeShare[]])[];
}

/** A published plan, ready for pacing. */
export class PlanTable {
  readonly plan: PublishedPlan;
  readonly #byId: ReadonlyMap<string, readonly FreeShare[]>;

  constructor(plan: PublishedPlan) {
    this.plan = plan;
    this.#byId = new Map(plan.shares);
  }

  /** The same list until it changes; null: the plan knows no goal of the line item. */
  find(lineItemId: string): readonly FreeShare[] | null {
    return this.#byId.get(lineItemId) ?? null;
  }

  /** Whether the plan may still be used. */
  isKeptAt(nowMs: number): boolean {
    return nowMs < this.plan.madeAtMs + PLAN_KEPT_MS;
  }
}
