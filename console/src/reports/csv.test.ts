import { expect, test } from 'vitest';
import { csvField, csvLine } from './csv.ts';

test.each([
  ['nothing', null, ''],
  ['nothing at all', undefined, ''],
  ['a boolean', false, 'false'],
  ['a negative number', '-12.50', '-12.50'],
  ['a formula', '=1+1', "'=1+1"],
  ['a formula with a plus', '+48 22 123', "'+48 22 123"],
  ['a formula with a minus', '-2+3', "'-2+3"],
  ['a formula with an at sign', '@sum', "'@sum"],
  ['a formula in full-width letters', '＝1', "'＝1"],
  ['a formula behind a tab', '\t=1', "'\t=1"],
  ['a formula behind a line break', '\r=1', '"\'\r=1"'],
  ['a formula with quotation marks', '=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
  ['a formula inside of a text', 'a=1', 'a=1'],
  ['a text with a comma', 'a,b', '"a,b"'],
  ['a text with a quotation mark', 'a "b"', '"a ""b"""'],
])('a field of a file holds %s safely', (_title, value, field) => {
  expect(csvField(value)).toBe(field);
});

test('a line ends with both characters of a line break', () => {
  expect(csvLine(['a', null, 'b,c'])).toBe('a,,"b,c"\r\n');
});
