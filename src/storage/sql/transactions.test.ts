import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/stores.ts';
import { refuseOpenTransactions } from './ended-transactions.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`CREATE TABLE written (n int)`.execute(database.owner);
  await sql`GRANT ALL ON written TO PUBLIC`.execute(database.owner);
});
afterAll(() => database.close());

const insert = sql`INSERT INTO written VALUES (1)`;

async function countRows(): Promise<bigint | undefined> {
  const { rows } = await sql<{ n: bigint }>`SELECT count(*) AS n FROM written`.execute(database.db);
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
});

test.each([
  ['a syntax error that the server finds after BEGIN', 'INSERT INTO written VALUES (1, 2)'],
  ['a syntax error of a text inside a function', `DO $$ BEGIN EXECUTE 'SELEC 1'; END $$`],
  ['a canceled statement', 'SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(600)'],
  ['a syntax error that the server finds before BEGIN', 'SELEC 1'],
])('the pool gets a connection back without a transaction after %s', async (_name, first) => {
  await database.db.connection().execute(async (connection) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(connection);
    const failing = connection.transaction().execute((trx) => sql.raw(first).execute(trx));
    await expect(failing).rejects.toThrow(/syntax error|more expressions|canceling statement/);
    const after = await sql<{ pid: number; own: boolean }>`
      SELECT pg_backend_pid() AS pid, now() = statement_timestamp() AS own`.execute(connection);
    expect(after.rows).toEqual([{ pid: rows[0]?.pid, own: true }]);
  });
});

test('a transaction that began wrong refuses every further statement until its end', async () => {
  const failing = database.db.transaction().execute(async (trx) => {
    await expect(sql.raw('SELEC 1').execute(trx)).rejects.toMatchObject({ code: '42601' });
    await expect(insert.execute(trx)).rejects.toMatchObject({ code: '25P02' });
  });
  await failing;
  expect(await countRows()).toBe(0n);
});

test('the pool destroys a connection whose transaction did not end', async () => {
  const released: unknown[] = [];
  let isOpen = false;
  const query = (text: string) => {
    if (text.startsWith('begin')) isOpen = true;
    return text === 'rollback' || text === 'wrong' ? Promise.reject(new Error(text)) : Promise.resolve();
  };
  const client = {
    query,
    getTransactionStatus: () => (isOpen ? 'T' : 'I'),
    release: (isBroken: unknown) => released.push(isBroken),
  };
  const pool = refuseOpenTransactions({
    connect: () => Promise.resolve(client) as never,
    end: () => Promise.resolve(),
  });
  const guarded = await pool.connect();
  await guarded.query('SELECT 1', []);
  guarded.release();
  await guarded.query('begin', []);
  await guarded.query('SELECT 1', []);
  await expect(guarded.query('rollback', [])).rejects.toThrow('rollback');
  guarded.release();
  expect(released).toEqual([false, true]);
});
