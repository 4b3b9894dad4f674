import { expect, test } from 'vitest';
import type { Targeting } from '../../domain/targeting/targeting.ts';
import { hourOfWeek, HOURS_PER_WEEK } from '../../domain/pacing/traffic-curve.ts';
import { isNarrowed } from '../../domain/pacing/traffic-inventory.ts';
import { sampleOpportunity, sampleSlot } from '../../../test/worlds/sample-workspace.ts';
import { drawPoisson, seededRandom } from '../insight/forecast/seeded-random.ts';
import { DISTANT_WEEK, PUBLISHER_WEEK } from '../../../test/simulation/traffic.ts';
import { EligibleTraffic } from './eligible-traffic.ts';

const HOUR_MS = 3_600_000;
/** A Monday, 00:00 UTC. */
const MONDAY_MS = Date.parse('2026-10-05T00:00:00Z');
const base = { timezone: 'UTC', weights: PUBLISHER_WEEK };
const is = (dimension: 'site' | 'adUnit' | 'country' | 'dayPart', ...values: string[]): Targeting => ({
  dimension,
  operator: 'is',
  values,
});
const section: Targeting = { dimension: 'keyValue', key: 'Section', operator: 'is', values: ['Politics'] };

test.each<[string, Targeting | null, boolean]>([
  ['nothing', null, false],
  ['inventory', { all: [is('site', '1'), is('adUnit', '11', '12')] }, false],
  ['a country', is('country', 'US'), true],
  ['inventory and a key-value', { all: [is('site', '1'), section] }, true],
  ['anything but a site', { not: is('site', '1') }, true],
])('a curve follows targeting by %s', (_title, targeting, asksForAPart) => {
  expect(isNarrowed(targeting)).toBe(asksForAPart);
});

/** Two weeks of a sample: a share of the requests is about politics and from the US, at the hours of another continent. */
function recordSample(traffic: EligibleTraffic, perHour: number, share: number): void {
  const random = seededRandom(5);
  for (let hour = 0; hour < 2 * HOURS_PER_WEEK; hour += 1) {
    const atMs = MONDAY_MS + hour * HOUR_MS;
    const ofWeek = hourOfWeek(atMs, 0);
    const weight = PUBLISHER_WEEK[ofWeek] as number;
    for (let count = drawPoisson(perHour * weight, random); count > 0; count -= 1) {
      const isMeant = random() < (share * (DISTANT_WEEK[ofWeek] as number)) / weight;
      const country = isMeant || random() < 0.1 ? 'us' : 'pl';
      const keyValues = new Map([['section', [isMeant || country === 'pl' ? 'politics' : 'sport']]]);
      traffic.record(sampleOpportunity({ country, keyValues }), atMs);
    }
  }
}

/** The share of the week's traffic that is expected at the wrong hours. */
const misallocated = (weights: readonly number[], truth: readonly number[]) =>
  weights.reduce((sum, weight, hour) => sum + Math.abs(weight - (truth[hour] as number)), 0) / 2 / HOURS_PER_WEEK;

test('traffic at other hours than the rest is expected at its own hours', () => {
  const traffic = new EligibleTraffic([{ targeting: { all: [is('country', 'US'), section] }, timezone: 'UTC' }], base);
  recordSample(traffic, 150, 0.02);
  const learnt = traffic.curveOf(0);
  expect(learnt?.timezone).toBe('UTC');
  expect((learnt?.weights ?? []).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(HOURS_PER_WEEK, 6);
  expect(misallocated(learnt?.weights ?? [], DISTANT_WEEK)).toBeLessThan(0.12);
  expect(misallocated(PUBLISHER_WEEK, DISTANT_WEEK)).toBeGreaterThan(0.35);
  expect(traffic.shareOf(0)).toBeCloseTo(0.02, 2);
});

test('traffic at the same hours as the rest is expected with it', () => {
  const traffic = new EligibleTraffic([{ targeting: { not: is('country', 'fr') }, timezone: 'UTC' }], base);
  recordSample(traffic, 20, 0.02);
  expect(misallocated(traffic.curveOf(0)?.weights ?? [], PUBLISHER_WEEK)).toBeLessThan(0.001);
});

test('hours outside of day-parts are almost empty, each slot counts, and no hour is at zero', () => {
  const aims = [{ targeting: is('dayPart', '1-5 08:00-18:00'), timezone: 'Europe/Warsaw' }];
  const traffic = new EligibleTraffic(aims, { timezone: 'UTC', weights: PUBLISHER_WEEK.map(() => 1) });
  const twice = sampleOpportunity({ slots: [sampleSlot({}), sampleSlot({ slotId: 's2' })] });
  for (let hour = 0; hour < HOURS_PER_WEEK; hour += 1)
    for (let count = 0; count < 100; count += 1) traffic.record(twice, MONDAY_MS + hour * HOUR_MS);
  const weights = traffic.curveOf(0)?.weights ?? [];
  // 08:00 in Warsaw is 06:00 UTC in summer.
  expect(weights[6]).toBeGreaterThan(2);
  expect(weights[15]).toBeGreaterThan(2);
  expect(weights[16]).toBeLessThan(0.4);
  expect(weights[5 * 24 + 8]).toBeLessThan(0.1);
  expect(Math.min(...weights)).toBeGreaterThan(0);
});

test('a small sample or a malformed targeting gives no curve', () => {
  const aims = [
    { targeting: is('country', 'us'), timezone: 'UTC' },
    { targeting: is('country', 'pl'), timezone: 'UTC' },
    { targeting: is('dayPart', '1-7'), timezone: 'Nowhere/Land' },
  ];
  const traffic = new EligibleTraffic(aims, base);
  const meet = (country: string, times: number) => {
    for (let count = 0; count < times; count += 1) traffic.record(sampleOpportunity({ country }), MONDAY_MS);
  };
  meet('us', 29);
  meet('pl', 30);
  expect(aims.map((_aim, at) => traffic.curveOf(at) !== null)).toEqual([false, true, false]);
});
