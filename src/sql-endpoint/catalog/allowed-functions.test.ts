import { expect, test } from 'vitest';
import { asKind } from '../parse/nodes.ts';
import { parseSql } from '../parse/parse-sql.ts';
import { SQLSTATE } from '../wire/sql-error.ts';
import { checkCatalogQuery } from './allowed-functions.ts';

async function check(sql: string): Promise<void> {
  const [statement] = await parseSql(sql);
  const select = asKind(statement?.node, 'SelectStmt');
  if (select === undefined) throw new Error('No SELECT');
  checkCatalogQuery(select);
}

test.each([
  'SELECT pg_sleep(1)',
  'SELECT (1).pg_sleep',
  "SELECT ('/etc/passwd'::text).pg_read_file",
  'SELECT ((oid).int8).pg_sleep FROM pg_class',
  'SELECT s.pg_sleep FROM generate_series(0, 9) s',
  'SELECT generate_series.pg_sleep FROM generate_series(0, 9)',
  "SELECT 1 FROM unnest(ARRAY['/']) u ORDER BY u.pg_ls_dir",
  'SELECT b.pg_sleep FROM generate_series(0, 9) a(pg_sleep), generate_series(0, 9) b',
  'SELECT a.pg_sleep FROM generate_series(0, 9) a, (SELECT 1 FROM generate_series(0, 9) a(pg_sleep)) c',
  'SELECT 1 FROM pg_class c JOIN LATERAL unnest(c.relacl) u ON (u).pg_sleep IS NULL',
])('a forbidden function in whatever notation is refused: %s', async (sql) => {
  await expect(check(sql)).rejects.toMatchObject({ sqlstate: SQLSTATE.featureNotSupported });
});

test.each([
  'SELECT (information_schema._pg_expandarray(i.indkey)).n FROM pg_catalog.pg_index i',
  'SELECT (i.keys).x, (i.keys).n FROM (SELECT information_schema._pg_expandarray(indkey) AS keys FROM pg_index) i',
  'SELECT a.grantee, (a).privilege_type FROM pg_class c, aclexplode(c.relacl) a',
  'SELECT s, s.s, s.i FROM generate_series(0, 9) AS s(i)',
  'SELECT u.k, u.ordinality FROM unnest(ARRAY[1]) WITH ORDINALITY AS u(k, ord)',
  'SELECT (s).* FROM generate_series(0, 9) s',
  'SELECT c.relname, (c.relacl)[1] FROM pg_class c',
  'SELECT o.option_name FROM pg_options_to_table(NULL) o',
])('a field of a value, and a column of a function, is allowed: %s', async (sql) => {
  await expect(check(sql)).resolves.toBeUndefined();
});
