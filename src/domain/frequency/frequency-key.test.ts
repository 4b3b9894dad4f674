import { describe, expect, test } from 'vitest';
import { frequencyEveryMax, frequencyWindowMs } from './frequency-key.ts';
import { FREQUENCY_WINDOWS } from './frequency-cap.ts';

const DAY_MS = 86_400_000;
const LIFETIME_MS = 5 * 365 * DAY_MS;

describe('the window of a frequency cap', () => {
  test.each([
    ['DAY', 1, DAY_MS],
    ['WEEK', 2, 14 * DAY_MS],
    ['MONTH', 60, 1_800 * DAY_MS],
    ['LIFETIME', 1, LIFETIME_MS],
    ['DAY', 0, DAY_MS],
  ] as const)('%s × %d', (window, every, expected) => {
    expect(frequencyWindowMs({ event: 'IMPRESSIONS', count: 1, window, every })).toBe(expected);
  });

  test.each(FREQUENCY_WINDOWS)('a window of %s is never longer than a lifetime, whatever is stored', (window) => {
    for (const every of [frequencyEveryMax(window), 1_000, 1e9])
      expect(frequencyWindowMs({ event: 'IMPRESSIONS', count: 1, window, every })).toBeLessThanOrEqual(LIFETIME_MS);
  });
});
