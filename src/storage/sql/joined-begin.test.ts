import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/stores.ts';
import { joinBegin } from './joined-begin.ts';
import { lockAndCount } from './count-lock.ts';
import { HeldBack, type StatementBatch } from './statement-batch.ts';
import { holdBack, runTogether } from './together.ts';

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
  expect(count).toEqual({ count: 7n });
});

test.each([
  ['a syntax error that the server finds after BEGIN', 'INSERT INTO joined VALUES (1, 2)'],
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

test.each([
  ['SELEC 1', 'ran nothing'],
  ['INSERT INTO joined VALUES (1, 2)', 'began the transaction'],
])('statements beside a first statement %s, of which the server %s, write nothing', async (wrong) => {
  const failing = database.db
    .transaction()
    .execute((trx) =>
      Promise.all([
        sql.raw(wrong).execute(trx),
        insert.execute(trx).catch(() => undefined),
        insert.execute(trx).catch(() => undefined),
      ]),
    );
  await expect(failing).rejects.toMatchObject({ code: '42601' });
  expect(await countRows()).toBe(0n);
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
  const pool = joinBegin({ connect: () => Promise.resolve(client) as never, end: () => Promise.resolve() });
  const joined = await pool.connect();
  await joined.query('SELECT 1', []);
  joined.release();
  await joined.query('begin', []);
  await joined.query('SELECT 1', []);
  await expect(joined.query('rollback', [])).rejects.toThrow('rollback');
  joined.release();
  expect(released).toEqual([false, true]);
});

/** The texts that a connection of the driver would get, a line for each round trip. */
function recordingClient(sent: string[]) {
  const query = (one: string | StatementBatch) => {
    if (typeof one === 'string') return Promise.resolve(void sent.push(one));
    const texts: string[] = [];
    const ignore = () => undefined;
    const stream = { writable: true, write: ignore };
    const parse = ({ text }: { text: string }) => texts.push(text);
    one.submit({ stream, parse, bind: ignore, describe: ignore, execute: ignore, sync: ignore });
    sent.push(texts.join(' + '));
    for (const _text of texts) one.handleCommandComplete({ text: 'SELECT 0' });
    one.handleReadyForQuery();
    return one;
  };
  return { query, getTypeParser: () => String, release: () => undefined };
}

async function connectRecording(sent: string[]) {
  const pool = joinBegin({
    connect: () => Promise.resolve(recordingClient(sent)) as never,
    end: () => Promise.resolve(),
  });
  return pool.connect();
}

test('BEGIN is sent with the first statement, and a transaction without one sends nothing', async () => {
  const sent: string[] = [];
  const client = await connectRecording(sent);
  for (const text of ['begin', 'SELECT 1', 'SELECT 2', 'commit', 'begin', 'rollback', 'begin'])
    await client.query(text, []);
  client.release();
  await client.query('SELECT 3', []);
  await client.query('begin', []);
  await client.query('SELECT $1', [4]);
  expect(sent).toEqual(['begin; SELECT 1', 'SELECT 2', 'commit', 'SELECT 3', 'begin + SELECT $1']);
});

test('statements that are held back are sent with the next one, and dropped by a rollback', async () => {
  const sent: string[] = [];
  const client = await connectRecording(sent);
  const hold = (text: string) => client.query(text, [new HeldBack([])]);
  await client.query('begin', []);
  for (const text of ['A', 'B']) await hold(text);
  await client.query('SELECT $1', [1]);
  await hold('C');
  await client.query('commit', []);
  await client.query('begin', []);
  await client.query('SELECT 1', []);
  await hold('D');
  await client.query('SELECT 1; SELECT 2', []);
  await hold('E');
  await client.query('rollback', []);
  await client.query('begin', []);
  await hold('F');
  await client.query('commit', []);
  expect(sent).toEqual([
    'begin + A + B + SELECT $1',
    'C + commit',
    'begin; SELECT 1',
    'D',
    'SELECT 1; SELECT 2',
    'rollback',
    'begin + F + commit',
  ]);
});

test('a statement that is held back takes effect with the COMMIT', async () => {
  await database.db.transaction().execute((trx) => holdBack(trx, sql`INSERT INTO joined VALUES (${2}::int)`));
  await database.db.transaction().execute(async (trx) => {
    await insert.execute(trx);
    await holdBack(trx, sql`DELETE FROM joined WHERE n <= ${2}::int`);
  });
  expect(await countRows()).toBe(0n);
});

test.each([
  ['alone', false],
  ['behind a write', true],
])('a statement that is held back and fails leaves nothing committed, %s', async (_name, hasWrite) => {
  const failing = database.db.transaction().execute(async (trx) => {
    if (hasWrite) await insert.execute(trx);
    await holdBack(trx, sql`INSERT INTO joined VALUES (1 / ${0}::int)`);
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  expect(await countRows()).toBe(0n);
});

test.each([
  ['a statement', true],
  ['the COMMIT', false],
])(
  'a transaction whose held statement has rows that forbid it ends with %s, and changes nothing',
  async (_name, hasWrite) => {
    const seen: unknown[] = [];
    const running = database.db.transaction().execute(async (trx) => {
      await holdBack(trx, sql`SELECT ${7}::int AS n`, (rows) => {
        seen.push(...rows);
        throw new Error('forbidden');
      });
      if (!hasWrite) return;
      await expect(sql`INSERT INTO joined VALUES (${1}::int)`.execute(trx)).rejects.toThrow('forbidden');
      await expect(insert.execute(trx)).rejects.toMatchObject({ code: '25P02' });
    });
    if (hasWrite) await running;
    else await expect(running).rejects.toThrow('forbidden');
    expect(seen).toEqual([{ n: 7 }]);
    expect(await countRows()).toBe(0n);
  },
);

test('statements of one round trip return the rows of each, and see what those before them changed', async () => {
  const undone = database.db.transaction().execute(async (trx) => {
    const rows = await runTogether<unknown, [unknown, { n: bigint }, { at: Date }]>(trx as never, [
      insert,
      sql<{ n: bigint }>`SELECT count(*) AS n FROM joined WHERE n = ${1}`,
      sql<{ at: Date }>`SELECT ${new Date(0)}::timestamptz AS at`,
    ]);
    expect(rows).toEqual([[], [{ n: 1n }], [{ at: new Date(0) }]]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await countRows()).toBe(0n);
});

test('a failing statement of one round trip, or a value that cannot be sent, undoes the transaction', async () => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  for (const wrong of [sql`SELECT 1 / ${0}::int`, sql`SELECT ${circular}::jsonb`]) {
    const failing = database.db
      .transaction()
      .execute((trx) => runTogether<unknown, [unknown, unknown, unknown]>(trx as never, [insert, wrong, insert]));
    await expect(failing).rejects.toThrow(/division by zero|circular/);
    expect(await countRows()).toBe(0n);
  }
});
