import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/stores.ts';
import { joinBegin } from './joined-begin.ts';
import { lockAndCount } from './count-lock.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`CREATE TABLE joined (n int)`.execute(database.owner);
  await sql`GRANT ALL ON joined TO PUBLIC`.execute(database.owner);
});
afterAll(() => database.close());

const insert = sql`INSERT INTO joined VALUES (1)`;

async function countRows(): Promise<bigint | undefined> {
  const { rows } = await sql<{ n: bigint }>`SELECT count(*) AS n FROM joined`.execute(database.db);
  return rows[0]?.n;
}

test.each([
  ['one without parameters', sql`SELECT 1`],
  ['one with parameters', sql`SELECT ${1}::int`],
  ['two in one text', sql`SELECT 1; SELECT 2`],
  ['a write', insert],
])('a transaction that fails undoes everything when its first statement is %s', async (_name, first) => {
  const failing = database.db.transaction().execute(async (trx) => {
    await first.execute(trx);
    await insert.execute(trx);
    throw new Error('undone');
  });
  await expect(failing).rejects.toThrow('undone');
  expect(await countRows()).toBe(0n);
});

test('a caught error of the first statement leaves no statement outside the transaction', async () => {
  for (const wrong of ['SELEC 1', 'SELECT * FROM nothing_of_this_name']) {
    const failing = database.db.transaction().execute(async (trx) => {
      await expect(sql.raw(wrong).execute(trx)).rejects.toThrow(/syntax error|does not exist/);
      await insert.execute(trx);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow(/undone|aborted/);
    expect(await countRows()).toBe(0n);
  }
});

test('the first statement returns its rows, and a committed transaction stays', async () => {
  const read = await database.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ one: number }>`SELECT 1 AS one`.execute(trx);
    await sql`CREATE TEMPORARY TABLE kept ON COMMIT PRESERVE ROWS AS SELECT 7 AS n`.execute(trx);
    return rows;
  });
  expect(read).toEqual([{ one: 1 }]);
  const count = await database.db
    .transaction()
    .execute((trx) => lockAndCount(trx, 'rows of a test', sql`SELECT count(*) FROM generate_series(1, 7)`));
  expect(count).toBe(7n);
});

test('BEGIN is sent with the first statement, and a transaction without one sends nothing', async () => {
  const sent: string[] = [];
  const query = (text: string) => Promise.resolve(void sent.push(text));
  const pool = joinBegin({
    connect: () => Promise.resolve({ query, release: () => undefined }) as never,
    end: () => Promise.resolve(),
  });
  const client = await pool.connect();
  for (const text of ['begin', 'SELECT 1', 'SELECT 2', 'commit', 'begin', 'rollback', 'begin'])
    await client.query(text, []);
  client.release();
  const again = await pool.connect();
  for (const text of ['SELECT 3', 'begin']) await again.query(text, []);
  await again.query('SELECT $1', [4]);
  expect(sent).toEqual(['begin; SELECT 1', 'SELECT 2', 'commit', 'SELECT 3', 'begin', 'SELECT $1']);
});
