/** Cursors by DECLARE, FETCH, MOVE and CLOSE, as psycopg's named cursors, psql's FETCH_COUNT and ODBC drivers use them. */
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { openTestEndpoint, PASSWORD } from './fixtures/test-endpoint.ts';
import type { SqlEndpoint } from './sql-endpoint.ts';

let endpoint: SqlEndpoint | null = null;
let client: Client | null = null;
afterEach(async () => {
  await client?.end().catch(() => undefined);
  await endpoint?.stop();
});

const ROWS = 7;
const SELECT = "SELECT country FROM delivery WHERE time >= '2026-03-30'";
let loads = 0;

async function open(isCallerKnown: () => boolean = () => true): Promise<Client> {
  loads = 0;
  const load = (): unknown => {
    loads += 1;
    return { data: Array.from({ length: ROWS }, (_none, index) => ({ 'campaign_overview.country': `c${index}` })) };
  };
  endpoint = await openTestEndpoint(load, { isCallerKnown: () => Promise.resolve(isCallerKnown()) });
  client = new Client({ host: '127.0.0.1', port: endpoint.port, user: 'u', password: PASSWORD, database: '1' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const countries = async (of: Client, text: string): Promise<unknown[]> =>
  (await of.query<{ country: string }>(text)).rows.map(({ country }) => country);
const codeOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => null,
    (error: { readonly code?: string }) => error.code,
  );

test('portions of a cursor of any size concatenate to the rows of its SELECT, which runs once', async () => {
  const db = await open();
  const whole = await countries(db, SELECT);
  for (const portion of [1, 2, 3, 7, 8]) {
    loads = 0;
    await db.query('BEGIN');
    await db.query(`DECLARE "named cursor" NO SCROLL CURSOR FOR ${SELECT}`);
    const found: unknown[] = [];
    for (;;) {
      const rows = await countries(db, `FETCH FORWARD ${portion} FROM "named cursor"`);
      if (rows.length === 0) break;
      found.push(...rows);
    }
    await db.query('CLOSE "named cursor"');
    await db.query('COMMIT');
    expect([found, loads]).toEqual([whole, 1]);
  }
});

test('MOVE leaves rows out, and FETCH ALL gives the rest', async () => {
  const db = await open();
  await db.query('BEGIN');
  await db.query(`DECLARE c CURSOR FOR ${SELECT}`);
  expect((await db.query('MOVE 5 IN c')).rowCount).toBe(5);
  expect(await countries(db, 'FETCH ALL IN c')).toEqual(['c5', 'c6']);
});

test('a cursor ends with its transaction, and one WITH HOLD outlives a COMMIT', async () => {
  const db = await open();
  for (const [hold, end, code] of [
    ['', 'COMMIT', '34000'],
    ['WITH HOLD', 'ROLLBACK', '34000'],
    ['WITH HOLD', 'COMMIT', null],
  ] as const) {
    await db.query('BEGIN');
    await db.query(`DECLARE c CURSOR ${hold} FOR ${SELECT}`);
    await db.query(end);
    expect([hold, end, await codeOf(db.query('FETCH c'))]).toEqual([hold, end, code]);
  }
  await db.query('BEGIN');
  await db.query('ROLLBACK');
  expect(await codeOf(db.query('FETCH c'))).toBe(null);
  await db.query('DISCARD ALL');
  expect(await codeOf(db.query('FETCH c'))).toBe('34000');
});

test('statements of one text are a transaction, in which a cursor lives', async () => {
  const db = await open();
  const results = (await db.query(`DECLARE c CURSOR FOR ${SELECT}; FETCH 2 IN c`)) as unknown as { rowCount: number }[];
  expect(results.at(-1)?.rowCount).toBe(2);
  expect(await codeOf(db.query('FETCH c'))).toBe('34000');
});

test.each([
  ['a cursor outside of a transaction', ['DECLARE c CURSOR FOR SELECT 1'], '25P01'],
  [
    'a second cursor of the same name',
    ['BEGIN', `DECLARE c CURSOR FOR SELECT 1`, 'DECLARE c CURSOR FOR SELECT 1'],
    '42P03',
  ],
  ['a cursor over a wrong SELECT', ['BEGIN', 'DECLARE c CURSOR FOR SELECT klicks FROM delivery'], '42703'],
  ['a cursor that nobody made', ['FETCH c'], '34000'],
  ['the end of a cursor that nobody made', ['CLOSE c'], '34000'],
  ['a step backwards', ['BEGIN', `DECLARE c SCROLL CURSOR FOR ${SELECT}`, 'FETCH BACKWARD 1 FROM c'], '0A000'],
  ['a forbidden function in a cursor', ['BEGIN', 'DECLARE c CURSOR FOR SELECT (1).pg_sleep'], '0A000'],
  [
    'a forbidden function in a cursor WITH HOLD',
    ["DECLARE c CURSOR WITH HOLD FOR SELECT ('/etc/passwd'::text).pg_read_file"],
    '0A000',
  ],
  [
    'a cursor over a statement that writes',
    ['BEGIN', 'DECLARE c CURSOR FOR SELECT 1 FROM pg_class FOR UPDATE'],
    '25006',
  ],
])('%s is refused with a code, and the session goes on', async (_what, texts, code) => {
  const db = await open();
  let found: unknown = null;
  for (const text of texts) found = await codeOf(db.query(text));
  expect(found).toBe(code);
  await db.query('ROLLBACK');
  expect((await db.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('an error inside a DECLARE says where in the whole text it is', async () => {
  const db = await open();
  const error = await db
    .query('BEGIN; DECLARE c CURSOR FOR SELECT klicks FROM delivery')
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: '42703', position: '36' });
});

test('a session has a bounded number of cursors', async () => {
  const db = await open();
  await db.query('BEGIN');
  for (let index = 0; index < 32; index += 1) await db.query(`DECLARE c${index} CURSOR FOR SELECT 1`);
  expect(await codeOf(db.query('DECLARE more CURSOR FOR SELECT 1'))).toBe('54000');
});

test.each(['FETCH c', 'MOVE 1 IN c', 'CLOSE c', 'DECLARE d CURSOR WITH HOLD FOR SELECT 1'])(
  'a session whose key was revoked ends at %s',
  async (text) => {
    let isKnown = true;
    const db = await open(() => isKnown);
    await db.query('BEGIN');
    await db.query(`DECLARE c CURSOR FOR ${SELECT}`);
    await db.query('FETCH 1 FROM c');
    isKnown = false;
    expect(await codeOf(db.query(text))).toBe('28P01');
    await expect.poll(() => endpoint?.sessions()).toBe(0);
  },
);
