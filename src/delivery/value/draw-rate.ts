/** What is known of a rate: so many events among so many trials, priors included. Both above 0. */
export interface RateEvidence {
  readonly hits: number;
  readonly trials: number;
}

/** With more trials than this, a draw is the mean: the two differ by less than a bid can say. */
const CERTAIN_TRIALS = 1e12;
/** Draws at the very ends of a uniform number have no finite normal quantile. */
const TAIL_MIN = 2 ** -40;

/** The mean of a rate, at most 1. */
export function meanRate({ hits, trials }: RateEvidence): number {
  return Math.min(1, hits / trials);
}

/**
 * A draw from the posterior of a rate: Beta(hits, trials − hits), by two Gamma draws (Wilson–Hilferty; within 1 % of the quantiles from one hit on). Uses two
 * to four random numbers, never a loop, so that a decision with any random numbers ends.
 * @param random uniform in [0, 1)
 */
export function drawRate(evidence: RateEvidence, random: () => number): number {
  const { hits, trials } = evidence;
  const misses = trials - hits;
  if (misses <= 0 || trials >= CERTAIN_TRIALS) return meanRate(evidence);
  const some = drawGamma(hits, random);
  return some / (some + drawGamma(misses, random));
}

/** Never 0. */
function drawGamma(shape: number, random: () => number): number {
  if (shape < 1)
    return Math.max(Number.MIN_VALUE, drawGamma(shape + 1, random) * Math.max(TAIL_MIN, random()) ** (1 / shape));
  const ninth = 1 / (9 * shape);
  const root = 1 - ninth + normalQuantile(random()) * Math.sqrt(ninth);
  return Math.max(Number.MIN_VALUE, shape * Math.max(0, root) ** 3);
}

/** The quotients of Acklam's approximation (relative error below 1.2e-9): the middle, and below 2.4 % (or above 97.6 %) the tails. */
const MIDDLE_UP = [
  -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
  2.506628277459239,
];
const MIDDLE_DOWN = [
  -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1, 1,
];
const TAIL_UP = [
  -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const TAIL_DOWN = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1];
const TAIL_SHARE = 0.02425;

/** The quantile of the standard normal distribution. @param share in [0, 1); its ends count as 2^-40 from them */
export function normalQuantile(share: number): number {
  const clipped = Math.min(1 - TAIL_MIN, Math.max(TAIL_MIN, share));
  if (clipped > 1 - TAIL_SHARE) return -normalQuantile(1 - clipped);
  if (clipped < TAIL_SHARE) {
    const distance = Math.sqrt(-2 * Math.log(clipped));
    return polynomial(TAIL_UP, distance) / polynomial(TAIL_DOWN, distance);
  }
  const offset = clipped - 0.5;
  const square = offset * offset;
  return (polynomial(MIDDLE_UP, square) * offset) / polynomial(MIDDLE_DOWN, square);
}

function polynomial(coefficients: readonly number[], at: number): number {
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * at + coefficient;
  return sum;
}
