import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CsvTable, readTable, readText, type Separator, writeTable } from './csv-text.ts';

const read = (text: string): CsvTable => {
  const table = readTable(text);
  if ('fault' in table) throw new Error(table.fault);
  return table;
};
const cellsOf = (text: string): (readonly string[])[] => read(text).rows.map(({ cells }) => cells);

/** Texts that files are bad at: separators, quotes, formulas, line breaks, and apostrophes in front of formulas. */
const hard = fc.stringMatching(/^['"=+@;,|\t\n a-c0-9ą＝-]{0,12}$/u);
const cell = fc.oneof(
  hard,
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll(/\r\n?/g, '\n')),
);
const separator = fc.constantFrom<Separator>(',', ';', '\t');
const heading = ['a', 'b', 'c'];

test('a written table is read again as it was, with every separator, with quotes, line breaks and formulas', () => {
  const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(rows, separator, (written, mark) => {
      const filled = written.filter((cells) => cells.some((text) => text.trim() !== ''));
      fc.pre(filled.length > 0);
      const table = read(writeTable(heading, written, mark).join(''));
      expect(table.separator).toBe(mark);
      expect(table.rows.map(({ cells }) => cells)).toEqual(filled);
    }),
    { numRuns: 500 },
  );
});

test('a text that a spreadsheet would run begins with an apostrophe in the file, and without it once it is read', () => {
  const text = writeTable(heading, [['=1+1', '-5', '@x']]).join('');
  expect(text).toContain("'=1+1,-5,'@x");
  expect(cellsOf(text)).toEqual([['=1+1', '-5', '@x']]);
});

test('the heading row tells whether commas, semicolons or tabs separate cells, with or without a byte order mark', () => {
  expect(read('name;price\nOne, two;12,5').separator).toBe(';');
  expect(read('\uFEFFname\tprice\nOne, two\t1').separator).toBe('\t');
  expect(cellsOf('name;price\r\nOne, two;12,5\r\n')).toEqual([['One, two', '12,5']]);
  expect(read('\uFEFFname,price\nOne,1').heading).toEqual(['name', 'price']);
});

test('empty lines are left out, and lines are numbered as a spreadsheet numbers them', () => {
  expect(read('name\n\n"two\nlines"\n\nlast\n').rows.map(({ line }) => line)).toEqual([3, 5]);
});

test('a file that cannot be read as a whole says why', () => {
  expect(readTable('name\n\n')).toMatchObject({ fault: 'no_rows' });
  expect(readTable('name,name\nOne,Two')).toEqual({ fault: 'twice', what: 'name' });
  expect(readTable('name\n"One')).toMatchObject({ fault: 'quote' });
  expect(readTable(`name\n${'x\n'.repeat(10_001)}`)).toMatchObject({ fault: 'too_many' });
});

test('UTF-8 is read with its mark and without, and another encoding is refused', async () => {
  expect(await readText(new Blob(['\uFEFFŻółć']))).toBe('Żółć');
  expect(await readText(new Blob(['Żółć']))).toBe('Żółć');
  expect(await readText(new Blob([new Uint8Array([0xaf, 0xf3])]))).toMatchObject({ fault: 'not_utf8' });
});
