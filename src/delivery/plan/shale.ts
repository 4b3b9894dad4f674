import { sharePrice } from '../decision/allocation.ts';
import { eligibleVolumes } from './supply.ts';
import type { Supply } from './supply.ts';

/**
 * The duals of a plan: a pair of numbers for each demand. An opportunity gives a demand `fair × (1 + need − price − cost)` of itself, at
 * least 0. The price is the least one, from 0, at which all shares of the opportunity sum up to at most 1.
 */
export interface Shale {
  /** The amount as a share of all opportunities that the demand may use: its share of each if nothing else wanted them. */
  readonly fair: Float64Array;
  /** How much more than its fair share a demand needs where opportunities are free, because it gets less elsewhere; from 0. */
  readonly needs: Float64Array;
  /** The amount that each demand gets. */
  readonly delivered: Float64Array;
  /** Passes over the supply that it took. */
  readonly rounds: number;
}

/** The input of a plan. */
export interface ShaleInput {
  readonly supply: Supply;
  /** They must fit together: see `fitDemands`. */
  readonly amounts: Float64Array;
  /** 1 = the demand heeds the costs of opportunities; 0 = it takes its share of each. */
  readonly heedsCost: Uint8Array;
  /** The needs of an earlier plan, from which this one is near; absent: 0. */
  readonly needs?: Float64Array;
  readonly roundsMax?: number;
}

const ROUNDS_MAX = 200;
const STEPS_MAX = 40;
/** A plan that misses no demand by more is done. */
const MISSED_MAX = 0.002;
const PRECISION = 1e-9;

/**
 * Spreads demands as evenly over their opportunities as they fit: SHALE (Bharadwaj et al., KDD 2012). Each round finds the price of each
 * group by the needs, then the need of each demand by the prices.
 */
export function planShale({ supply, amounts, heedsCost, needs: before, roundsMax = ROUNDS_MAX }: ShaleInput): Shale {
  const eligible = eligibleVolumes(supply);
  const fair = amounts.map((amount, demand) => {
    const volume = eligible[demand] as number;
    return volume <= 0 ? 0 : Math.min(1, amount / volume);
  });
  const needs = before?.slice() ?? new Float64Array(supply.demandCount);
  const duals = { supply, fair, needs, heedsCost };
  const prices = new Float64Array(supply.volumes.length);
  let delivered = deliver(duals, prices);
  let rounds = 1;
  for (; rounds < roundsMax && missedOf(amounts, delivered) > MISSED_MAX; rounds += 1) {
    for (let demand = 0; demand < supply.demandCount; demand += 1)
      needs[demand] = needFor(duals, { demand, amount: amounts[demand] as number, prices });
    delivered = deliver(duals, prices);
  }
  return { fair, needs, delivered, rounds };
}

/** The largest part of an amount that is missing. */
function missedOf(amounts: Float64Array, delivered: Float64Array): number {
  let most = 0;
  for (const [demand, amount] of amounts.entries())
    if (amount > 0) most = Math.max(most, 1 - (delivered[demand] as number) / amount);
  return most;
}

interface Duals {
  readonly supply: Supply;
  readonly fair: Float64Array;
  readonly needs: Float64Array;
  readonly heedsCost: Uint8Array;
}

/** Sets the prices of all groups. @returns the amount that each demand gets at these */
function deliver({ supply, fair, needs, heedsCost }: Duals, prices: Float64Array): Float64Array {
  const { volumes, costs, starts, members, demandCount } = supply;
  const delivered = new Float64Array(demandCount);
  const scales = new Float64Array(demandCount);
  const wants = new Float64Array(demandCount);
  for (let group = 0; group < volumes.length; group += 1) {
    const [from, to] = [starts[group] as number, starts[group + 1] as number];
    const cost = costs[group] as number;
    for (let edge = from; edge < to; edge += 1) {
      const demand = members[edge] as number;
      scales[edge - from] = fair[demand] as number;
      wants[edge - from] = 1 + (needs[demand] as number) - (heedsCost[demand] as number) * cost;
    }
    const price = sharePrice(scales, wants, to - from);
    prices[group] = price;
    for (let edge = from; edge < to; edge += 1) {
      const share = (scales[edge - from] as number) * Math.max(0, (wants[edge - from] as number) - price);
      const demand = members[edge] as number;
      delivered[demand] = (delivered[demand] as number) + share * (volumes[group] as number);
    }
  }
  return delivered;
}

/** The need at which a demand gets its amount while prices stay; convex in the need, approached from above after the first step. */
function needFor(
  { supply, fair, needs, heedsCost }: Duals,
  { demand, amount, prices }: { readonly demand: number; readonly amount: number; readonly prices: Float64Array },
): number {
  const { volumes, costs, groups, edgeStarts } = supply;
  const scale = fair[demand] as number;
  if (scale <= 0) return 0;
  let need = needs[demand] as number;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    let sum = 0;
    let slope = 0;
    let nearest = Number.POSITIVE_INFINITY;
    for (let at = edgeStarts[demand] as number; at < (edgeStarts[demand + 1] as number); at += 1) {
      const group = groups[at] as number;
      const above = 1 + need - (heedsCost[demand] as number) * (costs[group] as number) - (prices[group] as number);
      if (above <= 0) {
        nearest = Math.min(nearest, -above);
        continue;
      }
      sum += scale * above * (volumes[group] as number);
      slope += scale * (volumes[group] as number);
    }
    const off = amount - sum;
    if (Math.abs(off) <= PRECISION * (1 + amount)) break;
    // Where no opportunity is worth its price, the need grows until one is.
    if (slope <= 0) need += nearest + 1e-6;
    else need += off / slope;
    if (need <= 0) return 0;
  }
  return need;
}
