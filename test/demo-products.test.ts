import { expect, test } from 'vitest';
import { parseMicros } from '../src/domain/money/money.ts';
import { DEMO_PRODUCTS } from '../src/demo/products/demo-products.ts';
import { validateProduct } from '../src/management/resources/advertising-product/product.rules.ts';

test.each(DEMO_PRODUCTS)('the product "$name" of the demo keeps all rules of products', (product) => {
  const micros = (text: string | undefined): number | null =>
    text === undefined ? null : Number(parseMicros(text, 'price'));
  const row = {
    delivery: product.delivery,
    formats: product.formats,
    price_options: product.prices.map((price) => ({
      ...price,
      priceMicros: micros(price.price),
      floorMicros: micros(price.floor),
      advertiserIds: [],
    })),
    minimum_days: product.minimumDays ?? null,
    maximum_days: null,
    offered_to_buyers: true,
    targeting: null,
  };
  const facts = { nowMs: 0, before: null, loaded: {} };
  expect(validateProduct(row as never, facts)).toEqual({ problems: [], warnings: [] });
  expect(product.prices.filter(({ price, floor }) => (price === undefined) === (floor === undefined))).toEqual([]);
});
