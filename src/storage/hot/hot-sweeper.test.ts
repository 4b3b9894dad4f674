import { afterAll, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { HotSweeper } from './hot-sweeper.ts';
import { openLmdbHotStore } from './lmdb-hot-store.ts';

const folder = createTestFolder();
afterAll(() => folder.remove());

test('all that has expired goes, however much, in slices; what has not stays, and nothing is swept after the end', async () => {
  let nowMs = 1_700_000_000_000;
  const store = openLmdbHotStore(folder.dir, () => nowMs);
  const slices: number[] = [];
  const hot = {
    sweep: async (atMs: number, entriesMax: number) => {
      const swept = await store.sweep(atMs, entriesMax);
      slices.push(swept);
      return swept;
    },
  };
  const fill = async (): Promise<void> => {
    for (let batch = 0; batch < 3; batch += 1)
      await store.applyOnceAll(
        Array.from({ length: 10_000 }, (_one, at) => ({ key: `${batch}/${at}`, value: 'v', ttlMs: 1_000 })),
      );
  };
  await fill();
  await store.set('kept', 'v', 60_000);
  nowMs += 2_000;
  const sweeper = new HotSweeper({ hot, nowMs: () => nowMs, log: silentLog });
  sweeper.start();
  await expect.poll(() => slices.at(-1)).toBe(0);
  expect(slices.reduce((sum, swept) => sum + swept, 0)).toBe(30_000);
  expect(Math.max(...slices)).toBeLessThanOrEqual(500);
  expect(await store.get('kept')).toBe('v');
  await sweeper.stop();
  const before = slices.length;
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(slices).toHaveLength(before);
  await store.close();
});
