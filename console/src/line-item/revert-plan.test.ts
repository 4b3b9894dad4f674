import { expect, test } from 'vitest';
import type { AuditEntry } from '../api/account/audit-log.ts';
import { planRevert, sidesOf } from './revert-plan.ts';

const CONTEXT = { currency: 'EUR', timezone: 'UTC', nameOf: (_kind: string, id: string) => id };
const details = { before: { price: '10' }, after: { price: '12' } };
const entry = { action: 'lineItem.update', details } as unknown as AuditEntry;

test.each([
  ['an update', entry, true],
  ['an archiving', { ...entry, action: 'lineItem.archive' }, true],
  ['a creation', { ...entry, action: 'lineItem.create' }, false],
  ['a change without former values', { ...entry, details: { before: {}, after: { price: '12' } } }, false],
  ['a change whose values are lists or null', { ...entry, details: { before: [1], after: null } }, false],
] as const)('%s can be reverted, or not', (_what, { action, details: given }, isRevertible) => {
  expect(sidesOf({ action, details: given } as unknown as AuditEntry) !== null).toBe(isRevertible);
});

test('a revert sets the former values on the present version, and undo sets the later ones again', () => {
  const plan = planRevert({ id: '7', name: 'Spring', version: 9 }, { entry, sides: details }, CONTEXT);
  expect(plan.changes).toMatchObject([
    {
      id: '7',
      version: 9,
      before: 'Price: €12.00',
      after: 'Price: €10.00',
      input: { price: '10' },
      undo: { price: '12' },
    },
  ]);
});
