import { expect, test } from 'vitest';
import type { LineItem } from '../../domain/booking/line-item.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';
import type { CountedKind } from '../../domain/pricing/pricing-models.ts';
import { createTestCatalog, lineItem, makeServedAd } from '../fixtures/catalog.ts';
import { rateIncrements, sequenceIncrements } from './rotation-counters.ts';

const timeMs = Date.parse('2026-11-20T02:00:00Z');
const { creativeId, lineItemId, userHash } = makeServedAd(timeMs);

function catalogOf(booked: Partial<LineItem>): Catalog {
  return { ...createTestCatalog(), findLineItem: () => ({ ...lineItem, ...booked }) };
}

function rateKeysOf(booked: Partial<LineItem>, kind: CountedKind, shown: Partial<ServedAd> = {}): string[] {
  return rateIncrements(kind, makeServedAd(timeMs, shown), catalogOf(booked)).map(({ key }) => key);
}

/** The counters of creatives alone. */
function creativeKeysOf(booked: Partial<LineItem>, kind: CountedKind): string[] {
  return rateKeysOf(booked, kind).filter((key) => key.startsWith('d/1/cr/'));
}

const of = (optimisationGoal: NonNullable<LineItem['optimisationGoal']>) => ({ optimisationGoal });

test.each<[LineItem['creativeRotation'], Partial<LineItem>, CountedKind, string[]]>([
  ['EVEN', {}, 'impression', []],
  ['EVEN', of('VIEWABLE_IMPRESSIONS'), 'viewable', []],
  ['WEIGHTED', {}, 'click', []],
  ['OPTIMISED', {}, 'impression', [`d/1/cr/${creativeId}/imp/all`]],
  ['OPTIMISED', {}, 'click', [`d/1/cr/${creativeId}/clk/all`]],
  ['OPTIMISED', {}, 'viewable', []],
  ['OPTIMISED', of('CLICKS'), 'click', [`d/1/cr/${creativeId}/clk/all`]],
  ['OPTIMISED', of('CLICKS'), 'activity', []],
  ['OPTIMISED', of('CONVERSIONS'), 'impression', [`d/1/cr/${creativeId}.conv/imp/all`]],
  ['OPTIMISED', of('CONVERSIONS'), 'activity', [`d/1/cr/${creativeId}.conv/conv/all`]],
  ['OPTIMISED', of('CONVERSIONS'), 'click', []],
  ['OPTIMISED', of('VIEWABLE_IMPRESSIONS'), 'viewable', [`d/1/cr/${creativeId}.view/view/all`]],
  ['OPTIMISED', of('COMPLETED_VIEWS'), 'video_complete', [`d/1/cr/${creativeId}.cpl/cpl/all`]],
])('%s with %j counts for each %s: %j', (creativeRotation, booked, kind, keys) => {
  expect(creativeKeysOf({ ...booked, creativeRotation }, kind)).toEqual(keys);
});

test.each<[Partial<LineItem>, CountedKind, Partial<ServedAd>, string[]]>([
  [{}, 'impression', { adUnitId: '7' }, []],
  [of('CLICKS'), 'impression', { adUnitId: '7' }, [`d/1/un/${lineItemId}.7.clk/imp/all`]],
  [of('CLICKS'), 'click', { adUnitId: '7' }, [`d/1/un/${lineItemId}.7.clk/clk/all`]],
  [of('CLICKS'), 'viewable', { adUnitId: '7' }, []],
  [of('CONVERSIONS'), 'activity', { adUnitId: '7' }, [`d/1/un/${lineItemId}.7.conv/conv/all`]],
  [of('CLICKS'), 'click', { adUnitId: '', siteId: '3' }, [`d/1/un/${lineItemId}.s3.clk/clk/all`]],
  [of('CLICKS'), 'click', { adUnitId: '', siteId: '' }, []],
  [of('CLICKS'), 'impression', { adUnitId: '7', companion: true }, []],
])('a goal of %j counts for each %s of a unit %j: %j', (booked, kind, shown, keys) => {
  expect(rateKeysOf({ ...booked, creativeRotation: 'EVEN' }, kind, shown)).toEqual(keys);
});

test.each<[LineItem['creativeRotation'], Partial<ServedAd>, string[]]>([
  ['EVEN', {}, []],
  ['SEQUENTIAL', {}, [`f/1/${userHash}/li/${lineItemId}/seq`]],
  ['SEQUENTIAL', { npa: true }, []],
  ['SEQUENTIAL', { companion: true }, []],
  ['SEQUENTIAL', { userHash: '' }, []],
])('%s moves the user on for an impression with %j: %j', (creativeRotation, change, keys) => {
  const increments = sequenceIncrements(makeServedAd(timeMs, change), catalogOf({ creativeRotation }));
  expect(increments.map(({ key }) => key)).toEqual(keys);
});
