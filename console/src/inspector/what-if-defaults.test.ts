import { expect, test } from 'vitest';
import type { InspectedSlot } from '../api/bookings/inspection.ts';
import { suggestFor } from './what-if-defaults.ts';

const slot: InspectedSlot = {
  slotId: '1',
  winner: { lineItemId: '1', name: 'W', creativeId: '2', bid: '9', goalBid: null },
  losers: [],
  furtherLosers: 0,
};

test.each([
  ['lost.price', { what: 'price', value: '9.01' }],
  ['lost.tier', { what: 'type', value: 'SPONSORSHIP' }],
  ['capped.line_item', { what: 'caps', value: '' }],
  ['capped.line_item.frequency', { what: 'frequency', value: '' }],
  ['pacing', { what: 'goal', value: '' }],
  ['paused', { what: 'status', value: 'ACTIVE' }],
  ['floor.ad_unit', { what: 'price', value: '9.01' }],
  ['targeting.country', null],
  ['size', null],
])('a line item that lost for %s is imagined with %j', (reason, expected) => {
  const loser = { lineItemId: '7', name: '', reason, sentence: '', texts: [], goalBid: null };
  expect(suggestFor(loser, slot)).toEqual(expected === null ? null : { id: '7', ...expected });
});
