import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FreeTimeline } from './free-timeline.ts';

const steady = { between: (fromMs: number, toMs: number) => toMs - fromMs };
const shares = fc
  .array(
    fc.record({ lastsMs: fc.integer({ min: 1, max: 100 }), share: fc.double({ min: 0.01, max: 1, noNaN: true }) }),
    { maxLength: 6 },
  )
  .map((parts) => {
    let untilMs = 0;
    return parts.map(({ lastsMs, share }) => ({ untilMs: (untilMs += lastsMs), share }));
  });

test('the traffic of a time is that of its parts, never negative, and never more than all', () => {
  const at = fc.integer({ min: -50, max: 800 });
  fc.assert(
    fc.property(shares, fc.array(at, { minLength: 3, maxLength: 3 }), (given, instants) => {
      const [fromMs, middleMs, toMs] = instants.toSorted((left, right) => left - right) as [number, number, number];
      const free = new FreeTimeline(steady, given);
      const whole = free.between(fromMs, toMs);
      expect(free.between(fromMs, middleMs) + free.between(middleMs, toMs)).toBeCloseTo(whole, 6);
      expect(whole).toBeGreaterThanOrEqual(0);
      expect(whole).toBeLessThanOrEqual(toMs - fromMs + 1e-9);
    }),
  );
});

test('each part counts by its share, and the last one lasts for ever', () => {
  const free = new FreeTimeline(steady, [
    { untilMs: 10, share: 1 },
    { untilMs: 20, share: 0.5 },
  ]);
  expect(free.between(0, 10)).toBe(10);
  expect(free.between(5, 15)).toBe(7.5);
  expect(free.between(20, 40)).toBe(10);
});
