import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../../test/support/stores.ts';
import { EMPTY_EVENT_ROW } from '../../events/recording/event-rows.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../events/shipping/events.olap.ts';
import { readCleared } from '../../reports/rollups/cleared-prices.olap.ts';
import { REPORT_OLAP_MIGRATIONS } from '../../reports/rollups/rollups.olap.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';

let store: TestOlapDatabase;
const FROM_MS = Date.parse('2026-11-20T15:00:00Z');

beforeAll(async () => {
  store = await createTestOlapDatabase();
  const migrations = [...EVENT_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS];
  await migrateOlap({ olap: store.olap, migrations, log: silentLog });
  const own = { workspace_id: 1, kind: 'impression', line_item_id: '5', revenue_nanos: '3000000' };
  const rows = [
    { ...own, time: '2026-11-20 12:00:00.000' },
    { ...own, time: '2026-11-21 12:00:00.000', revenue_nanos: '4000000' },
    { ...own, time: '2026-11-21 12:00:00.000', kind: 'click', revenue_nanos: '0' },
    { ...own, time: '2026-11-21 12:00:00.000', invalid_reason: 'bot', revenue_nanos: '0' },
    // Not asked for: before the first day, of another line item, of another workspace.
    { ...own, time: '2026-11-19 12:00:00.000' },
    { ...own, time: '2026-11-21 12:00:00.000', line_item_id: '6' },
    { ...own, time: '2026-11-21 12:00:00.000', workspace_id: 2 },
  ];
  const lines = rows.map((row, at) => JSON.stringify({ ...EMPTY_EVENT_ROW, event_id: `e${at}`, ...row }));
  await store.olap.insertRaw({ table: 'events', body: Buffer.from(lines.join('\n')), token: 'first' });
});
afterAll(() => store.close());

test('cleared prices count from the first day on, without invalid events', async () => {
  const asked = { workspaceId: 1, lineItemIds: ['5', '7'], fromMs: FROM_MS };
  const [only, ...more] = await readCleared(store.olap, asked);
  expect(more).toEqual([]);
  expect(only).toMatchObject({ lineItemId: '5', counts: { impressions: 2, clicks: 1 }, revenueNanos: 7_000_000n });
});
