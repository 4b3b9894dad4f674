import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AdUnitDays, BookedLineItem } from '../../../domain/booking/availability.ts';
import type { AdUnit } from '../../../domain/booking/inventory.ts';
import type { Targeting } from '../../../domain/targeting/targeting.ts';
import { finishSteps } from '../../decision/index/work-steps.ts';
import { sliceSteps } from '../../snapshot/slice-steps.ts';
import { findAvailability } from './find-availability.ts';
import type { AvailabilityInput } from './find-availability.ts';
import { modelAvailability } from './fixtures/availability-model.ts';
import { runsOf } from '../../../../test/support/longer-runs.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-11-23T00:00:00Z');
const dayAt = (offset: number): string => new Date(START_MS + offset * DAY_MS).toISOString().slice(0, 10);
const days = Array.from({ length: 92 }, (_none, at) => ({
  day: dayAt(at),
  startMs: START_MS + at * DAY_MS,
  endMs: START_MS + (at + 1) * DAY_MS,
}));

const AD_UNITS: readonly AdUnit[] = Array.from({ length: 40 }, (_none, at) => ({
  id: String(at + 1),
  siteId: String(1 + (at % 5)),
  areaId: at % 3 === 0 ? null : String(at % 4),
  name: `unit ${at}`,
  sizes: [],
  mediaTypes: ['banner'],
  status: 'ACTIVE',
  floorMicros: 0,
}));

const id = fc.integer({ min: 0, max: 41 }).map(String);
const condition: fc.Arbitrary<Targeting> = fc.record({
  dimension: fc.constantFrom('site', 'area', 'adUnit', 'country'),
  operator: fc.constantFrom('is', 'isNot', 'contains'),
  values: fc.array(fc.oneof(id, fc.constant('')), { maxLength: 6 }),
}) as never;
const { targeting } = fc.letrec<{ targeting: Targeting }>((tie) => ({
  targeting: fc.oneof(
    { maxDepth: 3 },
    condition,
    fc.record({ all: fc.array(tie('targeting'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('targeting'), { maxLength: 3 }) }),
    fc.record({ not: tie('targeting') }),
  ),
}));
const ANY = { countries: [], deviceTypes: [] };
const instant = fc.integer({ min: -20, max: 120 }).map((offset) => START_MS + offset * 0.37 * DAY_MS);
const lineItem: fc.Arbitrary<BookedLineItem> = fc.record({
  id,
  name: fc.constant('Booked'),
  type: fc.constantFrom('STANDARD', 'SPONSORSHIP'),
  goal: fc.option(
    fc.record({
      kind: fc.constantFrom('IMPRESSIONS', 'VIEWABLE_IMPRESSIONS', 'CLICKS', 'CONVERSIONS'),
      amount: fc.integer({ min: 0, max: 100_000 }),
      period: fc.constantFrom('LIFETIME', 'DAY'),
    }),
    { freq: 4 },
  ),
  sharePercent: fc.option(fc.integer({ min: 1, max: 100 })),
  targeting: fc.option(targeting),
  startsAtMs: fc.option(instant),
  endsAtMs: fc.option(instant),
  timezone: fc.constant('UTC'),
  isReserved: fc.boolean(),
  delivered: fc.integer({ min: 0, max: 5_000 }),
}) as never;
const daysOfUnit = fc.array(
  fc.record({
    day: fc.integer({ min: -28, max: -1 }).map(dayAt),
    requests: fc.integer({ min: 0, max: 10_000 }),
    served: fc.integer({ min: 0, max: 1_000 }),
    impressions: fc.integer({ min: 0, max: 1_000 }),
  }),
  { maxLength: 28 },
);
const input: fc.Arbitrary<AvailabilityInput> = fc.record({
  adUnits: fc.subarray([...AD_UNITS]),
  asked: fc.constant(ANY),
  chosen: fc.subarray(AD_UNITS.map((unit) => unit.id)).map((ids) => new Set(ids)),
  // Ad units that are not in use any more have traffic as well.
  traffic: fc.uniqueArray(fc.record({ adUnitId: id, days: daysOfUnit }), { selector: ({ adUnitId }) => adUnitId }),
  booked: fc.array(lineItem, { maxLength: 12 }),
  days: fc.integer({ min: 1, max: 92 }).map((count) => days.slice(0, count)),
  nowMs: fc.integer({ min: 0, max: DAY_MS }).map((passedMs) => START_MS + passedMs),
});

test('sums by weekday give the same numbers as a look at every ad unit on every day', () => {
  fc.assert(
    fc.property(input, (given) => {
      expect(finishSteps(findAvailability(given))).toEqual(modelAvailability(given));
    }),
    { numRuns: runsOf(500) },
  );
});

/** 300 line items, each with a targeting of its own, on 1,000 ad units with four weeks of traffic. */
const large: AvailabilityInput = {
  adUnits: Array.from({ length: 1_000 }, (_none, at) => ({ ...(AD_UNITS[0] as AdUnit), id: String(at), siteId: '1' })),
  asked: ANY,
  chosen: new Set(['1', '2']),
  traffic: Array.from({ length: 1_000 }, (_none, at): AdUnitDays => {
    const ofDay = { requests: 100 + at, served: 50, impressions: 40 };
    return {
      adUnitId: String(at),
      days: Array.from({ length: 28 }, (_day, back) => ({ day: dayAt(-1 - back), ...ofDay })),
    };
  }),
  booked: Array.from({ length: 300 }, (_none, at) => ({
    id: String(at),
    name: 'Booked',
    type: 'STANDARD',
    goal: { kind: 'IMPRESSIONS', amount: 1_000_000, period: 'LIFETIME' },
    sharePercent: null,
    targeting: { dimension: 'adUnit', operator: 'isNot', values: [String(at)] },
    startsAtMs: null,
    endsAtMs: null,
    timezone: 'UTC',
    isReserved: false,
    delivered: 0,
  })),
  days,
  nowMs: START_MS,
};

test('the work has at least one step for each line item, and only one looks at the ad units', () => {
  let looks = 0;
  const means = large.booked.map((booked) => ({
    ...booked,
    get targeting() {
      looks += 1;
      return booked.targeting;
    },
  }));
  let steps = 0;
  for (const _step of findAvailability({ ...large, booked: means })) steps += 1;
  expect(steps).toBeGreaterThan(large.booked.length);
  expect(looks, 'once for each line item, not on each day').toBe(large.booked.length);
});

test('a caller who leaves ends the work, and others have their turns before', async () => {
  const caller = new AbortController();
  const left = new Error('The caller left');
  setImmediate(() => caller.abort(left));
  let isEnded = false;
  function* steps() {
    while (!isEnded) yield* findAvailability(large);
  }
  const timer = setTimeout(() => {
    isEnded = true;
  }, 20_000);
  await expect(sliceSteps(steps(), caller.signal)).rejects.toBe(left);
  clearTimeout(timer);
});
