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
  readonly previous?: PlanNeeds;
  /** A demand is spread as if only this part of its supply came, so that it is ahead when less comes than expected; absent: 1. */
  readonly countedOn?: (demand: PlanDemand) => number;
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
  { previous, countedOn = () => 1, roundsMax }: PlanOptions = {},
): AllocationPlan {
  const amounts = Float64Array.from(demands, ({ amount }) => amount);
  const first = planHighWaterMark(supply, amounts);
  const isHeld = amounts.every((amount, at) => (first.delivered[at] as number) >= amount * (1 - MISSED_MIN));
  const levels = Uint8Array.from(demands, ({ level }) => level);
  const fitting = isHeld ? amounts : fitDemands(supply, amounts, levels);
  const { fair, needs, rounds } = planShale({
    supply,
    amounts: withMargin(supply, fitting, Float64Array.from(demands, countedOn)),
    heedsCost: Uint8Array.from(demands, ({ heedsCost }) => (heedsCost ? 1 : 0)),
    needs: Float64Array.from(demands, (demand) => previous?.get(nameOf(demand)) ?? 0),
    ...(roundsMax === undefined ? {} : { roundsMax }),
  });
  const plans = demands.map((demand, at): DemandPlan => {
    const fits = demand.amount <= 0 ? 1 : (fitting[at] as number) / demand.amount;
    return { demand, fair: fair[at] as number, need: needs[at] as number, fits };
  });
  return { demands: plans, isFeasible: plans.every(({ fits }) => fits >= 1 - MISSED_MIN), rounds };
}

/** Margins that do not fit together are cut, all alike; the smallest one is added in any case. */
const MARGINS = [1, 0.5] as const;

/** The amounts, and the margin of each by the part of the supply that it may count on, as far as they fit together. */
function withMargin(supply: Supply, amounts: Float64Array, countedOn: Float64Array): Float64Array {
  const least = countedOn.reduce((most, part) => Math.max(most, part), 0);
  const needed = neededMargins(supply, amounts);
  const add = (share: number) =>
    amounts.map((amount, at) => {
      const margin = 1 - least + share * (least - (countedOn[at] as number));
      return amount / (1 - margin * (needed[at] as number));
    });
  for (const share of MARGINS) {
    const wanted = add(share);
    const { delivered } = planHighWaterMark(supply, wanted);
    if (wanted.every((amount, at) => (delivered[at] as number) >= amount * (1 - MISSED_MIN))) return wanted;
  }
  return add(0);
}

/** A demand that would still get all with this part of the supply needs no margin: it takes a larger part of the supply that comes. */
const WEAK_SUPPLY = 0.5;
/** A demand that would get this much less of its amount, or yet less, needs all of its margin. */
const WEAK_LOSS = 0.25;

/** The part of its margin that each demand needs, 0 to 1. A demand that needs none is spread evenly to the end. */
function neededMargins(supply: Supply, amounts: Float64Array): Float64Array {
  const { delivered } = planHighWaterMark(
    supply,
    amounts.map((amount) => amount / WEAK_SUPPLY),
  );
  return amounts.map((amount, at) => {
    const lost = amount <= 0 ? 0 : 1 - (delivered[at] as number) / (amount / WEAK_SUPPLY);
    return lost <= MISSED_MIN ? 0 : Math.min(1, lost / WEAK_LOSS);
  });
}

/** What a plan leaves for the next one, by demand. */
export type PlanNeeds = ReadonlyMap<string, number>;

/** Where the next plan begins. */
export function needsOf({ demands }: AllocationPlan): PlanNeeds {
  return new Map(demands.map(({ demand, need }) => [nameOf(demand), need]));
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
