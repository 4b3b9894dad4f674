import { afterAll, expect, test } from 'vitest';
import { createTestFolder } from '../../../test/support/stores.ts';
import { openLmdbHotStore } from './lmdb-hot-store.ts';

const folder = createTestFolder();
afterAll(() => folder.remove());

/** Mulberry32: the same numbers for a seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

test.each([1, 2, 3, 4, 5])(
  'operations that come together have the results of one after the other (seed %i)',
  async (seed) => {
    const random = randomOf(seed);
    const store = openLmdbHotStore(`${folder.dir}/seed-${seed}`, () => 1_000_000);
    const values = new Map<string, string>();
    const counters = new Map<string, bigint>();
    const add = (key: string, by: bigint): bigint => {
      counters.set(key, (counters.get(key) ?? 0n) + by);
      return counters.get(key) ?? 0n;
    };
    const increment = () => ({ key: `c${random(6)}`, by: BigInt(random(9) - 4), ttlMs: 60_000 });
    const pending: Promise<void>[] = [];
    for (let turn = 0; turn < 1_500; turn += 1) {
      const key = `v${random(400)}`;
      const value = `turn ${turn}`;
      const increments = [increment(), increment()];
      const kind = random(10);
      if (kind === 0) {
        values.set(key, value);
        pending.push(store.set(key, value, 60_000));
      } else if (kind < 4) {
        const expected = increments.map(({ key: counter, by }) => add(counter, by));
        pending.push(store.addToCounters(increments).then((got) => expect(got).toEqual(expected)));
      } else {
        const first = !values.has(key);
        if (first) values.set(key, value);
        if (first) for (const { key: counter, by } of increments) add(counter, by);
        const expected = { first, value: values.get(key) };
        const done = store.applyOnce({ key, value, ttlMs: 60_000, increments });
        pending.push(done.then((got) => expect(got).toEqual(expected)));
      }
      if (random(40) === 0) await pending[random(pending.length)];
    }
    await Promise.all(pending);
    expect(await store.readCounters([...counters.keys()])).toEqual([...counters.values()]);
    expect(await store.readValues([...values.keys()])).toEqual([...values.values()]);
    await store.close();
  },
);
