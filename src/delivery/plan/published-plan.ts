import { type FreeTraffic, PLAN_KEPT_MS } from '../../domain/pacing/free-timeline.ts';

/** A plan as it travels to those who decide: what other goals leave to each goal. */
export interface PublishedPlan {
  readonly madeAtMs: number;
  /** By line item. */
  readonly free: readonly (readonly [lineItemId: string, free: FreeTraffic])[];
}

/** A published plan, ready for pacing. */
export class PlanTable {
  readonly plan: PublishedPlan;
  readonly #byId: ReadonlyMap<string, FreeTraffic>;

  constructor(plan: PublishedPlan) {
    this.plan = plan;
    this.#byId = new Map(plan.free);
  }

  /** The same object until it changes; null: the plan knows no goal of the line item. */
  find(lineItemId: string): FreeTraffic | null {
    return this.#byId.get(lineItemId) ?? null;
  }

  /** Whether the plan may still be used. */
  isKeptAt(nowMs: number): boolean {
    return nowMs < this.plan.madeAtMs + PLAN_KEPT_MS;
  }
}
