import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleSnapshot, stateOf } from '../../../test/worlds/sample-workspace.ts';
import { buildAdLinks } from '../../domain/events/ad-links.ts';
import { parseRate } from '../../domain/tenancy/exchange-rates.ts';
import { formatMicros } from '../../domain/money/money.ts';
import { buildBidOpportunity } from '../ad-request/bid-opportunity.ts';
import type { RequestContext } from '../ad-request/build-opportunity.ts';
import { findNoGeo } from '../ad-request/geo-lookup.ts';
import { readDevice, resolveGeo } from '../ad-request/device.ts';
import { resolvePrivacy } from '../ad-request/privacy.ts';
import { decide } from '../decision/decide.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import type { ServedPlacement } from '../markup/served-placement.ts';
import { parseBidRequest } from './bid-request.ts';
import { renderBidResponse } from './bid-response.ts';
import { chooseCurrency, rateAt } from './currencies.ts';
import { runsOf } from '../../../test/support/longer-runs.ts';

const NOW_MS = Date.parse('2026-11-29T12:00:00Z');
const network = { currency: 'EUR', timezone: 'Europe/Warsaw' };
const exchangeRates = [
  { currency: 'GBP', rate: '1.15', from: '2026-11-30' },
  { currency: 'USD', rate: '0.92', from: '2026-11-29' },
];
const rated = { ...network, exchangeRates };

describe('the currency of a response', () => {
  test.each([
    ['that of the network where the caller takes any', [], 'EUR'],
    ['that of the network where the caller takes it', ['USD', 'EUR'], 'EUR'],
    ['the first that the caller takes and that has a rate', ['GBP', 'CHF', 'USD'], 'USD'],
    ['none where the caller takes no currency with a rate', ['GBP', 'CHF'], undefined],
  ])('the currency is %s', (_title, accepted, code) => {
    expect(chooseCurrency(accepted, rated, NOW_MS)?.code).toBe(code);
  });

  test('a rate begins with the day of the network', () => {
    const midnightMs = Date.parse('2026-11-30T00:00:00+01:00');
    expect([rateAt(rated, 'GBP', midnightMs - 1), rateAt(rated, 'GBP', midnightMs)]).toEqual([null, parseRate('1.15')]);
    expect(rateAt(network, 'USD', NOW_MS)).toBeNull();
  });
});

interface Trial {
  readonly priceMicros: number;
  readonly floor: { readonly micros: number; readonly currency: string };
  readonly accepted: readonly string[];
  readonly rates: Readonly<Record<string, bigint>>;
}

/** The bid of a network of one line item, and what is billed for it. */
function bidOn({ priceMicros, floor, accepted, rates }: Trial) {
  const entries = Object.entries(rates).map(([currency, rate]) => ({
    currency,
    rate: `${rate / 10n ** 12n}.${(rate % 10n ** 12n).toString().padStart(12, '0')}`,
    from: '2026-01-01',
  }));
  const snapshot = sampleSnapshot({
    workspace: { ...network, exchangeRates: entries },
    lineItems: [{ pricingModel: 'CPM', priceMicros }],
  });
  const request = parseBidRequest({
    id: 'r',
    cur: accepted,
    imp: [
      {
        id: 'i',
        banner: { w: 300, h: 250 },
        bidfloor: Number(formatMicros(BigInt(floor.micros))),
        bidfloorcur: floor.currency,
      },
    ],
    site: { id: 'news', domain: 'news.example' },
  });
  const { workspace } = snapshot;
  const currency = chooseCurrency(request.currencies, workspace, NOW_MS);
  const compiled = compileWorkspace(snapshot, 0, () => {});
  const decision = decide(compiled, buildBidOpportunity(request, compiled, contextOf(request.device)), {
    state: stateOf({}),
    nowMs: NOW_MS,
    random: () => 0,
  });
  const placement = decision.placements[0];
  if (placement === null || placement === undefined || currency === null) return null;
  const ad = { workspaceId: 1, creativeId: '100', npa: false, impressionId: '01X' } as ServedPlacement['ad'];
  const served = [
    { placement, ad, links: buildAdLinks('https://a.example', 'production', '1000', 't'), companions: [] },
  ];
  const body = renderBidResponse({ request, workspace, currency, dsa: null, deliveryHost: 'a.example', served });
  const response = JSON.parse(body) as { cur: string; seatbid: { bid: { price: number }[] }[] };
  return { cur: response.cur, price: response.seatbid[0]?.bid[0]?.price ?? 0, billedMicros: placement.bidMicros };
}

function contextOf(device: Parameters<typeof readDevice>[0]): RequestContext {
  return {
    device: readDevice(device, {}),
    geo: resolveGeo(device, '', findNoGeo),
    browserLanguages: [],
    privacy: resolvePrivacy(parseBidRequest(MINIMAL).privacy),
    dsa: null,
    userHash: '',
    householdHash: '',
    nowMs: NOW_MS,
  };
}
const MINIMAL = { id: 'r', imp: [{ id: 'i', banner: {} }], site: { id: 's', domain: 'd.example' } };

describe('a bid in another currency', () => {
  const rate = fc.bigInt({ min: 10n ** 8n, max: 10n ** 16n });
  const codes = fc.constantFrom('EUR', 'USD', 'GBP', 'JPY');
  const trials: fc.Arbitrary<Trial> = fc.record({
    priceMicros: fc.integer({ min: 1, max: 10 ** 8 }),
    floor: fc.record({ micros: fc.integer({ min: 1, max: 10 ** 9 }), currency: codes }),
    accepted: fc.uniqueArray(codes, { maxLength: 3 }),
    rates: fc.record({ USD: rate, GBP: rate }),
  });
  const rateIn = ({ rates }: Trial, code: string): bigint | undefined => (code === 'EUR' ? 10n ** 12n : rates[code]);

  test('a bid is never below the floor, and its price is worth what is billed, to less than a micro', () => {
    fc.assert(
      fc.property(trials, (trial) => {
        const bid = bidOn(trial);
        const floorRate = rateIn(trial, trial.floor.currency);
        if (bid === null) return;
        const priceRate = rateIn(trial, bid.cur);
        if (floorRate === undefined || priceRate === undefined) throw new Error('a bid without a rate');
        const paid = BigInt(Math.round(bid.price * 1_000_000)) * priceRate;
        expect(paid >= BigInt(trial.floor.micros) * floorRate).toBe(true);
        expect(bid.billedMicros).toBe(trial.priceMicros);
        const excess = paid - BigInt(bid.billedMicros) * 10n ** 12n;
        expect(excess >= 0n && excess < priceRate).toBe(true);
      }),
      { numRuns: runsOf(300) },
    );
  });

  test('a line item whose price is worth the floor bids, and no other one does', () => {
    fc.assert(
      fc.property(trials, (trial) => {
        const floorRate = rateIn(trial, trial.floor.currency);
        const isAnswerable =
          trial.accepted.length === 0 || trial.accepted.some((code) => rateIn(trial, code) !== undefined);
        const isWorthIt =
          floorRate !== undefined && BigInt(trial.priceMicros) * 10n ** 12n >= BigInt(trial.floor.micros) * floorRate;
        expect(bidOn(trial) !== null).toBe(isAnswerable && isWorthIt);
      }),
      { numRuns: runsOf(300) },
    );
  });
});
