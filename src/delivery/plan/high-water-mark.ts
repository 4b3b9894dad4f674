import { eligibleVolumes } from './supply.ts';
import type { Supply } from './supply.ts';

/** A plan by the High Water Mark: each demand takes the same rate of all its opportunities, as far as earlier demands left that much. */
export interface HighWaterMark {
  /** The demands, those with the fewest opportunities first. */
  readonly order: Int32Array;
  /** The share of an opportunity that each demand takes at most; 1 where it takes all that is left. */
  readonly rates: Float64Array;
  /** The amount that each demand gets. */
  readonly delivered: Float64Array;
}

const ROUNDS_MAX = 60;
const PRECISION = 1e-9;

/** Plans demands one after the other (Bharadwaj et al., 2012, section 5). Needs no more than a pass over the supply for each step. */
export function planHighWaterMark(supply: Supply, amounts: Float64Array): HighWaterMark {
  const { demandCount, volumes } = supply;
  const eligible = eligibleVolumes(supply);
  const order = Int32Array.from({ length: demandCount }, (_none, demand) => demand).sort(
    (one, other) => (eligible[one] as number) - (eligible[other] as number) || one - other,
  );
  /** The share of each group that is left. */
  const left = new Float64Array(volumes.length).fill(1);
  const rates = new Float64Array(demandCount);
  const delivered = new Float64Array(demandCount);
  for (const demand of order) {
    const rate = rateFor(supply, { demand, amount: amounts[demand] as number, left });
    rates[demand] = rate;
    delivered[demand] = allot(supply, { demand, rate, left });
  }
  return { order, rates, delivered };
}

/**
 * The rate that gives the amount; 1 where there is not enough. The delivery is a concave function of the rate, so that steps along its
 * slope approach the amount from below.
 */
function rateFor(
  { volumes, groups, edgeStarts }: Supply,
  { demand, amount, left }: { readonly demand: number; readonly amount: number; readonly left: Float64Array },
): number {
  const [from, to] = [edgeStarts[demand] as number, edgeStarts[demand + 1] as number];
  let rate = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    let sum = 0;
    let slope = 0;
    for (let at = from; at < to; at += 1) {
      const group = groups[at] as number;
      const volume = volumes[group] as number;
      const leftOfGroup = left[group] as number;
      if (leftOfGroup > rate) {
        sum += volume * rate;
        slope += volume;
      } else sum += volume * leftOfGroup;
    }
    const missing = amount - sum;
    if (missing <= PRECISION * (1 + amount)) return rate;
    if (slope <= 0) return 1;
    rate += missing / slope;
    if (rate >= 1) return 1;
  }
  return rate;
}

function allot(
  { volumes, groups, edgeStarts }: Supply,
  { demand, rate, left }: { readonly demand: number; readonly rate: number; readonly left: Float64Array },
): number {
  let sum = 0;
  for (let at = edgeStarts[demand] as number; at < (edgeStarts[demand + 1] as number); at += 1) {
    const group = groups[at] as number;
    const taken = Math.min(left[group] as number, rate);
    left[group] = (left[group] as number) - taken;
    sum += taken * (volumes[group] as number);
  }
  return sum;
}
