import fc from 'fast-check';
import type { LineItem } from '../../src/domain/booking/line-item.ts';
import type { PricingModel } from '../../src/domain/pricing/pricing-models.ts';
import type { OracleWorld } from './oracle-contender.ts';

/** What a thousand impressions are worth before any event, by price: so line items of all models are worth about the same at one worth. */
const WORTH_BY_PRICE: Readonly<Partial<Record<PricingModel, number>>> = { CPM: 1, VCPM: 0.5, CPC: 1, CPA: 0.1 };

/** Worlds in which most line items compete by prices that are close, so that the context decides who wins. */
export function pricedWorldOf(plain: fc.Arbitrary<OracleWorld>): fc.Arbitrary<OracleWorld> {
  const offer = fc.record({
    pricingModel: fc.constantFrom('CPM', 'VCPM', 'CPC', 'CPC', 'CPA'),
    worth: fc.integer({ min: 8_000, max: 20_000 }),
  });
  const offers = fc.array(fc.option(offer, { freq: 6 }), { minLength: 8, maxLength: 8 });
  return fc.tuple(plain, offers).map(([world, offered]) => ({
    ...world,
    snapshot: {
      ...world.snapshot,
      lineItems: world.snapshot.lineItems.map((one, at): LineItem => {
        const { pricingModel, worth } = offered[at] ?? {};
        if (pricingModel === undefined || worth === undefined) return one;
        const priceMicros = Math.round(worth / (WORTH_BY_PRICE[pricingModel] ?? 1));
        const shown = { status: 'ACTIVE', targeting: null, dayParts: [], dealId: null, goal: null } as const;
        return { ...one, ...shown, type: 'PRICE', pricingModel, priceMicros };
      }),
    },
  }));
}
