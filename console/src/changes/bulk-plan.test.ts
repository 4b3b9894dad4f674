import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BulkRow } from '../api/bookings/desk-list.ts';
import type { ObjectResult } from '../api/bookings/object-updates.ts';
import {
  type BudgetChange,
  canAct,
  idsToApprove,
  planEdit,
  planStatus,
  remarkOf,
  scaleMoney,
  undoOf,
  updatesOf,
} from './bulk-plan.ts';

const CONTEXT = { currency: 'PLN', timezone: 'Europe/Warsaw' };
const rowOf = (over: Partial<BulkRow> = {}): BulkRow => ({
  id: '1',
  name: 'One',
  status: 'ACTIVE',
  version: 3,
  startsAt: null,
  endsAt: '2026-03-22T23:00:00.000Z',
  price: '18.50',
  pricingModel: 'CPM',
  level: 8,
  timezone: null,
  labels: ['a'],
  goal: { amount: 1_000, kind: 'IMPRESSIONS', period: 'LIFETIME' },
  frequencyCaps: [],
  ...over,
});
const inputOf = (plan: ReturnType<typeof planEdit>) => plan.changes[0]?.input;

test('an end that is moved by days stays at midnight when the clocks change', () => {
  expect(inputOf(planEdit({ field: 'end', change: { days: 7 } }, [rowOf()], CONTEXT))).toEqual({
    endsAt: '2026-03-29T22:00:00.000Z',
  });
});

test('a price is changed exactly, to as many decimals as it has', () => {
  expect(scaleMoney('18.50', 10)).toBe('20.35');
  expect(scaleMoney('0.0001', 50)).toBe('0.0002');
  expect(scaleMoney('3', -10)).toBe('2.70');
  expect(scaleMoney('5', -200)).toBe('0.00');
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (cents) => {
      const text = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
      expect(scaleMoney(text, 0)).toBe(text);
    }),
  );
});

test('an edit leaves alone what it does nothing to, and says so', () => {
  const rows = [rowOf(), rowOf({ id: '2', name: 'Two', goal: null })];
  const plan = planEdit({ field: 'goal', percent: -50 }, rows, CONTEXT);
  expect(plan.changes.map(({ id, input }) => [id, input])).toEqual([
    ['1', { goal: { amount: 500, kind: 'IMPRESSIONS', period: 'LIFETIME' } }],
  ]);
  expect(plan.staying).toEqual(['Two']);
});

test('labels that replace all leave those alone that are the same, in any order', () => {
  const rows = [rowOf({ labels: ['b', 'a'] }), rowOf({ id: '2', name: 'Two', labels: ['c'] })];
  const plan = planEdit({ field: 'labels', change: { all: ['a', 'b', 'a'] } }, rows, CONTEXT);
  expect(plan.changes.map(({ id, before, after, input, undo }) => [id, before, after, input, undo])).toEqual([
    ['2', 'c', 'a, b', { labels: ['a', 'b'] }, { labels: ['c'] }],
  ]);
  expect(plan.staying).toEqual(['One']);
  expect(planEdit({ field: 'labels', change: { all: [] } }, rows, CONTEXT).changes[0]?.after).toBe('(none)');
});

test('campaigns get another end and other labels, and stay where they have no such field', () => {
  const campaign = {
    id: '7',
    name: 'Spring',
    version: 2,
    startsAt: null,
    endsAt: '2026-06-30T22:00:00.000Z',
    labels: [],
  };
  expect(inputOf(planEdit({ field: 'end', change: { days: -1 } }, [campaign], CONTEXT))).toEqual({
    endsAt: '2026-06-29T22:00:00.000Z',
  });
  for (const edit of [
    { field: 'price', percent: 5 },
    { field: 'goal', percent: 5 },
    { field: 'cap', cap: null },
  ] as const)
    expect(planEdit(edit, [campaign], CONTEXT)).toMatchObject({ changes: [], staying: ['Spring'] });
});

test('a start or an end is set to one time of the clock, in the zone of each line item', () => {
  const rows = [rowOf(), rowOf({ id: '2', timezone: 'America/New_York' })];
  const plan = planEdit({ field: 'start', change: { wall: '2026-04-01T00:00' } }, rows, CONTEXT);
  expect(plan.changes.map(({ input }) => input)).toEqual([
    { startsAt: '2026-03-31T22:00:00.000Z' },
    { startsAt: '2026-04-01T04:00:00.000Z' },
  ]);
  const open = planEdit({ field: 'end', change: { wall: '' } }, [rowOf(), rowOf({ id: '2', endsAt: null })], CONTEXT);
  expect(open.changes.map(({ id, input, undo }) => [id, input, undo])).toEqual([
    ['1', { endsAt: null }, { endsAt: '2026-03-22T23:00:00.000Z' }],
  ]);
  expect(planEdit({ field: 'end', change: { wall: '2026-02-30T00:00' } }, [rowOf()], CONTEXT).changes).toEqual([]);
});

test('a flight moves with both its ends, and an open end stays open', () => {
  const both = rowOf({ startsAt: '2026-03-01T23:00:00.000Z' });
  const open = rowOf({ id: '2', startsAt: '2026-03-01T23:00:00.000Z', endsAt: null });
  const plan = planEdit({ field: 'flight', days: 7 }, [both, open, rowOf({ id: '3', endsAt: null })], CONTEXT);
  expect(plan.changes.map(({ id, input }) => [id, input])).toEqual([
    ['1', { startsAt: '2026-03-08T23:00:00.000Z', endsAt: '2026-03-29T22:00:00.000Z' }],
    ['2', { startsAt: '2026-03-08T23:00:00.000Z' }],
  ]);
  expect(plan.staying).toEqual(['One']);
});

test('all get the same level, and those that have it stay', () => {
  const plan = planEdit({ field: 'level', level: 3 }, [rowOf(), rowOf({ id: '2', name: 'Two', level: 3 })], CONTEXT);
  expect(plan.changes.map(({ before, after, input, undo }) => ({ before, after, input, undo }))).toEqual([
    { before: '8', after: '3', input: { level: 3 }, undo: { level: 8 } },
  ]);
  expect(plan.staying).toEqual(['Two']);
});

test('only drafts are reserved', () => {
  const plan = planStatus('reserve', [rowOf(), rowOf({ id: '2', status: 'DRAFT' })]);
  expect(plan.changes.map(({ id, input, undo }) => [id, input, undo])).toEqual([
    ['2', { status: 'RESERVED' }, { status: 'DRAFT' }],
  ]);
});

test('labels are added and taken away, and a cap replaces all caps', () => {
  expect(inputOf(planEdit({ field: 'labels', change: { add: ['b'], remove: ['a'] } }, [rowOf()], CONTEXT))).toEqual({
    labels: ['b'],
  });
  expect(planEdit({ field: 'labels', change: { add: ['a'], remove: [] } }, [rowOf()], CONTEXT).changes).toEqual([]);
  expect(inputOf(planEdit({ field: 'cap', cap: { count: 3, window: 'DAY' } }, [rowOf()], CONTEXT))).toEqual({
    frequencyCaps: [{ event: 'IMPRESSIONS', count: 3, window: 'DAY', every: 1, per: 'USER' }],
  });
  expect(planEdit({ field: 'cap', cap: null }, [rowOf()], CONTEXT).changes).toEqual([]);
});

test('an undo names the version that the change made, and only the objects that it changed', () => {
  const plan = planStatus('pause', [rowOf(), rowOf({ id: '2', status: 'DRAFT' }), rowOf({ id: '3' })]);
  expect(updatesOf(plan).map(({ id, version, input }) => [id, version, input])).toEqual([
    ['1', 3, { status: 'PAUSED' }],
    ['3', 3, { status: 'PAUSED' }],
  ]);
  const result = (id: string, version: number | null): ObjectResult => ({
    id,
    version,
    code: null,
    message: null,
    problems: [],
    warnings: [],
  });
  expect(undoOf(plan, [result('1', 4), result('3', null)])).toEqual([
    { id: '1', version: 4, input: { status: 'ACTIVE' } },
  ]);
});

test('budgets change by percent or to one amount, beside the other caps, and absent ones stay absent by percent', () => {
  const caps = {
    impressionsPerDay: 100,
    impressionsLifetime: null,
    clicksPerDay: null,
    clicksLifetime: null,
    spendPerDay: null,
    spendLifetime: '1000.50',
  };
  const rows = [
    { ...rowOf(), caps },
    { ...rowOf({ id: '2', name: 'Two' }), caps: { ...caps, spendLifetime: null } },
  ];
  const planOf = (change: BudgetChange, field: 'budget' | 'budget_day' = 'budget') =>
    planEdit({ field, change }, rows, CONTEXT);
  const byPercent = planOf({ percent: 10 });
  expect(byPercent.changes.map(({ id, input, undo }) => [id, input, undo])).toEqual([
    ['1', { caps: { ...caps, spendLifetime: '1100.55' } }, { caps }],
  ]);
  expect(byPercent.staying).toEqual(['Two']);
  const same = planOf({ amount: '1000.5' });
  expect(same.changes.map(({ id, before, input }) => [id, before, input])).toEqual([
    ['2', '(none)', { caps: { ...caps, spendLifetime: '1000.5' } }],
  ]);
  expect(planOf({ amount: null }).changes.map(({ id, after }) => [id, after])).toEqual([['1', '(none)']]);
  expect(planOf({ amount: '50' }, 'budget_day').changes.map(({ input }) => input)).toMatchObject([
    { caps: { spendPerDay: '50', spendLifetime: '1000.50' } },
    { caps: { spendPerDay: '50', spendLifetime: null } },
  ]);
  expect(planEdit({ field: 'budget', change: { amount: '1' } }, [rowOf()], CONTEXT).changes).toEqual([]);
});

test('drafts and reserved objects can be activated, and undo makes them drafts again', () => {
  const plan = planStatus('activate', [rowOf({ id: '1', status: 'DRAFT' }), rowOf({ id: '2', status: 'PAUSED' })]);
  expect(plan.changes.map(({ id, input, undo }) => [id, input, undo])).toEqual([
    ['1', { status: 'ACTIVE' }, { status: 'DRAFT' }],
  ]);
  expect(plan.staying).toEqual(['One']);
  expect(
    (['DRAFT', 'RESERVED', 'ACTIVE', 'PAUSED', 'COMPLETED', 'ARCHIVED'] as const).filter((status) =>
      canAct('activate', [{ status }]),
    ),
  ).toEqual(['DRAFT', 'RESERVED']);
});

test('only what is refused without an approval is asked for', () => {
  const resultOf = (id: string, ...codes: string[]): ObjectResult => ({
    id,
    code: codes.length === 0 ? null : 'validation_failed',
    message: null,
    problems: codes.map((code) => ({ path: 'status', code, message: '' })),
    warnings: [],
    version: null,
  });
  expect(idsToApprove([resultOf('1', 'approval_required'), resultOf('2', 'in_past'), resultOf('3')])).toEqual(['1']);
});

test('a refusal is said once: what is wrong with its fields, else with the object', () => {
  const refused = { id: '1', code: 'validation_failed', warnings: [], version: null };
  const problems = [{ path: 'status', code: 'approval_required', message: 'Ask first.' }];
  expect(remarkOf({ ...refused, message: 'updates.0.input.status: Ask first.', problems })).toBe('Ask first.');
  expect(remarkOf({ ...refused, message: 'There is no such object.', problems: [] })).toBe('There is no such object.');
});

test('the button of an edit counts the changes that the server accepts, and that of a status counts none', () => {
  const plan = planEdit({ field: 'level', level: 3 }, [rowOf(), rowOf({ id: '2' })], CONTEXT);
  expect([plan.verb(2), plan.verb(1)]).toEqual(['Change 2', 'Change 1']);
  expect(planStatus('pause', [rowOf()]).verb(1)).toBe('Pause');
});
