import { expect, test } from 'vitest';
import { draftOf, optionsFor, type Product } from './product-terms.ts';

const option = { minimumSpend: null, sharePercent: null, advertiserIds: [], floor: null, price: null } as const;
const product = {
  delivery: 'GUARANTEED',
  targeting: { test: { dimension: 'SITE', operator: 'IS', key: null, values: ['7'] } },
  priceOptions: [
    { ...option, id: 'cpm', pricingModel: 'CPM', price: '12.5' },
    { ...option, id: 'acme', pricingModel: 'CPM', price: '10', advertiserIds: ['3'] },
    { ...option, id: 'day', pricingModel: 'FLAT', price: '900', sharePercent: 50 },
  ],
} as unknown as Product;

test('a rate card is offered to its advertisers alone', () => {
  const idsFor = (advertiserId: string | null) => optionsFor(product, advertiserId).map(({ id }) => id);
  expect(idsFor(null)).toEqual(['cpm', 'day']);
  expect(idsFor('3')).toEqual(['cpm', 'acme', 'day']);
  expect(idsFor('4')).toEqual(['cpm', 'day']);
});

test('a product fills tier, price and inventory of the form', () => {
  const [cpm, , day] = product.priceOptions;
  const filled = draftOf(product, cpm);
  expect(filled).toMatchObject({ card: 'GUARANTEED', pricingModel: 'CPM', goalKind: 'IMPRESSIONS', price: '12.5' });
  expect(filled.targeting).toHaveLength(1);
  expect(draftOf(product, day)).toMatchObject({ card: 'SPONSORSHIP', pricingModel: 'FLAT', sharePercent: '50' });
  expect(
    draftOf({ ...product, delivery: 'NON_GUARANTEED' }, { ...option, id: 'f', pricingModel: 'CPM', floor: '2' }),
  ).toMatchObject({
    card: 'PRICE',
    price: '2',
  });
});
