/** A source of pseudo-random numbers in [0, 1): the same ones for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How many arrive where `mean` are expected: Poisson; by a normal approximation for 30 and more. */
export function drawPoisson(mean: number, random: () => number): number {
  if (mean >= 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * drawNormal(random)));
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit && count < 1_000; product *= random()) count += 1;
  return count;
}

/** Standard normal. */
export function drawNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Exponential waiting time. */
export function drawDelay(meanMs: number, random: () => number): number {
  return -meanMs * Math.log(1 - random());
}
