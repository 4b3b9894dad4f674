import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecentDraws } from './recent-draws.ts';

const draw = fc.double({ min: 0, max: 1, noNaN: true });

describe('the bar of the draws of a line item', () => {
  test('a line item of few draws has a bar that each draw reaches', () => {
    const draws = new RecentDraws();
    for (let at = 0; at < 31; at += 1) draws.record('1', 0.5);
    expect(draws.barOf('1').at(0.01)).toBe(0);
    draws.record('1', 0.5);
    expect(draws.barOf('1').at(0.01)).toBe(0.5);
    expect(draws.barOf('2').at(0.01)).toBe(0);
  });

  test('at least the given share of the last 256 draws reaches the bar, and but one more where they differ', () => {
    const many = fc.uniqueArray(draw, { minLength: 32, maxLength: 600 });
    const share = fc.double({ min: 0.001, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(many, share, (drawn, wanted) => {
        const draws = new RecentDraws();
        for (const one of drawn) draws.record('1', one);
        const last = drawn.slice(-256);
        const bar = draws.barOf('1').at(wanted);
        const reached = last.filter((one) => one >= bar).length;
        expect(reached).toBeGreaterThanOrEqual(wanted * last.length - 1e-6);
        expect(reached).toBeLessThanOrEqual(wanted * last.length + 1 + 1e-6);
      }),
    );
  });

  test('a bar falls as the share grows, also where draws are equal', () => {
    const equal = fc.array(fc.constantFrom(0.1, 0.2, 0.3), { minLength: 32, maxLength: 600 });
    fc.assert(
      fc.property(equal, draw, draw, (drawn, one, other) => {
        const draws = new RecentDraws();
        for (const each of drawn) draws.record('1', each);
        const bar = draws.barOf('1');
        expect(bar.at(Math.max(one, other))).toBeLessThanOrEqual(bar.at(Math.min(one, other)));
        const sorted = drawn.slice(-256).sort((left, right) => left - right);
        expect(bar.at(0.5)).toBe(sorted[Math.floor(sorted.length / 2)]);
      }),
    );
  });
});
