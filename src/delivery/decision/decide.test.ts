import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileWorkspace } from './index/compile-workspace.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot, stateOf } from '../../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../../test/worlds/sample-workspace.ts';
import type { Opportunity } from '../../domain/requests/opportunity.ts';
import { findFailedDimension } from './index/targeting.ts';
import { runsOf } from '../../../test/support/longer-runs.ts';

const nowMs = Date.parse('2026-11-20T10:00:00Z');
const size = fc.constantFrom({ width: 300, height: 250 }, { width: 728, height: 90 });
const test1 = fc.record({
  dimension: fc.constantFrom('country', 'os', 'keyword', 'adUnit', 'segment'),
  operator: fc.constantFrom('is', 'isNot', 'beginsWith', 'contains'),
  values: fc.array(fc.constantFrom('pl', 'de', 'android', 'ios', 'ski', '1', '2', 's'), { maxLength: 3 }),
} as const);
const targeting = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    test1,
    fc.record({ all: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ not: tie('tree') }),
  ),
})).tree;
const status = fc.constantFrom('ACTIVE', 'ACTIVE', 'ACTIVE', 'PAUSED', 'COMPLETED');
const lineItem = fc.record({
  type: fc.constantFrom('SPONSORSHIP', 'STANDARD', 'PRICE', 'HOUSE'),
  level: fc.integer({ min: 1, max: 3 }),
  status,
  priceMicros: fc.integer({ min: 0, max: 20 }).map((units) => units * 1_000_000),
  pricingModel: fc.constantFrom('CPM', 'CPM', 'VCPM', 'CPC', 'CPA', 'FLAT', 'CPCV'),
  dealId: fc.constantFrom(null, null, '1', '2'),
  exclusionLabels: fc.subarray(['car', 'beer']),
  roadblock: fc.constantFrom('ONE', 'ONE', 'ALL', 'AS_MANY_AS_POSSIBLE'),
  targeting: fc.option(targeting),
  caps: fc.record({ impressionsLifetime: fc.constantFrom(null, 0, 1, 2) }),
});
const world = fc
  .record({
    lineItems: fc.array(lineItem, { minLength: 1, maxLength: 12 }),
    creatives: fc.array(
      fc.record({
        owner: fc.integer({ min: 1, max: 12 }),
        status: fc.constantFrom('ACTIVE', 'ACTIVE', 'PAUSED'),
        size,
      }),
      { maxLength: 30 },
    ),
    campaignStatus: status,
  })
  .map(
    ({ lineItems, creatives, campaignStatus }) =>
      ({
        lineItems,
        campaigns: [{ status: campaignStatus }],
        deals: [{ code: 'd1' }, { code: 'd2', floorMicros: 3_000_000 }],
        creatives: creatives.map((creative, index) => ({
          ...creative.size,
          id: String(1_000 + index),
          lineItemId: String(creative.owner),
          status: creative.status,
        })),
      }) as SampleInput,
  );
const slot = fc
  .record({
    sizes: fc.array(size, { minLength: 1, maxLength: 2 }),
    floorMicros: fc.integer({ min: 0, max: 15 }).map((units) => units * 1_000_000),
    privateAuction: fc.boolean(),
    deals: fc.option(
      fc
        .subarray(['d1', 'd2'])
        .map((codes) =>
          codes.map((code) => ({ code, floorMicros: null, fixedPrice: false, seats: [], advertiserDomains: [] })),
        ),
    ),
    adUnitId: fc.constantFrom('1', '2', ''),
  })
  .map(sampleSlot);
const opportunity = fc
  .record({
    slots: fc.array(slot, { minLength: 1, maxLength: 4 }),
    country: fc.constantFrom('pl', 'de', ''),
    keywords: fc.subarray(['ski', 'snow']),
    segments: fc.subarray(['s', '1']),
  })
  .map(sampleOpportunity);

interface Run {
  readonly input: SampleInput;
  readonly request: Opportunity;
  readonly decision: Decision;
}

function check(property: (run: Run) => void): void {
  fc.assert(
    fc.property(
      world,
      opportunity,
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1 }),
      (input, request, draws) => {
        const compiled = compileWorkspace(sampleSnapshot(input), nowMs, (_id, error) => {
          throw error;
        });
        let at = 0;
        const random = () => draws[at++ % draws.length] as number;
        property({ input, request, decision: decide(compiled, request, { state: stateOf({}), nowMs, random }) });
      },
    ),
    { numRuns: runsOf(500) },
  );
}

const winnersOf = ({ placements }: Decision) => placements.filter((placement) => placement !== null);

describe('decisions on any bookings and requests', () => {
  test('no creative appears twice in one response', () => {
    check(({ decision }) => {
      const ids = winnersOf(decision).map(({ creative }) => creative.creative.id);
      expect(new Set(ids).size).toBe(ids.length);
    });
  });

  test('only live line items of live campaigns with live creatives win', () => {
    check(({ decision }) => {
      for (const { lineItem, creative } of winnersOf(decision)) {
        expect([lineItem.booked.status, lineItem.campaign.status, creative.creative.status]).toEqual([
          'ACTIVE',
          'ACTIVE',
          'ACTIVE',
        ]);
      }
    });
  });

  test('only offered deals win a private auction', () => {
    check(({ decision }) => {
      for (const { slot: won, lineItem } of winnersOf(decision)) {
        if (won.privateAuction) expect(won.deals?.map(({ code }) => code)).toContain(lineItem.deal?.code);
        else if (won.deals !== null && lineItem.deal !== null)
          expect(won.deals.map(({ code }) => code)).toContain(lineItem.deal.code);
      }
    });
  });

  test('every winner bids at least the floor and fits its slot', () => {
    check(({ decision }) => {
      for (const { slot: won, lineItem, bidMicros, width, height } of winnersOf(decision)) {
        expect(bidMicros).toBeGreaterThanOrEqual(won.floorMicros);
        expect(bidMicros).toBeGreaterThanOrEqual(lineItem.deal?.floorMicros ?? 0);
        expect(won.sizes).toContainEqual({ width, height });
      }
    });
  });

  test('the index admits exactly what the targeting tree admits', () => {
    check(({ decision, request }) => {
      for (const { slot: won, lineItem } of winnersOf(decision)) {
        const facts = {
          opportunity: request,
          slot: won,
          sizes: [],
          deals: [],
          localMoment: () => ({ day: '', weekday: 1, minute: 0 }),
        };
        expect(findFailedDimension(lineItem.booked.targeting, 'UTC', facts)).toBeNull();
      }
    });
  });

  test('a cap holds inside one response, and labels exclude each other', () => {
    check(({ decision }) => {
      const byLineItem = Map.groupBy(winnersOf(decision), ({ lineItem }) => lineItem.booked);
      for (const [won, placements] of byLineItem) {
        expect(placements.length).toBeLessThanOrEqual(won.caps.impressionsLifetime ?? Number.POSITIVE_INFINITY);
        for (const [other] of byLineItem) {
          if (other !== won)
            expect(won.exclusionLabels.filter((label) => other.exclusionLabels.includes(label))).toEqual([]);
        }
      }
    });
  });

  test('the same arguments give the same decision and stay unchanged', () => {
    fc.assert(
      fc.property(world, opportunity, fc.double({ min: 0, max: 0.999, noNaN: true }), (input, request, draw) => {
        const snapshot = sampleSnapshot(input);
        const before = JSON.stringify(snapshot);
        const compiled = compileWorkspace(snapshot, nowMs, () => {});
        const run = () => decide(compiled, request, { state: stateOf({}), nowMs, random: () => draw, explain: true });
        expect(run()).toEqual(run());
        expect(JSON.stringify(snapshot)).toBe(before);
      }),
      { numRuns: runsOf(200) },
    );
  });

  test('every line item that did not win has a reason', () => {
    fc.assert(
      fc.property(world, opportunity, (input, request) => {
        const compiled = compileWorkspace(sampleSnapshot(input), nowMs, () => {});
        const decision = decide(compiled, request, { state: stateOf({}), nowMs, random: () => 0.5, explain: true });
        for (const [index, placement] of decision.placements.entries()) {
          const slotId = request.slots[index]?.slotId;
          const sameIds = request.slots.filter((other) => other.slotId === slotId).length;
          if (sameIds > 1) continue;
          const told = decision.losers.filter((loser) => loser.slotId === slotId).length;
          expect(told).toBe((input.lineItems?.length ?? 0) - (placement === null ? 0 : 1));
        }
      }),
      { numRuns: runsOf(200) },
    );
  });
});
