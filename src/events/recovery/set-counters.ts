import type { RebuildTarget } from '../../storage/hot/recoverable-shards.ts';
import type { ExpectedCounter } from './expected-counters.ts';

/** Counters of one call of the hot store. */
export const CHUNK = 1_000;

/** Corrects each counter by its difference from the expected value. */
export async function setCounters(hot: RebuildTarget, expected: ReadonlyMap<string, ExpectedCounter>): Promise<void> {
  const all = [...expected];
  for (let start = 0; start < all.length; start += CHUNK) {
    const part = all.slice(start, start + CHUNK);
    const standing = await hot.readCounters(part.map(([key]) => key));
    const increments = part
      .map(([key, { value, ttlMs }], at) => ({ key, by: value - (standing[at] ?? 0n), ttlMs }))
      .filter(({ by }) => by !== 0n);
    if (increments.length > 0) await hot.addToCounters(increments);
  }
}
