import { afterAll, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../test/support/stores.ts';
import type { Forecast, ForecastDraft } from '../domain/delivery-insight.ts';
import { forecastSteps } from './forecast.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot } from './fixtures/sample-workspace.ts';
import type { SampleInput } from './fixtures/sample-workspace.ts';
import { OpportunityRecorder, readSamples, SAMPLE_MAX } from './opportunity-sample.ts';
import type { OpportunitySample } from './opportunity-sample.ts';
import { finishSteps } from './work-steps.ts';

const HOUR_MS = 3_600_000;
const nowMs = Date.parse('2026-11-20T10:00:00Z');
const folder = createTestFolder();
afterAll(() => folder.remove());

/** A generator with a seed: the same draws every time. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A day of 10,000 opportunities, a quarter of them in Germany, of which `kept` were kept. */
function dayOf(kept: number): OpportunitySample {
  return {
    fromMs: nowMs - 24 * HOUR_MS,
    untilMs: nowMs,
    met: 10_000,
    entries: Array.from({ length: kept }, (_one, at) => ({
      atMs: nowMs - HOUR_MS,
      opportunity: sampleOpportunity({ country: at % 4 === 0 ? 'de' : 'pl', userHash: '' }),
    })),
  };
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
  endsAtMs: nowMs + 48 * HOUR_MS,
  lineItemId: null,
};

function forecast(draft: Partial<ForecastDraft>, network: SampleInput = {}, samples = [[dayOf(400)]]): Forecast {
  const snapshot = sampleSnapshot(network);
  return finishSteps(forecastSteps({ snapshot, draft: { ...DRAFT, ...draft }, samples, nowMs, random: seeded(1) }));
}

test('a draft without rivals gets all that its targeting admits, over the days of its flight', () => {
  expect(forecast({})).toMatchObject({ opportunities: 20_000, matched: 20_000, available: 20_000, possible: 20_000 });
  const german = { dimension: 'country', operator: 'is', values: ['DE'] } as const;
  expect(forecast({ targeting: german })).toMatchObject({ opportunities: 20_000, matched: 5_000, possible: 5_000 });
  expect(forecast({ sizes: [{ width: 728, height: 90 }] })).toMatchObject({ matched: 0, possible: 0 });
  expect(forecast({ endsAtMs: nowMs + 12 * HOUR_MS })).toMatchObject({
    matched: 5_000,
    sampleSize: 400,
    sampledHours: 24,
  });
});

test('higher tiers take what is theirs, and dearer line items win; both are named', () => {
  const german = { dimension: 'country', operator: 'is', values: ['DE'] } as const;
  const network: SampleInput = {
    lineItems: [
      { name: 'Sponsor', type: 'SPONSORSHIP', sharePercent: 100, targeting: german },
      { name: 'Dear', priceMicros: 9_000_000 },
    ],
  };
  const cheap = forecast({}, network);
  expect(cheap).toMatchObject({ matched: 20_000, available: 15_000, possible: 0 });
  expect(cheap.contending).toEqual([
    { lineItemId: '2', name: 'Dear', opportunities: 15_000 },
    { lineItemId: '1', name: 'Sponsor', opportunities: 5_000 },
  ]);
  expect(forecast({ cpmMicros: 10_000_000 }, network)).toMatchObject({ available: 15_000, possible: 15_000 });
  expect(forecast({ lineItemId: '2' }, network), 'in the place of the dear one').toMatchObject({ possible: 15_000 });
});

test('line items with a goal take what it asks of a day, and leave the rest', () => {
  const goal = { kind: 'IMPRESSIONS', amount: 4_000, period: 'DAY' } as const;
  const daily = forecast({}, { lineItems: [{ type: 'STANDARD', goal }] });
  expect(daily).toMatchObject({ matched: 20_000, available: 12_000, possible: 12_000 });
  const flight = { startsAtMs: nowMs - 48 * HOUR_MS, endsAtMs: nowMs + 48 * HOUR_MS };
  const whole = { ...goal, amount: 16_000, period: 'LIFETIME' } as const;
  expect(forecast({}, { lineItems: [{ type: 'STANDARD', goal: whole, ...flight }] }).possible).toBe(12_000);
});

test('what is booked outside of the flight does not compete; what begins within it does', () => {
  const later = { priceMicros: 9_000_000, startsAtMs: nowMs + 24 * HOUR_MS };
  expect(forecast({}, { lineItems: [later] }).possible).toBe(0);
  expect(forecast({ endsAtMs: nowMs + 12 * HOUR_MS }, { lineItems: [later] }).possible).toBe(5_000);
});

test('workers add up, and the spans of one worker follow each other', () => {
  const [day] = [dayOf(100)];
  const before = { ...day, fromMs: day.fromMs - 24 * HOUR_MS, untilMs: day.fromMs, met: 20_000 };
  expect(forecast({ endsAtMs: nowMs + 24 * HOUR_MS }, {}, [[day], [day]]).matched).toBe(20_000);
  expect(forecast({ endsAtMs: nowMs + 24 * HOUR_MS }, {}, [[day, before]]).matched).toBe(15_000);
  expect(forecast({}, {}, [])).toMatchObject({ opportunities: 0, matched: 0, sampleSize: 0 });
});

test('every opportunity has the same chance to be kept; users are not; the file brings back what was written', async () => {
  const clock = { nowMs };
  const recorder = new OpportunityRecorder({
    dir: folder.dir,
    slot: 3,
    nowMs: () => clock.nowMs,
    random: seeded(7),
    log: silentLog,
  });
  const total = SAMPLE_MAX * 5;
  for (let at = 0; at < total; at += 1) {
    clock.nowMs = nowMs + at;
    const keyValues = new Map([['at', [String(at)]]]);
    const slots = [sampleSlot({ video: { mimeTypes: [], minDurationMs: 0, maxDurationMs: Infinity, protocols: [] } })];
    recorder.note(sampleOpportunity({ keyValues, slots, blockedSeats: new Set(['s']) }), clock.nowMs);
  }
  await recorder.stop();
  const [[sample] = []] = await readSamples(folder.dir, 1);
  expect(sample).toMatchObject({ fromMs: nowMs, untilMs: nowMs + total - 1, met: total });
  expect(sample?.entries).toHaveLength(SAMPLE_MAX);
  const places = sample?.entries.map(({ opportunity }) => Number(opportunity.keyValues.get('at')?.[0])) ?? [];
  expect(places.reduce((sum, place) => sum + place, 0) / places.length / total).toBeCloseTo(0.5, 1);
  expect(new Set(places).size).toBe(SAMPLE_MAX);
  const [first] = sample?.entries ?? [];
  expect(first?.opportunity.userHash).toBe('');
  expect(first?.opportunity.blockedSeats).toEqual(new Set(['s']));
  expect(first?.opportunity.slots[0]?.video?.maxDurationMs).toBe(Infinity);
  expect(await readSamples(folder.dir, 2)).toEqual([]);
});
