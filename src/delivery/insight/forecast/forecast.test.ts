import { writeSentences } from '../../../domain/booking/delivery-text.ts';
import { describe, expect, test } from 'vitest';
import { AHEAD_MAX } from '../../../domain/pacing/goal-worth.ts';
import type { Forecast, ForecastDraft, ForecastPrecision } from '../../../domain/booking/delivery-insight.ts';
import { NO_CAPS } from '../../../domain/booking/line-item.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot } from '../../../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../../../test/worlds/sample-workspace.ts';
import { TRIES_ALL } from '../../../../test/support/longer-runs.ts';
import type { BookedDraft } from './forecast-draft.ts';
import { prepareForecast } from './forecast.ts';
import { ReplayedTraffic } from './forecast-traffic.ts';
import type { SampleEntry, TrafficSample } from '../../traffic/parse-sample.ts';
import { flatCurve, HOURS_PER_WEEK } from '../../../domain/pacing/traffic-curve.ts';
import type { HourlyRequests, TrafficCurve } from '../../../domain/pacing/traffic-curve.ts';
import { seededRandom } from './seeded-random.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** A Monday, local midnight. */
const nowMs = Date.parse('2026-11-16T00:00:00+01:00');
const WARSAW = 'Europe/Warsaw';
const GERMANY = { dimension: 'country', operator: 'is', values: ['DE'] } as const;

/** A week of 100,000 evenly spread requests, of which 2,000 were sampled: four of each user; every fourth user is in Germany. */
function weekOf(kept = 2_000): TrafficSample {
  const random = seededRandom(3);
  const entries = Array.from({ length: kept }, (_one, at): SampleEntry => {
    const user = at % (kept / 4);
    const country = user % 4 === 0 ? 'de' : 'pl';
    const userHash = user.toString(16).padStart(16, '0');
    const atMs = nowMs - WEEK_MS + Math.floor(random() * WEEK_MS);
    return { atMs, bucket: (user / kept) * 0.02, opportunity: sampleOpportunity({ country, userHash }) };
  });
  return { fromMs: nowMs - WEEK_MS, untilMs: nowMs, met: 100_000, share: 0.02, entries };
}

/** A sample of 12,000 requests of drawn users, who differ in how often they come: a quarter of all requests are from Germany. */
function drawWeek(seed: number): TrafficSample {
  const random = seededRandom(seed);
  const entries: SampleEntry[] = [];
  for (let user = 0; entries.length < 12_000; user += 1) {
    const country = random() < 0.25 ? 'de' : 'pl';
    const userHash = user.toString(16).padStart(16, '0');
    const bucket = random() * 0.12;
    for (let left = 1 + Math.floor(-12 * Math.log(1 - random())); left > 0; left -= 1) {
      const atMs = nowMs - WEEK_MS + Math.floor(random() * WEEK_MS);
      entries.push({ atMs, bucket, opportunity: sampleOpportunity({ country, userHash }) });
    }
  }
  return { fromMs: nowMs - WEEK_MS, untilMs: nowMs, met: 100_000, share: 0.12, entries };
}

/** Four weeks, of which each day has its own level. */
function busyHistory(): HourlyRequests[] {
  return Array.from({ length: 28 * 24 }, (_none, hour) => ({
    startMs: nowMs - (hour + 1) * HOUR_MS,
    requests: 595 * (1 + 0.2 * Math.sin(Math.floor(hour / 24))),
  }));
}

const DRAFT: ForecastDraft = {
  type: 'PRICE',
  level: 8,
  sharePercent: null,
  cpmMicros: 5_000_000,
  targeting: null,
  sizes: [{ width: 300, height: 250 }],
  mediaTypes: ['banner'],
  dealId: null,
  startsAtMs: nowMs,
  endsAtMs: nowMs + WEEK_MS,
  goal: null,
  pacing: 'EVEN',
  caps: NO_CAPS,
  frequencyCaps: [],
  serveWithoutUser: false,
  dayParts: [],
  timezone: null,
  lineItemId: null,
};

interface Asked {
  readonly network?: SampleInput;
  readonly sample?: TrafficSample | null;
  readonly counters?: Readonly<Record<string, number>>;
  readonly curve?: TrafficCurve;
  readonly history?: readonly HourlyRequests[];
  readonly precision?: ForecastPrecision;
  readonly elapsedMs?: () => number;
  readonly booked?: BookedDraft;
}

/** As busy as the sample, and all of it. */
const SAME = { share: 1, replayedMax: 150_000 };

function forecast(draft: Partial<ForecastDraft>, asked: Asked = {}): Forecast {
  const { network = {}, sample = weekOf(), counters = {}, curve = flatCurve(WARSAW), history = [] } = asked;
  const input = {
    snapshot: sampleSnapshot(network),
    draft: { ...DRAFT, ...draft },
    precision: asked.precision ?? 'FULL',
    sample,
    curve,
    history,
    nowMs,
    seed: 1,
  };
  const prepared = prepareForecast({
    ...input,
    ...(asked.elapsedMs === undefined ? {} : { elapsedMs: asked.elapsedMs }),
    ...(asked.booked === undefined ? {} : { booked: asked.booked }),
  });
  const known = Object.entries(counters).map(([key, value]) => [`d/1/${key}`, value] as const);
  for (const [key] of known) expect(prepared.counterKeys).toContain(key);
  return prepared.finish(new Map(known));
}

const near = (value: number, share = 0.03) => ({
  asymmetricMatch: (other: number) => Math.abs(other - value) <= value * share,
  toString: () => `near ${value}`,
});

describe('a forecast', () => {
  test('a draft without rivals gets all opportunities of its targeting over the rest of its flight', () => {
    expect(forecast({})).toMatchObject({ opportunities: 100_000, matched: 100_000, possible: 100_000, remarks: [] });
    expect(forecast({ targeting: GERMANY })).toMatchObject({
      opportunities: 100_000,
      matched: 25_000,
      possible: 25_000,
    });
    expect(forecast({ sizes: [{ width: 728, height: 90 }] })).toMatchObject({ matched: 0, possible: 0 });
    expect(forecast({ endsAtMs: nowMs + 3 * WEEK_MS }).possible).toBe(300_000);
    expect(forecast({ endsAtMs: nowMs + DAY_MS }).possible).toEqual(near(100_000 / 7, 0.1));
    const begun = forecast({ startsAtMs: nowMs - WEEK_MS });
    expect(begun.possible).toBe(100_000);
    expect(writeSentences(begun.remarks)).toEqual(['Only the part of the flight that is to come is counted.']);
  });

  test('on a machine that is too busy for all sampled users, a forecast is made from some of them, and says so', () => {
    let looks = 0;
    const week = weekOf(8_000);
    const sample = { ...week, entries: week.entries.map((entry) => ({ ...entry, bucket: 4 * entry.bucket })) };
    const busy = { sample, elapsedMs: () => (looks += 1) * 600 };
    const { possible, possibleLow, possibleHigh, remarks } = forecast({ targeting: GERMANY }, busy);
    expect(possible).toEqual(near(25_000, 0.1));
    expect(writeSentences(remarks)[0]).toMatch(/^The server is busy/);
    const quiet = forecast({ targeting: GERMANY }, { sample, elapsedMs: () => 0 });
    expect(quiet).toEqual(forecast({ targeting: GERMANY }, { sample }));
    expect(writeSentences(quiet.remarks)).toEqual([]);
    expect(possibleHigh - possibleLow).toBeGreaterThan(quiet.possibleHigh - quiet.possibleLow);
  });

  test('a rough forecast replays fewer users, says so, and has a wider interval', () => {
    const flight = { endsAtMs: nowMs + 8 * WEEK_MS, targeting: GERMANY };
    const asked = { sample: weekOf(8_000), history: busyHistory() };
    const full = forecast(flight, asked);
    const rough = forecast(flight, { ...asked, precision: 'ROUGH' });
    expect([full.precision, rough.precision]).toEqual(['FULL', 'ROUGH']);
    expect(rough.possible).toEqual(near(full.possible, 0.1));
    expect(rough.sampleSize).toBe(8_000);
    const widthOf = ({ possibleLow, possibleHigh }: Forecast): number => possibleHigh - possibleLow;
    expect(widthOf(rough)).toBeGreaterThan(1.1 * widthOf(full));
    expect(writeSentences(rough.remarks)).not.toContainEqual(expect.stringMatching(/busy/));
  });

  test('a rough forecast that leaves nobody out is the full one', () => {
    const goal = { kind: 'IMPRESSIONS', amount: 30_000, period: 'LIFETIME' } as const;
    const network = { lineItems: [{ id: '1', type: 'STANDARD', goal }] } satisfies SampleInput;
    const asked = { network, sample: weekOf(5_000), history: busyHistory() };
    const draft = { ...DRAFT, frequencyCaps: [{ event: 'IMPRESSIONS', count: 1, window: 'DAY', every: 1 }] } as const;
    expect(forecast(draft, { ...asked, precision: 'ROUGH' })).toEqual(forecast(draft, asked));
  });

  test('the interval of a rough forecast holds as often as it claims', () => {
    let held = 0;
    const seeds = TRIES_ALL ? 50 : 10;
    for (let seed = 1; seed <= seeds; seed += 1) {
      const sample = drawWeek(seed);
      const { possibleLow, possibleHigh, precision } = forecast({ targeting: GERMANY }, { sample, precision: 'ROUGH' });
      expect(precision).toBe('ROUGH');
      if (possibleLow <= 25_000 && possibleHigh >= 25_000) held += 1;
    }
    // Of fifty intervals of 95 %, fewer than 44 hold in one case of a hundred; of ten, fewer than 8.
    expect(held).toBeGreaterThanOrEqual(TRIES_ALL ? 44 : 8);
    if (TRIES_ALL) expect(held, 'the interval is not needlessly wide').toBeLessThan(50);
  });

  test('higher tiers and dearer line items win over the draft, and the forecast names both', () => {
    const network: SampleInput = {
      lineItems: [
        { name: 'Sponsor', type: 'SPONSORSHIP', sharePercent: 100, targeting: GERMANY },
        { name: 'Dear', priceMicros: 9_000_000 },
      ],
    };
    const cheap = forecast({}, { network });
    expect(cheap).toMatchObject({ matched: 100_000, available: 75_000, possible: 0 });
    expect(cheap.contending).toEqual([
      { lineItemId: '2', name: 'Dear', opportunities: 75_000 },
      { lineItemId: '1', name: 'Sponsor', opportunities: 25_000 },
    ]);
    expect(forecast({ cpmMicros: 10_000_000 }, { network })).toMatchObject({ available: 75_000, possible: 75_000 });
    expect(forecast({ lineItemId: '2' }, { network }), 'instead of the dear one').toMatchObject({
      possible: 75_000,
    });
  });

  test('a draft takes impressions, units of goals and revenue from those whom it outbids', () => {
    const goal = { kind: 'IMPRESSIONS', amount: 20_000, period: 'LIFETIME' } as const;
    const flight = { startsAtMs: nowMs, endsAtMs: nowMs + WEEK_MS };
    const network: SampleInput = {
      lineItems: [
        { name: 'Goal', type: 'STANDARD', goal, pacing: 'ASAP', targeting: GERMANY, ...flight },
        { name: 'Price', priceMicros: 3_000_000 },
        { name: 'House', type: 'HOUSE', sharePercent: 1 },
      ],
    };
    const sponsor = forecast({ type: 'SPONSORSHIP', sharePercent: 50, cpmMicros: 10_000_000 }, { network });
    expect(sponsor.revenueMicros).toBe(sponsor.possible * 10_000);
    // Half of Germany is left: 12,500 of the goal of 20,000.
    const [first, second] = sponsor.displaced;
    expect(second).toMatchObject({ name: 'Goal', impressions: near(7_500, 0.05), goalUnits: near(7_500, 0.05) });
    expect(first).toMatchObject({ name: 'Price', impressions: near(42_500, 0.05), goalUnits: null });
    expect(first?.revenueMicros).toBe((first?.impressions ?? 0) * 3_000);
    expect(sponsor.displaced).toHaveLength(2);
    expect(sponsor.displacedRevenueMicros).toEqual(
      near((first?.revenueMicros ?? 0) + (second?.revenueMicros ?? 0), 0.001),
    );
    const cheap = forecast({ cpmMicros: 2_000_000 }, { network });
    expect(cheap).toMatchObject({ revenueMicros: 0, displacedRevenueMicros: 0, displaced: [] });
  });

  test('rivals with a goal take what is left of it, and what is idle up to a bound ahead', () => {
    const goal = { kind: 'IMPRESSIONS', amount: 60_000, period: 'LIFETIME' } as const;
    const flight = { startsAtMs: nowMs - WEEK_MS, endsAtMs: nowMs + WEEK_MS };
    const network = { lineItems: [{ type: 'STANDARD', goal, ...flight }] } satisfies SampleInput;
    const counters = (delivered: number) => ({ 'li/1/imp/all': delivered, 'li/1/ans/all': delivered });
    expect(forecast({}, { network, counters: counters(30_000) }).possible).toEqual(near(70_000));
    expect(forecast({}, { network, counters: counters(60_000) }).possible, 'it has reached its goal').toBe(100_000);
    const first = { endsAtMs: nowMs + DAY_MS };
    // Nobody else wants the opportunities of the first day: its goal may be 4 % ahead of its plan.
    const ahead = AHEAD_MAX * goal.amount;
    expect(forecast(first, { network, counters: counters(30_000) }).contending[0]?.opportunities).toEqual(
      near(30_000 / 7 + ahead, 0.1),
    );
  });

  test('a booked line item is forecast as itself: its goal goes on from its counters, its price counts, nobody is displaced twice', () => {
    const goal = { kind: 'IMPRESSIONS', amount: 60_000, period: 'LIFETIME' } as const;
    const flight = { startsAtMs: nowMs - WEEK_MS, endsAtMs: nowMs + WEEK_MS };
    const network: SampleInput = {
      lineItems: [{ id: '1' }, { id: '2', type: 'STANDARD', goal, ...flight }, { id: '3' }],
    };
    const { lineItems, creatives } = sampleSnapshot(network);
    const [, lineItem] = lineItems;
    if (lineItem === undefined) throw new Error('The second line item is missing');
    const booked = { lineItem, creatives: creatives.filter(({ lineItemId }) => lineItemId === '2') };
    const draft = { type: 'STANDARD', goal, ...flight, lineItemId: '2' } as const;
    const counters = { 'li/2/imp/all': 45_000, 'li/2/ans/all': 45_000 };
    const found = forecast(draft, { network, counters, booked });
    expect(found.possible).toEqual(near(15_000));
    expect(found.displaced.map(({ lineItemId }) => lineItemId).toSorted()).toEqual(['1', '3']);
    expect(found.revenueMicros).toEqual(near(150_000_000));
    expect(forecast(draft, { network }).possible, 'a draft starts from zero').toEqual(near(60_000));
  });

  test('a rival whose end was moved spreads the rest of its goal, as delivery does', () => {
    const goal = { kind: 'IMPRESSIONS', amount: 60_000, period: 'LIFETIME' } as const;
    // Half of the goal is delivered, and the plan of the longer flight has a quarter of it.
    const flight = { startsAtMs: nowMs - WEEK_MS, endsAtMs: nowMs + 3 * WEEK_MS };
    const network = { lineItems: [{ type: 'STANDARD', goal, ...flight }] } satisfies SampleInput;
    const counters = { 'li/1/imp/all': 30_000, 'li/1/ans/all': 30_000 };
    const { contending } = forecast({ cpmMicros: 1_000 }, { network, counters });
    expect(contending[0]?.opportunities).toEqual(near(10_000, 0.12));
  });

  test('a click goal takes the impressions that its clicks need, beside PRICE', () => {
    // Of 100,000 impressions before, 400 were clicked: the 100 clicks that are missing need 25,000 impressions.
    const goal = { kind: 'CLICKS', amount: 500, period: 'LIFETIME' } as const;
    const flight = { startsAtMs: nowMs - 4 * WEEK_MS, endsAtMs: nowMs + WEEK_MS };
    const network = { lineItems: [{ type: 'STANDARD', goal, ...flight }] } satisfies SampleInput;
    const counters = { 'li/1/imp/all': 100_000, 'li/1/ans/all': 100_000, 'li/1/clk/all': 400 };
    expect(forecast({}, { network, counters }).possible).toEqual(near(75_000, 0.06));
  });

  test('goals share the opportunities as the allocation plan of delivery divides them', () => {
    const goal = (amount: number) => ({ kind: 'IMPRESSIONS', amount, period: 'LIFETIME' }) as const;
    const broad = { type: 'STANDARD', level: 4, startsAtMs: nowMs, endsAtMs: nowMs + WEEK_MS } as const;
    // By levels, the broad one would have 60 % of Germany as well: 15,000 of 25,000 opportunities.
    const narrow = forecast(
      { type: 'STANDARD', level: 12, goal: goal(21_000), targeting: GERMANY },
      { network: { lineItems: [{ ...broad, goal: goal(60_000) }] } },
    );
    expect(narrow.possible).toEqual(near(21_000));
    // By urgency, it would have 60 % of the last two days as well: 17,000 of 28,600 opportunities.
    const late = forecast(
      { type: 'STANDARD', level: 12, goal: goal(25_000), startsAtMs: nowMs + 5 * DAY_MS },
      { network: { lineItems: [{ ...broad, goal: goal(60_000) }] } },
    );
    expect(late.possible).toEqual(near(25_000));
  });

  test('a rival stops taking opportunities at its cap, its budget or the end of its flight', () => {
    const dear = { priceMicros: 10_000_000 };
    const possible = (overrides: object, counters = {}) =>
      forecast({}, { network: { lineItems: [{ ...dear, ...overrides }] }, counters }).possible;
    expect(possible({})).toBe(0);
    expect(possible({ caps: { impressionsPerDay: 5_000 } })).toEqual(near(65_000));
    expect(possible({ caps: { impressionsLifetime: 50_000 } }, { 'li/1/imp/all': 40_000 })).toEqual(near(90_000));
    expect(possible({ caps: { spendMicrosLifetime: 300_000_000 } }), '30,000 at 0.01').toEqual(near(70_000));
    expect(possible({ endsAtMs: nowMs + DAY_MS })).toEqual(near((100_000 * 6) / 7, 0.05));
    expect(possible({ startsAtMs: nowMs + 6 * DAY_MS })).toEqual(near((100_000 * 6) / 7, 0.05));
    expect(possible({ endsAtMs: nowMs }), 'has ended').toBe(100_000);
  });

  test('the draft keeps to its own goal, caps, frequency caps and day-parts', () => {
    const goal = { kind: 'IMPRESSIONS', amount: 20_000, period: 'LIFETIME' } as const;
    expect(forecast({ type: 'STANDARD', goal }).possible).toEqual(near(20_000));
    expect(forecast({ caps: { ...NO_CAPS, impressionsPerDay: 1_000 } }).possible).toEqual(near(7_000));
    expect(forecast({ caps: { ...NO_CAPS, impressionsLifetime: 5 } }).possible).toBeLessThan(60);
    const cap = { event: 'IMPRESSIONS', count: 1, window: 'WEEK', every: 1 } as const;
    expect(forecast({ frequencyCaps: [cap] }), 'one of four visits').toMatchObject({
      matched: 100_000,
      possible: 25_000,
    });
    const mornings = { dayParts: [{ days: [1, 2, 3, 4, 5, 6, 7], startMinute: 360, endMinute: 720 }] };
    const quarter = forecast(mornings);
    expect(quarter.matched).toEqual(near(25_000, 0.08));
    expect(quarter.possible).toBe(quarter.matched);
    expect(forecast({ dayParts: [{ days: [1], startMinute: 0, endMinute: 1_440 }] }).matched).toEqual(
      near(100_000 / 7, 0.1),
    );
  });

  test('served ads that are not shown count for less', () => {
    const goal = { kind: 'IMPRESSIONS', amount: 10_000, period: 'LIFETIME' } as const;
    const flight = { startsAtMs: nowMs - WEEK_MS, endsAtMs: nowMs + WEEK_MS };
    const network: SampleInput = { lineItems: [{ type: 'STANDARD', goal, ...flight }] };
    const counters = { 'li/1/imp/all': 8_000, 'li/1/ans/all': 10_000 };
    const result = forecast({ caps: { ...NO_CAPS, impressionsPerDay: 1_000 } }, { network, counters });
    expect(result.possible).toEqual(near(7_000 / 0.8, 0.06));
    expect(result.impressions).toEqual(near(7_000, 0.06));
  });

  test('a later flight meets its rivals in their state at that time', () => {
    const goal = { kind: 'IMPRESSIONS', amount: 150_000, period: 'LIFETIME' } as const;
    const network: SampleInput = {
      lineItems: [{ type: 'STANDARD', goal, pacing: 'ASAP', startsAtMs: nowMs, endsAtMs: nowMs + 4 * WEEK_MS }],
    };
    const flight = (week: number) => ({ startsAtMs: nowMs + week * WEEK_MS, endsAtMs: nowMs + (week + 1) * WEEK_MS });
    expect(forecast(flight(0), { network }).possible).toBe(0);
    expect(forecast(flight(1), { network }).possible).toEqual(near(50_000));
    expect(forecast(flight(2), { network }).possible).toBe(100_000);
  });

  test('every slot of a request counts', () => {
    const two = weekOf();
    const slots = [sampleSlot({ slotId: 'a' }), sampleSlot({ slotId: 'b', sizes: [{ width: 728, height: 90 }] })];
    const entries = two.entries.map((one) => ({ ...one, opportunity: { ...one.opportunity, slots } }));
    expect(forecast({}, { sample: { ...two, entries } })).toMatchObject({ opportunities: 200_000, matched: 100_000 });
  });

  test('a flight that can be busier or quieter has a wider interval, and a goal within it has none', () => {
    // Busy and quiet spells of two days.
    const history = Array.from({ length: 28 * 24 }, (_none, hour) => {
      const spell = Math.floor(hour / 48) % 2 === 0 ? 1.3 : 0.7;
      return { startMs: nowMs - (28 * 24 - hour) * HOUR_MS, requests: Math.round(600 * spell) };
    });
    const steady = forecast({});
    const varied = forecast({}, { history });
    expect(varied.possible).toEqual(near(steady.possible, 0.1));
    expect(varied.possibleLow).toBeLessThan(0.9 * steady.possibleLow);
    expect(varied.possibleHigh).toBeGreaterThan(1.1 * steady.possibleHigh);
    expect(writeSentences(varied.remarks).join()).toMatch(
      /The traffic of the flight is expected at \d+ % of that of the sample/,
    );
    const goal = { kind: 'IMPRESSIONS', amount: 20_000, period: 'LIFETIME' } as const;
    const booked = forecast({ type: 'STANDARD', goal, pacing: 'ASAP' }, { history });
    expect(booked.possibleLow).toBeGreaterThan(0.9 * booked.possible);
  });

  test('a forecast from the sample of some hours says where the other hours of the week come from', () => {
    const sample = weekOf();
    const fromMs = nowMs - 3 * HOUR_MS;
    const entries = sample.entries.map((entry) => ({
      ...entry,
      atMs: fromMs + ((entry.atMs - sample.fromMs) % HOUR_MS),
    }));
    expect(writeSentences(forecast({}, { sample: { ...sample, fromMs, entries } }).remarks)[0]).toBe(
      'The sample covers 3 hours: other hours of the week are taken from the traffic curve.',
    );
  });

  test('a forecast from a few requests says that there is not enough traffic', () => {
    expect(writeSentences(forecast({}, { sample: weekOf(40) }).remarks).join()).toMatch(
      /not enough traffic yet: 40 requests/,
    );
  });

  test('the forecast states its uncertainty by users and not by requests', () => {
    const wide = forecast({ targeting: GERMANY });
    // 500 500 users, a quarter of them: 1.96 √(p(1 − p) ÷ n) of all, and a little for the coming week.
    const half = 1.96 * Math.sqrt((0.25 * 0.75) / 500) * 100_000 * Math.sqrt(1 + 1 / 50);
    expect(wide.possibleHigh - wide.possible).toEqual(near(half));
    expect(wide.possible - wide.possibleLow).toEqual(near(half));
    expect(writeSentences(wide.remarks)).toEqual([
      expect.stringMatching(/^The sample is small for this: .* expect ±15 %\.$/),
    ]);
    const nobody = forecast({ targeting: { dimension: 'country', operator: 'is', values: ['FR'] } });
    expect(nobody).toMatchObject({ matched: 0, possible: 0, remarks: [{ code: 'forecast_unmatched', values: [] }] });
    expect(nobody.possibleHigh, 'a sample misses three users by chance').toBe(600);
    expect(forecast({}, { sample: null })).toMatchObject({
      opportunities: 0,
      remarks: [{ code: 'forecast_no_sample', values: [] }],
    });
  });
});

describe('replayed traffic', () => {
  const replay = (sample: TrafficSample, curve: TrafficCurve, fromMs: number, toMs: number) => [
    ...new ReplayedTraffic(sample, curve, { fromMs, toMs, ...SAME }).replay(),
  ];
  const oneAt = (atMs: number, fromMs: number, untilMs: number): TrafficSample => ({
    fromMs,
    untilMs,
    met: 10,
    share: 1,
    entries: [{ atMs, bucket: 0, opportunity: sampleOpportunity({}) }],
  });

  test('traffic repeats at the same hour of the week in local time, also across clock changes', () => {
    const tuesdayNoon = Date.parse('2026-10-20T12:00:00+02:00');
    const sample = oneAt(tuesdayNoon, tuesdayNoon - DAY_MS, tuesdayNoon + 6 * DAY_MS);
    const times = replay(sample, flatCurve(WARSAW), sample.untilMs, sample.untilMs + 2 * WEEK_MS);
    expect(times.map(({ atMs }) => new Date(atMs).toISOString())).toEqual([
      '2026-10-27T11:00:00.000Z',
      '2026-11-03T11:00:00.000Z',
    ]);
    expect(times.map(({ weight }) => weight)).toEqual([10, 10]);
  });

  test('traffic from a sample of hours is weighted by the curve of the hours that it represents', () => {
    const weights = Array.from({ length: HOURS_PER_WEEK }, (_one, hour) => (hour % 24 < 12 ? 0.5 : 1.5));
    const curve = { timezone: WARSAW, weights };
    const sample = oneAt(nowMs + HOUR_MS / 2, nowMs, nowMs + HOUR_MS);
    const day = replay(sample, curve, nowMs + DAY_MS, nowMs + 2 * DAY_MS);
    expect(day).toHaveLength(24);
    expect(day.slice(0, 12).map(({ weight }) => weight)).toEqual(Array.from({ length: 12 }, () => 10));
    expect(day.slice(12).map(({ weight }) => weight)).toEqual(Array.from({ length: 12 }, () => 30));
  });

  test('traffic of a long flight uses fewer users, each with a larger weight and all their requests', () => {
    const sample = weekOf();
    const traffic = new ReplayedTraffic(sample, flatCurve(WARSAW), {
      fromMs: nowMs,
      toMs: nowMs + 365 * DAY_MS,
      ...SAME,
    });
    let [count, weight] = [0, 0];
    const byUser = new Map<number, number>();
    for (const one of traffic.replay()) {
      count += 1;
      weight += one.weight;
      byUser.set(one.userIndex, (byUser.get(one.userIndex) ?? 0) + 1);
    }
    expect(count).toBeLessThanOrEqual(152_000);
    expect(count).toBeGreaterThan(90_000);
    expect(weight).toEqual(near((100_000 * 365) / 7, 0.02));
    expect(Math.min(...byUser.values())).toBeGreaterThanOrEqual(4 * 52);
  });
});
