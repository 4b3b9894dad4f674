import { expect, test } from 'vitest';
import type { InspectedLoser } from '../api/bookings/inspection.ts';
import { groupByStage, stageOf } from './loser-stages.ts';

const loser = (lineItemId: string, reason: string): InspectedLoser => ({
  lineItemId,
  name: '',
  reason,
  sentence: '',
  texts: [],
  goalBid: null,
});

test('losers stand by how far they came, those that came furthest first', () => {
  const groups = groupByStage([
    loser('1', 'paused'),
    loser('2', 'targeting.country'),
    loser('3', 'lost.price'),
    loser('4', 'capped.line_item'),
    loser('5', 'lost.tier'),
  ]);
  expect(groups.map(({ stage, losers }) => [stage, losers.map(({ lineItemId }) => lineItemId)])).toEqual([
    ['outranked', ['3', '5']],
    ['limits', ['4']],
    ['targeting', ['2']],
    ['off', ['1']],
  ]);
});

test('a reason that is not known here counts as a rule', () => {
  expect(stageOf('something.new')).toBe('rules');
});
