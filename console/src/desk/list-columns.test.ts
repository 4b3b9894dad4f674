import { expect, test } from 'vitest';
import type { Campaign } from '../api/bookings/desk-list.ts';
import { LINE_ITEM_COLUMNS, lineItemColumns } from './line-item-columns.tsx';
import { CAMPAIGN_COLUMNS, campaignColumns } from './list-columns.tsx';
import type { RowExtras } from './row-extras.ts';

const CAMPAIGN: Campaign = {
  id: '1',
  name: 'Spring',
  status: 'ACTIVE',
  version: 4,
  startsAt: '2026-03-28T23:00:00.000Z',
  endsAt: null,
  createdAt: '',
  updatedAt: '',
  updatedBy: '',
  delivery: null,
  advertiser: null,
  labels: [],
  caps: {
    impressionsPerDay: 1_000,
    impressionsLifetime: null,
    clicksPerDay: null,
    clicksLifetime: null,
    spendPerDay: '50',
    spendLifetime: null,
  },
};
const NO_EXTRAS: RowExtras = { diagnoses: new Map(), lastHour: null, targetings: new Map() };
const context = { nowMs: 0, timezone: 'Europe/Warsaw', currency: 'PLN' };
const columns = campaignColumns(context);
const change = (id: string, text: string) => columns.get(id)?.editor?.change(CAMPAIGN, text);

test('cells of campaigns edit the name, the status, both ends of the flight and the budgets', () => {
  const edited = [...columns.values()].filter(({ editor }) => editor !== undefined).map(({ id }) => id);
  expect(edited.toSorted()).toEqual(['budget', 'budget_day', 'ends', 'name', 'starts', 'status']);
  const archived = { ...CAMPAIGN, status: 'ARCHIVED' as const };
  expect([...columns.values()].some(({ editor }) => editor?.isOpen(archived) === true)).toBe(false);
});

test('a budget is set beside the other limits, and an empty one is none', () => {
  expect(change('budget', '1200,50')).toEqual({
    input: { caps: { ...CAMPAIGN.caps, spendLifetime: '1200.50' } },
    undo: { caps: CAMPAIGN.caps },
  });
  expect(change('budget_day', '')?.input).toEqual({ caps: { ...CAMPAIGN.caps, spendPerDay: null } });
  expect(change('budget', 'much')).toBeNull();
});

test('an instant is typed in the time zone of the network, also when clocks change, and can be left open', () => {
  expect(columns.get('starts')?.editor?.read(CAMPAIGN)).toBe('2026-03-29T00:00');
  expect(change('starts', '2026-03-30T00:00')).toEqual({
    input: { startsAt: '2026-03-29T22:00:00.000Z' },
    undo: { startsAt: CAMPAIGN.startsAt },
  });
  expect(change('starts', '')?.input).toEqual({ startsAt: null });
  expect(change('ends', 'tomorrow')).toBeNull();
});

test('a budget with two meanings is refused with both', () => {
  expect(change('budget', '1,200')).toBeNull();
  expect(columns.get('budget')?.editor?.fault?.('1,200')).toBe('1,200 can mean 1.20 or 1200. Write 1.20 or 1200.');
});

test.each([
  ['line items', lineItemColumns(context, NO_EXTRAS), LINE_ITEM_COLUMNS],
  ['campaigns', columns, CAMPAIGN_COLUMNS],
] as const)('every column of %s but the name says what its values mean', (_kind, known, { all }) => {
  const silent = all.filter((id) => (known.get(id)?.description ?? '') === '');
  expect(silent).toEqual([]);
});
