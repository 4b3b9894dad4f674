import { expect, test } from 'vitest';
import { flatCurve } from '../../domain/pacing/traffic-curve.ts';
import { expectedShare, recentShareOf } from './recent-traffic.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const usual = { curve: flatCurve('UTC'), slotsPerHour: 1_000 };

function hours(...slots: readonly number[]) {
  return slots.map((count, at) => ({
    fromMs: NOW_MS - (slots.length - at) * HOUR_MS,
    untilMs: NOW_MS - (slots.length - at - 1) * HOUR_MS,
    slots: count,
  }));
}

test('half of the usual traffic of late is expected to last for some hours, and more than usual is not counted on', () => {
  expect(recentShareOf(hours(500, 500, 500, 500), usual, NOW_MS)).toBeCloseTo(0.5, 1);
  expect(recentShareOf(hours(3_000, 3_000), usual, NOW_MS)).toBe(1);
  expect(recentShareOf(hours(0, 0, 0, 0), usual, NOW_MS)).toBe(0.2);
  expect(recentShareOf([], usual, NOW_MS)).toBe(1);
});

test('the last hours count for more than those before, and some requests of a quiet site for little', () => {
  expect(recentShareOf(hours(1_000, 500), usual, NOW_MS)).toBeLessThan(recentShareOf(hours(500, 1_000), usual, NOW_MS));
  expect(recentShareOf(hours(1), { ...usual, slotsPerHour: 2 }, NOW_MS)).toBeGreaterThan(0.95);
});

test('a deviation ends within days', () => {
  expect(expectedShare(0.5, 0)).toBe(0.5);
  expect(expectedShare(0.5, 12 * HOUR_MS)).toBeCloseTo(1 - 0.5 / Math.E);
  expect(expectedShare(0.5, 96 * HOUR_MS)).toBeGreaterThan(0.999);
});
