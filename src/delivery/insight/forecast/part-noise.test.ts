import { describe, expect, test } from 'vitest';
import { sampleOpportunity, sampleSnapshot } from '../../../../test/worlds/sample-workspace.ts';
import { compileWorkspace } from '../../decision/index/compile-workspace.ts';
import type { SampleEntry, TrafficSample } from '../../traffic/parse-sample.ts';
import { findPartNoise } from './part-noise.ts';
import { drawNormal, seededRandom } from './seeded-random.ts';

const DAY_MS = 86_400_000;
const untilMs = Date.parse('2026-11-16T00:00:00Z');
const SECTIONS = ['sport', 'travel', 'food', 'cars'] as const;
type Section = (typeof SECTIONS)[number];
const REQUESTS_A_DAY = 1_500;

const inSection = (section: Section) =>
  ({ dimension: 'keyValue', key: 'section', operator: 'is', values: [section] }) as const;
const snapshot = sampleSnapshot({
  lineItems: SECTIONS.map((section, at) => ({ id: String(at + 1), name: section, targeting: inSection(section) })),
});
const compiled = compileWorkspace(snapshot, untilMs, (_id, error) => {
  throw error;
});

/** Days whose requests are divided among sections by these levels; each request has a user of its own. */
function sampleOf(levels: (day: number) => Readonly<Record<Section, number>>, days: number): TrafficSample {
  const random = seededRandom(5);
  const entries: SampleEntry[] = [];
  for (let day = 0; day < days; day += 1) {
    const of = levels(day);
    const all = SECTIONS.reduce((sum, section) => sum + of[section], 0);
    for (let at = 0; at < REQUESTS_A_DAY; at += 1) {
      let draw = random() * all;
      const section = SECTIONS.find((one) => (draw -= of[one]) < 0) ?? 'sport';
      const userHash = entries.length.toString(16).padStart(16, '0');
      const atMs = untilMs - (days - day) * DAY_MS + Math.floor((at / REQUESTS_A_DAY) * DAY_MS);
      const opportunity = sampleOpportunity({ userHash, keyValues: new Map([['section', [section]]]) });
      entries.push({ atMs, bucket: random(), opportunity });
    }
  }
  return { fromMs: untilMs - days * DAY_MS, untilMs, met: entries.length, share: 1, entries };
}

/** By section: by how much each future multiplies it. */
function futuresOf(sample: TrafficSample, days: number, flightDays = days): Map<string, number[]> | null {
  const noise = findPartNoise({ sample, compiled, draftId: '1', days, flightDays });
  if (noise === null) return null;
  return new Map(
    SECTIONS.map((section) => {
      const one = sample.entries.find(({ opportunity }) => opportunity.keyValues.get('section')?.[0] === section);
      if (one === undefined) throw new Error(`No request of ${section}`);
      return [section, noise.futures.map((factorOf) => Math.log(factorOf(one.opportunity)))];
    }),
  );
}

const deviation = (logs: readonly number[] = []): number =>
  Math.sqrt(logs.reduce((sum, log) => sum + log ** 2, 0) / logs.length);

describe('the days of parts', () => {
  const even = { sport: 1, travel: 1, food: 1, cars: 1 };

  test('parts whose days are alike hardly come apart', () => {
    const widest = (futures: ReturnType<typeof futuresOf>): number =>
      Math.max(0, ...[...(futures?.values() ?? [])].map(deviation));
    expect(
      widest(
        futuresOf(
          sampleOf(() => even, 7),
          7,
        ),
      ),
    ).toBeLessThan(0.03);
    const weekends = sampleOf((day) => ({ ...even, sport: day % 7 < 5 ? 1 : 2 }), 14);
    expect(widest(futuresOf(weekends, 14)), 'a weekend that comes each week belongs to the pattern').toBeLessThan(0.03);
  });

  test('a part spreads as its mean over the sample and over the flight deviates', () => {
    const random = seededRandom(9);
    const own = Array.from({ length: 7 }, () => Math.exp(0.4 * drawNormal(random)));
    const sample = sampleOf((day) => ({ ...even, sport: own[day] as number }), 7);
    const week = futuresOf(sample, 7, 7);
    // 0.4 of a day, of a quarter of the traffic, for the means of two weeks.
    const expected = 0.4 * 0.75 * Math.sqrt(2 / 7);
    expect(deviation(week?.get('sport'))).toBeGreaterThan(0.5 * expected);
    expect(deviation(week?.get('sport'))).toBeLessThan(1.6 * expected);
    expect(deviation(week?.get('food'))).toBeLessThan(0.6 * deviation(week?.get('sport')));
    expect(deviation(futuresOf(sample, 7, 1)?.get('sport'))).toBeGreaterThan(deviation(week?.get('sport')));
  });

  test('parts that are busy together stay so, and one that is busy leaves less of the network to the others', () => {
    const random = seededRandom(4);
    const own = Array.from({ length: 7 }, () => Math.exp(0.4 * drawNormal(random)));
    const futures = futuresOf(
      sampleOf((day) => ({ sport: own[day] as number, travel: own[day] as number, food: 1, cars: 1 }), 7),
      7,
    );
    const product = (one: Section, other: Section): number =>
      (futures?.get(one) ?? []).reduce((sum, log, at) => sum + log * (futures?.get(other)?.[at] ?? 0), 0) /
      (8 * deviation(futures?.get(one)) * deviation(futures?.get(other)));
    expect(product('sport', 'travel')).toBeGreaterThan(0.8);
    expect(product('sport', 'food')).toBeLessThan(-0.8);
  });

  test('two days tell nothing', () => {
    expect(
      futuresOf(
        sampleOf((day) => ({ ...even, sport: 1 + day }), 2),
        2,
      ),
    ).toBeNull();
  });
});
