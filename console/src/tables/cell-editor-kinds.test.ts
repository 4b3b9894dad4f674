import { describe, expect, test } from 'vitest';
import { instantEditor, isLiving, moneyOf, nameEditor, statusEditor } from './cell-editor-kinds.ts';
import { toggled } from './desk-columns.ts';

interface Row {
  readonly status: string;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
}
const row: Row = { status: 'ACTIVE', startsAt: '2030-03-01T08:00:00Z', endsAt: null };

describe('the cell of an instant', () => {
  const starts = instantEditor<'startsAt', Row>('startsAt', () => 'Europe/Warsaw');

  test('shows the clocks of its time zone', () => {
    expect(starts.read(row)).toBe('2030-03-01T09:00');
    expect(instantEditor<'startsAt', Row>('startsAt', () => undefined).read(row)).toBe('2030-03-01T08:00');
    expect(instantEditor<'endsAt', Row>('endsAt', () => 'UTC').read(row)).toBe('');
  });

  test.each([
    ['a time of winter', '2030-03-01T10:00', '2030-03-01T09:00:00.000Z'],
    ['a time of summer', '2030-07-01T10:00', '2030-07-01T08:00:00.000Z'],
    ['the earlier of two when clocks go back', '2030-10-27T02:30', '2030-10-27T00:30:00.000Z'],
    ['a time that clocks leave out', '2030-03-31T02:30', '2030-03-31T01:30:00.000Z'],
    ['no time: an open flight', '', null],
  ])('a cell takes %s: “%s”', (_title, text, startsAt) => {
    expect(starts.change(row, text)).toEqual({ input: { startsAt }, undo: { startsAt: row.startsAt } });
  });

  test.each(['2030-02-30T10:00', 'tomorrow', '2030-03-01', '2030-03-01T25:00'])('a cell cannot read %j', (text) => {
    expect(starts.change(row, text)).toBeNull();
    expect(starts.fault?.(text)).not.toBe('');
  });

  test('the text that a cell shows is the value that it holds', () => {
    expect(starts.change(row, starts.read(row))?.input).toEqual({ startsAt: '2030-03-01T08:00:00.000Z' });
  });
});

test('a name loses blanks around it, and undoing gives the old one back', () => {
  const named = { name: 'Top', status: 'ACTIVE' };
  expect(nameEditor().change(named, '  Bottom ')).toEqual({ input: { name: 'Bottom' }, undo: { name: 'Top' } });
});

test('an archived object is not edited, and a status is chosen from all', () => {
  const archived = { ...row, name: 'Top', status: 'ARCHIVED' } as const;
  expect(isLiving(archived)).toBe(false);
  expect(nameEditor().isOpen(archived)).toBe(false);
  expect(statusEditor().isOpen(archived)).toBe(false);
  expect(
    statusEditor()
      .choices?.({ status: 'DRAFT' })
      .map(([value]) => value),
  ).toContain('RESERVED');
});

test.each([
  ['', null],
  ['  ', null],
  ['18.5', '18.5'],
  ['abc', undefined],
])('money that is typed as %j', (text, amount) => {
  expect(moneyOf(text)).toBe(amount);
});

test('choosing a row twice leaves the set as it was, and never changes it in place', () => {
  const before: ReadonlySet<string> = new Set(['1']);
  const added = toggled(before, '2');
  expect([...before]).toEqual(['1']);
  expect([...added]).toEqual(['1', '2']);
  expect([...toggled(added, '2')]).toEqual(['1']);
});
