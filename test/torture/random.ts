/** Numbers from 0 to below 1, the same for the same seed. */
export type Random = () => number;

/** mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One of several. */
export function pick<T>(random: Random, all: readonly T[]): T {
  const chosen = all[Math.floor(random() * all.length)];
  if (chosen === undefined) throw new RangeError('There is nothing to pick from');
  return chosen;
}
