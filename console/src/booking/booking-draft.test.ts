import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type BookingDraft,
  emptyDraft,
  forecastInput,
  lineItemInput,
  neededPerDay,
  readStoredDraft,
  storeDraft,
  totalOf,
  unreadable,
} from './booking-draft.ts';
import { targetingOf } from '../targeting/targeting-rows.ts';

const ZONE = 'Europe/Warsaw';
const NOW_MS = Date.parse('2026-11-24T10:00:00Z');
const usual = emptyDraft(NOW_MS, ZONE);
const draftOf = (given: Partial<BookingDraft>): BookingDraft => ({ ...usual, ...given });

test('a new booking runs for thirty days from tomorrow on, in the network’s time zone', () => {
  expect(lineItemInput(usual, ZONE, 'DRAFT')).toMatchObject({
    type: 'STANDARD',
    startsAt: '2026-11-24T23:00:00.000Z',
    endsAt: '2026-12-24T23:00:00.000Z',
    level: 8,
    status: 'DRAFT',
  });
});

test('a booking holds what the form says, and only what its kind has', () => {
  const guaranteed = draftOf({
    name: ' Spring ',
    goalAmount: '100,000',
    price: '18,50',
    capCount: '3',
    sharePercent: '40',
  });
  expect(lineItemInput(guaranteed, ZONE, 'ACTIVE')).toMatchObject({
    name: 'Spring',
    goal: { amount: 100_000, kind: 'IMPRESSIONS', period: 'LIFETIME' },
    price: '18.50',
    pricingModel: 'CPM',
    frequencyCaps: [{ count: 3, event: 'IMPRESSIONS', window: 'DAY' }],
  });
  expect(lineItemInput(guaranteed, ZONE, 'ACTIVE')).not.toHaveProperty('sharePercent');
  const house = lineItemInput({ ...guaranteed, card: 'HOUSE' }, ZONE, 'ACTIVE');
  expect(house).toMatchObject({ type: 'HOUSE', price: '0', sharePercent: 40 });
  expect(house).not.toHaveProperty('goal');
});

test('targeting joins its tests by AND, and leaves out those without values', () => {
  expect(
    targetingOf([
      { dimension: 'COUNTRY', key: '', isNot: false, isOr: false, values: ['PL', 'DE'] },
      { dimension: 'SITE', key: '', isNot: true, isOr: false, values: [] },
      { dimension: 'KEY_VALUE', key: 'section', isNot: true, isOr: false, values: ['sport'] },
    ]),
  ).toEqual({
    all: [
      { test: { dimension: 'COUNTRY', operator: 'IS', values: ['PL', 'DE'] } },
      { test: { dimension: 'KEY_VALUE', key: 'section', operator: 'IS_NOT', values: ['sport'] } },
    ],
  });
  expect(targetingOf([])).toBeNull();
});

test.each([
  [{ goalAmount: '100000', price: '18.50' }, '1850.00'],
  [{ goalAmount: '1', price: '0.000001' }, '0.000000001'],
  [{ goalAmount: '300', price: '1.25', pricingModel: 'CPC', goalKind: 'CLICKS' }, '375.00'],
  [{ goalAmount: '9007199254740991', price: '1000' }, '9007199254740991.00'],
  [{ goalAmount: '300', price: '1.25', goalKind: 'CLICKS' }, null],
  [{ goalAmount: '', price: '1' }, null],
] as const)('a booking of %o is worth %s', (given, total) => {
  expect(totalOf(draftOf(given))).toBe(total);
});

test('a goal needs its part of each day of the flight', () => {
  expect(neededPerDay(draftOf({ goalAmount: '30000' }), ZONE)).toBe(1_000);
  expect(neededPerDay(draftOf({ goalAmount: '500', goalPeriod: 'DAY' }), ZONE)).toBe(500);
  expect(neededPerDay(draftOf({ goalAmount: '500', endsAt: usual.startsAt }), ZONE)).toBeNull();
});

test('a forecast is requested once there is a flight and a price', () => {
  expect(forecastInput(usual, ZONE)).toBeNull();
  expect(forecastInput(draftOf({ price: '2', endsAt: '2020-01-01T00:00' }), ZONE)).toBeNull();
  expect(forecastInput(draftOf({ price: '2', startsAt: 'x' }), ZONE)).toBeNull();
  expect(forecastInput(draftOf({ price: '2' }), ZONE)).toMatchObject({ price: '2', type: 'STANDARD' });
  expect(forecastInput(draftOf({ card: 'HOUSE' }), ZONE)).toMatchObject({ price: '0' });
});

test('unreadable texts are named, and those that the kind does not have are left alone', () => {
  const pathsOf = (given: Partial<BookingDraft>): string[] => unreadable(draftOf(given), ZONE).map(({ path }) => path);
  expect(pathsOf({})).toEqual(['price', 'goal']);
  expect(pathsOf({ price: '2', goalAmount: '10.5', level: '', capCount: 'few' })).toEqual([
    'goal',
    'level',
    'frequencyCaps',
  ]);
  expect(pathsOf({ card: 'HOUSE', price: 'x', goalAmount: 'x', sharePercent: '' })).toEqual(['sharePercent']);
  expect(pathsOf({ card: 'PRICE', price: '1,50' })).toEqual([]);
  expect(pathsOf({ card: 'PRICE', price: '1,200' })).toEqual(['price']);
  expect(pathsOf({ card: 'HOUSE', startsAt: '' })).toEqual(['startsAt']);
  expect(pathsOf({ card: 'HOUSE', endsAt: usual.startsAt })).toEqual(['endsAt']);
});

test('a stored draft is read again, and other texts are ignored', () => {
  const draft = draftOf({ name: 'x', hours: usual.hours.map((_one, at) => at % 2 === 0), campaignId: '5' });
  expect(readStoredDraft(storeDraft(draft), usual)).toEqual(draft);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(() => readStoredDraft(text, usual)).not.toThrow();
    }),
  );
  for (const text of [null, '', '{}', '{"version":9,"draft":{}}', 'null'])
    expect(readStoredDraft(text, usual)).toBeNull();
  expect(readStoredDraft('{"version":1,"draft":{"name":5,"hours":[true]}}', usual)).toEqual(usual);
});
