import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSchema, GraphQLInputObjectType } from 'graphql';
import { afterEach, expect, test } from 'vitest';
import type { LineItemDetail } from '../../api/bookings/desk-object.ts';
import { AREA_NAMES } from '../../messages/areas.ts';
import { loadAreas, speakIn } from '../../messages/language.ts';
import { draftOf, type ItemDraft, NEW_CAP } from './item-draft.ts';
import { changesOf, describeSetting, inputOf, SETTING_NAMES, settingsIn } from './item-settings.ts';
import { SECTIONS } from './form-sections.ts';
import type { WordContext } from './setting-words.ts';

const ZONE = 'Europe/Warsaw';
const CAPS = {
  impressionsPerDay: 5_000,
  impressionsLifetime: null,
  clicksPerDay: null,
  clicksLifetime: null,
  spendPerDay: null,
  spendLifetime: '1200.50',
};
const CAP = { event: 'IMPRESSIONS', every: 1, per: 'USER', count: 3, window: 'DAY' } as const;
const ITEM = {
  id: '7',
  name: 'Spring',
  version: 3,
  type: 'STANDARD',
  advertisingProductId: null,
  dealId: null,
  startsAt: '2026-03-28T23:00:00.000Z',
  endsAt: null,
  timezone: null,
  dayParts: [],
  goal: { amount: 100_000, kind: 'IMPRESSIONS', period: 'LIFETIME' },
  pauseAfterGoal: true,
  pacing: 'EVEN',
  price: '18.50',
  pricingModel: 'CPM',
  level: 8,
  sharePercent: null,
  targeting: null,
  frequencyCaps: [CAP, { ...CAP, event: 'CLICKS', count: 1, window: 'WEEK', every: 2 }],
  serveWithoutUser: false,
  caps: CAPS,
  exclusionLabels: [],
  creativeRotation: 'EVEN',
  optimisationGoal: null,
  roadblock: 'ONE',
  companionMode: 'NONE',
  countedActivities: [],
  labels: ['north'],
  owner: null,
  teamId: null,
  notes: '',
  externalId: null,
  customFields: {},
} as unknown as LineItemDetail;
const WORDS: WordContext = {
  currency: 'PLN',
  zone: ZONE,
  nameOf: (kind, id) => `${kind} ${id}`,
  teams: new Map([['3', 'Sales']]),
  customFields: new Map([['region', 'Region']]),
};

afterEach(() => speakIn('en'));

function changed(next: Partial<ItemDraft>, item: LineItemDetail = ITEM) {
  const before = draftOf(item, ZONE);
  const { changes, unreadable } = changesOf(item, { before, draft: { ...before, ...next }, zone: ZONE });
  return { input: inputOf(changes, 'after'), undo: inputOf(changes, 'before'), unreadable };
}

/** The status has buttons of its own, and the other field has no effect. */
const NOT_IN_FORM = ['representativePercent', 'status'];

test('the form shows every field that the API changes of a line item', () => {
  const path = new URL('../../../../contract/schema.graphql', import.meta.url);
  const type = buildSchema(readFileSync(fileURLToPath(path), 'utf8')).getType('UpdateLineItemInput');
  const fields = type instanceof GraphQLInputObjectType ? Object.keys(type.getFields()) : [];
  expect([...SETTING_NAMES, ...NOT_IN_FORM].toSorted()).toEqual(fields.toSorted());
  expect(settingsIn(SECTIONS.flatMap(({ controls }) => controls)).toSorted()).toEqual(SETTING_NAMES.toSorted());
});

test('an untouched form sends no change, in every language', async () => {
  for (const language of ['en', 'de', 'pl'] as const) {
    await speakIn(language);
    expect(changed({})).toEqual({ input: {}, undo: {}, unreadable: [] });
  }
});

test('only settings that become another value are sent, with what they were for undo', () => {
  expect(changed({ price: '20', labels: [], owner: ' ' })).toEqual({
    input: { price: '20', labels: [] },
    undo: { price: '18.50', labels: ['north'] },
    unreadable: [],
  });
});

test('texts that cannot be read are told and never sent', async () => {
  expect(changed({ price: '1,200', level: 'x' })).toEqual({ input: {}, undo: {}, unreadable: ['price', 'level'] });
  expect(changed({ caps: { ...draftOf(ITEM, ZONE).caps, clicksPerDay: 'many' } }).unreadable).toEqual(['caps']);
  expect(changed({ frequencyCaps: [NEW_CAP] }).unreadable).toEqual(['frequencyCaps']);
  expect(changed({ hours: draftOf(ITEM, ZONE).hours.map(() => false) }).unreadable).toEqual(['dayParts']);
  await speakIn('de');
  expect(draftOf(ITEM, ZONE).price).toBe('18,50');
  expect(changed({ price: '1.234,50' }).input).toEqual({ price: '1234.50' });
});

test('a goal is changed whole, and an empty one is none', () => {
  expect(changed({ goalAmount: '120,000', goalPeriod: 'DAY' }).input).toEqual({
    goal: { amount: 120_000, kind: 'IMPRESSIONS', period: 'DAY' },
  });
  expect(changed({ goalAmount: '' }).input).toEqual({ goal: null });
});

test('one of several frequency caps is changed, and the others stay', () => {
  const [first, second] = draftOf(ITEM, ZONE).frequencyCaps;
  if (first === undefined || second === undefined) throw new Error('the line item has two caps');
  expect(changed({ frequencyCaps: [{ ...first, count: '5' }, second] }).input).toEqual({
    frequencyCaps: [{ ...CAP, count: 5 }, ITEM.frequencyCaps[1]],
  });
});

test('clock times are those of the zone that is typed', () => {
  expect(changed({ endsAt: '2026-06-01T00:00' }).input).toEqual({ endsAt: '2026-05-31T22:00:00.000Z' });
  expect(changed({ timezone: 'UTC' }).input).toEqual({ timezone: 'UTC', startsAt: '2026-03-29T00:00:00.000Z' });
});

test('day-parts within an hour and targeting that rows cannot say stay until they are replaced', () => {
  const dayParts = [{ days: [1], startMinute: 90, endMinute: 600 }];
  const targeting = { not: { any: [{ test: { dimension: 'SITE', operator: 'IS', values: ['4'] } }] } };
  const item = { ...ITEM, dayParts, targeting } as unknown as LineItemDetail;
  expect(changed({}, item).input).toEqual({});
  expect(changed({ oddParts: null, nested: null }, item).input).toEqual({ dayParts: [], targeting: null });
});

test('a share belongs to the types that have one', () => {
  expect(changed({ card: 'SPONSORSHIP', sharePercent: '40' }).input).toEqual({ type: 'SPONSORSHIP', sharePercent: 40 });
  const sponsored = { ...ITEM, type: 'SPONSORSHIP', sharePercent: 40 } as unknown as LineItemDetail;
  expect(changed({ card: 'GUARANTEED' }, sponsored).input).toEqual({ type: 'STANDARD', sharePercent: null });
});

test('every setting is told in words of people, without ids and without JSON', async () => {
  await loadAreas(AREA_NAMES);
  const item = {
    ...ITEM,
    dealId: '5',
    teamId: '3',
    dayParts: [
      { days: [1, 2, 3, 4, 5], startMinute: 480, endMinute: 1_080 },
      { days: [6], startMinute: 0, endMinute: 1_440 },
    ],
    targeting: { all: [{ test: { dimension: 'AD_UNIT', operator: 'IS', values: ['9'] } }] },
    countedActivities: [{ activityId: '8', events: ['buy'] }],
    customFields: { region: 'North' },
  } as unknown as LineItemDetail;
  const told = Object.fromEntries(SETTING_NAMES.map((name) => [name, describeSetting(name, item[name], WORDS)]));
  expect(told).toMatchObject({
    dealId: 'deals 5',
    teamId: 'Sales',
    startsAt: 'Mar 29, 2026, 12:00 AM',
    endsAt: 'open',
    dayParts: 'Mon–Fri 08:00–18:00; Sat 00:00–24:00',
    goal: '100,000 impressions',
    targeting: 'It runs where ad unit is one of adUnits 9.',
    frequencyCaps: '3 impressions a day for each user; 1 click in 2 weeks for each user',
    caps: expect.stringMatching(/^Cap on impressions a day: 5,000; Budget in total: PLN.1,200\.50$/) as string,
    countedActivities: 'activities 8 (buy)',
    customFields: 'Region: North',
    pauseAfterGoal: 'Yes',
  });
  expect(Object.entries(told).filter(([, text]) => /[{}[\]]|undefined|item_form\./.test(text))).toEqual([]);
});
