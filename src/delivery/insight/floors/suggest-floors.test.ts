import { describe, expect, test } from 'vitest';
import { sampleOpportunity, sampleSlot, sampleSnapshot } from '../../../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../../../test/worlds/sample-workspace.ts';
import type { FloorQuestion, FloorSuggestion } from '../../../domain/booking/delivery-insight.ts';
import type { HeaderBid, Slot } from '../../../domain/requests/opportunity.ts';
import type { TrafficSample } from '../../traffic/parse-sample.ts';
import { narrowToPrice } from './floor-offers.ts';
import { prepareFloors } from './suggest-floors.ts';

const HOUR_MS = 3_600_000;
const nowMs = Date.parse('2026-11-20T10:00:00Z');
const MICROS = 1_000_000;
const bid = (price: number): HeaderBid => ({
  bidder: 'bidco',
  adId: 'a',
  cpmMicros: price * MICROS,
  width: 0,
  height: 0,
});

/** 400 sampled requests of 100 users, of 4,000 in all. */
function sampleOf(slotOf: (at: number) => Partial<Slot>): TrafficSample {
  const entries = Array.from({ length: 400 }, (_one, at) => ({
    atMs: nowMs - HOUR_MS,
    bucket: at % 100,
    opportunity: sampleOpportunity({
      userHash: (at % 100).toString(16).padStart(16, '0'),
      slots: [sampleSlot({ adUnitId: '1', ...slotOf(at) })],
    }),
  }));
  return { fromMs: nowMs - 2 * HOUR_MS, untilMs: nowMs, met: 4_000, share: 100, entries };
}

function suggest(
  network: SampleInput,
  sample: TrafficSample | null,
  question: Partial<FloorQuestion> = {},
  counters: Readonly<Record<string, number>> = {},
): FloorSuggestion[] {
  const prepared = prepareFloors({
    snapshot: narrowToPrice(sampleSnapshot(network)),
    sample,
    question: { adUnitIds: null, headerBidShadingPercent: 0, ...question },
    nowMs,
  });
  for (const key of Object.keys(counters)) expect(prepared.counterKeys).toContain(key);
  return prepared.finish(new Map(Object.entries(counters)));
}

const unit = (floor: number): SampleInput => ({ adUnits: [{ floorMicros: floor * MICROS }] });

describe('suggestions of floors', () => {
  test('a floor that turns header bids down is lowered to them, with its effect on all requests', () => {
    const [found] = suggest(
      unit(3),
      sampleOf(() => ({ headerBid: bid(2) })),
    );
    expect(found).toMatchObject({
      adUnitId: '1',
      floorMicros: 3 * MICROS,
      suggestedFloorMicros: 2 * MICROS,
      paidSlots: 0,
      suggestedPaidSlots: 4_000,
      revenueMicros: 0,
      gainMicros: 8 * MICROS,
      gainLowMicros: 8 * MICROS,
      sampleSize: 400,
      sampledHours: 2,
    });
  });

  test.each([
    ['the floor turns nothing down', unit(1), bid(2)],
    ['the floor of the network is above the bids', { ...unit(3), workspace: { floorMicros: 2_500_000 } }, bid(2)],
    ['nobody bids', unit(3), undefined],
    ['the ad unit is archived', { adUnits: [{ floorMicros: 3 * MICROS, status: 'ARCHIVED' as const }] }, bid(2)],
  ])('nothing is suggested where %s', (_what, network, headerBid) => {
    expect(
      suggest(
        network,
        sampleOf(() => (headerBid === undefined ? {} : { headerBid })),
      ),
    ).toEqual([]);
  });

  test('only sampled ad units of the question get a suggestion', () => {
    const sample = sampleOf(() => ({ headerBid: bid(2) }));
    expect(suggest(unit(3), null)).toEqual([]);
    expect(suggest(unit(3), sample, { adUnitIds: ['2'] })).toEqual([]);
    expect(suggest(unit(3), sample, { adUnitIds: ['1'] })).toHaveLength(1);
  });

  test('a floor is raised only as far as header bidders are said to bid below their value', () => {
    const sample = sampleOf(() => ({ headerBid: bid(2) }));
    expect(suggest(unit(0), sample)).toEqual([]);
    const [raised] = suggest(unit(0), sample, { headerBidShadingPercent: 50 });
    expect(raised).toMatchObject({
      suggestedFloorMicros: 4 * MICROS,
      gainMicros: 8 * MICROS,
      suggestedPaidSlots: 4_000,
    });
  });

  test('PRICE line items below the floor count with their price, goals do not', () => {
    const lineItems = [{ priceMicros: 2 * MICROS }, { type: 'STANDARD' as const, priceMicros: 9 * MICROS }];
    const [found] = suggest(
      { ...unit(3), lineItems },
      sampleOf(() => ({})),
    );
    expect(found).toMatchObject({ suggestedFloorMicros: 2 * MICROS, gainMicros: 8 * MICROS });
  });

  test('a line item that is paid by clicks bids by its clicks so far', () => {
    const lineItems = [{ pricingModel: 'CPC' as const, priceMicros: MICROS }];
    const counters = { 'd/1/li/1/imp/all': 1_000_000, 'd/1/li/1/clk/all': 2_000 };
    const [found] = suggest(
      { ...unit(3), lineItems },
      sampleOf(() => ({})),
      {},
      counters,
    );
    expect(found?.suggestedFloorMicros).toBeGreaterThan(1_990_000);
    expect(found?.suggestedFloorMicros).toBeLessThan(2_010_000);
  });
});
