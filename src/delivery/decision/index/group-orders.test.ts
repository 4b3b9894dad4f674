import { expect, test } from 'vitest';
import { GroupOrders } from './group-orders.ts';
import type { GroupOrder } from './group-orders.ts';

const PACER = {};
const SCAN = { size: 10, scored: 10 };
const orderUntil = (untilMs: number): GroupOrder => ({
  positions: new Int32Array(0),
  runStarts: new Int32Array(0),
  runEnds: new Int32Array(0),
  runScores: new Float64Array(0),
  sharesUpTo: null,
  firstRun: 0,
  fallen: [],
  dropped: 0,
  fromMs: 100,
  untilMs,
  checkedFromMs: untilMs,
});
const ORDER = orderUntil(200);

test('an order is due once for each so many scans, and never while one is valid', () => {
  const orders = new GroupOrders({ sizeMin: 1, scans: 4 });
  const scan = (nowMs: number): boolean => orders.recordScan(0, SCAN, { pacer: PACER, nowMs });
  // No order could be made of the first scans.
  expect(Array.from({ length: 8 }, () => scan(100))).toEqual([false, false, false, true, false, false, false, true]);
  orders.set(0, ORDER);
  expect(Array.from({ length: 8 }, () => scan(100))).not.toContain(true);
});

test('an order is valid from its own time until it ends, also when the clock is set back', () => {
  const orders = new GroupOrders({ sizeMin: 1, scans: 0 });
  const isFoundAt = (nowMs: number): boolean => {
    orders.recordScan(0, SCAN, { pacer: PACER, nowMs: 100 });
    orders.set(0, ORDER);
    return orders.find(0, PACER, nowMs) !== null;
  };
  expect([99, 100, 199, 200].map(isFoundAt)).toEqual([false, true, true, false]);
});

test('an order that was used often is made again at the first scan after its end, another one is not', () => {
  for (const [uses, isDue] of [
    [16, true],
    [15, false],
  ] as const) {
    const orders = new GroupOrders({ sizeMin: 1, scans: 4 });
    orders.recordScan(0, SCAN, { pacer: PACER, nowMs: 100 });
    orders.set(0, ORDER);
    for (let use = 0; use < uses; use += 1) orders.find(0, PACER, 150);
    expect(orders.find(0, PACER, 200)).toBeNull();
    expect(orders.recordScan(0, SCAN, { pacer: PACER, nowMs: 1_200 })).toBe(isDue);
  }
});

test('an order that was used often is renewed without a scan once it has ended, for its own pacer', () => {
  const orders = new GroupOrders({ sizeMin: 1, scans: 4 });
  orders.recordScan(0, SCAN, { pacer: PACER, nowMs: 100 });
  orders.set(0, ORDER);
  for (let use = 0; use < 15; use += 1) orders.find(0, PACER, 150);
  orders.find(0, PACER, 200);
  expect(orders.isRenewed(0, PACER)).toBe(false);
  orders.set(0, ORDER);
  for (let use = 0; use < 16; use += 1) orders.find(0, PACER, 150);
  expect(orders.isRenewed(0, PACER)).toBe(false);
  orders.find(0, PACER, 200);
  expect([orders.isRenewed(0, PACER), orders.isRenewed(0, {}), orders.isRenewed(7, PACER)]).toEqual([
    true,
    false,
    false,
  ]);
  orders.set(0, orderUntil(400));
  expect(orders.isRenewed(0, PACER)).toBe(false);
});
