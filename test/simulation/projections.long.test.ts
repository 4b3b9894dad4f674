import { expect, test } from 'vitest';
import { CheckedGoals } from '../../bench/quality/projection-check.ts';
import { playGoals } from '../../bench/quality/projection-worlds.ts';

test('few goals that are reached are at risk before, and every goal that is missed by a tenth is', {
  timeout: 400_000,
}, async () => {
  // `npm run bench:projections` plays a dozen of them.
  const checked = new CheckedGoals();
  for (const goal of await playGoals(4, { days: 30, requestsPerHour: 100 })) checked.add(goal);
  expect(checked.goals).toBe(36);
  expect(checked.falseAlarms.of).toBeGreaterThan(200);
  expect(checked.falseAlarms.share).toBeLessThanOrEqual(0.05);
  expect(checked.called.of).toBeGreaterThan(1);
  expect(checked.called.share).toBe(1);
  expect(checked.held.share).toBeGreaterThanOrEqual(0.9);
});
