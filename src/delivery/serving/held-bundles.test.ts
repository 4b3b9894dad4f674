import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { BUNDLE_PAGE, makeZip } from '../../storage/bundles/fixtures/make-zip.ts';
import { type BundleCaller, HeldBundles, type HeldBundleLimits } from './held-bundles.ts';

const hashOf = (number: number): string => String(number).padStart(64, '0');
const stays: BundleCaller = { network: 'a', hasLeft: () => false };
const stranger: BundleCaller = { network: 'b', hasLeft: () => false };
/** Unpacked, about 100 kB. */
const packed = makeZip([
  { path: 'index.html', content: BUNDLE_PAGE },
  { path: 'a.txt', content: Buffer.alloc(100_000) },
]);
const LIMITS: HeldBundleLimits = { bytesMax: 1_000_000, openingBytes: 1_000, openingMax: 2, waitingMax: 3 };

/** Bundles whose reading waits for `release`; `reads` are the hashes that were read. */
function openSlowly(limits: Partial<HeldBundleLimits> = {}) {
  const reads: string[] = [];
  const waiting: (() => void)[] = [];
  const held = new HeldBundles(
    {
      get: async (name) => {
        reads.push(name.slice(0, 64));
        await new Promise<void>((resolve) => waiting.push(resolve));
        return { bytes: packed, contentType: 'application/zip' };
      },
    },
    { ...LIMITS, ...limits },
  );
  const release = async (): Promise<void> => {
    const { bytes, opening } = held.stats();
    waiting.shift()?.();
    await expect.poll(() => held.stats().bytes !== bytes || held.stats().opening !== opening).toBe(true);
  };
  return { held, reads, release, releaseAll: () => waiting.splice(0).forEach((go) => go()) };
}

describe('Bundles that a worker holds', () => {
  test('at most two of 500 bundles are opened at a time, some wait, and the others are refused', async () => {
    const { held, reads, release } = openSlowly();
    const results = Promise.allSettled(Array.from({ length: 500 }, (_one, at) => held.find(hashOf(at), stays)));
    expect(held.stats()).toEqual({ bytes: 2_000, opening: 2, waiting: 3, refused: 495 });
    expect(reads).toEqual([hashOf(0), hashOf(1)]);
    for (let left = 5; left > 0; left -= 1) {
      expect(held.stats().opening).toBeLessThanOrEqual(2);
      await release();
    }
    const outcomes = await results;
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    const refused = outcomes.find((one) => one.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'overloaded', details: { retryAfterSeconds: 1 } });
    expect(reads).toHaveLength(5);
  });

  test('all who ask for one bundle share its opening, and it is read once', async () => {
    const { held, reads, releaseAll } = openSlowly();
    const asked = Promise.all(Array.from({ length: 100 }, () => held.find(hashOf(1), stays)));
    expect(held.stats()).toMatchObject({ opening: 1, waiting: 0, refused: 0 });
    releaseAll();
    expect(new Set(await asked).size).toBe(1);
    await held.find(hashOf(1), stays);
    expect(reads).toEqual([hashOf(1)]);
  });

  test('a bundle whose callers have all left is not opened, and another one can wait instead', async () => {
    const { held, reads, release, releaseAll } = openSlowly({ openingMax: 1, waitingMax: 2 });
    let hasLeft = false;
    const first = held.find(hashOf(0), stays);
    const left = held.find(hashOf(1), { network: 'a', hasLeft: () => hasLeft });
    const shared = [held.find(hashOf(2), { network: 'a', hasLeft: () => hasLeft }), held.find(hashOf(2), stays)];
    await expect(held.find(hashOf(3), stays)).rejects.toMatchObject({ code: 'overloaded' });
    hasLeft = true;
    const next = held.find(hashOf(3), stays);
    await expect(left).rejects.toMatchObject({ code: 'overloaded' });
    expect(held.stats()).toMatchObject({ opening: 1, waiting: 2, refused: 1 });
    await release();
    await expect.poll(() => reads.length).toBe(2);
    await release();
    await expect.poll(() => reads.length).toBe(3);
    releaseAll();
    expect(await Promise.all([first, next, ...shared])).not.toContain(null);
    expect(reads).toEqual([hashOf(0), hashOf(2), hashOf(3)]);
  });

  test('a network that fills the queue gives way to another one, up to the same share', async () => {
    const { held, releaseAll } = openSlowly({ openingMax: 1, waitingMax: 5 });
    const own = Promise.allSettled([0, 1, 2, 3, 4, 5].map((number) => held.find(hashOf(number), stays)));
    const others = Promise.allSettled([6, 7, 8].map((number) => held.find(hashOf(number), stranger)));
    expect(held.stats()).toMatchObject({ waiting: 5, refused: 3 });
    await expect.poll(() => (releaseAll(), held.stats().opening)).toBe(0);
    const statuses = async (all: typeof own) => (await all).map(({ status }) => status);
    expect(await statuses(own)).toEqual([...Array.from({ length: 4 }, () => 'fulfilled'), 'rejected', 'rejected']);
    expect(await statuses(others)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  test('networks take turns at the opening', async () => {
    const { held, reads, releaseAll } = openSlowly({ openingMax: 1, waitingMax: 8 });
    const asked = [0, 1, 2, 3].map((number) => held.find(hashOf(number), stays));
    asked.push(...[4, 5].map((number) => held.find(hashOf(number), stranger)));
    await expect.poll(() => (releaseAll(), held.stats().opening)).toBe(0);
    await Promise.all(asked);
    expect(reads.map(Number)).toEqual([0, 1, 4, 2, 5, 3]);
  });

  test('a bundle that two networks wait for does not give way with those of the busier one', async () => {
    const { held, releaseAll } = openSlowly({ openingMax: 1, waitingMax: 3 });
    const own = Promise.allSettled([0, 1, 2, 3].map((number) => held.find(hashOf(number), stays)));
    const shared = held.find(hashOf(3), stranger);
    const third = held.find(hashOf(4), { ...stranger, network: 'c' });
    await expect.poll(() => (releaseAll(), held.stats().opening)).toBe(0);
    expect(await Promise.all([shared, third])).not.toContain(null);
    expect((await own).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });

  test('bundles that are being opened count as held, and the oldest go for them', async () => {
    const { held, reads, releaseAll } = openSlowly({ bytesMax: 350_000, openingBytes: 100_000 });
    for (const number of [1, 2, 3]) {
      const asked = held.find(hashOf(number), stays);
      releaseAll();
      await asked;
      expect(held.stats().bytes).toBeLessThan(350_000);
    }
    await held.find(hashOf(1), stays);
    expect(reads).toHaveLength(3);
    const asked = [held.find(hashOf(4), stays), held.find(hashOf(5), stays)];
    // Two of three have gone; the one that was used last stays.
    expect(held.stats().bytes).toBeGreaterThan(300_000);
    expect(held.stats().bytes).toBeLessThan(350_000);
    await held.find(hashOf(1), stays);
    expect(reads).toHaveLength(5);
    releaseAll();
    await Promise.all(asked);
    expect(held.stats().bytes).toBeLessThan(350_000);
  });

  test('a failure to read reaches those who wait, and the next caller tries again', async () => {
    let fails = true;
    const held = new HeldBundles({
      get: () => (fails ? Promise.reject(new Error('no disk')) : Promise.resolve({ bytes: packed, contentType: '' })),
    });
    await expect(held.find(hashOf(1), stays)).rejects.toThrow('no disk');
    expect(held.stats()).toMatchObject({ bytes: 0, opening: 0 });
    fails = false;
    expect(await held.find(hashOf(1), stays)).toMatchObject({ entry: 'index.html' });
  });

  test('metrics show the memory, those that wait and the refusals', async () => {
    const { held, releaseAll } = openSlowly({ openingMax: 1, waitingMax: 1 });
    const registry = new Registry();
    held.register(registry);
    const asked = Promise.allSettled([1, 2, 3].map((number) => held.find(hashOf(number), stays)));
    const text = await registry.metrics();
    for (const line of ['placard_bundle_bytes 1000', 'placard_bundles_waiting 1', 'placard_bundles_refused 1'])
      expect(text).toContain(line);
    releaseAll();
    await expect.poll(() => held.stats().waiting).toBe(0);
    await expect.poll(() => (releaseAll(), held.stats().opening)).toBe(0);
    await asked;
  });
});
