import { describe, expect, test } from 'vitest';
import { drawNormal, drawPoisson, seededRandom } from './seeded-random.ts';
import { forecastVolume } from './forecast-volume.ts';
import type { VolumeForecast } from './forecast-volume.ts';
import { flatCurve } from '../../../domain/pacing/traffic-curve.ts';
import type { HourlyRequests } from '../../../domain/pacing/traffic-curve.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const nowMs = Date.parse('2026-11-16T00:00:00Z');
const curve = flatCurve('UTC');
const HISTORY_DAYS = 28;

interface Noise {
  /** Of the hourly traffic. */
  readonly share: number;
  readonly persistence: number;
}

/** Hours of the history and of the time to come, which deviate together. */
function drawHours({ share, persistence }: Noise, days: number, random: () => number): HourlyRequests[] {
  let deviation = share * drawNormal(random);
  return Array.from({ length: days * 24 }, (_none, hour) => {
    deviation = persistence * deviation + Math.sqrt(1 - persistence ** 2) * share * drawNormal(random);
    const startMs = nowMs - HISTORY_DAYS * DAY_MS + hour * HOUR_MS;
    return { startMs, requests: drawPoisson(1_000 * Math.exp(deviation), random) };
  });
}

function forecastOf(hours: readonly HourlyRequests[], flightDays: number, random: () => number): VolumeForecast {
  const found = forecastVolume({
    hours: hours.filter(({ startMs }) => startMs < nowMs),
    curve,
    nowMs,
    sampled: { fromMs: nowMs - 14 * DAY_MS, untilMs: nowMs },
    flight: { fromMs: nowMs, toMs: nowMs + flightDays * DAY_MS },
    random,
  });
  if (found === null) throw new Error('nothing was forecast');
  return found;
}

const requestsBetween = (hours: readonly HourlyRequests[], fromMs: number, toMs: number): number =>
  hours.filter(({ startMs }) => startMs >= fromMs && startMs < toMs).reduce((sum, { requests }) => sum + requests, 0);

describe('the volume of a flight', () => {
  test.each([
    ['hours of their own', { share: 0.1, persistence: 0 }, 7],
    ['spells of half a day', { share: 0.2, persistence: 0.92 }, 7],
    ['spells of half a day, one day ahead', { share: 0.2, persistence: 0.92 }, 1],
    ['spells of two days', { share: 0.25, persistence: 0.98 }, 7],
    ['spells of half a day, four weeks ahead', { share: 0.2, persistence: 0.92 }, 28],
  ])('the interval holds the volume of nine in ten drawn worlds: %s', (_name, noise, flightDays) => {
    const random = seededRandom(12);
    let held = 0;
    for (let world = 0; world < 200; world += 1) {
      const hours = drawHours(noise, HISTORY_DAYS + flightDays, random);
      const { low, high } = forecastOf(hours, flightDays, random);
      const day = requestsBetween(hours, nowMs, nowMs + flightDays * DAY_MS) / flightDays;
      const sampled = requestsBetween(hours, nowMs - 14 * DAY_MS, nowMs) / 14;
      if (day / sampled >= low && day / sampled <= high) held += 1;
    }
    expect(held).toBeGreaterThanOrEqual(180);
  });

  test('a level that changed for good is followed after some days', () => {
    const random = seededRandom(3);
    const hours = drawHours({ share: 0.05, persistence: 0 }, HISTORY_DAYS, random).map((hour) => ({
      ...hour,
      requests: hour.startMs < nowMs - 10 * DAY_MS ? hour.requests : 2 * hour.requests,
    }));
    const { expected } = forecastOf(hours, 7, random);
    const sampled = requestsBetween(hours, nowMs - 14 * DAY_MS, nowMs) / 14;
    const recent = requestsBetween(hours, nowMs - 7 * DAY_MS, nowMs) / 7;
    expect((expected * sampled) / recent).toBeGreaterThan(0.85);
  });

  test('a day of the week that is always quiet changes nothing', () => {
    const weights = curve.weights.map((_weight, hour) => (hour >= 5 * 24 ? 0.3 : 1.28));
    const hours = Array.from({ length: HISTORY_DAYS * 24 }, (_none, hour) => ({
      startMs: nowMs - HISTORY_DAYS * DAY_MS + hour * HOUR_MS,
      requests: 1_000 * (weights[hour % 168] ?? 1),
    }));
    const input = { hours, nowMs, sampled: { fromMs: nowMs - 14 * DAY_MS, untilMs: nowMs }, random: seededRandom(1) };
    const flight = { fromMs: nowMs + 5 * DAY_MS, toMs: nowMs + 7 * DAY_MS };
    const found = forecastVolume({ ...input, flight, curve: { timezone: 'UTC', weights } });
    expect(found?.expected).toBeCloseTo(1, 6);
    expect(found?.high).toBeCloseTo(1, 6);
  });

  test('less than three days of history tell nothing', () => {
    const hours = drawHours({ share: 0.1, persistence: 0 }, HISTORY_DAYS, seededRandom(2));
    const late = hours.filter(({ startMs }) => startMs >= nowMs - 2.9 * DAY_MS);
    const sampled = { fromMs: nowMs - DAY_MS, untilMs: nowMs };
    const flight = { fromMs: nowMs, toMs: nowMs + DAY_MS };
    expect(forecastVolume({ hours: late, curve, nowMs, sampled, flight, random: seededRandom(2) })).toBeNull();
    expect(forecastVolume({ hours: [], curve, nowMs, sampled, flight, random: seededRandom(2) })).toBeNull();
  });
});
