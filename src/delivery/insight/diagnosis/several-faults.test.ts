import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleOpportunity, sampleSlot, sampleSnapshot } from '../../../../test/worlds/sample-workspace.ts';
import { seededRandom } from '../forecast/seeded-random.ts';
import type { Targeting } from '../../../domain/targeting/targeting.ts';
import { decide } from '../../decision/decide.ts';
import { compileWorkspace } from '../../decision/index/compile-workspace.ts';
import type { BookedState } from './booked-state.sql.ts';
import { diagnose } from './diagnose.ts';
import { readOutcome, writeOutcome } from './outcomes.ts';
import { sumOutcomes } from './sampled-causes.ts';
import { runsOf } from '../../../../test/support/longer-runs.ts';

/** A Friday, 11:00 in Warsaw. */
const FRIDAY_MS = Date.parse('2026-11-20T10:00:00Z');
const DAY_MS = 86_400_000;

/** Faults of a booking that nearly every request meets. */
const FAULTS = [
  'targeting.country',
  'targeting.keyValue',
  'targeting.deviceType',
  'size',
  'secure',
  'daypart',
  'blocked.advertiser',
  'floor.request',
] as const;
type Fault = (typeof FAULTS)[number];
const TARGETING: Readonly<Partial<Record<Fault, Targeting>>> = {
  'targeting.country': { dimension: 'country', operator: 'is', values: ['DE'] },
  'targeting.keyValue': { dimension: 'keyValue', operator: 'is', key: 'topic', values: ['ski'] },
  'targeting.deviceType': { dimension: 'deviceType', operator: 'is', values: ['tablet'] },
};
/** So many requests block nothing and ask for nothing special. Targeting, sizes and times are a fault only where no request matches them. */
const SPARED = 0.02;
const REQUESTS = 150;

/** Our line item is sold on the first of two ad units, and the requests of the other one would fit it. */
function diagnosed(faults: readonly Fault[], seed: number, asked: readonly string[] = ['1', '2']) {
  const has = (fault: Fault): boolean => faults.includes(fault);
  const adUnit: Targeting = { dimension: 'adUnit', operator: 'is', values: ['1'] };
  const lineItem = {
    priceMicros: 3_000_000,
    targeting: { all: [adUnit, ...faults.flatMap((fault) => TARGETING[fault] ?? [])] },
    dayParts: has('daypart') ? [{ days: [6 as const], startMinute: 0, endMinute: 1_440 }] : [],
  };
  const compiled = compileWorkspace(
    sampleSnapshot({
      advertisers: [{ domains: [has('blocked.advertiser') ? 'blocked.example' : 'acme.example'] }],
      lineItems: [lineItem, { type: 'HOUSE', sharePercent: 1 }],
      creatives: [
        {
          id: '100',
          lineItemId: '1',
          content: { format: 'HTML', html: '<b>' },
          width: has('size') ? 728 : 300,
          height: has('size') ? 90 : 250,
          secure: !has('secure'),
        },
        { id: '200', lineItemId: '2', content: { format: 'HTML', html: '<i>' }, width: 0, height: 0 },
      ],
    }),
    FRIDAY_MS - DAY_MS,
    (_id, error) => {
      throw error;
    },
  );
  const random = seededRandom(seed);
  const stored = Array.from({ length: REQUESTS }, () => {
    const adUnitId = asked[Math.floor(random() * asked.length)] ?? '1';
    const isElsewhere = adUnitId === '2';
    const isSpared = (): boolean => isElsewhere || random() < SPARED;
    const opportunity = sampleOpportunity({
      country: isElsewhere ? 'de' : 'pl',
      deviceType: isElsewhere ? 'tablet' : 'mobile',
      keyValues: new Map([['topic', [isElsewhere ? 'ski' : 'cars']]]),
      blockedDomains: new Set(isSpared() ? [] : ['blocked.example']),
      slots: [
        sampleSlot({
          adUnitId,
          sizes: [{ width: 300, height: 250 }, ...(isElsewhere ? [{ width: 728, height: 90 }] : [])],
          secure: !isSpared(),
          floorMicros: has('floor.request') && !isSpared() ? 4_000_000 : 0,
        }),
      ],
    });
    const nowMs = FRIDAY_MS + (isElsewhere ? DAY_MS : 0);
    const context = { state: { counter: () => 0 }, nowMs, random: () => 0.5, explain: true };
    const own = decide(compiled, opportunity, context).losers.find(({ lineItemId }) => lineItemId === '1');
    return own === undefined ? 'won' : writeOutcome(own.failed, own.winnerId);
  });
  const outcomes = [...Map.groupBy(stored, (one) => one)].map(([outcome, all]) => readOutcome(outcome, all.length));
  return diagnose({
    hours: 24,
    nowMs: FRIDAY_MS,
    booked: BOOKED,
    isLive: true,
    exact: null,
    sampled: sumOutcomes(outcomes, []),
    numbers: [],
    byHour: [],
    valueMicros: 3_000_000,
    findRival: () => null,
  });
}

const ACTIVE = { id: 1n, version: 3, status: 'ACTIVE', starts_at: null, ends_at: null, name: 'Acme' };
const BOOKED = {
  network: { status: 'ACTIVE', version: 1 },
  advertiser: { ...ACTIVE, dsa_behalf: '', dsa_paid: '' },
  campaign: ACTIVE,
  lineItem: { ...ACTIVE, type: 'PRICE', level: 8, targeting: null, deal_id: null, price_micros: 3_000_000n },
  deal: null,
  creatives: [{ ...ACTIVE, review_state: 'APPROVED', master_creative_id: null }],
  targets: [],
} as unknown as BookedState;

describe('several faults at once', () => {
  test('the diagnosis names two or three faults exactly, and not the ad unit where the line item is sold', () => {
    const planted = fc.subarray([...FAULTS], { minLength: 2, maxLength: 3 });
    fc.assert(
      fc.property(planted, fc.integer({ min: 1, max: 10_000 }), (faults, seed) => {
        const { changes, changesTogether, texts } = diagnosed(faults, seed);
        expect(changes.map(({ code }) => code).sort()).toEqual([...faults].sort());
        expect(changesTogether).toBe(faults.length);
        expect(texts.filter(({ code }) => code === 'and_because')).toHaveLength(faults.length - 1);
      }),
      { numRuns: runsOf(60) },
    );
  });

  test('one fault is named alone, and its change helps alone', () => {
    for (const fault of FAULTS) expect(diagnosed([fault], 3)).toMatchObject({ code: fault, changesTogether: 1 });
  });

  test('a price below the floor and a wrong size are two changes, each with what both gain', () => {
    const { sentence, changes } = diagnosed(['size', 'floor.request'], 1);
    expect(sentence).toMatch(/ and .* \(\d+ for these together\)\.$/);
    expect(changes.map(({ opportunities }) => opportunities)).toEqual([
      changes[0]?.opportunities,
      changes[0]?.opportunities,
    ]);
    expect(changes[0]?.opportunities).toBeGreaterThan(50);
  });

  test('an ad unit that no request asks for is named as that, whatever else is wrong', () => {
    for (const faults of [[], ['size'], ['targeting.country', 'floor.request']] as const) {
      const { code, sentence, changes } = diagnosed(faults, 2, ['2']);
      expect([code, sentence]).toEqual(['no_traffic.adUnit', 'No request of the last 24 hours came for its ad unit.']);
      expect(changes.map((change) => change.code)).toEqual(['no_traffic.adUnit']);
    }
  });
});
