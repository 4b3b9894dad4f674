import { expect, test } from 'vitest';
import { changeRates, faultsOfRate, timeOfRate } from './rate-list.ts';

const old = { currency: 'USD', rate: '0.9', from: '2026-01-01' };
const now = { currency: 'USD', rate: '0.92', from: '2026-11-01' };
const later = { currency: 'USD', rate: '0.93', from: '2026-12-01' };
const pound = { currency: 'GBP', rate: '1.15', from: '2025-01-01' };
const all = [pound, old, now, later];

test.each([
  ['2026-11-29', ['now', 'earlier', 'now', 'later']],
  ['2026-12-01', ['now', 'earlier', 'earlier', 'now']],
  ['2024-12-31', ['later', 'later', 'later', 'later']],
])('rates of a currency replace each other from their own day on, seen from %s', (today, times) => {
  expect(all.map((rate) => timeOfRate(all, rate, today))).toEqual(times);
});

test('a rate is added, changed, moved to another day, and removed; others stay', () => {
  const euro = { currency: 'CHF', rate: '1.06', from: '2026-11-01' };
  const dearer = { ...now, rate: '0.95' };
  const moved = { ...now, from: '2026-12-01' };
  expect(changeRates(all, { old: null, next: euro })).toEqual([...all, euro]);
  expect(changeRates(all, { old: now, next: dearer })).toEqual([pound, old, later, dearer]);
  expect(changeRates(all, { old: null, next: dearer })).toEqual([pound, old, later, dearer]);
  expect(changeRates(all, { old: now, next: moved })).toEqual([pound, old, moved]);
  expect(changeRates(all, { old: pound, next: null })).toEqual([old, now, later]);
});

test.each([
  ['0.92', '2026-11-29', []],
  ['999999999.123456789012', '2026-11-29', []],
  ['0', '2026-11-29', ['rate']],
  ['0.000', '2026-11-29', ['rate']],
  ['-1', '2026-11-29', ['rate']],
  ['1,5', '2026-11-29', ['rate']],
  ['1234567890', '2026-11-29', ['rate']],
  ['0.1234567890123', '2026-02-29', ['rate', 'from']],
  ['', '', ['rate', 'from']],
])('a rate of %j from %j has the faults %j', (rate, from, faults) => {
  expect(faultsOfRate({ currency: 'USD', rate, from })).toEqual(faults);
});
