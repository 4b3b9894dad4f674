import { afterAll, beforeAll, expect, test } from 'vitest';
import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import { readModel, type SqlModel } from '../translate/sql-model.ts';
import { CATALOG_ROWS_MAX, readCatalogResponse, runRequest } from './catalog-query.ts';
import { Catalogs } from './catalogs.ts';

// One for all: the first catalog takes seconds to make.
const catalogs = new Catalogs(() => performance.now());
afterAll(() => catalogs.stop());

const model: SqlModel = readModel({ cubes: [] });

/** The code of the error, or `ok`. */
async function run(database: string, sql: string): Promise<string> {
  const request = runRequest({ sql, paramTypes: [], values: [], paramFormats: [], resultFormats: [] });
  try {
    const { error } = readCatalogResponse(await catalogs.run({ database, model }, request));
    return error === null ? 'ok' : (/\0C(\w{5})\0/.exec(error.toString())?.[1] ?? error.toString());
  } catch (error) {
    return error instanceof SqlError ? error.sqlstate : String(error);
  }
}

// On a busy machine, making the first catalog takes longer than a statement may.
beforeAll(async () => {
  while ((await run('1000', 'SELECT 1')) === '57014');
}, 180_000);

test('a statement that makes a large value fails, and its catalog serves the next one', async () => {
  const large = `SELECT octet_length(replace(repeat('x', 10000), 'x', repeat('y', 30000)))`;
  expect(await run('1000', large)).toBe('53200');
  expect(await run('1000', 'SELECT relname FROM pg_catalog.pg_class LIMIT 1')).toBe('ok');
});

test('a result of more than 16 MiB is refused, and its catalog serves the next one', async () => {
  const value = (letters: number): string => `SELECT repeat('x', ${letters})`;
  expect(await run('1000', value(16_000_000))).toBe('ok');
  expect(await run('1000', value(17_000_000))).toBe(SQLSTATE.programLimit);
  expect(await run('1000', 'SELECT relname FROM pg_catalog.pg_class LIMIT 1')).toBe('ok');
});

test('a query that multiplies tables stops at the most rows, and its catalog serves the next one', async () => {
  const ask = async (sql: string) => {
    const request = runRequest({ sql, paramTypes: [], values: [], paramFormats: [], resultFormats: [] });
    return readCatalogResponse(await catalogs.run({ database: '1000', model }, request));
  };
  // The last row fails when it is computed.
  const many = await ask(
    `SELECT 1 / (${CATALOG_ROWS_MAX + 1} - n) FROM generate_series(1, ${CATALOG_ROWS_MAX + 1}) AS n`,
  );
  expect([many.rows.length, many.isCut, many.error]).toEqual([CATALOG_ROWS_MAX, true, null]);
  const few = await ask(`SELECT n FROM generate_series(1, ${CATALOG_ROWS_MAX - 1}) AS n`);
  expect([few.rows.length, few.isCut]).toEqual([CATALOG_ROWS_MAX - 1, false]);
});

test('the statements of one network keep one thread, so that those of others are served', async () => {
  const slow = 'SELECT count(*) FROM generate_series(1, 30000)';
  const own = ['1000', '1000_staging', '1000', '1000_staging'].map((database) => run(database, slow));
  const other = run('2000', slow);
  const busiest = Promise.all([...own, other]);
  expect(await busiest).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
});

test('a network has at most twenty statements that run or wait', async () => {
  const all = await Promise.all(Array.from({ length: 22 }, () => run('1000', 'SELECT 1')));
  expect(all.filter((code) => code === 'ok')).toHaveLength(20);
  expect(all.filter((code) => code === SQLSTATE.insufficientResources)).toHaveLength(2);
  expect(await run('1000', 'SELECT 1')).toBe('ok');
});
