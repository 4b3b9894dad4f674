import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../../test/support/stores.ts';
import { EMPTY_EVENT_ROW } from '../../events/recording/event-rows.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../events/shipping/events.olap.ts';
import { deleteEventsBefore } from '../../events/retention/retention.olap.ts';
import { anonymiseEvents } from '../../events/retention/user-erasure.olap.ts';
import { REPORT_OLAP_MIGRATIONS } from '../../reports/rollups/rollups.olap.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';

const ANN = '11111111111111111111';
const KEPT = ['delivery_key_values_hourly', 'delivery_key_values_daily'];
const MIGRATIONS = [...EVENT_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS];
let store: TestOlapDatabase;

beforeAll(async () => {
  store = await createTestOlapDatabase();
  await migrateOlap({ olap: store.olap, migrations: MIGRATIONS, log: silentLog });
});
afterAll(() => store.close());

async function insert(token: string, days: readonly string[]): Promise<void> {
  const rows = days.flatMap((day) =>
    [ANN, '22', '33', '0'].map((user, at) => ({
      ...EMPTY_EVENT_ROW,
      event_id: `${token}:${day}:${at}`,
      workspace_id: 1,
      kind: 'impression',
      time: `${day} 10:00:00.000`,
      line_item_id: '5',
      user_hash: user,
      revenue_nanos: '7',
      ...(at === 0 ? {} : { key_values: { '17': `section ${at % 2}` } }),
    })),
  );
  const body = Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'));
  await store.olap.insertRaw({ table: 'events', body, token });
}

const sumsOf = (table: string): Promise<unknown[]> =>
  store.olap.query({
    sql: `SELECT toDate(time) AS day, sum(impressions) AS impressions, sum(revenue_nanos) AS revenue, uniqCombined64Merge(users) AS users
      FROM ${table} GROUP BY day ORDER BY day`,
  });

test('roll-ups of key-values hold each event once, as the roll-ups of line items do', async () => {
  await insert('first', ['2026-09-30', '2026-10-01']);
  await insert('second', ['2026-10-01', '2026-10-02']);
  await insert('second', ['2026-10-01', '2026-10-02']);
  const expected = await sumsOf('delivery_line_item_hourly');
  expect(expected).toMatchObject([{ impressions: '4' }, { impressions: '8', users: '3' }, { impressions: '4' }]);
  for (const table of KEPT) expect(await sumsOf(table), table).toEqual(expected);
});

test('a late batch is in the roll-ups before the version of its day changes', async () => {
  await insert('late', ['2026-09-30']);
  for (const table of KEPT) expect(await sumsOf(table), table).toEqual(await sumsOf('delivery_line_item_hourly'));
  const [versions] = await store.olap.query<{ feeds: string }>({
    sql: `SELECT groupArray(name) AS feeds FROM (SELECT name FROM system.tables WHERE database = currentDatabase()
      AND engine = 'MaterializedView' AND name LIKE 'delivery_versions%' ORDER BY name)`,
  });
  expect(versions?.feeds).toContain('delivery_versions_key_values_feed');
});

test('the roll-up keeps its counts when a user is erased and when single events expire', async () => {
  const before = await sumsOf('delivery_key_values_hourly');
  expect(await anonymiseEvents(store.olap, 1, ANN)).toBe(5);
  await deleteEventsBefore(store.olap, 1, Date.parse('2026-10-02T00:00:00Z'));
  for (const table of [...KEPT, 'delivery_line_item_hourly']) expect(await sumsOf(table), table).toEqual(before);
});
