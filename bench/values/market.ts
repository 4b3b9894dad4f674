import { ConversionDelays } from '../../test/simulation/conversion-delays.ts';
import type { Converting } from '../../test/simulation/conversion-delays.ts';
import { COUNTED_EVENTS, PRICING } from '../../src/domain/pricing/pricing-models.ts';
import type { PricingModel } from '../../src/domain/pricing/pricing-models.ts';
import { LearningWorker } from './learning-worker.ts';
import { seeded } from './seeded.ts';

const DAY_MS = 86_400_000;
const MICROS = 1_000_000;

/** A line item of PRICE that begins without a history. */
export interface Offer {
  readonly pricingModel: PricingModel;
  readonly priceMicros: number;
  /** Events that earn, by impression; 1 for CPM. */
  readonly rate: number;
  /** From 1; line items of one advertiser share a history. */
  readonly advertiser: number;
  /** Days of its flight, from the start of the world. */
  readonly fromDay: number;
  readonly toDay: number;
}

/** Line items without a history that compete by price for some days. */
export interface MarketWorld {
  readonly name: string;
  readonly days: number;
  readonly requestsPerDay: number;
  /** The mean delay of a conversion, in days; 0 = none. */
  readonly delayDays: number;
  readonly drawOffers: (random: () => number) => Offer[];
}

const between = (random: () => number, low: number, high: number): number => low * (high / low) ** random();

function drawCpc(random: () => number, advertisers: number, [fromDay, toDay]: readonly [number, number]): Offer {
  const ecpm = between(random, 0.2, 5.4);
  const rate = between(random, 0.0005, 0.005);
  const priceMicros = Math.round((ecpm / 1_000 / rate) * MICROS);
  return { pricingModel: 'CPC', priceMicros, rate, advertiser: 2 + Math.floor(random() * advertisers), fromDay, toDay };
}

function drawCpa(random: () => number, advertisers: number, days: number): Offer {
  const ecpm = between(random, 0.5, 4);
  const rate = between(random, 0.0001, 0.0006);
  const priceMicros = Math.round((ecpm / 1_000 / rate) * MICROS);
  return {
    pricingModel: 'CPA',
    priceMicros,
    rate,
    advertiser: 2 + Math.floor(random() * advertisers),
    fromDay: 0,
    toDay: days,
  };
}

const cpm = (price: number, days: number): Offer => ({
  pricingModel: 'CPM',
  priceMicros: price * MICROS,
  rate: 1,
  advertiser: 1,
  fromDay: 0,
  toDay: days,
});

/** Worlds of many small line items, and of late conversions. */
export const MARKET_WORLDS: readonly MarketWorld[] = [
  {
    name: 'ten new CPC line items worth 0.20 to 5.40 beside a CPM of 0.50',
    days: 14,
    requestsPerDay: 3_600,
    delayDays: 0,
    drawOffers: (random) => [cpm(0.5, 14), ...Array.from({ length: 10 }, () => drawCpc(random, 4, [0, 14]))],
  },
  {
    name: 'sixty CPC line items that come and go beside a CPM of 0.50',
    days: 28,
    requestsPerDay: 3_600,
    delayDays: 0,
    drawOffers: (random) => [
      cpm(0.5, 28),
      ...Array.from({ length: 60 }, () => {
        const fromDay = random() * 25;
        return drawCpc(random, 12, [fromDay, Math.min(28, fromDay + 3 + random() * 7)]);
      }),
    ],
  },
  ...[0, 3.5].map((delayDays) => ({
    name: `four CPA line items worth 0.50 to 4.00 beside a CPM of 1.00, conversions ${delayDays} days late`,
    days: 28,
    requestsPerDay: 20_000,
    delayDays,
    drawOffers: (random: () => number) => [cpm(1, 28), ...Array.from({ length: 4 }, () => drawCpa(random, 2, 28))],
  })),
];

interface Pending {
  readonly atMs: number;
  readonly counted: Parameters<LearningWorker['count']>[1];
  readonly kind: Parameters<LearningWorker['count']>[0];
  readonly delayMs: number;
}

/** @returns the part of the revenue of who always shows the best line item */
export function playMarket(world: MarketWorld, seed: number): number {
  const { days, requestsPerDay, delayDays } = world;
  const offers = world.drawOffers(seeded(seed + 2));
  const stepMs = DAY_MS / requestsPerDay;
  const advertisers = Math.max(...offers.map(({ advertiser }) => advertiser));
  const worker = new LearningWorker(
    {
      advertisers: Array.from({ length: advertisers }, () => ({})),
      campaigns: offers.map(({ advertiser }) => ({ advertiserId: String(advertiser) })),
      lineItems: offers.map(({ pricingModel, priceMicros, fromDay, toDay }, at) => ({
        type: 'PRICE' as const,
        pricingModel,
        priceMicros,
        campaignId: String(at + 1),
        startsAtMs: LearningWorker.START_MS + fromDay * DAY_MS,
        endsAtMs: LearningWorker.START_MS + toDay * DAY_MS + 1_000,
      })),
    },
    seeded(seed),
    undefined,
    stepMs,
  );

  const worthOf = offers.map(({ pricingModel, priceMicros, rate }) => {
    const { unit } = PRICING[pricingModel];
    return (priceMicros * rate) / (unit === 'thousand' ? 1_000 : 1);
  });
  const random = seeded(seed + 1);
  const delays = new ConversionDelays();
  let pending: Pending[] = [];
  let earned = 0;
  let best = 0;
  for (let at = 1; at <= days * requestsPerDay; at += 1) {
    const nowMs = worker.nowMs + stepMs;
    if (at % 20 === 0) {
      const due = pending.filter((one) => one.atMs <= nowMs);
      pending = pending.filter((one) => one.atMs > nowMs);
      for (const { kind, counted, delayMs } of due) {
        worker.count(kind, counted);
        delays.convert(convertingOf(counted), delayMs);
      }
    }
    if (at % Math.ceil(requestsPerDay / 24) === 0 && delayDays > 0) {
      worker.model = delays.learn(nowMs);
    }
    const ad = worker.decideNext();
    const offer = Number(ad.lineItemId) - 1;
    const { pricingModel, rate, advertiser } = offers[offer] as Offer;
    earned += worthOf[offer] as number;
    const day = at / requestsPerDay;
    best += Math.max(...offers.map((one, of) => (one.fromDay <= day && day < one.toDay ? (worthOf[of] as number) : 0)));
    const counted = { ...ad, advertiserId: String(advertiser) };
    worker.count('imp', counted);
    delays.show(convertingOf(counted), nowMs);
    const { event } = PRICING[pricingModel];
    if (event === null || event === 'impression' || random() >= rate) continue;
    const kind = COUNTED_EVENTS[event].counter;
    const delayMs = event === 'activity' ? -Math.log(1 - random()) * delayDays * DAY_MS : 0;
    if (delayMs === 0) worker.count(kind, counted);
    else pending.push({ atMs: nowMs + delayMs, counted, kind, delayMs });
  }
  return earned / best;
}

function convertingOf({ lineItemId, advertiserId }: Pending['counted']): Converting {
  return { booked: { id: lineItemId }, advertiser: { id: advertiserId } };
}
