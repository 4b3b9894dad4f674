import { expect, test } from 'vitest';
import { associateMany } from '../api/bookings/creatives/library-uses.ts';
import { undoOf, updatesOf } from '../changes/bulk-plan.ts';
import { planCreatives } from './creative-plan.ts';

const row = (id: string) => ({ id, name: `Item ${id}`, version: 4, startsAt: null, endsAt: null, labels: [] });
const creative = { id: '70', name: 'Summer' };
const uses = [{ id: '900', version: 2, lineItemId: '1' }];
const result = (id: string) => ({ id, code: null, message: null, problems: [], warnings: [], version: 1 });

test('a creative is assigned to the line items that it does not serve in, and the new ones are archived by undo', () => {
  const plan = planCreatives({ way: 'assign', creative }, [row('1'), row('2')], uses);
  expect(plan.staying).toEqual(['Item 1']);
  expect(plan.send).toBe(associateMany);
  expect(updatesOf(plan)).toEqual([{ id: '2', version: 4, input: { libraryCreativeId: '70' } }]);
  expect(undoOf(plan, [{ ...result('2'), madeId: '901' }])).toEqual([
    { id: '901', version: 1, input: { status: 'ARCHIVED' } },
  ]);
});

test('the end of an assignment archives the creative of each line item, at the version that was read', () => {
  const plan = planCreatives({ way: 'take', creative }, [row('1'), row('2')], uses);
  expect(plan.staying).toEqual(['Item 2']);
  expect(plan.changes[0]?.name).toBe('Item 1');
  expect(updatesOf(plan)).toEqual([{ id: '900', version: 2, input: { status: 'ARCHIVED' } }]);
  expect(undoOf(plan, [{ ...result('900'), version: 3 }])).toEqual([
    { id: '900', version: 3, input: { status: 'ACTIVE' } },
  ]);
});
