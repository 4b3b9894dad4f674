import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder } from '../../../test/support/stores.ts';
import { ImpressionIds } from '../../domain/ids/impression-ids.ts';
import type { HotStore } from './hot-store.ts';
import { openLmdbHotStore } from './lmdb-hot-store.ts';

const DAY_MS = 86_400_000;
const openedMs = Date.parse('2026-11-20T10:00:00Z');
const FILE = `0/${openedMs}-0123abcdb`;
let folder: ReturnType<typeof createTestFolder>;
let hot: HotStore;
let nowMs: number;

beforeEach(() => {
  folder = createTestFolder();
  nowMs = openedMs;
  hot = openLmdbHotStore(folder.dir, () => nowMs);
});
afterEach(async () => {
  await hot.close();
  folder.remove();
});

/** As older programs counted a line: its position is the value of its event's key. */
async function countBefore(key: string, position: string, ttlMs = 2 * DAY_MS): Promise<void> {
  await hot.applyOnce({ key, value: position, ttlMs, increments: [{ key: 'count', by: 1n, ttlMs: 900 * DAY_MS }] });
  await hot.set(`sc/${position.slice(0, position.lastIndexOf('/'))}`, '1', 60 * DAY_MS);
}

function count(file: string, keys: readonly string[], ttlMs = 2 * DAY_MS): Promise<readonly boolean[]> {
  const increments = [{ key: 'count', by: 1n, ttlMs: 900 * DAY_MS }];
  const lines = keys.map((key, offset) => ({ offset, key, ttlMs, increments, pushes: [] }));
  return hot.countLines({ file, from: 0, to: lines.length, lines });
}

const counted = async (): Promise<number> => Number((await hot.readCounters(['count']))[0]);
const newKey = (): string => `e/${new ImpressionIds().next(nowMs)}:imp`;

test('events that an older program counted stay counted, their lines are the first ones, and repeats are duplicates', async () => {
  const [own, other, order, unknown] = [newKey(), newKey(), 'e/a:order', newKey()];
  await countBefore(own, `${FILE}/0`);
  await countBefore(other, '1/another/70');
  await countBefore(order, '1/another/90', 400 * DAY_MS);
  for (const key of [own, other, order]) expect(await hot.isCounted(key)).toBe(true);
  expect(await hot.isCounted(unknown)).toBe(false);
  expect(await count(FILE, [own, other, order, unknown])).toEqual([true, false, false, true]);
  expect(await count('0/next', [own, other, order, unknown])).toEqual([false, false, false, false]);
  expect(await counted()).toBe(4);
});

test('a file that an older program counted on arrival is not counted again after its claims have expired', async () => {
  const [fresh, click] = [newKey(), newKey()];
  await countBefore(fresh, `${FILE}/0`);
  nowMs += 3 * DAY_MS;
  expect(await hot.get(fresh)).toBeNull();
  expect(await count(FILE, [fresh])).toEqual([true]);
  expect(await counted()).toBe(1);
  expect(await count(`0/${nowMs}-0123abcdb`, [click])).toEqual([true]);
  expect(await counted()).toBe(2);
});

test('old claims are looked at until the last one has expired: 33 days for ads, 400 for order references', async () => {
  const [shown, order] = [newKey(), 'e/a:order'];
  await countBefore('e/a:begin', '1/another/1');
  await count('0/first', [newKey()]);
  await countBefore(shown, '1/another/70', 500 * DAY_MS);
  await countBefore(order, '1/another/90', 500 * DAY_MS);
  nowMs += 32 * DAY_MS;
  expect([await hot.isCounted(shown), await hot.isCounted(order)]).toEqual([true, true]);
  nowMs += 2 * DAY_MS;
  expect([await hot.isCounted(shown), await hot.isCounted(order)]).toEqual([false, true]);
  nowMs += 366 * DAY_MS;
  expect(await hot.isCounted(order)).toBe(true);
  nowMs += 2 * DAY_MS;
  expect(await hot.isCounted(order)).toBe(false);
});

test('old claims of ids that were made long after the first set are not looked at', async () => {
  await countBefore('e/a:begin', '1/another/1');
  await count('0/first', [newKey()]);
  nowMs += 2 * DAY_MS;
  const key = newKey();
  await countBefore(key, '1/another/70');
  expect(await hot.isCounted(key)).toBe(false);
});

test('a store that never held old claims looks at none', async () => {
  await count('0/first', [newKey()]);
  expect(await hot.get('events/in-sets-since')).toBe('0');
});

test('a file that an older program counted after an upgrade was taken back is not counted again', async () => {
  await count('0/first', [newKey()]);
  const [arrived, waiting] = [newKey(), newKey()];
  await countBefore(arrived, `${FILE}/0`);
  expect(await counted()).toBe(2);
  expect(await count(FILE, [arrived, waiting])).toEqual([true, true]);
  expect(await counted(), 'only the line that waits').toBe(3);
  expect(await count('0/next', [arrived, waiting])).toEqual([false, false]);
});
