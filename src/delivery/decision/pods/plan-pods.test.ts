import { describe, expect, test } from 'vitest';
import { sampleOpportunity, sampleSlot, sampleSnapshot, stateOf } from '../../../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../../../test/worlds/sample-workspace.ts';
import type { PlayerOffer, Slot } from '../../../domain/requests/opportunity.ts';
import { expandPod } from '../../ad-request/pod-slots.ts';
import { decide } from '../decide.ts';
import { compileWorkspace } from '../index/compile-workspace.ts';

const nowMs = Date.parse('2026-11-20T10:00:00Z');
const offer: PlayerOffer = {
  mimeTypes: [],
  minDurationMs: 0,
  maxDurationMs: 60_000,
  protocols: [],
  companionPlaces: [],
  companionTypes: [],
};
const slotOf = (own: Partial<Slot> = {}) => sampleSlot({ mediaTypes: ['video'], sizes: [], video: offer, ...own });
const dynamic = (seconds: number, adsMax: number, own: Partial<Slot> = {}, slot = 0) =>
  expandPod(
    slotOf(own),
    { id: 'p', sequence: 0, slot, sharedMs: seconds * 1_000, adsMax },
    { keyValues: new Map(), max: 100 },
  );
const fixed = (seconds: number, own: Partial<Slot> = {}) =>
  expandPod(
    slotOf({ video: { ...offer, maxDurationMs: seconds * 1_000 }, ...own }),
    { id: 'p', sequence: 0, slot: 0, sharedMs: null, adsMax: null },
    { keyValues: new Map(), max: 100 },
  );

/** A line item of PRICE with one film. */
interface Film {
  readonly id: string;
  readonly seconds: number;
  readonly cpm: number;
  readonly more?: Partial<NonNullable<SampleInput['lineItems']>[number]>;
}

/** The line items of the placements, in the order of the slots. */
function decided(
  films: readonly Film[],
  slots: readonly Slot[],
  more: SampleInput = {},
  counters = {},
): (string | null)[] {
  const snapshot = sampleSnapshot({
    ...more,
    lineItems: films.map(({ id, cpm, more: own }) => ({ id, type: 'PRICE', priceMicros: cpm * 1_000_000, ...own })),
    creatives: films.map(({ id, seconds }) => ({
      id: `${id}0`,
      lineItemId: id,
      width: 0,
      height: 0,
      content: {
        format: 'VIDEO',
        title: 'Film',
        durationMs: seconds * 1_000,
        mediaFiles: [],
        vastTagUrl: null,
        skipOffsetMs: null,
      },
    })),
  });
  const compiled = compileWorkspace(snapshot, nowMs, (_id, error) => {
    throw error;
  });
  const { placements } = decide(compiled, sampleOpportunity({ slots }), {
    state: stateOf(counters),
    nowMs,
    random: () => 0,
  });
  return placements.map((placement) => placement?.lineItem.booked.id ?? null);
}

const byId = (one: string | null, other: string | null) => Number(one) - Number(other);

const LONG = { id: '1', seconds: 30, cpm: 12 };
const SHORT = { id: '2', seconds: 15, cpm: 8 };
const OTHER = { id: '3', seconds: 15, cpm: 7 };

describe('dynamic pods', () => {
  test('a pod sells its time to the ads that pay most together', () => {
    expect(decided([LONG, SHORT, OTHER], dynamic(30, 2)).toSorted(byId)).toEqual(['2', '3']);
    expect(decided([LONG, SHORT], dynamic(30, 2)).filter((id) => id !== null)).toEqual(['1']);
    expect(decided([LONG, SHORT, OTHER], dynamic(60, 2)).toSorted(byId)).toEqual(['1', '2']);
  });

  test('a pod has no more ads than it may, and none that is longer than its time', () => {
    expect(decided([LONG, SHORT, OTHER], dynamic(60, 1))).toEqual(['1']);
    expect(decided([LONG, SHORT], dynamic(20, 3)).filter((id) => id !== null)).toEqual(['2']);
  });

  test('a pod keeps competitors apart: the dearer ad plays, and the next label after it', () => {
    const rivals = [SHORT, OTHER].map((film) => ({ ...film, more: { exclusionLabels: ['cars'] } }));
    const third = { id: '4', seconds: 15, cpm: 1 };
    expect(decided([...rivals, third], dynamic(30, 2)).toSorted(byId)).toEqual(['2', '4']);
  });

  test('a pod counts its own ads in frequency caps of the advertiser', () => {
    const cap = { event: 'IMPRESSIONS', count: 2, window: 'DAY', every: 1 } as const;
    const capped = { advertisers: [{ id: '1', frequencyCaps: [cap] }] };
    const shown = (more: SampleInput) =>
      decided([LONG, SHORT, OTHER], dynamic(120, 3), more).filter((id) => id !== null);
    expect(shown({})).toHaveLength(3);
    expect(shown(capped).toSorted(byId)).toEqual(['1', '2']);
  });

  test('a pod has a slot for a line item that targets the first of a pod', () => {
    const first = { dimension: 'keyValue', operator: 'is', key: 'pod.slot', values: ['first'] } as const;
    const opener = { ...OTHER, more: { targeting: first } };
    expect(decided([opener], dynamic(60, 3, {}, 2))).toEqual(['3', null, null]);
    expect(decided([opener], dynamic(60, 3))).toEqual([null, null, null]);
  });
});

describe('floors by time', () => {
  const floors = (perSecond: number, ranges: readonly [number, number, number][] = [], otherwise = 0) => ({
    timedFloors: {
      video: {
        perSecondMicros: perSecond * 1_000_000,
        otherwiseMicros: otherwise * 1_000_000,
        ranges: ranges.map(([min, max, floor]) => ({
          minMs: min * 1_000,
          maxMs: max * 1_000,
          floorMicros: floor * 1_000_000,
        })),
      },
    },
  });

  test.each([
    ['0.4 a second: 12 for 30 s, 6 for 15 s', floors(0.4), ['1', '2', '3']],
    ['0.5 a second', floors(0.5), ['2']],
    ['13 for 20 s and more', floors(0, [[20, 60, 13]]), ['2', '3']],
    ['7.5 for up to 15 s, 13 otherwise', floors(0, [[0, 15, 7.5]], 13), ['2']],
    [
      'overlapping ranges: the higher counts',
      floors(0, [
        [0, 60, 1],
        [10, 20, 9],
      ]),
      ['1'],
    ],
  ])('%s', (_title, own, expected) => {
    const shown = decided([LONG, SHORT, OTHER], dynamic(120, 3, own)).filter((id) => id !== null);
    expect(shown.toSorted(byId)).toEqual(expected);
  });
});

test('a hybrid pod fills its own slots and its shared time together', () => {
  const films = [{ id: '1', seconds: 30, cpm: 12 }, { id: '2', seconds: 15, cpm: 11 }, OTHER];
  // The first slot takes 15 s: the long ad needs the shared time.
  const [first, ...rest] = decided(films, [...fixed(15, { slotId: 'own' }), ...dynamic(30, 2)]);
  expect(first).toBe('2');
  expect(rest).toContain('1');
});

test('a guaranteed line item of a tier above plays before dearer ones, and takes its time', () => {
  const sponsor = { id: '9', seconds: 30, cpm: 1, more: { type: 'SPONSORSHIP', sharePercent: 100 } as const };
  expect(decided([sponsor, LONG, SHORT, OTHER], dynamic(45, 3)).filter((id) => id !== null)).toEqual(['9', '2']);
});

test('slots of no pod are decided as ever', () => {
  expect(decided([LONG, SHORT], [slotOf({ slotId: 'a' }), slotOf({ slotId: 'b' })])).toEqual(['1', '2']);
});

test('a pod finds the dearest of many ads, and those that pay most for each second', () => {
  const long = Array.from({ length: 900 }, (_none, at) => ({
    id: `${1_000 + at}`,
    seconds: 60,
    cpm: 50 + at / 1_000,
  }));
  const short = Array.from({ length: 6 }, (_none, at) => ({ id: `${at + 1}`, seconds: 10, cpm: 20 }));
  expect(decided([...long, ...short], dynamic(60, 6)).toSorted(byId)).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(decided([...long, ...short], dynamic(60, 1))).toEqual(['1899']);
});

test('a request with pods of more than 20 different slots leaves the others empty', () => {
  const films = Array.from({ length: 60 }, (_none, at) => ({ id: `${at + 1}`, seconds: 10, cpm: 5 }));
  const slots = Array.from({ length: 50 }, () => fixed(30)).flat();
  expect(decided(films, slots).filter((id) => id !== null)).toHaveLength(20);
});
