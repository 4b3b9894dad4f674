import { writeSentences } from '../../src/domain/booking/delivery-text.ts';
import { describe, expect, test } from 'vitest';
import type { Opportunity } from '../../src/domain/requests/opportunity.ts';
import { seededRandom } from '../../src/delivery/insight/forecast/seeded-random.ts';
import { drawForecastWorld } from '../../bench/quality/forecast-worlds.ts';
import { playForecast } from './forecast-play.ts';
import type { ForecastOutcome, LineItemInput } from './forecast-play.ts';

/** Compares forecasts with the actual delivery by an allocation plan: each draft is booked after it is forecast. */
const USERS = 6_000;
/** The largest error of a forecast. */
const OFF_MAX = 0.1;

const GERMANY = { dimension: 'country', operator: 'is', values: ['DE'] } as const;

/** Users come more or less often, each from one country; one visit in eight has no user. */
function drawVisit(random: () => number): Partial<Opportunity> {
  const user = Math.floor(USERS * random() ** 1.3);
  const country = user % 20 === 0 ? 'de' : 'pl';
  if (random() < 1 / 8) return { userHash: '', country };
  // The digits of a hash: evenly distributed for any number.
  const digits = Math.floor(seededRandom(user)() * 2 ** 32).toString(16);
  return { userHash: digits.padStart(8, '0').padEnd(16, '0'), country };
}

const goalOf = (amount: number, period: 'LIFETIME' | 'DAY' = 'LIFETIME') =>
  ({ kind: 'IMPRESSIONS', amount: Math.round(amount), period }) as const;
const capOf = (count: number, window: 'DAY' | 'WEEK') => ({ event: 'IMPRESSIONS', count, window, every: 1 }) as const;

/** Ten competitors of all tiers, for two weeks of `all` requests. */
function competitors(all: number): LineItemInput[] {
  return [
    { name: 'sponsor 15 %', type: 'SPONSORSHIP', sharePercent: 15, level: 1 },
    { name: 'even', type: 'STANDARD', goal: goalOf(all * 0.12) },
    { name: 'front-loaded', type: 'STANDARD', pacing: 'FRONT_LOADED', goal: goalOf(all * 0.06) },
    { name: 'each day', type: 'STANDARD', goal: goalOf((all * 0.05) / 14, 'DAY') },
    {
      name: 'viewable',
      type: 'STANDARD',
      goal: { kind: 'VIEWABLE_IMPRESSIONS', amount: Math.round(all * 0.03), period: 'LIFETIME' },
    },
    { name: 'capped by day', priceMicros: 12_000_000, caps: { impressionsPerDay: Math.round((all * 0.1) / 14) } },
    { name: 'two a week', priceMicros: 9_000_000, frequencyCaps: [capOf(2, 'WEEK')] },
    { name: 'Germany', priceMicros: 8_000_000, targeting: GERMANY },
    { name: 'budget', priceMicros: 5_000_000, caps: { spendMicrosLifetime: Math.round(all * 0.1 * 5_000) } },
    { name: 'house', type: 'HOUSE', sharePercent: 1 },
  ];
}

interface Asked {
  readonly draft: LineItemInput;
  readonly seed?: number;
}

function play({ draft, seed = 5 }: Asked): Promise<ForecastOutcome> {
  const requestsPerHour = 250;
  const all = 14 * 24 * requestsPerHour;
  return playForecast({ seed, requestsPerHour, competitors: competitors(all), draft, drawVisit, isPlanned: true });
}

function expectClose(forecast: number, happened: number, offMax = OFF_MAX): void {
  expect(forecast / happened).toBeGreaterThan(1 - offMax);
  expect(forecast / happened).toBeLessThan(1 + offMax);
}

const WEEKDAYS = [1, 2, 3, 4, 5];

/** The drafts in a simulated network that others have booked. `FORECAST_WORLDS=all` tries all; otherwise one. */
const DRAFTS: readonly [string, LineItemInput][] = [
  ['an unlimited line item of a contested price', { priceMicros: 6_000_000 }],
  ['a goal among ten competitors', { type: 'STANDARD', goal: goalOf(6_000) }],
  ['a goal that is out of reach', { type: 'STANDARD', level: 12, pacing: 'ASAP', goal: goalOf(60_000) }],
  ['one a day for each user', { priceMicros: 20_000_000, frequencyCaps: [capOf(1, 'DAY')] }],
  [
    'two a week for each user, and any number without a user',
    { priceMicros: 20_000_000, frequencyCaps: [capOf(2, 'WEEK')], serveWithoutUser: true },
  ],
  [
    'weekday mornings in another time zone',
    {
      priceMicros: 6_000_000,
      timezone: 'America/New_York',
      dayParts: [{ days: WEEKDAYS, startMinute: 6 * 60, endMinute: 12 * 60 }],
    },
  ],
  ['a budget for each day', { priceMicros: 20_000_000, caps: { spendMicrosPerDay: 20_000_000 } }],
];
/** PRICE in few hours of the week depends most on what goals bid in those hours: 12 % off in these two pairs of weeks. */
const FURTHER_OFF: Readonly<Record<string, number>> = { 'weekday mornings in another time zone': 0.15 };
const isAll = process.env['FORECAST_WORLDS'] === 'all';
const TRIED = isAll ? DRAFTS : DRAFTS.slice(1, 2);

describe('a forecast is within a tenth of the actual delivery', { timeout: 400_000 }, () => {
  test.each(TRIED)('%s', async (title, draft) => {
    // The traffic of one pair of weeks differs by more than a twentieth from what it promised.
    const sums = { possible: 0, ads: 0, expected: 0, impressions: 0 };
    for (const seed of isAll ? [5, 6] : [5]) {
      const { forecast, ads, impressions } = await play({ draft, seed });
      sums.possible += forecast.possible;
      sums.ads += ads;
      sums.expected += forecast.impressions;
      sums.impressions += impressions;
      expect(forecast.available).toBeGreaterThanOrEqual(forecast.possible);
    }
    expect(sums.ads, 'enough to tell a tenth from chance').toBeGreaterThan(1_000);
    expectClose(sums.possible, sums.ads, FURTHER_OFF[title]);
    expectClose(sums.expected, sums.impressions, FURTHER_OFF[title]);
  });

  test.runIf(isAll)(
    'the available opportunities are those that lower and equal tiers get without the draft',
    async () => {
      const { forecast, holders } = await play({ draft: { type: 'PRICE', priceMicros: 1 } });
      const higher = ['1', '2', '3', '4', '5'].reduce((sum, id) => sum + (holders.get(id) ?? 0), 0);
      expectClose(forecast.available, forecast.opportunities - higher);
      // The draft replaces the house line item.
      const rivals = forecast.contending.filter((one) => one.lineItemId !== '10' && one.opportunities > 1_000);
      expect(rivals.length).toBeGreaterThan(5);
      for (const { lineItemId, opportunities } of rivals) expectClose(opportunities, holders.get(lineItemId) ?? 0);
    },
  );

  test.runIf(isAll)('a forecast from a small sample names an interval that holds', async () => {
    const { forecast, ads } = await play({ draft: { priceMicros: 20_000_000, targeting: GERMANY } });
    expect(writeSentences(forecast.remarks)).toEqual([
      expect.stringMatching(/^The sample is small for this: .* expect ±\d+ %\.$/),
    ]);
    expect(ads).toBeGreaterThanOrEqual(forecast.possibleLow);
    expect(ads).toBeLessThanOrEqual(forecast.possibleHigh);
  });
});

describe('forecasts of drawn networks', { timeout: 400_000 }, () => {
  // `npm run bench:forecasts` plays a hundred of them.
  test.runIf(isAll)('most intervals hold, and goals are forecast within 3 %', async () => {
    let [held, roughlyHeld] = [0, 0];
    const numbers = [1, 9, 17, 41];
    for (const number of numbers) {
      const { world, kind } = drawForecastWorld(number);
      const { forecast, rough, ads } = await playForecast(world);
      expect([forecast.precision, rough.precision]).toEqual(['FULL', 'ROUGH']);
      if (ads >= forecast.possibleLow && ads <= forecast.possibleHigh) held += 1;
      if (ads >= rough.possibleLow && ads <= rough.possibleHigh) roughlyHeld += 1;
      if (kind === 'goal') expect(Math.abs(forecast.possible / ads - 1), `world ${number}`).toBeLessThan(0.03);
    }
    expect(held).toBeGreaterThanOrEqual(numbers.length - 1);
    expect(roughlyHeld, 'the wider intervals of rough forecasts').toBeGreaterThanOrEqual(numbers.length - 1);
  });
});
