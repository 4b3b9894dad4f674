import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleOpportunity, sampleSnapshot, stateOf } from '../../../../test/worlds/sample-workspace.ts';
import { decide } from '../decide.ts';
import { compileWorkspace } from '../index/compile-workspace.ts';
import { QuotaDraws } from './quota-draws.ts';

/** In 3,000 trials of 2,000 steps, the maximum was 3.5. */
const BOUND = 6;
const NOW_MS = Date.parse('2026-11-20T10:00:00Z');

test('sponsors get their shares of voice within six responses, whatever the number of requests', () => {
  // More than all of the requests cannot be shared out.
  const shares = fc
    .array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 })
    .filter((percents) => percents.reduce((sum, percent) => sum + percent, 0) <= 100);
  fc.assert(
    fc.property(
      shares,
      fc.integer({ min: 1, max: 2_000 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (percents, requests, start) => {
        const lineItems = percents.map((sharePercent) => ({ type: 'SPONSORSHIP' as const, sharePercent }));
        const compiled = compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, () => {});
        const draws = new QuotaDraws(() => start);
        const won = percents.map(() => 0);
        for (let request = 0; request < requests; request += 1) {
          const context = { state: stateOf({}), nowMs: NOW_MS, random: draws.next };
          const [placement] = decide(compiled, sampleOpportunity({}), context).placements;
          if (placement !== null && placement !== undefined) won[Number(placement.lineItem.booked.id) - 1]! += 1;
        }
        for (const [at, percent] of percents.entries())
          expect(Math.abs((won[at] ?? 0) - (requests * percent) / 100)).toBeLessThan(BOUND);
      },
    ),
  );
});

test('each quota has draws of its own, and draws without one are random', () => {
  const random = [0.1, 0.2, 0.3, 0.4];
  const { next } = new QuotaDraws(() => random.shift() ?? 0);
  expect([next(), next('a'), next('b'), next()]).toEqual([0.1, 0.2, 0.3, 0.4]);
  const step = (Math.sqrt(5) - 1) / 2;
  expect([next('a'), next('b'), next('a')]).toEqual(
    [0.2 + step, 0.3 + step, (0.2 + step + step) % 1].map((drawn) => drawn % 1),
  );
});
