import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../../test/support/stores.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { INSERT_BYTES_MAX, type OlapInsert } from '../../storage/olap/olap.ts';
import { EMPTY_EVENT_ROW } from '../recording/event-rows.ts';
import { encodeSpoolLine, rowsOf, rowText } from '../spool/spool-line.ts';
import { ROW_COLUMNS } from '../spool/spool-row.ts';
import { BATCH_BYTES_MAX } from './batch-folders.ts';
import { BINARY_FORMAT, BinaryRows } from './binary-rows.ts';
import { EVENT_OLAP_MIGRATIONS, EVENTS_INTAKE_TABLE } from './events.olap.ts';

let store: TestOlapDatabase;
beforeAll(async () => {
  store = await createTestOlapDatabase();
  await migrateOlap({ olap: store.olap, migrations: EVENT_OLAP_MIGRATIONS, log: silentLog });
});
afterAll(() => store.close());

function convert(lines: readonly Buffer[], linesPerTurn = 3): BinaryRows | null {
  const file = Buffer.concat(lines);
  const binary = new BinaryRows(file.length);
  for (let start: number | null = 0; start < file.length; ) {
    start = binary.add(file, start, linesPerTurn);
    if (start === null) return null;
  }
  return binary;
}

test('the rows of a full batch fit into one insert, whatever they are', () => {
  expect(new BinaryRows(BATCH_BYTES_MAX).target.length).toBeLessThanOrEqual(INSERT_BYTES_MAX);
});

const BASE = {
  ...EMPTY_EVENT_ROW,
  event_id: 'a',
  workspace_id: 1,
  kind: 'impression',
  time: '2026-05-01 10:00:00.000',
};

const bigText = (min: bigint, max: bigint): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.bigInt({ min, max }),
      fc.constantFrom(min, max, 0n, 9_999_999_999n, 10_000_000_000n, 4_294_967_296n, 99_999_999_999_999n),
    )
    .map(String);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    '"',
    '\\',
    '\n\t\u0000',
    '😀',
    '\uFFFD',
    'ż'.repeat(64),
    'x'.repeat(127),
    'y'.repeat(128),
    '\\z'.repeat(9_000),
  ),
);
const time = fc
  .date({ min: new Date('1970-01-01T00:00:00.000Z'), max: new Date('2099-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 23).replace('T', ' '));

const row = fc.record(
  {
    workspace_id: fc.nat({ max: 0xffff_ffff }),
    time,
    impression_id: text,
    advertiser_id: text,
    npa: fc.boolean(),
    user_hash: bigText(0n, 2n ** 64n - 1n),
    value_micros: bigText(-(2n ** 63n) + 1n, 2n ** 63n - 1n),
    revenue_nanos: bigText(-(2n ** 63n) + 1n, 2n ** 63n - 1n),
    quantity: fc.nat({ max: 0xffff_ffff }),
    key_values: fc.dictionary(text, text, { maxKeys: 4 }),
    activity_event: text,
    order_reference: text,
    item_count: fc.nat(),
    tax_micros: bigText(-(2n ** 63n) + 1n, 2n ** 63n - 1n),
    products: text,
  },
  { requiredKeys: [] },
);

async function insert(body: Buffer, token: string, format: OlapInsert['format'] & string): Promise<void> {
  await store.olap.insertRaw({ table: EVENTS_INTAKE_TABLE, columns: ROW_COLUMNS, format, body, token });
}

async function stored(batch: string): Promise<unknown[]> {
  return store.olap.query({
    sql: `SELECT * EXCEPT (event_id, stored_at), splitByChar('-', event_id)[2] AS at FROM events
      WHERE startsWith(event_id, {batch:String}) ORDER BY toUInt32(at)`,
    params: { batch: `${batch}-` },
  });
}

test('the store has the same rows whether they came as binary rows or as JSON', async () => {
  let runs = 0;
  await fc.assert(
    // Many rows a run: a statement of the store costs more than a row.
    fc.asyncProperty(fc.array(row, { minLength: 40, maxLength: 60 }), async (changes) => {
      runs += 1;
      const lines = (batch: string): Buffer[] =>
        changes.map((change, at) => encodeSpoolLine({ ...BASE, ...change, event_id: `${batch}-${at}` }, null));
      const [asJson, asBinary] = [`j${runs}`, `b${runs}`];
      const json = lines(asJson).flatMap((line) => rowsOf(line));
      await insert(Buffer.concat(json), asJson, 'JSONCompactEachRow');
      const binary = convert(lines(asBinary));
      expect(binary?.rows).toBe(changes.length);
      await insert(binary?.body() ?? Buffer.alloc(0), asBinary, BINARY_FORMAT);
      const rows = await stored(asJson);
      expect(rows.length).toBe(changes.length);
      expect(await stored(asBinary)).toEqual(rows);
    }),
    { numRuns: 2 },
  );
});

test('the store has each row of a line with several, as binary rows and as JSON of a program that knows one row per line', async () => {
  const lineOf = (batch: string): Buffer => {
    const [first, ...more] = [0, 1, 2].map((at) => ({ ...BASE, event_id: `${batch}-${at}`, line_item_id: String(at) }));
    return encodeSpoolLine(first ?? {}, { key: 'e/a', ttlMs: 1, increments: [], pushes: [] }, more.map(rowText));
  };
  const separate = rowsOf(lineOf('separate')).map((row) => Buffer.from(`00000000 \t${String(row)}`));
  await insert(
    Buffer.concat(separate.flatMap((line) => [...rowsOf(line), Buffer.from('\n')])),
    'separate',
    'JSONCompactEachRow',
  );
  const rows = await stored('separate');
  expect(rows).toHaveLength(3);
  const binary = convert([lineOf('joined'), encodeSpoolLine(BASE, null)]);
  expect(binary?.rows).toBe(4);
  await insert(binary?.body() ?? Buffer.alloc(0), 'joined', BINARY_FORMAT);
  expect(await stored('joined')).toEqual(rows);
  const older = lineOf('older');
  await insert(older.subarray(older.indexOf('\t') + 1), 'older', 'JSONCompactEachRow');
  expect(await stored('older')).toEqual(rows);
});

test.each(Object.entries(BASE).map(([column]) => column))(
  'a row whose %s is left out becomes its default',
  (column) => {
    const { [column as keyof typeof BASE]: _left, ...rest } = BASE;
    expect(convert([encodeSpoolLine(rest, null)])?.rows).toBe(1);
  },
);

const OTHER_FORMS: readonly (readonly [name: string, change: Record<string, unknown>])[] = [
  ['a number for a text', { impression_id: 5 }],
  ['a text for a truth value', { npa: 'true' }],
  ['a text for a 32-bit number', { quantity: '1' }],
  ['a fraction', { quantity: 1.5 }],
  ['a number below zero', { quantity: -1 }],
  ['more than 32 bits', { quantity: 4_294_967_296 }],
  ['more than 64 bits', { user_hash: '18446744073709551616' }],
  ['more digits than 64 bits have', { user_hash: '100000000000000000000' }],
  ['a sign of a number without one', { user_hash: '-1' }],
  ['more than 63 bits', { value_micros: '9223372036854775808' }],
  ['no digits', { value_micros: '' }],
  ['an exponent', { value_micros: '1e3' }],
  ['another form of time', { time: '2026-05-01T10:00:00.000Z' }],
  ['a day that is not in the calendar', { time: '2026-02-29 10:00:00.000' }],
  ['an hour that a day has not', { time: '2026-02-28 24:00:00.000' }],
  ['a letter in a time', { time: '2026-02-28 10:00:00.0x0' }],
  ['a time before 1970', { time: '1969-12-31 23:59:59.999' }],
  ['a list of key-values', { key_values: ['a'] }],
  ['a number in key-values', { key_values: { 7: 1 } }],
  ['a column that no table has', { unknown: 1 }],
];

test.each(OTHER_FORMS)('a batch with %s is not converted: the store decides', (_name, change) => {
  const good = encodeSpoolLine(BASE, null);
  expect(convert([good])?.rows).toBe(1);
  expect(convert([good, encodeSpoolLine({ ...BASE, ...change }, null), good])).toBeNull();
});

test('a damaged or torn line is not converted', () => {
  const good = encodeSpoolLine(BASE, null);
  const damaged = Buffer.from(good);
  damaged[good.indexOf('impression')] = 0x49;
  expect(convert([good, damaged])).toBeNull();
  expect(convert([good, good.subarray(0, good.length - 1)])).toBeNull();
  expect(convert([Buffer.from('\n')])).toBeNull();
});

test('lines of several turns make one body', () => {
  const lines = Array.from({ length: 10 }, (_none, at) => encodeSpoolLine({ ...BASE, event_id: `e${at}` }, null));
  expect(convert(lines, 4)?.body()).toEqual(convert(lines, 100)?.body());
});

test('a body without rows is empty', () => {
  expect(new BinaryRows(0).body()).toHaveLength(0);
});
