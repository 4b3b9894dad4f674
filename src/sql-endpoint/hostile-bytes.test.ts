/** No bytes of a client stop the endpoint, or any other session. */
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TRIES_ALL } from '../../test/support/longer-runs.ts';
import { exchange as exchangeWith, framed, SIGN_IN, START } from './fixtures/raw-client.ts';
import { openTestEndpoint, PASSWORD } from './fixtures/test-endpoint.ts';
import { parseSql } from './parse/parse-sql.ts';
import type { SqlEndpoint } from './sql-endpoint.ts';
import { SqlError } from './wire/sql-error.ts';
import { decodeParam, encodeValue } from './wire/values.ts';

let endpoint: SqlEndpoint;
beforeAll(async () => {
  endpoint = await openTestEndpoint();
});
afterAll(() => endpoint.stop());

const exchange = (parts: readonly Uint8Array[]): Promise<Buffer> => exchangeWith(endpoint.port, parts);

async function expectAlive(): Promise<void> {
  const client = new Client({ host: '127.0.0.1', port: endpoint.port, user: 'u', password: PASSWORD, database: '1' });
  await client.connect();
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await client.end();
}

test('bytes of any kind before sign-in leave the endpoint open', async () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  const start = fc.tuple(fc.constantFrom(8, 12, 40, 200), bytes).map(([length, body]) => {
    const head = Buffer.from([0, 0, 0, length, 0, 3, 0, 0]);
    return Buffer.concat([head, body]);
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(bytes, start), { maxLength: 4 }), async (parts) => {
      await exchange(parts);
    }),
    { numRuns: TRIES_ALL ? 150 : 30 },
  );
  await expectAlive();
});

test('messages of any kind after sign-in get errors or results, and leave the endpoint open', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 }).map((one) => Buffer.from(one));
  const sql = fc
    .array(
      fc.constantFrom(
        'SELECT',
        '1',
        'country',
        'FROM',
        'delivery',
        'WHERE',
        'time',
        '>=',
        "'2026-03-01'",
        '$1',
        '(',
        ')',
        ',',
        ';',
        'GROUP BY',
        'MEASURE(impressions)',
        'NULL',
        "'",
        'LIMIT',
      ),
      { maxLength: 14 },
    )
    .map((words) => Buffer.from(`${words.join(' ')}\0`));
  const zeros = fc.constant(Buffer.alloc(8));
  const body = fc.array(fc.oneof(text, sql, zeros), { maxLength: 4 }).map((parts) => Buffer.concat(parts));
  const one = fc
    .tuple(fc.constantFrom(...'Q P B D E C S H F d c f p X ?'.split(' ')), body)
    .map(([type, bytes]) => framed(type, bytes));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(one, fc.uint8Array({ maxLength: 30 })), { maxLength: 8 }), async (messages) => {
      const received = await exchange([START, SIGN_IN, ...messages]);
      expect(received.length).toBeGreaterThan(0);
      expect(received.includes('XX000')).toBe(false);
    }),
    { numRuns: TRIES_ALL ? 300 : 60 },
  );
  await expectAlive();
});

test('a message that claims more bytes than a client may send closes its session at once', async () => {
  const huge = Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff]);
  expect((await exchange([START, SIGN_IN, huge])).toString('latin1')).toContain('08P01');
  expect((await exchange([Buffer.from([0x7f, 0xff, 0xff, 0xff])])).toString('latin1')).toContain('08P01');
});

test.each([
  ['parentheses', '(', '1', ')'],
  ['sums', '', '1+'.repeat(31_000), '1'],
  ['casts', '', `1${'::int'.repeat(12_500)}`, ''],
  ['unions', '', `1${' union select 1'.repeat(4_000)}`, ''],
  ['negations', 'not ', 'true', ''],
  ['subqueries', '(select ', '1', ')'],
  ['arrays', 'array[', '1', ']'],
])('a statement of nested %s is parsed or refused, and the next one is parsed', async (_what, before, inner, after) => {
  const count = Math.floor((64_000 - inner.length) / Math.max(1, before.length + after.length));
  const times = before === '' ? 1 : count;
  const text = `select ${before.repeat(times)}${inner}${after.repeat(times)}`;
  const outcome = await parseSql(text).catch((error: unknown) => error);
  expect(outcome instanceof SqlError || Array.isArray(outcome)).toBe(true);
  expect(await parseSql('select 1')).toHaveLength(1);
});

test('a number keeps every digit in its binary form', () => {
  const number = fc
    .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 12 }))
    .map(([isNegative, digits, scale]) => {
      const text = String(digits).padStart(scale + 1, '0');
      const value = scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
      return isNegative && digits !== 0n ? `-${value}` : value;
    });
  fc.assert(
    fc.property(number, (value) => {
      expect(decodeParam(encodeValue(value, 'numeric', 'binary'), 1700, 'binary')).toBe(value);
    }),
  );
});

test('binary parameters of the wrong length are refused', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(16, 20, 21, 23, 26, 700, 701, 1082, 1114, 1184, 1700, 17),
      fc.uint8Array({ maxLength: 20 }),
      (oid, bytes) => {
        try {
          expect(typeof decodeParam(Buffer.from(bytes), oid, 'binary')).toBe('string');
        } catch (error) {
          expect(error).toBeInstanceOf(SqlError);
        }
      },
    ),
    { numRuns: TRIES_ALL ? 500 : 100 },
  );
});
