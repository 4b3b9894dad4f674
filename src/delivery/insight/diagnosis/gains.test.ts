import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleOpportunity, sampleSlot, sampleSnapshot } from '../../../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../../../test/worlds/sample-workspace.ts';
import { frequencyCounterKey } from '../../../domain/frequency/frequency-key.ts';
import type { FrequencyCap } from '../../../domain/frequency/frequency-cap.ts';
import type { Slot } from '../../../domain/requests/opportunity.ts';
import type { Targeting } from '../../../domain/targeting/targeting.ts';
import { decide } from '../../decision/decide.ts';
import { compileWorkspace } from '../../decision/index/compile-workspace.ts';
import { toCause } from './cause.ts';
import { readOutcome, WON, writeOutcome } from './outcomes.ts';
import type { Outcome } from './outcomes.ts';
import { sumOutcomes } from './sampled-causes.ts';
import { runsOf } from '../../../../test/support/longer-runs.ts';

/** A Friday, 11:00 in Warsaw. */
const FRIDAY_MS = Date.parse('2026-11-20T10:00:00Z');
const DAY_MS = 86_400_000;
const OURS = '1';
const CAP: FrequencyCap = { event: 'IMPRESSIONS', count: 2, window: 'LIFETIME', every: 1 };
const SEEN_OFTEN = '00112233aabbccdd';
const SEEN_NEVER = 'ffeeddccbbaa0011';

/** The code of each restriction that a booking may have. */
const RESTRICTIONS = [
  'targeting.country',
  'targeting.deviceType',
  'targeting.keyValue',
  'size',
  'secure',
  'daypart',
  'blocked.advertiser',
  'capped.line_item.frequency',
  'floor.request',
] as const;
type Restriction = (typeof RESTRICTIONS)[number];
const TARGETING: Readonly<Partial<Record<Restriction, Targeting>>> = {
  'targeting.country': { dimension: 'country', operator: 'is', values: ['PL'] },
  'targeting.deviceType': { dimension: 'deviceType', operator: 'is', values: ['mobile'] },
  'targeting.keyValue': { dimension: 'keyValue', operator: 'is', key: 'topic', values: ['ski'] },
};

/** A request: true where it fails the restriction, if the booking has it. */
type Request = Readonly<Record<Restriction, boolean>> & { readonly isInRivalsReach: boolean };
/** Another line item on the user's city: above ours, at a higher price, or below; or a header bid at a higher or lower price. */
type Rival = 'SPONSORSHIP' | 'PRICE' | 'HOUSE' | 'HEADER_BID' | 'LOW_HEADER_BID' | null;

interface World {
  readonly restrictions: readonly Restriction[];
  readonly requests: readonly Request[];
  readonly type: 'STANDARD' | 'PRICE' | 'HOUSE';
  readonly rival: Rival;
}

const anyWorld: fc.Arbitrary<World> = fc.record({
  restrictions: fc.subarray([...RESTRICTIONS]),
  requests: fc.array(
    fc.record({
      ...(Object.fromEntries(
        RESTRICTIONS.map((one) => [
          one,
          fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
        ]),
      ) as unknown as Record<Restriction, fc.Arbitrary<boolean>>),
      isInRivalsReach: fc.boolean(),
    }),
    { minLength: 1, maxLength: 25 },
  ) as fc.Arbitrary<Request[]>,
  type: fc.constantFrom('STANDARD', 'PRICE', 'PRICE', 'HOUSE'),
  rival: fc.constantFrom<Rival>(null, 'SPONSORSHIP', 'PRICE', 'HOUSE', 'HEADER_BID', 'LOW_HEADER_BID'),
});

/** Our line item under these restrictions, and the rival. */
function networkOf(restrictions: ReadonlySet<Restriction>, { type, rival }: World): SampleInput {
  const all = RESTRICTIONS.flatMap((one) => (restrictions.has(one) ? (TARGETING[one] ?? []) : []));
  const ours = {
    type,
    priceMicros: 3_000_000,
    targeting: all.length === 0 ? null : { all },
    dayParts: restrictions.has('daypart') ? [{ days: [5 as const], startMinute: 0, endMinute: 1_440 }] : [],
    frequencyCaps: restrictions.has('capped.line_item.frequency') ? [CAP] : [],
  };
  const theirs = {
    campaignId: '2',
    // Below ours in the same tier, so that no draw decides.
    level: 9,
    type: rival === 'SPONSORSHIP' || rival === 'PRICE' ? rival : ('HOUSE' as const),
    priceMicros: 5_000_000,
    targeting: { dimension: 'city', operator: 'is', values: ['lodz'] } as const,
  };
  const isAnySize = !restrictions.has('size');
  return {
    advertisers: [
      { domains: [restrictions.has('blocked.advertiser') ? 'blocked.example' : 'acme.example'] },
      { domains: ['rival.example'] },
    ],
    campaigns: [{ advertiserId: '1' }, { advertiserId: '2' }],
    lineItems: rival === null ? [ours] : [ours, theirs],
    creatives: [
      {
        id: '100',
        lineItemId: OURS,
        content: { format: 'HTML', html: '<b>' },
        width: isAnySize ? 0 : 300,
        height: isAnySize ? 0 : 250,
        secure: !restrictions.has('secure'),
      },
      ...(rival === null
        ? []
        : [{ id: '200', lineItemId: '2', content: { format: 'HTML', html: '<i>' } as const, width: 0, height: 0 }]),
    ],
  };
}

/** The lower header bid is not at a floor that keeps ours out: without it, the header bidder would compete as well. */
function headerBidOf(rival: Rival, isFloored: boolean): Partial<Slot> {
  if (rival === 'LOW_HEADER_BID' && isFloored) return {};
  if (rival !== 'HEADER_BID' && rival !== 'LOW_HEADER_BID') return {};
  const cpmMicros = rival === 'HEADER_BID' ? 5_000_000 : 2_000_000;
  return { headerBid: { bidder: 'bidco', adId: 'a', cpmMicros, width: 0, height: 0 } };
}

/** The outcomes of our line item for each request, as a worker stores them. @param floor of requests that have one */
function play(restrictions: ReadonlySet<Restriction>, world: World): string[] {
  const { requests, rival } = world;
  const compiled = compileWorkspace(
    sampleSnapshot(networkOf(restrictions, world)),
    FRIDAY_MS - DAY_MS,
    (_id, error) => {
      throw error;
    },
  );
  const capKey = frequencyCounterKey({
    workspaceId: 1,
    userHash: SEEN_OFTEN,
    scope: 'li',
    id: OURS,
    cap: CAP,
  });
  const counter = (key: string): number => (key === capKey ? CAP.count : 0);
  return requests.map((request) => {
    const opportunity = sampleOpportunity({
      country: request['targeting.country'] ? 'de' : 'pl',
      deviceType: request['targeting.deviceType'] ? 'desktop' : 'mobile',
      keyValues: new Map([['topic', [request['targeting.keyValue'] ? 'car' : 'ski']]]),
      city: request.isInRivalsReach ? 'lodz' : 'krakow',
      blockedDomains: new Set(request['blocked.advertiser'] ? ['blocked.example'] : []),
      userHash: request['capped.line_item.frequency'] ? SEEN_OFTEN : SEEN_NEVER,
      slots: [
        sampleSlot({
          sizes: [request.size ? { width: 728, height: 90 } : { width: 300, height: 250 }],
          secure: request.secure,
          ...(request.isInRivalsReach ? headerBidOf(rival, request['floor.request']) : {}),
          floorMicros: request['floor.request'] && restrictions.has('floor.request') ? 4_000_000 : 0,
        }),
      ],
    });
    const nowMs = FRIDAY_MS + (request.daypart ? DAY_MS : 0);
    const made = decide(compiled, opportunity, { state: { counter }, nowMs, random: () => 0.5, explain: true });
    if (made.placements[0]?.lineItem.booked.id === OURS) return WON;
    const own = made.losers.find(({ lineItemId }) => lineItemId === OURS);
    if (own === undefined) throw new Error('An explained decision has a reason for each line item');
    return writeOutcome(own.failed, own.winnerId);
  });
}

const without = (all: readonly Restriction[], removed: readonly Restriction[]): ReadonlySet<Restriction> =>
  new Set(all.filter((one) => !removed.includes(one)));
const count = <T>(all: readonly T[], is: (one: T, at: number) => boolean): number => all.filter(is).length;

function outcomesOf(stored: readonly string[]): Outcome[] {
  return [...Map.groupBy(stored, (one) => one)].map(([outcome, all]) => readOutcome(outcome, all.length));
}

test('the gain of each test is the number of requests that the line item wins once this one restriction is removed', () => {
  fc.assert(
    fc.property(anyWorld, (one) => {
      const before = play(new Set(one.restrictions), one);
      const sampled = sumOutcomes(outcomesOf(before), []);
      expect(sampled.won).toBe(count(before, (outcome) => outcome === WON));
      const gains = new Map<string, number>(RESTRICTIONS.map((restriction) => [restriction, 0]));
      for (const { test: failed, opportunities } of [...sampled.obstacles, ...sampled.widenings]) {
        const { code } = toCause(failed);
        gains.set(code, (gains.get(code) ?? 0) + opportunities);
      }
      for (const restriction of one.restrictions) {
        const after = play(without(one.restrictions, [restriction]), one);
        const won = count(after, (outcome, at) => outcome === WON && before[at] !== WON);
        expect(gains.get(restriction), restriction).toBe(won);
      }
    }),
    { numRuns: runsOf(300) },
  );
});

test('a set of failed tests is exactly what must be removed for the line item to win the request', () => {
  fc.assert(
    fc.property(anyWorld, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), (one, picks) => {
      if (one.restrictions.length === 0) return;
      const removed = [
        ...new Set(picks.map((pick) => one.restrictions[pick % one.restrictions.length] as Restriction)),
      ];
      const [before, after] = [play(new Set(one.restrictions), one), play(without(one.restrictions, removed), one)];
      for (const [at, stored] of before.entries()) {
        const { failed } = readOutcome(stored, 1);
        if (stored === WON) expect(after[at], 'removing a restriction loses nothing').toBe(WON);
        // Further tests are not made where two dimensions of targeting fail.
        else if (!failed.includes('?'))
          expect(after[at] === WON, stored).toBe(
            failed.every((test) => (removed as readonly string[]).includes(toCause(test).code)),
          );
        else if (after[at] === WON)
          expect(
            failed.every((test) => test === '?' || (removed as readonly string[]).includes(toCause(test).code)),
            stored,
          ).toBe(true);
      }
    }),
    { numRuns: runsOf(300) },
  );
});
