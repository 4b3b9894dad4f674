import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog } from '../../../test/support/stores.ts';
import type { TestOlapDatabase } from '../../../test/support/stores.ts';
import { EMPTY_EVENT_ROW } from '../../events/recording/event-rows.ts';
import { EVENT_OLAP_MIGRATIONS, EVENTS_INTAKE_TABLE } from '../../events/shipping/events.olap.ts';
import { ROW_COLUMNS, toStoredRow } from '../../events/spool/spool-row.ts';
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

function insert(token: string): Promise<void> {
  const lines = Array.from({ length: ROWS }, (_none, at) =>
    JSON.stringify(
      toStoredRow({
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
      }),
    ),
  );
  const body = Buffer.from(`${lines.join('\n')}\n`);
  return store.olap.insertRaw({
    table: EVENTS_INTAKE_TABLE,
    columns: ROW_COLUMNS,
    format: 'JSONCompactEachRow',
    body,
    token,
  });
}

async function stored(): Promise<{ events: string; ids: string; users: string }> {
  const [row] = await store.olap.query<{ events: string; ids: string; users: string }>({
    sql: 'SELECT count() AS events, uniqExact(event_id) AS ids, uniqExact(user_hash) AS users FROM events',
  });
  return row ?? { events: '0', ids: '0', users: '0' };
}

test.each(COUNTED_TABLES)(
  'a batch whose insert broke off at %s is in every table once after a retry',
  async (table) => {
    const before = Number((await stored()).events);
    const token = `cut-${table}`;
    await store.olap.command(`RENAME TABLE ${table} TO ${table}_gone`);
    await expect(insert(token)).rejects.toThrow();
    await store.olap.command(`RENAME TABLE ${table}_gone TO ${table}`);
    await insert(token);
    await insert(token);
    const { events, ids } = await stored();
    expect([Number(events), ids]).toEqual([before + ROWS, events]);
  },
);

test('a batch that is sent twice at the same time is stored once', async () => {
  const before = Number((await stored()).events);
  await Promise.all([insert('twice'), insert('other'), insert('twice')]);
  expect(Number((await stored()).events)).toBe(before + 2 * ROWS);
});

test('every roll-up agrees with the events of all batches above', async () => {
  expect(Number((await stored()).events)).toBeGreaterThan(0);
  expect(await compareRollUps(store.olap, RANGE)).toEqual([]);
});
