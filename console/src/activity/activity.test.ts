import { expect, test } from 'vitest';
import { TOLD_KINDS } from '../../../src/domain/booking/change-types.ts';
import type { ActivityEntry } from '../api/account/activity-feed.ts';
import { toldKinds } from './audit-words.ts';
import { groupByDay } from './activity-days.ts';
import { deskAddressOf } from './activity-links.ts';

const entry = (change: Partial<ActivityEntry>): ActivityEntry => ({
  sequence: '1',
  at: '2026-11-27T10:00:00Z',
  actor: 'user:7 ann@example.com',
  action: 'lineItem.update',
  objectKind: 'lineItem',
  objectId: '42',
  details: {},
  changeSet: null,
  changeSetSize: 1,
  ...change,
});

test('entries are grouped by the day of the network, in their order', () => {
  const entries = [
    entry({ sequence: '3', at: '2026-11-27T23:30:00Z' }),
    entry({ sequence: '2', at: '2026-11-27T22:30:00Z' }),
    entry({ sequence: '1', at: '2026-11-26T23:30:00Z' }),
  ];
  const days = groupByDay(entries, 'Europe/Warsaw');
  expect(days.map(({ date, entries: own }) => [date, own.map(({ sequence }) => sequence)])).toEqual([
    ['2026-11-28', ['3']],
    ['2026-11-27', ['2', '1']],
  ]);
});

test.each([
  ['a line item', { objectKind: 'lineItem' }, '/desk/line-items/$id'],
  ['an approval, whose id is that of its line item', { objectKind: 'bookingApproval' }, '/desk/line-items/$id'],
  [
    'a comment, which is on a line item',
    { objectKind: 'comment', objectId: '7', details: { after: { objectKind: 'lineItem', objectId: '42' } } },
    '/desk/line-items/$id',
  ],
  ['a deleted comment', { objectKind: 'comment', details: { before: { body: 'Gone.' } } }, undefined],
  ['a campaign', { objectKind: 'campaign' }, '/desk/campaigns/$id'],
  ['a shared report', { objectKind: 'reportShare', details: { after: { campaignId: '9' } } }, '/desk/campaigns/$id'],
  ['a site', { objectKind: 'site' }, '/desk/sites'],
  ['a session', { objectKind: 'session' }, undefined],
])('the desk shows the object of %s', (_what, change, to) => {
  expect(deskAddressOf(entry(change))?.to).toBe(to);
});

test('a member without the admin role chooses among the kinds of the feed of changes', () => {
  expect(
    toldKinds()
      .map(({ value }) => value)
      .sort(),
  ).toEqual([...TOLD_KINDS].sort());
});
