import type { CatalogRows, ProductPrice } from '../api/bookings/catalog.ts';
import { typedText } from '../format/typed-numbers.ts';
import { rowsOf } from '../targeting/targeting-rows.ts';
import type { BookingDraft, Card } from './booking-draft.ts';

export type Product = CatalogRows['advertisingProducts'];

/** The price options that an advertiser may book by; without one, those that all may. */
export function optionsFor({ priceOptions }: Product, advertiserId: string | null): readonly ProductPrice[] {
  return priceOptions.filter(
    ({ advertiserIds }) =>
      advertiserIds.length === 0 || (advertiserId !== null && advertiserIds.includes(advertiserId)),
  );
}

function cardOf(product: Product, option: ProductPrice): Card {
  if (option.pricingModel === 'FLAT') return 'SPONSORSHIP';
  return product.delivery === 'GUARANTEED' ? 'GUARANTEED' : 'PRICE';
}

const GOALS = {
  CPM: 'IMPRESSIONS',
  VCPM: 'VIEWABLE_IMPRESSIONS',
  CPC: 'CLICKS',
  CPA: 'CONVERSIONS',
} as const;

/** The fields of a form that a product and one of its price options fill: tier, price and inventory. A targeting that rows cannot say is left out. */
export function draftOf(product: Product, option: ProductPrice | undefined): Partial<BookingDraft> {
  const rows = rowsOf(product.targeting ?? null);
  const inventory = rows === null ? {} : { targeting: rows };
  if (option === undefined) return inventory;
  const { pricingModel, price, floor, sharePercent } = option;
  const goalKind = pricingModel in GOALS ? { goalKind: GOALS[pricingModel as keyof typeof GOALS] } : {};
  return {
    ...inventory,
    ...goalKind,
    card: cardOf(product, option),
    pricingModel,
    price: typedText(price ?? floor ?? ''),
    ...(sharePercent === null ? {} : { sharePercent: typedText(String(sharePercent)) }),
  };
}
