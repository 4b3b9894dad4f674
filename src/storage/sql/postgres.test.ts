import fc from 'fast-check';
import { type Migration, sql } from 'kysely';
import { types } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, silentLog, type TestDatabase } from '../../../test/support/stores.ts';
import { writeLogTo } from '../../runtime/log/log.ts';
import { migrate } from './migrate.ts';
import { openPostgres, parseInstant } from './postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function readOne(expression: string): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`SELECT ${sql.raw(expression)} AS value`.execute(database.db);
  return rows[0]?.value;
}

test.each([
  ['int8 as bigint', '9007199254740993::int8', 9_007_199_254_740_993n],
  ['int8[] as bigints', 'ARRAY[1, NULL, 9007199254740993]::int8[]', [1n, null, 9_007_199_254_740_993n]],
  ['int4 as number', '7::int4', 7],
  ['numeric as text', '1.50::numeric', '1.50'],
  ['timestamptz as Date', "'2026-03-29 01:30:00.123+00'::timestamptz", new Date('2026-03-29T01:30:00.123Z')],
  ['date as text', "'2026-03-29'::date", '2026-03-29'],
  ['jsonb parsed', `'{"a":[1]}'::jsonb`, { a: [1] }],
  ['text[] as texts', "ARRAY['a', 'b,\"c']", ['a', 'b,"c']],
])('a query returns %s', async (_name, expression, expected) => {
  expect(await readOne(expression)).toEqual(expected);
});

test('instants are parsed as the driver parses them', () => {
  const byDriver = types.getTypeParser(types.builtins.TIMESTAMPTZ, 'text') as (text: string) => Date | number;
  const digits = fc.stringMatching(/^[0-9]{1,6}$/).map((fraction) => `.${fraction}`);
  const zone = fc.constantFrom('+00', '+00', '+05:30', '-03', '+00 BC');
  const times = fc.date({ min: new Date(-1e13), max: new Date(1e15), noInvalidDate: true });
  fc.assert(
    fc.property(times, fc.option(digits, { nil: '' }), zone, (time, fraction, suffix) => {
      const text = time.toISOString().slice(0, -5).replace('T', ' ') + fraction + suffix;
      expect(parseInstant(text)).toEqual(byDriver(text));
    }),
  );
  expect([parseInstant('infinity'), parseInstant('-infinity')]).toEqual([Infinity, -Infinity]);
});

test('a statement that takes too long is ended', async () => {
  const hasty = openPostgres({ url: database.url, log: silentLog, poolMax: 1, statementTimeoutMs: 100 });
  await expect(sql`SELECT pg_sleep(5)`.execute(hasty.db)).rejects.toThrow(/statement timeout/);
  expect((await sql<{ one: number }>`SELECT 1 AS one`.execute(hasty.db)).rows).toEqual([{ one: 1 }]);
  await hasty.close();
});

test('a connection that the server ends logs one short line, and the next statement gets a new connection', async () => {
  const lines: string[] = [];
  const log = writeLogTo({ write: (line: string) => void lines.push(line) }, 'debug', 'test');
  const other = openPostgres({ url: database.url, log, poolMax: 1, statementTimeoutMs: 0 });
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(other.db);
  await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(database.db);
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  expect((await sql<{ one: number }>`SELECT 1 AS one`.execute(other.db)).rows).toEqual([{ one: 1 }]);
  await other.close();
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 40, event: 'postgres.idle_connection_lost', err: { name: 'error', code: '57P01' } },
  ]);
  expect(lines[0]?.length).toBeLessThan(400);
});

describe('migrate', () => {
  const step = (statement: string): Migration => ({
    up: async (db) => {
      await sql.raw(statement).execute(db);
    },
  });
  const tables: Readonly<Record<string, Migration>> = {
    '9001-a': step('CREATE TABLE made_a (n int)'),
    '9002-b': step('CREATE TABLE made_b (n int)'),
  };

  /** All migrations of the template stand already: the list has to hold them, or the migrator takes them for lost. */
  async function withShipped(own: Readonly<Record<string, Migration>>): Promise<Record<string, Migration>> {
    const { MIGRATIONS } = await import('./migrations/list.ts');
    return { ...MIGRATIONS, ...own };
  }

  test('migrate finds nothing to do in a database that is up to date', async () => {
    expect(await migrate({ db: database.owner, log: silentLog })).toEqual([]);
  });

  test('a database with all migrations that the baseline replaces has the baseline; with fewer, it is refused in words', async () => {
    const known = sql`DELETE FROM kysely_migration WHERE name = '0104-baseline'`;
    const older = (name: string) => sql`INSERT INTO kysely_migration VALUES (${name}, now()::text)`;
    await known.execute(database.owner);
    await older('0001-networks-and-booking').execute(database.owner);
    await expect(migrate({ db: database.owner, log: silentLog })).rejects.toThrow('start with an empty database');
    await older('0104-analytics-marks').execute(database.owner);
    expect(await migrate({ db: database.owner, log: silentLog })).toEqual([]);
    expect(await readOne("EXISTS (SELECT FROM kysely_migration WHERE name = '0104-baseline')")).toBe(true);
    await sql`DELETE FROM kysely_migration WHERE name IN ('0001-networks-and-booking', '0104-analytics-marks')`.execute(
      database.owner,
    );
  });

  test('run by three at once does each step once', async () => {
    const migrations = await withShipped(tables);
    const runs = await Promise.all([1, 2, 3].map(() => migrate({ db: database.owner, log: silentLog, migrations })));
    expect(runs.flat().toSorted()).toEqual(['9001-a', '9002-b']);
  });

  test('migrate keeps the steps before a failed one, undoes all of that one, and resumes from there', async () => {
    const broken = {
      ...tables,
      '9003-c': step('CREATE TABLE made_c (n int)'),
      '9004-d': step('CREATE TABLE made_d (n int); SELECT 1/0'),
    };
    await expect(
      migrate({ db: database.owner, log: silentLog, migrations: await withShipped(broken) }),
    ).rejects.toThrow('9004-d');
    expect(await readOne("to_regclass('made_c') IS NOT NULL AND to_regclass('made_d') IS NULL")).toBe(true);
    const mended = { ...broken, '9004-d': step('CREATE TABLE made_d (n int)') };
    expect(await migrate({ db: database.owner, log: silentLog, migrations: await withShipped(mended) })).toEqual([
      '9004-d',
    ]);
  });
});
