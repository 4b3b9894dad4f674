import { expect, test } from 'vitest';
import { parseSql } from '../parse/parse-sql.ts';
import { withPresentNames } from './renamed-columns.ts';

test.each([
  [
    'a label stays',
    'SELECT d.daticulocale AS "ICU Locale" FROM pg_database d',
    'SELECT d.datlocale AS "ICU Locale" FROM pg_database d',
  ],
  ['a column without a label gets the old one', 'SELECT DatIcuLocale, 1', 'SELECT datlocale AS daticulocale, 1'],
  ['a quoted name stays quoted', 'SELECT d."daticulocale", 1', 'SELECT d."datlocale" AS daticulocale, 1'],
  [
    'texts stay',
    "SELECT 'ü daticulocale', colliculocale = '' FROM pg_collation",
    "SELECT 'ü daticulocale', colllocale = '' FROM pg_collation",
  ],
  [
    'each mention is found',
    'SELECT 1 ORDER BY daticulocale, lower(daticulocale)',
    'SELECT 1 ORDER BY datlocale, lower(datlocale)',
  ],
  ['other columns stay', 'SELECT d.datname FROM pg_database d', 'SELECT d.datname FROM pg_database d'],
])('columns that older clients ask for get their present names: %s', async (_what, asked, present) => {
  const [alone] = await parseSql(asked);
  const [, second] = await parseSql(`SELECT 'ä';${asked}`);
  for (const parsed of [alone, second]) expect(parsed && withPresentNames(parsed)).toBe(present);
});
