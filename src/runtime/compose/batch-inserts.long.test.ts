import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog } from '../../../test/support/stores.ts';
import type { TestOlapDatabase } from '../../../test/support/stores.ts';
import { EMPTY_EVENT_ROW } from '../../events/recording/event-rows.ts';
import { BINARY_FORMAT, BinaryRows } from '../../events/shipping/binary-rows.ts';
import { EVENT_OLAP_MIGRATIONS, EVENTS_INTAKE_TABLE } from '../../events/shipping/events.olap.ts';
import { copyRows, encodeSpoolLine } from '../../events/spool/spool-line.ts';
import { ROW_COLUMNS } from '../../events/spool/spool-row.ts';
import { compareRollUps } from '../../reports/rollups/compare-rollups.olap.ts';
import { COUNTED_TABLES, REPORT_OLAP_MIGRATIONS } from '../../reports/rollups/rollups.olap.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';

let store: TestOlapDatabase;
beforeAll(async () => {
  store = await createTestOlapDatabase();
  const migrations = [...EVENT_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS];
  await migrateOlap({ olap: store.olap, migrations, log: silentLog });
});
afterAll(() => store.close());

const ROWS = 500;
const RANGE = { from: '2026-05-01', to: '2026-05-02' } as const;

/** The forms in which a batch is sent: older programs and batches with odd rows send JSON. */
type Form = 'json' | 'binary';

function linesOf(token: string, rows: number): Buffer[] {
  return Array.from({ length: rows }, (_none, at) =>
    encodeSpoolLine(
      {
        ...EMPTY_EVENT_ROW,
        event_id: `${token}-${at}`,
        workspace_id: 1 + (at % 2),
        kind: at % 5 === 0 ? 'click' : 'impression',
        time: `2026-05-01 1${at % 10}:${10 + (at % 50)}:00.000`,
        line_item_id: String(1 + (at % 7)),
        site_id: String(1 + (at % 3)),
        user_hash: String(1_000 + at),
        revenue_nanos: String(at * 1_000_003),
        ...(at % 4 === 0 ? { key_values: { 7: `v${at % 3}` } } : {}),
      },
      null,
    ),
  );
}

function insert(token: string, form: Form, rows = ROWS): Promise<void> {
  const table = EVENTS_INTAKE_TABLE;
  const file = Buffer.concat(linesOf(token, rows));
  if (form === 'json') {
    const body = Buffer.allocUnsafe(file.length);
    const copied = copyRows(file, { bytes: body, at: 0 });
    const json = body.subarray(0, copied?.end ?? 0);
    return store.olap.insertRaw({ table, columns: ROW_COLUMNS, format: 'JSONCompactEachRow', body: json, token });
  }
  const binary = new BinaryRows(file.length);
  binary.add(file, 0, rows);
  return store.olap.insertRaw({ table, columns: ROW_COLUMNS, format: BINARY_FORMAT, body: binary.body(), token });
}

async function stored(): Promise<{ events: string; ids: string; users: string }> {
  const [row] = await store.olap.query<{ events: string; ids: string; users: string }>({
    sql: 'SELECT count() AS events, uniqExact(event_id) AS ids, uniqExact(user_hash) AS users FROM events',
  });
  return row ?? { events: '0', ids: '0', users: '0' };
}

async function expectOnceAfterCut(table: string, tries: readonly [Form, Form], rows: number): Promise<void> {
  const before = Number((await stored()).events);
  const token = `cut-${table}-${tries.join('-')}-${rows}`;
  await store.olap.command(`RENAME TABLE ${table} TO ${table}_gone`);
  await expect(insert(token, tries[0], rows)).rejects.toThrow();
  await store.olap.command(`RENAME TABLE ${table}_gone TO ${table}`);
  await insert(token, tries[1], rows);
  await insert(token, tries[0], rows);
  const { events, ids } = await stored();
  expect([Number(events), ids]).toEqual([before + rows, events]);
}

test.each(COUNTED_TABLES)('a batch whose insert broke off at %s is in every table once after a retry', (table) =>
  expectOnceAfterCut(table, ['binary', 'binary'], ROWS),
);

/** The first and the last table that an insert writes, and one in between. */
const SOME_TABLES = ['events', 'delivery_hourly', 'delivery_versions'];

test.each(SOME_TABLES)(
  'a batch whose insert as JSON broke off at %s is stored once after a retry as binary rows',
  (table) => expectOnceAfterCut(table, ['json', 'binary'], ROWS),
);

test.each(SOME_TABLES)('a batch whose binary insert broke off at %s is stored once after a retry as JSON', (table) =>
  expectOnceAfterCut(table, ['binary', 'json'], ROWS),
);

test('a batch with more rows than a block of the engine is in every table once after its first insert broke off', () =>
  expectOnceAfterCut('delivery_daily', ['binary', 'binary'], 70_000));

test.each(['json', 'binary'] as const)(
  'a batch that is sent twice at the same time as %s is stored once',
  async (form) => {
    const before = Number((await stored()).events);
    const token = `twice-${form}`;
    await Promise.all([insert(token, form), insert(`other-${form}`, form), insert(token, form)]);
    expect(Number((await stored()).events)).toBe(before + 2 * ROWS);
  },
);

test('a batch that is sent as JSON and as binary rows at the same time is stored once', async () => {
  const before = Number((await stored()).events);
  await Promise.all([insert('both', 'json'), insert('both', 'binary')]);
  expect(Number((await stored()).events)).toBe(before + ROWS);
});

test('every roll-up agrees with the events of all batches above', async () => {
  expect(Number((await stored()).events)).toBeGreaterThan(0);
  expect(await compareRollUps(store.olap, RANGE)).toEqual([]);
});
