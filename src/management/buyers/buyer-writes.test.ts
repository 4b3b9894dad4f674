import { expect, test } from 'vitest';
import { statusProblems } from './buyer-writes.ts';

const BUYER = 'key:1';

/** Whether a buyer may set the status of an object that it changed last. */
const may = (type: string, row: object, status: string): boolean =>
  statusProblems(type, { updated_by: BUYER, ...row }, { status }, BUYER).length === 0;

test.each([
  ['Campaign', { status: 'DRAFT' }, true],
  ['LineItem', { status: 'DRAFT', type: 'PRICE' }, true],
  ['LineItem', { status: 'DRAFT', type: 'STANDARD' }, false],
  ['LineItem', { status: 'RESERVED', type: 'STANDARD' }, false],
  ['LineItem', { status: 'ACTIVE', type: 'STANDARD' }, true],
  ['LineItem', { status: 'COMPLETED', type: 'PRICE' }, false],
])('a %s of %o may be paused by its buyer: %s', (type, row, expected) => {
  expect(may(type, row, 'PAUSED')).toBe(expected);
});

test('a buyer starts no guaranteed draft, and what it paused itself', () => {
  expect(may('LineItem', { status: 'DRAFT', type: 'STANDARD' }, 'ACTIVE')).toBe(false);
  expect(may('LineItem', { status: 'PAUSED', type: 'STANDARD' }, 'ACTIVE')).toBe(true);
  expect(may('LineItem', { status: 'PAUSED', type: 'PRICE', updated_by: 'user:2' }, 'ACTIVE')).toBe(false);
});
