import { expect, test } from 'vitest';
import { VirtualTime } from '../../../test/support/virtual-time.ts';
import { ArrivalCounting } from './arrival-counting.ts';

const CLAIM = { key: 'e/a', ttlMs: 1_000, increments: [], pushes: [] };

test('events wait a second at most for a hot store that hangs, and the shipper counts the rest of their file', async () => {
  const time = new VirtualTime();
  const left: string[] = [];
  const counts = { countLines: () => new Promise<never>(() => undefined) };
  const arrival = new ArrivalCounting({ counts, onFailure: (file) => left.push(file), later: time.later });
  const positions = [0, 10, 20].map((offset) => ({ file: '0/f', offset, end: offset + 10 }));
  const [first, ...others] = positions.map((position) => arrival.count(position, CLAIM));
  expect(await time.until(Promise.all([first, ...others]))).toEqual({ value: [null, null, null], tookMs: 1_000 });
  expect(left).toEqual(['0/f']);
  expect(await arrival.count({ file: '0/f', offset: 30, end: 40 }, CLAIM), 'no further call').toBeNull();
  expect(await arrival.count({ file: '0/g', offset: 0, end: 10 }, CLAIM), 'nor for the next file').toBeNull();
});
