import { sharePrice } from '../decision/allocation.ts';
import { fitDemands } from './fit-demands.ts';
import { planHighWaterMark } from './high-water-mark.ts';
import type { PlanDemand } from './plan-demands.ts';
import { planShale } from './shale.ts';
import type { Supply } from './supply.ts';

/** The least missing part of a demand by which the High Water Mark tells that demands may not fit together. */
const MISSED_MIN = 1e-6;

/** The numbers by which a demand competes for an opportunity. */
export interface DemandPlan {
  readonly demand: PlanDemand;
  readonly fair: number;
  readonly need: number;
  /** The part of its amount that fits, 0 to 1; less than 1 where goals of its level or a higher one take the rest. */
  readonly fits: number;
}

/** A plan for all goals of a workspace. */
export interface AllocationPlan {
  readonly demands: readonly DemandPlan[];
  /** Whether all goals fit together. */
  readonly isFeasible: boolean;
  readonly rounds: number;
}

/** How a plan is made. */
export interface PlanOptions {
  /** An earlier plan of the same workspace: a new one is near, and so found sooner. */
  readonly previous?: AllocationPlan;
  /** Goals are spread as if only this part of the supply came, so that they are ahead when less comes than expected; absent: 1. */
  readonly countedOn?: number;
  /** The most passes over the supply. */
  readonly roundsMax?: number;
}

/**
 * Plans the demands: the High Water Mark first, because where it holds all goals, they fit. Otherwise their levels decide which part of each
 * fits. Then the fitting parts are spread evenly.
 */
export function makePlan(
  supply: Supply,
  demands: readonly PlanDemand[],
  { previous, countedOn = 1, roundsMax }: PlanOptions = {},
): AllocationPlan {
  const amounts = Float64Array.from(demands, ({ amount }) => amount);
  const first = planHighWaterMark(supply, amounts);
  const isHeld = amounts.every((amount, at) => (first.delivered[at] as number) >= amount * (1 - MISSED_MIN));
  const levels = Uint8Array.from(demands, ({ level }) => level);
  const fitting = isHeld ? amounts : fitDemands(supply, amounts, levels);
  const before = new Map(previous?.demands.map(({ demand, need }) => [nameOf(demand), need]));
  const { fair, needs, rounds } = planShale({
    supply: countedOn === 1 ? supply : { ...supply, volumes: supply.volumes.map((volume) => volume * countedOn) },
    amounts: fitting,
    heedsCost: Uint8Array.from(demands, ({ heedsCost }) => (heedsCost ? 1 : 0)),
    needs: Float64Array.from(demands, (demand) => before.get(nameOf(demand)) ?? 0),
    ...(roundsMax === undefined ? {} : { roundsMax }),
  });
  const plans = demands.map((demand, at): DemandPlan => {
    const fits = demand.amount <= 0 ? 1 : (fitting[at] as number) / demand.amount;
    return { demand, fair: fair[at] as number, need: needs[at] as number, fits };
  });
  return { demands: plans, isFeasible: plans.every(({ fits }) => fits >= 1 - MISSED_MIN), rounds };
}

/** The part of a line item's demands: the same one in the next plan. */
function nameOf({ lineItemId, heedsCost, startsAtMs }: PlanDemand): string {
  return `${lineItemId}/${heedsCost ? 'cost' : 'all'}/${startsAtMs}`;
}

/** The share of one opportunity that each demand takes by its plan; they sum up to at most 1. @param cost of the opportunity */
export function sharesOf(plans: readonly DemandPlan[], cost: number): number[] {
  const scales = Float64Array.from(plans, ({ fair }) => fair);
  const wants = Float64Array.from(plans, ({ need, demand }) => 1 + need - (demand.heedsCost ? cost : 0));
  const price = sharePrice(scales, wants, plans.length);
  return plans.map(({ fair }, at) => fair * Math.max(0, (wants[at] as number) - price));
}
