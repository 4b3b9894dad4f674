import { describe, expect, test } from 'vitest';
import { OptimumOfWorld } from '../../bench/quality/optimum.ts';
import { playWorld } from '../../bench/quality/play.ts';
import { Bookings, DAY_MS, HOUR_MS, inSections, STARTS_MS } from '../../bench/quality/world.ts';
import { WORLDS } from '../../bench/quality/worlds.ts';
import { seededRandom } from '../../src/delivery/insight/forecast/seeded-random.ts';
import { silentLog } from '../support/stores.ts';
import { sampleOpportunity } from '../worlds/sample-workspace.ts';

const scale = { days: 7, requestsPerHour: 60, seed: 8, isPlanned: true, log: silentLog };

/** The least delivery in percent of the optimum at this scale. A better engine raises it. */
const LEAST: Readonly<Record<string, number>> = {
  'broad above narrow': 97,
  'broad ASAP beside narrow': 97,
  'late flight': 97,
  'evening beside broad': 97,
  'price beside a guarantee': 97,
  'frequency cap beside broad': 97,
  'overlapping sets': 97,
  'shares of voice above goals': 97,
  'weak weekend': 97,
  'booked mid-flight': 97,
  'daily goals beside ASAP': 97,
  'forty-two of all kinds': 97,
  'outage of the last hours': 99.5,
  'end extended mid-flight': 97,
  'section opens with the flight': 99,
  'header bids with heavy tails': 97,
  'even beside HOUSE': 99,
  'imported without a past': 95,
  'sixty short flights': 96,
  'oversold within a level': 97,
};
/**
 * The least that each goal gets, in percent of it: the traffic allows all of it, but history did not foretell what happens. A weekend is a
 * quarter of this short flight; of two weeks, goals get at least 97 % (docs/quality.md).
 */
const LEAST_OF_GOALS: Readonly<Record<string, number>> = {
  'outage of the last hours': 97,
  'weak weekend': 88,
  'section opens with the flight': 97,
  'even beside HOUSE': 99,
  // All three of the level come equally far, and the one of a higher level gets all.
  'oversold within a level': 50,
};
/** The most by which a goal, or the rest of it after a change, is off the traffic, in percent of it. Traffic itself is up to that much off its curve. */
const UNEVEN_MAX = 14;
/** The least revenue of PRICE and header bids in percent of the most that the goals leave them. */
const LEAST_REVENUE = 95;

describe('delivery where line items contend, as a share of the optimum', () => {
  test('there are twenty worlds, each with its least share', () => {
    expect(WORLDS.map((makeWorld) => makeWorld(scale).name)).toEqual(Object.keys(LEAST));
    expect(WORLDS).toHaveLength(20);
  });

  test.each(WORLDS.map((makeWorld) => makeWorld(scale)))('$name', async (world) => {
    const { delivered, worst, uneven, revenue } = await playWorld(world, scale);
    expect(delivered * 100).toBeGreaterThanOrEqual(LEAST[world.name] as number);
    // No delivery can exceed what an omniscient one reaches.
    expect(delivered).toBeLessThanOrEqual(1.000_001);
    expect(worst.share * 100, worst.name).toBeGreaterThanOrEqual(LEAST_OF_GOALS[world.name] ?? 0);
    if (uneven !== null) expect(uneven * 100).toBeLessThan(UNEVEN_MAX);
    if (revenue !== null) expect(revenue * 100).toBeGreaterThanOrEqual(LEAST_REVENUE);
  });
});

test.each([
  // An evening goal that needs nine tenths of its hours, in few requests.
  ['imported without a past', 96.5],
  ['evening beside broad', 98],
  ['section opens with the flight', 98],
] as const)('an installation that learns its traffic hour by hour reaches its goals: %s', async (name, least) => {
  const makeWorld = WORLDS.find((make) => make(scale).name === name);
  if (makeWorld === undefined) throw new Error('There is such a world');
  const { delivered } = await playWorld(makeWorld(scale), { ...scale, isLearning: true });
  expect(delivered * 100).toBeGreaterThanOrEqual(least);
});

test('a goal with more time delivers before a later flight needs its traffic, because the plan foretells it', async () => {
  const makeWorld = WORLDS.find((make) => make(scale).name === 'late flight');
  if (makeWorld === undefined) throw new Error('There is such a world');
  const world = makeWorld(scale);
  const planned = await playWorld(world, scale);
  const unplanned = await playWorld(world, { ...scale, isPlanned: false });
  expect(planned.delivered).toBeGreaterThan(unplanned.delivered + 0.05);
});

describe('the optimum', () => {
  const of = () => new Bookings({ days: 1, requestsPerHour: 1 });
  const visit = (section: 'sport' | 'home', userHash = '1') =>
    sampleOpportunity({ userHash, keyValues: new Map([['section', [section]]]) });

  test('the optimum gives the scarce requests to those that need them', async () => {
    const book = of();
    const lineItems = [book.goal('broad', 6), book.goal('narrow', 4, { targeting: inSections('sport') })];
    const best = new OptimumOfWorld(lineItems, STARTS_MS);
    for (let at = 0; at < 4; at += 1) best.record(visit('sport'), STARTS_MS);
    for (let at = 0; at < 5; at += 1) best.record(visit('home'), STARTS_MS);
    expect((await best.solve()).guaranteed).toBeCloseTo(9);
  });

  test('the optimum keeps flights, day-parts, and frequency caps', async () => {
    const book = of();
    const lineItems = [
      book.goal('ended', 10, { endsAtMs: STARTS_MS + HOUR_MS }),
      book.goal('evening', 10, { dayParts: [{ days: [1], startMinute: 1_200, endMinute: 1_440 }] }),
      book.goal('capped', 10, {
        startsAtMs: STARTS_MS + 22 * HOUR_MS,
        frequencyCaps: [{ event: 'IMPRESSIONS', count: 2, window: 'LIFETIME', every: 1 }],
      }),
    ];
    const best = new OptimumOfWorld(lineItems, STARTS_MS);
    best.record(visit('home'), STARTS_MS);
    best.record(visit('home'), STARTS_MS + 2 * HOUR_MS);
    expect((await best.solve()).guaranteed).toBeCloseTo(1);
    best.record(visit('home'), STARTS_MS + 21 * HOUR_MS);
    expect((await best.solve()).guaranteed).toBeCloseTo(2);
    const onlyCapped = new OptimumOfWorld(lineItems.slice(2), STARTS_MS);
    for (const user of ['1', '1', '1', '2']) onlyCapped.record(visit('home', user), STARTS_MS + 23 * HOUR_MS);
    expect((await onlyCapped.solve()).guaranteed).toBeCloseTo(3);
  });

  test('the optimum counts daily goals by day, and a share of voice of the requests that it can have', async () => {
    const book = new Bookings({ days: 2, requestsPerHour: 1 });
    const daily = book.goal('daily', 0, { goal: { kind: 'IMPRESSIONS', amount: 2, period: 'DAY' } });
    const sponsor = book.sponsor('sponsor', 50, { targeting: inSections('sport') });
    const best = new OptimumOfWorld([daily, sponsor], STARTS_MS);
    for (let at = 0; at < 4; at += 1) best.record(visit('home'), STARTS_MS);
    for (let at = 0; at < 4; at += 1) best.record(visit('sport'), STARTS_MS + DAY_MS);
    const optimum = await best.solve();
    expect(optimum.guaranteed).toBeCloseTo(6);
    const hours = Array.from({ length: 48 }, (_none, hour) => (hour === 0 ? 4 : hour === 24 ? 1 : 0));
    expect(optimum.counted(daily.id, hours)).toBe(3);
    expect(optimum.counted(sponsor.id, hours)).toBe(2);
  });

  test('the optimum earns the most from PRICE that the goals leave', async () => {
    const book = of();
    const lineItems = [
      book.goal('goal', 3),
      book.price('dear', 20, { targeting: inSections('sport') }),
      book.price('cheap', 1),
    ];
    const best = new OptimumOfWorld(lineItems, STARTS_MS);
    const random = seededRandom(1);
    for (let at = 0; at < 2; at += 1) best.record(visit('sport'), STARTS_MS + Math.floor(random() * DAY_MS));
    for (let at = 0; at < 4; at += 1) best.record(visit('home'), STARTS_MS);
    const { guaranteed, revenue } = await best.solve();
    expect(guaranteed).toBeCloseTo(3);
    expect(revenue).toBeCloseTo((2 * 20 + 1) / 1_000, 4);
  });
});
