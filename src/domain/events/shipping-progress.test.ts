import { expect, test } from 'vitest';
import { completeUntil, encodeShippingProgress } from './shipping-progress.ts';

const said = (worker: string, atMs: number, oldestMs: number | null): string =>
  encodeShippingProgress({ worker, atMs, oldestMs });

test.each([
  ['nobody said anything', [], null],
  ['a worker has shipped all', [said('a', 90_000, null)], 90_000],
  ['a worker has a backlog', [said('a', 99_000, 40_000)], 40_000],
  ['the slowest worker counts', [said('a', 99_000, null), said('b', 98_000, 70_000)], 70_000],
  ['the newest word of a worker counts', [said('a', 99_000, null), said('a', 98_000, 10_000)], 99_000],
  ['a worker that is gone does not count', [said('a', 99_000, null), said('b', 30_000, 10_000)], 99_000],
])('reports are complete up to the right moment when %s', (_name, entries, expected) => {
  expect(completeUntil(entries, 100_000)).toBe(expected);
});
