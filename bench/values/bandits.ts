import { drawRate } from '../../src/delivery/value/draw-rate.ts';

/** Chooses one of some arms at each impression, and learns from its click. */
export interface Bandit {
  choose(): number;
  learn(arm: number, isHit: boolean): void;
}

/**
 * Thompson sampling from Beta(1, 1), the baseline; with `kept` below 1, discounted Thompson sampling (Raj and Kalyani 2017): each impression takes its part
 * of the evidence of all arms.
 */
export function thompson(arms: number, random: () => number, kept = 1): Bandit {
  const hits = new Float64Array(arms);
  const misses = new Float64Array(arms);
  return {
    choose: () => {
      let best = 0;
      let bestRate = -1;
      for (let arm = 0; arm < arms; arm += 1) {
        const own = hits[arm] as number;
        const rate = drawRate({ hits: own + 1, trials: own + (misses[arm] as number) + 2 }, random);
        if (rate > bestRate) [best, bestRate] = [arm, rate];
      }
      return best;
    },
    learn: (arm, isHit) => {
      if (kept < 1) {
        for (let one = 0; one < arms; one += 1) {
          hits[one] = (hits[one] as number) * kept;
          misses[one] = (misses[one] as number) * kept;
        }
      }
      const counts = isHit ? hits : misses;
      counts[arm] = (counts[arm] as number) + 1;
    },
  };
}
