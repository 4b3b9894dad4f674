import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeServedAd } from '../fixtures/catalog.ts';
import type { Touch } from '../tracking/touch.ts';
import { attribute } from './attribution.ts';
import { findPath, PATH_TOUCHES_MAX, positionOf, touchRows } from './touch-path.ts';

const nowMs = 1_000_000_000;
const ad = makeServedAd(nowMs);
const rule = {
  clickWindowSeconds: 100,
  viewWindowSeconds: 50,
  advertiserId: null,
  isCounted: (lineItemId: string) => lineItemId !== '29',
};
const end = {
  eventId: 'a:1',
  workspaceId: 1,
  activityId: '41',
  event: 'purchased',
  timeMs: nowMs,
  npa: false,
  userHash: '00000000000000ff',
};

function touch(impressionId: string, secondsAgo: number, lineItemId = '21'): Touch {
  return { timeMs: nowMs - secondsAgo * 1_000, ad: { ...ad, impressionId, lineItemId } };
}

const idsOf = (path: readonly Touch[]): string[] => path.map((one) => one.ad.impressionId);

test('a path has each ad once, its click where it was clicked, oldest first', () => {
  const clicks = [touch('b', 10), touch('a', 90)];
  const impressions = [touch('c', 5), touch('b', 12), touch('a', 95)];
  const path = findPath({ namedClick: touch('d', 40), clicks, impressions }, rule, nowMs);
  expect(idsOf(path)).toEqual(['a', 'd', 'b', 'c']);
  expect(path.map(({ timeMs }) => (nowMs - timeMs) / 1_000)).toEqual([90, 40, 10, 5]);
});

test('a path leaves out what attribution leaves out', () => {
  const clicks = [touch('a', 101), touch('b', -1), touch('c', 20, '29')];
  expect(findPath({ namedClick: null, clicks, impressions: [touch('d', 51), touch('e', 50)] }, rule, nowMs)).toEqual([
    touch('e', 50),
  ]);
});

test('a path of too many touches keeps the credited click, however old', () => {
  const clicks = Array.from({ length: 8 }, (_one, at) => touch(`c${at}`, 10 + at));
  const impressions = Array.from({ length: 8 }, (_one, at) => touch(`v${at}`, 30 + at));
  const path = findPath({ namedClick: touch('named', 90), clicks, impressions }, rule, nowMs);
  expect(path).toHaveLength(PATH_TOUCHES_MAX);
  expect([idsOf(path)[0], idsOf(path)[1]]).toEqual(['named', 'v6']);
});

test('the rows of a path have the ads of its touches, and the time, activity and user of the conversion', () => {
  const rows = touchRows([touch('a', 90, '20'), touch('b', 40), touch('c', 5)], end);
  expect(rows.map((row) => [row.event_id, row.line_item_id, row.impression_id, row.attribution])).toEqual([
    ['a:1/1-3', '20', 'a', 'first'],
    ['a:1/2-3', '21', 'b', 'middle'],
    ['a:1/3-3', '21', 'c', 'last'],
  ]);
  expect(rows[0]).toMatchObject({
    kind: 'touch',
    time: '1970-01-12 13:46:40.000',
    activity_id: '41',
    activity_event: 'purchased',
    item_count: 3,
    user_hash: '255',
    value_micros: '0',
    revenue_nanos: '0',
    quantity: 1,
  });
});

test('a path has the credited touch exactly when its event is attributed, and never too many', () => {
  const touches = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: -5, max: 120 }), fc.constantFrom('21', '29')),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(touches, touches, fc.option(touches), (clicked, seen, named) => {
      const make = (given: typeof clicked): Touch[] => given.map(([id, ago, of]) => touch(`i${id}`, ago, of));
      const namedClick = make(named ?? [])[0] ?? null;
      const given = { namedClick, clicks: make(clicked), impressions: make(seen) };
      const path = findPath(given, rule, nowMs);
      const attribution = attribute(given, rule, nowMs);
      expect(path.length > 0).toBe(attribution !== null);
      if (attribution !== null) expect(idsOf(path)).toContain(attribution.touch.ad.impressionId);
      expect(path.length).toBeLessThanOrEqual(PATH_TOUCHES_MAX);
      expect(new Set(idsOf(path)).size).toBe(path.length);
      expect(path.toSorted((left, right) => left.timeMs - right.timeMs)).toEqual(path);
      const positions = path.map((_one, index) => positionOf(index, path.length));
      const ends = { 0: [], 1: ['only'] }[path.length] ?? ['first', 'last'];
      expect(positions.filter((position) => position !== 'middle')).toEqual(ends);
    }),
  );
});
