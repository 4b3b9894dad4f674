import type { Allocation, PlannedShare } from '../decision/allocation.ts';
import type { AllocationPlan } from './allocation-plan.ts';

/** An older plan is not used: the order of levels and urgency decides instead. */
export const PLAN_KEPT_MS = 30 * 60_000;

/** A line item's part of a plan, until some time: the numbers of a `PlannedShare`. */
export type PublishedShare = readonly [
  lineItemId: string,
  untilMs: number,
  fair: number,
  need: number,
  costFair: number,
  costNeed: number,
];

/** A plan as it travels to those who decide. */
export interface PublishedPlan {
  readonly madeAtMs: number;
  readonly isFeasible: boolean;
  readonly meanValueMicros: number;
  /** Those of one line item follow each other, the earliest first. */
  readonly shares: readonly PublishedShare[];
}

/** What decisions need of a plan until the next one is made. */
export function publishPlan(
  { demands, isFeasible }: AllocationPlan,
  { madeAtMs, meanValueMicros }: { readonly madeAtMs: number; readonly meanValueMicros: number },
): PublishedPlan {
  const byPart = Map.groupBy(
    demands.filter(({ demand }) => demand.startsAtMs < madeAtMs + PLAN_KEPT_MS),
    ({ demand }) => `${demand.lineItemId}/${demand.startsAtMs}`,
  );
  const shares = [...byPart.values()].map((parts): PublishedShare => {
    const even = parts.find(({ demand }) => !demand.heedsCost);
    const cost = parts.find(({ demand }) => demand.heedsCost);
    const { lineItemId = '', endsAtMs = 0 } = parts[0]?.demand ?? {};
    return [lineItemId, endsAtMs, even?.fair ?? 0, even?.need ?? 0, cost?.fair ?? 0, cost?.need ?? 0];
  });
  return { madeAtMs, isFeasible, meanValueMicros, shares };
}

/** A published plan, ready for decisions. */
export class PlanTable implements Allocation {
  readonly isConstant = true;
  readonly plan: PublishedPlan;
  readonly #byId = new Map<string, PlannedShare[]>();

  constructor(plan: PublishedPlan) {
    this.plan = plan;
    for (const [id, untilMs, fair, need, costFair, costNeed] of plan.shares) {
      const share = { fair, need, costFair, costNeed, untilMs };
      const known = this.#byId.get(id);
      if (known === undefined) this.#byId.set(id, [share]);
      else known.push(share);
    }
  }

  get meanValueMicros(): number {
    return this.plan.meanValueMicros;
  }

  find(lineItemId: string, nowMs: number): PlannedShare | null {
    return this.#byId.get(lineItemId)?.find(({ untilMs }) => nowMs < untilMs) ?? null;
  }

  /** Whether the plan may still be used. */
  isKeptAt(nowMs: number): boolean {
    return nowMs < this.plan.madeAtMs + PLAN_KEPT_MS;
  }
}
