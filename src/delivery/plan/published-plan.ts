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

/** When a plan was made, what PRICE pays on average, and how long the plan may be used. */
export interface PublishedFor {
  readonly madeAtMs: number;
  readonly meanValueMicros: number;
  readonly keptMs?: number | undefined;
}

/** What decisions need of a plan until the next one is made. */
export function publishPlan(
  { demands, isFeasible }: AllocationPlan,
  { madeAtMs, meanValueMicros, keptMs = PLAN_KEPT_MS }: PublishedFor,
): PublishedPlan {
  const byPart = Map.groupBy(
    demands.filter(({ demand }) => demand.startsAtMs < madeAtMs + keptMs),
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

/**
 * A plan without the line items of which a number is none: JSON has no NaN, and a receiver refuses a plan with a share that it cannot read.
 *
 * @throws RangeError when a number of the whole plan is none
 */
export function withoutUnusable(plan: PublishedPlan): { readonly plan: PublishedPlan; readonly lineItemIds: string[] } {
  const { madeAtMs, meanValueMicros, shares } = plan;
  if (!Number.isFinite(madeAtMs) || !Number.isFinite(meanValueMicros))
    throw new RangeError(`The plan has no usable time or mean value: ${madeAtMs}, ${meanValueMicros}`);
  const bad = new Set(shares.filter(([, ...numbers]) => !numbers.every(Number.isFinite)).map(([id]) => id));
  if (bad.size === 0) return { plan, lineItemIds: [] };
  return { plan: { ...plan, shares: shares.filter(([id]) => !bad.has(id)) }, lineItemIds: [...bad] };
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
