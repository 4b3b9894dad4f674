import { expect, test } from 'vitest';
import type { ForecastRecord } from '../api/bookings/forecast-record.ts';
import { sayForecast } from './say-forecast.ts';

const MADE: ForecastRecord = {
  state: 'OPEN',
  reason: null,
  madeAt: '2026-11-01T10:00:00Z',
  endsAt: '2026-11-30T23:00:00Z',
  impressions: 120_000,
  likelyLow: 110_000,
  likelyHigh: 131_000,
  possibleLow: 104_000,
  possibleHigh: 137_000,
  score: null,
};
const said = (over: Partial<ForecastRecord>): string =>
  sayForecast({ ...MADE, ...over }, { timezone: 'UTC', nowMs: Date.parse('2026-11-29T12:00:00Z') }).join(' ');
const scored = (delivered: number, isInsideLikely: boolean, isInsidePossible: boolean): string =>
  said({ state: 'SCORED', score: { delivered, isInsideLikely, isInsidePossible } });

test('a forecast is said with its interval of 80 %, and with the day of its comparison while its flight lasts', () => {
  expect(said({})).toBe(
    'Forecast of Nov 1: 120,000 impressions to the end of the flight (80 %: 110,000 to 131,000). It is compared with the delivery a day after the end, Nov 30.',
  );
});

test('a score says what was delivered and which interval holds it', () => {
  expect(scored(118_204, true, true)).toContain('Delivered: 118,204, inside the interval.');
  expect(scored(105_000, false, true)).toContain(
    'Delivered: 105,000, inside the interval of 95 % (104,000 to 137,000).',
  );
  expect(scored(90_000, false, false)).toContain('Delivered: 90,000, below the interval of 95 % (104,000 to 137,000).');
  expect(scored(190_000, false, false)).toContain(
    'Delivered: 190,000, above the interval of 95 % (104,000 to 137,000).',
  );
});

test('a forecast without a score, and none at all, say why', () => {
  expect(said({ state: 'NOT_SCORED', reason: 'PAUSED' })).toContain('Not scored: it was paused within its flight.');
  const none = { impressions: null, likelyLow: null, likelyHigh: null, possibleLow: null, possibleHigh: null };
  expect(said({ ...none, state: 'SKIPPED', reason: 'SAMPLE_TOO_YOUNG' })).toBe(
    'No forecast was made: less than a day of traffic had been sampled.',
  );
});
