import { expect, test } from 'vitest';
import type { TargetingTree } from '../api/bookings/targeting.ts';
import { NEW_ROW, targetingOf } from '../targeting/targeting-rows.ts';
import { planTargeting } from './bulk-targeting.ts';

const row = (id: string) => ({ id, name: `Item ${id}`, version: 4, startsAt: null, endsAt: null, labels: [] });
const country = (...values: string[]) => targetingOf([{ ...NEW_ROW, dimension: 'COUNTRY', values }]);
const nameOf = (_kind: string, id: string): string => id;

test('each line item gets its own targeting, and those that stay as they are get none', () => {
  const trees = new Map<string, TargetingTree | null>([
    ['1', country('DE')],
    ['2', country('DE', 'PL')],
    ['3', null],
  ]);
  const change = { way: 'add', rows: [{ ...NEW_ROW, dimension: 'COUNTRY', values: ['PL'] }] } as const;
  const plan = planTargeting(change, [row('1'), row('2'), row('3'), row('4')], { trees, nameOf });
  expect(plan.changes.map(({ id, input, undo }) => [id, input, undo])).toEqual([
    ['1', { targeting: country('DE', 'PL') }, { targeting: country('DE') }],
    ['3', { targeting: country('PL') }, { targeting: null }],
  ]);
  expect(plan.changes[0]?.after).toContain('Poland');
  expect(plan.staying).toEqual(['Item 2', 'Item 4']);
});
