import { writeSentences } from '../../../domain/booking/delivery-text.ts';
import { expect, test } from 'vitest';
import type { AdUnitDays, BookedLineItem } from '../../../domain/booking/availability.ts';
import type { AdUnit } from '../../../domain/booking/inventory.ts';
import { hasBit } from '../../decision/index/bit-set.ts';
import { finishSteps, type WorkSteps } from '../../decision/index/work-steps.ts';
import { BookedUnits } from './booked-units.ts';
import { findAvailability } from './find-availability.ts';
import { findElsewhere } from './load-availability.ts';
import type { AvailabilityInput } from './find-availability.ts';

const DAY_MS = 86_400_000;
/** A Monday. */
const NOW_MS = Date.parse('2026-11-23T00:00:00Z');
const dayAt = (offset: number): string => new Date(NOW_MS + offset * DAY_MS).toISOString().slice(0, 10);

const unit = (id: string, siteId = '1'): AdUnit => ({
  id,
  siteId,
  areaId: null,
  name: `unit ${id}`,
  sizes: [],
  mediaTypes: ['banner'],
  status: 'ACTIVE',
  floorMicros: 0,
});
/** The same requests on each of the last days; every served ad of two is shown. */
const traffic = (adUnitId: string, requests: number, days = 28): AdUnitDays => ({
  adUnitId,
  days: Array.from({ length: days }, (_none, at) => ({
    day: dayAt(-1 - at),
    requests,
    served: 100,
    impressions: 50,
  })),
});
const booked = (given: Partial<BookedLineItem>): BookedLineItem => ({
  id: '1',
  name: 'Booked',
  type: 'STANDARD',
  goal: { kind: 'IMPRESSIONS', amount: 7_000, period: 'LIFETIME' },
  sharePercent: null,
  targeting: null,
  startsAtMs: null,
  endsAtMs: NOW_MS + 7 * DAY_MS,
  timezone: 'UTC',
  isReserved: false,
  delivered: 0,
  ...given,
});
const inputOf = (given: Partial<AvailabilityInput>): AvailabilityInput => ({
  adUnits: [unit('1'), unit('2', '2')],
  asked: { countries: [], deviceTypes: [] },
  chosen: new Set(['1']),
  traffic: [traffic('1', 3_000), traffic('2', 1_000)],
  booked: [],
  days: [0, 1, 7].map((at) => ({
    day: dayAt(at),
    startMs: NOW_MS + at * DAY_MS,
    endMs: NOW_MS + (at + 1) * DAY_MS,
  })),
  nowMs: NOW_MS,
  ...given,
});
const find = (given: Partial<AvailabilityInput>) => finishSteps(findAvailability(inputOf(given)));

test('a day is expected to have the mean of its weekdays, as far as served ads are shown', () => {
  const { days, shownShare, historyDays } = find({});
  expect({ shownShare, historyDays }).toEqual({ shownShare: 0.5, historyDays: 28 });
  expect(days[0]).toEqual({
    day: '2026-11-23',
    expected: 1_500,
    low: 1_500,
    high: 1_500,
    sold: 0,
    reserved: 0,
    free: 1_500,
    freeUpTo: 1_500,
  });
});

test('the rest of a goal spreads over the days that are left, and over ad units by their traffic', () => {
  const { days, lineItems } = find({ booked: [booked({ delivered: 1_400 })] });
  // 5,600 over seven days; three quarters of the traffic are on the chosen ad unit. The flight ends before the last day.
  expect(days.map(({ sold }) => sold)).toEqual([600, 600, 0]);
  expect(days.map(({ free }) => free)).toEqual([900, 900, 1_500]);
  expect(lineItems).toEqual([{ lineItemId: '1', name: 'Booked', isReserved: false, impressions: 1_200 }]);
});

test('targeting of other ad units takes nothing, and targeting of these alone takes all', () => {
  const on = (values: string[]) =>
    find({ booked: [booked({ targeting: { dimension: 'adUnit', operator: 'is', values } })] }).days[0]?.sold;
  expect([on(['2']), on(['1']), on(['1', '2'])]).toEqual([0, 1_000, 750]);
});

test('a reserved line item holds impressions without selling them, and a share of voice takes its share', () => {
  const { days } = find({
    booked: [
      booked({ isReserved: true, goal: { kind: 'IMPRESSIONS', amount: 400, period: 'DAY' } }),
      booked({ id: '2', type: 'SPONSORSHIP', goal: null, sharePercent: 20 }),
    ],
  });
  expect(days[0]).toMatchObject({ reserved: 300, sold: 300, free: 900 });
});

test('today has what is left of it', () => {
  const [today] = find({ nowMs: NOW_MS + DAY_MS / 4 }).days;
  expect(today).toMatchObject({ expected: 1_125, free: 1_125 });
});

const IN_POLAND = { dimension: 'country', operator: 'is', values: ['PL'] } as const;
/** Of each day's requests, a part comes from Poland. */
const polish = (adUnitId: string, requests: number, asked: number): AdUnitDays => ({
  adUnitId,
  days: traffic(adUnitId, requests).days.map((day) => ({ ...day, asked })),
});

test('free impressions have two bounds where conditions beyond ad units may keep a line item from requests, and are exact elsewhere', () => {
  const goal = { kind: 'IMPRESSIONS', amount: 400, period: 'DAY' } as const;
  const plain = booked({ goal });
  const narrow = booked({ id: '2', goal, targeting: IN_POLAND });
  expect(find({ booked: [plain] }).days[0]).toMatchObject({ free: 1_200, freeUpTo: 1_200 });
  expect(find({ booked: [plain, narrow] }).days[0]).toMatchObject({ free: 900, freeUpTo: 1_200 });
});

test('the requests of a country are expected apart, and line items for other countries take nothing of them', () => {
  const goal = { kind: 'IMPRESSIONS', amount: 400, period: 'DAY' } as const;
  const asked = { countries: ['PL'], deviceTypes: [] };
  const given = { asked, traffic: [polish('1', 3_000, 1_000), polish('2', 1_000, 500)] };
  const day = (targeting: BookedLineItem['targeting']) =>
    find({ ...given, booked: [booked({ goal, targeting })] }).days[0];
  // A quarter of all requests are Polish ones of the chosen ad unit.
  expect(day(null)).toMatchObject({ expected: 500, sold: 100, free: 400, freeUpTo: 400 });
  // At most all of it falls on Poland: then on the chosen ad unit by its Polish traffic.
  expect(day(IN_POLAND)).toMatchObject({ sold: 267, free: 233, freeUpTo: 400 });
  expect(day({ ...IN_POLAND, values: ['DE'] })).toMatchObject({ sold: 0, free: 500, freeUpTo: 500 });
  expect(day({ not: IN_POLAND })).toMatchObject({ sold: 0, free: 500 });
  expect(day({ dimension: 'segment', operator: 'is', values: ['7'] })).toMatchObject({ sold: 100, freeUpTo: 500 });
});

test('goals beyond the traffic leave nothing, and goals of clicks are named as left out', () => {
  const { days, remarks } = find({
    booked: [
      booked({ goal: { kind: 'IMPRESSIONS', amount: 9_000_000, period: 'LIFETIME' } }),
      booked({ goal: { kind: 'CLICKS', amount: 10, period: 'LIFETIME' } }),
    ],
  });
  expect(days[0]?.free).toBe(0);
  expect(writeSentences(remarks)).toEqual(['1 line items with goals of clicks or conversions are left out.']);
});

test('a network without traffic expects nothing, and says so', () => {
  const { days, remarks } = find({ traffic: [], booked: [booked({})] });
  expect(days[0]).toMatchObject({ expected: null, free: null, low: null, sold: 500 });
  expect(writeSentences(remarks)[0]).toContain('no traffic yet');
});

test('a weekday that differed has an interval, and one that was seen once has none', () => {
  const varied = {
    adUnitId: '1',
    days: [1, 2, 3, 4].map((week) => ({ day: dayAt(-7 * week), requests: 1_000 * week, served: 0, impressions: 0 })),
  };
  const [monday] = find({ traffic: [varied] }).days;
  expect(monday).toMatchObject({ expected: 2_500, low: 0 });
  expect(monday?.high).toBeGreaterThan(6_000);
  const once = { ...varied, days: varied.days.slice(0, 1) };
  expect(find({ traffic: [once] }).days[0]).toMatchObject({ expected: 1_000, low: null, high: null });
});

test.each([
  [{ not: { dimension: 'site', operator: 'is', values: ['1'] } }, ['2']],
  [
    {
      all: [
        { dimension: 'site', operator: 'is', values: ['1'] },
        { dimension: 'country', operator: 'is', values: ['PL'] },
      ],
    },
    ['1'],
  ],
  [
    {
      any: [
        { dimension: 'adUnit', operator: 'is', values: ['2'] },
        { dimension: 'country', operator: 'is', values: ['PL'] },
      ],
    },
    ['1', '2'],
  ],
  [{ not: { dimension: 'country', operator: 'is', values: ['PL'] } }, ['1', '2']],
  [null, ['1', '2']],
] as const)('targeting %j leaves the ad units %j', (targeting, ids) => {
  const adUnits = [unit('1'), unit('2', '2')];
  const left = finishSteps(finishSteps(BookedUnits.of(adUnits)).leftBy(targeting as never));
  expect(adUnits.filter((_unit, at) => hasBit(left, at)).map(({ id }) => id)).toEqual(ids);
});

test('inventory that is sold out has other ad units of its sizes beside it, the freest first', async () => {
  const sized = (id: string, width: number): AdUnit => ({ ...unit(id), sizes: [{ width, height: 250 }] });
  const asked = sized('1', 300);
  const input = inputOf({
    adUnits: [asked, sized('2', 300), sized('3', 970), sized('4', 300)],
    traffic: [traffic('1', 3_000), traffic('2', 1_000), traffic('3', 9_000)],
    booked: [
      booked({
        goal: { kind: 'IMPRESSIONS', amount: 1_000_000, period: 'LIFETIME' },
        endsAtMs: NOW_MS + 30 * DAY_MS,
        targeting: { dimension: 'adUnit', operator: 'is', values: ['1'] },
      }),
    ],
  });
  const runSteps = <T>(steps: WorkSteps<T>): Promise<T> => Promise.resolve(finishSteps(steps));
  const elsewhere = (given: AvailabilityInput) =>
    findElsewhere({ runSteps }, { input: given, calendar: finishSteps(findAvailability(given)), chosen: [asked] });
  expect(await elsewhere(input)).toEqual([{ adUnitId: '2', name: 'unit 2', free: 1_500 }]);
  expect(await elsewhere({ ...input, booked: [] })).toEqual([]);
});
