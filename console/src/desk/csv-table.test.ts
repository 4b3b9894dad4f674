import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BulkRow } from '../api/desk-list.ts';
import { parseCsv, planCsv, readCsv, writeCsv } from './csv-table.ts';

const row: BulkRow = {
  id: '7',
  name: '=Sale, "big"\nautumn',
  status: 'ACTIVE',
  version: 3,
  startsAt: '2026-11-01T00:00:00.000Z',
  endsAt: null,
  price: '18.50',
  pricingModel: 'CPM',
  timezone: null,
  labels: ['a', 'b c'],
  goal: { amount: 1_000, kind: 'IMPRESSIONS', period: 'LIFETIME' },
  frequencyCaps: [],
};
const known = new Map([[row.id, row]]);
const plan = (text: string) => {
  const lines = readCsv(text);
  if (typeof lines === 'string') throw new Error(lines);
  return planCsv(lines, known);
};

test('a file that nobody has changed changes nothing', () => {
  expect(plan(writeCsv([row]).join('')).changes).toEqual([]);
});

test('only cells that differ are changes, at the version of the file', () => {
  const [change] = plan('id;version;name;price;goal;labels\n7;2;New;"20.10";2000;x|y').changes;
  expect(change).toMatchObject({
    version: 2,
    input: { name: 'New', price: '20.10', goal: { amount: 2_000, kind: 'IMPRESSIONS' }, labels: ['x', 'y'] },
    undo: { name: row.name, price: '18.50', goal: row.goal, labels: row.labels },
  });
});

test('lines of unknown line items change nothing and are named', () => {
  expect(plan('id,name\n9,Other').staying).toEqual(['unknown: Other']);
});

test('a file without ids or lines says what is wrong', () => {
  expect(readCsv('name\nOne')).toBe('csv.no_id');
  expect(readCsv('id,name\n\n')).toBe('csv.no_rows');
});

test('fields with commas, quotes and line breaks are read as they were written', () => {
  const cell = fc.string({ maxLength: 20 }).map((text) => text.replaceAll('\r', ''));
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
      const text = rows.map((fields) => fields.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')).join('\r\n');
      expect(parseCsv(`"a","b"\r\n${text}`).slice(1)).toEqual(rows);
    }),
  );
});
