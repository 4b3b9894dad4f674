import { afterEach, expect, test } from 'vitest';
import { speakIn } from '../messages/language.ts';
import { readDefaults, type SoldItem, termsOf } from './booking-defaults.ts';

const SOLD: SoldItem = {
  type: 'STANDARD',
  price: '18.50',
  pricingModel: 'CPM',
  level: 8,
  frequencyCaps: [
    { event: 'CLICKS', count: 1, window: 'DAY', every: 1 },
    { event: 'IMPRESSIONS', count: 3, window: 'WEEK', every: 1 },
  ],
};

afterEach(() => speakIn('en'));

test('the terms of a sold line item fill the form, with the price as the language writes it', async () => {
  expect(termsOf(SOLD)).toEqual({
    card: 'GUARANTEED',
    price: '18.50',
    pricingModel: 'CPM',
    level: '8',
    capCount: '3',
    capWindow: 'WEEK',
  });
  await speakIn('de');
  expect(termsOf(SOLD).price).toBe('18,50');
});

test('a cap that the form cannot show leaves the cap empty', () => {
  const odd = [{ event: 'IMPRESSIONS', count: 3, window: 'DAY', every: 7 }];
  expect(termsOf({ ...SOLD, frequencyCaps: odd })).toMatchObject({ capCount: '' });
  expect(termsOf({ ...SOLD, frequencyCaps: odd })).not.toHaveProperty('capWindow');
});

test('stored terms are read where they are texts of a known kind', () => {
  expect(readDefaults('{"card":"PRICE","price":"2","level":5,"name":"x"}')).toEqual({ card: 'PRICE', price: '2' });
  for (const text of [null, '', '{', '[]', '"x"', '{"card":"OTHER","price":"2"}'])
    expect(readDefaults(text)).toEqual({});
});
