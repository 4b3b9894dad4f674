import { expect, test } from 'vitest';
import type { CatalogKind, CatalogRow } from '../api/bookings/catalog.ts';
import { actionsOf } from './bulk-actions.ts';
import type { CatalogField } from './catalog-fields.ts';
import { columnsOf, fieldsOf, KINDS } from './catalog-kinds.tsx';
import { planAction, planField, planLabels, settableFields } from './catalog-plan.ts';

const rowOf = (id: string, over: object = {}): CatalogRow => ({
  id,
  name: `Row ${id}`,
  version: 3,
  status: 'ACTIVE',
  labels: ['a'],
  createdAt: '',
  updatedAt: '',
  updatedBy: '',
  ...over,
});
const fieldOf = (kind: CatalogKind, name: string): CatalogField =>
  fieldsOf(kind).find((field) => field.name === name) ?? { name, kind: 'text' };

test('cells of each kind edit the name, the status, labels and what the panel edits, never what cannot change', () => {
  const edited = Object.keys(KINDS).map((kind) => [
    kind,
    columnsOf(kind as CatalogKind, 'PLN')
      .filter(({ editor }) => editor !== undefined)
      .map(({ id }) => id)
      .filter((id) => !['name', 'status', 'labels'].includes(id)),
  ]);
  expect(Object.fromEntries(edited)).toEqual({
    advertisers: ['domains', 'credit'],
    creatives: ['clickUrl', 'weight'],
    libraryCreatives: ['clickUrl'],
    sites: ['domain'],
    adUnits: ['sizes', 'floor'],
    areas: ['code'],
    floors: ['floor', 'priority', 'sizes', 'countries'],
    deals: ['kind', 'floor', 'fixedPrice', 'seats'],
    segments: ['membershipDays', 'description'],
    activities: ['clickWindowSeconds', 'viewWindowSeconds', 'acceptsPixel'],
    keyValues: ['values', 'reportable', 'description'],
    advertisingProducts: ['delivery', 'minimumSpend', 'offeredToBuyers', 'description'],
    targetingPresets: ['description'],
    teams: ['description'],
    customFields: ['choices'],
  });
});

test('an archived object is edited in its status alone, which restores it', () => {
  const archived = rowOf('1', { status: 'ARCHIVED', domain: 'a.example', code: 'a', adUnits: { totalCount: 0 } });
  const open = columnsOf('sites', 'PLN').filter(({ editor }) => editor?.isOpen(archived as never) === true);
  expect(open.map(({ id }) => id)).toEqual(['status']);
});

test('a cell reads as the panel does: money exactly, and texts that cannot be read change nothing', () => {
  const floor = columnsOf('deals', 'PLN').find(({ id }) => id === 'floor')?.editor;
  const deal = rowOf('1', { floor: '1.5' }) as never;
  expect(floor?.read(deal)).toBe('1.5');
  expect(floor?.change(deal, ' 9007199254740993,10 ')).toEqual({
    input: { floor: '9007199254740993.10' },
    undo: { floor: '1.5' },
  });
  const priority = columnsOf('floors', 'PLN').find(({ id }) => id === 'priority')?.editor;
  expect(priority?.change(rowOf('1', { priority: 1 }) as never, 'high')).toBeNull();
});

test('a field is set in all rows but those that have the value, with what it was for undo', () => {
  const rows = [rowOf('1', { floor: '1.50' }), rowOf('2', { floor: '2.00' })];
  const plan = planField(fieldOf('adUnits', 'floor'), '2.00', rows, 'PLN');
  expect(plan?.changes.map(({ id, input, undo }) => [id, input, undo])).toEqual([
    ['1', { floor: '2.00' }, { floor: '1.50' }],
  ]);
  expect(plan?.changes[0]?.before).toMatch(/1\.50/);
  expect(plan?.changes[0]?.after).toMatch(/2\.00/);
  expect(plan?.staying).toEqual(['Row 2']);
  const fine = planField(
    fieldOf('adUnits', 'floor'),
    '0.0010',
    [rowOf('1', { floor: '0.001' }), rowOf('2', { floor: '0.002' })],
    'PLN',
  );
  expect(fine?.changes.map(({ id }) => id)).toEqual(['2']);
  expect(planField(fieldOf('floors', 'priority'), 'high', rows, 'PLN')).toBeNull();
});

test('a preview names choices, flags and empty values in words', () => {
  const kind = planField(fieldOf('deals', 'kind'), 'PRIVATE', [rowOf('1', { kind: 'PROGRAMMATIC_GUARANTEED' })], 'PLN');
  expect([kind?.changes[0]?.before, kind?.changes[0]?.after]).toEqual(['Programmatic guaranteed', 'Private auction']);
  const flag = planField(fieldOf('keyValues', 'reportable'), 'true', [rowOf('1', { reportable: false })], 'PLN');
  expect([flag?.changes[0]?.before, flag?.changes[0]?.input]).toEqual(['No', { reportable: true }]);
  const text = planField(fieldOf('segments', 'description'), '', [rowOf('1', { description: 'Old' })], 'PLN');
  expect(text?.changes[0]?.after).toBe('(none)');
});

test('many objects are given any field but the name and the labels, which are added, removed or replaced', () => {
  expect(settableFields(fieldsOf('sites')).map(({ name }) => name)).toEqual(['domain']);
  expect(settableFields(fieldsOf('adUnits')).map(({ name }) => name)).toEqual(['sizes', 'floor']);
  const rows = [rowOf('1'), rowOf('2', { labels: ['b'] })];
  expect(planLabels({ add: ['b'], remove: ['a'] }, rows).changes.map(({ id, input }) => [id, input])).toEqual([
    ['1', { labels: ['b'] }],
  ]);
});

test('an action changes those that it is for, with the reason in the change and not in the undo', () => {
  const reject = actionsOf('creatives').find(({ to }) => to === 'REJECTED');
  if (reject === undefined) throw new Error('no reject');
  const rows = [rowOf('1', { reviewState: 'PENDING' }), rowOf('2', { reviewState: 'REJECTED' })];
  const { changes } = planAction(reject, rows, 'No logo.');
  expect(changes.map(({ id, before, after, input, undo }) => [id, before, after, input, undo])).toEqual([
    [
      '1',
      'Awaits review',
      'Rejected',
      { reviewState: 'REJECTED', reviewReason: 'No logo.' },
      { reviewState: 'PENDING' },
    ],
  ]);
  expect(planAction(reject, rows).changes[0]?.input).toEqual({ reviewState: 'REJECTED' });
});
