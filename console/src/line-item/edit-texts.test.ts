import { afterEach, expect, test } from 'vitest';
import type { LineItemDetail } from '../api/bookings/desk-object.ts';
import { speakIn } from '../messages/language.ts';
import { changesOf, type EditTexts, textsOf } from './edit-texts.ts';

const ZONE = 'Europe/Warsaw';
const ITEM = {
  id: '7',
  name: 'Spring',
  version: 3,
  startsAt: '2026-03-28T23:00:00.000Z',
  endsAt: null,
  price: '18.50',
  level: 8,
  goal: { amount: 100_000, kind: 'IMPRESSIONS', period: 'LIFETIME' },
  frequencyCaps: [],
  labels: ['north'],
  targeting: null,
} as unknown as LineItemDetail;

afterEach(() => speakIn('en'));

function changed(next: Partial<EditTexts>) {
  const before = textsOf(ITEM, ZONE);
  return changesOf(ITEM, { before, texts: { ...before, ...next }, zone: ZONE });
}

test('an untouched form sends no change, in every language', async () => {
  for (const language of ['en', 'de', 'pl'] as const) {
    await speakIn(language);
    expect(changed({})).toEqual({ input: {}, undo: {}, faults: [] });
  }
});

test('only touched fields are sent, with what they were for undo', () => {
  expect(changed({ price: '20', labels: [] })).toEqual({
    input: { price: '20', labels: [] },
    undo: { price: '18.50', labels: ['north'] },
    faults: [],
  });
});

test('a price with two meanings is a fault, and never the smaller price', async () => {
  expect(changed({ price: '1,200' })).toEqual({ input: {}, undo: {}, faults: ['price'] });
  await speakIn('de');
  expect(textsOf(ITEM, ZONE).price).toBe('18,50');
  expect(changed({ price: '1.234' }).faults).toEqual(['price']);
  expect(changed({ price: '1.234,50' }).input).toEqual({ price: '1234.50' });
});

test('a goal with thousands is read by the language of the page', async () => {
  expect(changed({ goal: '120,000' }).input).toEqual({ goal: { ...ITEM.goal, amount: 120_000 } });
  expect(changed({ goal: '120.000' }).faults).toEqual(['goal']);
  await speakIn('de');
  expect(changed({ goal: '120.000' }).input).toEqual({ goal: { ...ITEM.goal, amount: 120_000 } });
  expect(changed({ goal: '0' }).faults).toEqual(['goal']);
});

test('a cap is added, and an empty one removes it', () => {
  const cap = { event: 'IMPRESSIONS', every: 1, per: 'USER', count: 3, window: 'DAY' };
  expect(changed({ capCount: '3' }).input).toEqual({ frequencyCaps: [cap] });
  const item = { ...ITEM, frequencyCaps: [cap] } as unknown as LineItemDetail;
  const before = textsOf(item, ZONE);
  expect(changesOf(item, { before, texts: { ...before, capCount: '' }, zone: ZONE }).input).toEqual({
    frequencyCaps: [],
  });
});

test('a clock time is one of the zone, and an empty one leaves the flight open', () => {
  expect(textsOf(ITEM, ZONE).startsAt).toBe('2026-03-29T00:00');
  expect(changed({ startsAt: '', endsAt: '2026-06-01T00:00' }).input).toEqual({
    startsAt: null,
    endsAt: '2026-05-31T22:00:00.000Z',
  });
});
