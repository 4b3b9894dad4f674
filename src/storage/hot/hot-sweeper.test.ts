import { afterAll, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { HotSweeper } from './hot-sweeper.ts';
import type { SweepStep } from './hot-store.ts';
import { openLedger } from '../ledger/ledger-store.ts';

const folder = createTestFolder();
afterAll(() => folder.remove());

test('all that has expired is deleted in walks of small steps, what has not expired stays, and a stopped sweeper stops', async () => {
  let nowMs = 1_700_000_000_000;
  const store = openLedger({ dir: folder.dir, nowMs: () => nowMs, log: silentLog });
  const steps: SweepStep[] = [];
  const hot = {
    sweep: async (atMs: number, entriesMax: number) => {
      const step = await store.sweep(atMs, entriesMax);
      expect(step.seen).toBeLessThanOrEqual(entriesMax + 50);
      steps.push(step);
      return step;
    },
  };
  const fill = (ttlMs: number, stem: string): Promise<unknown> =>
    store.applyOnceAll(Array.from({ length: 2_000 }, (_one, at) => ({ key: `${stem}/${at}`, value: 'v', ttlMs })));
  await fill(1_000, 'a');
  await fill(60_000, 'b');
  await fill(1_000, 'c');
  nowMs += 2_000;
  const sweeper = new HotSweeper({ hot, nowMs: () => nowMs, log: silentLog });
  for (let turns = 0; turns < 20; turns += 1) await sweeper.run();
  expect(store.stats.entries).toBe(2_000);
  expect((await store.readValues(['a/1', 'b/0', 'b/1999', 'c/1'])).map((value) => value !== null)).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(steps.at(-1)?.entries).toBe(2_000);
  sweeper.start();
  await sweeper.stop();
  const before = steps.length;
  await sweeper.run();
  expect(steps).toHaveLength(before);
  await store.close();
});

test('a walk over many entries takes 1,800 turns, however many they are', async () => {
  let seen = 0;
  const hot = {
    sweep: async (_atMs: number, entriesMax: number) => {
      seen += entriesMax;
      return { seen: entriesMax, entries: 9_000_000 };
    },
  };
  await new HotSweeper({ hot, nowMs: () => 1, log: silentLog }).run();
  expect(seen).toBe(5_000);
});
