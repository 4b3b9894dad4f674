import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../../test/support/stores.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { EVENTS_TABLE, makeEvent } from '../fixtures/events-table.ts';
import { REPORT_OLAP_MIGRATIONS } from '../rollups/rollups.olap.ts';
import { readSharedDays, type SharedDay } from './shared-figures.olap.ts';
import { makeSharedReport } from './shared-report.ts';
import type { SharedCampaign } from './shared-report.sql.ts';
import { renderSharedPage } from './shared-page.ts';

const NOW_MS = Date.parse('2026-07-15T13:00:00Z');
let analytics: TestOlapDatabase;

beforeAll(async () => {
  analytics = await createTestOlapDatabase();
  await analytics.olap.command(EVENTS_TABLE);
  await migrateOlap({ olap: analytics.olap, migrations: REPORT_OLAP_MIGRATIONS, log: silentLog });
  // One before and one after midnight in Kolkata (18:30) and in Kathmandu (18:15), within one UTC hour; one after midnight in Warsaw.
  const rows = ['18:05', '18:20', '18:40', '22:10'].map((time, at) =>
    JSON.stringify(
      makeEvent({ time: `2026-07-01 ${time}:00.000`, campaign_id: '2', line_item_id: '7', quantity: 10 ** at }),
    ),
  );
  await analytics.olap.insertRaw({ table: 'events', body: Buffer.from(rows.join('\n')), token: 'shared' });
});
afterAll(() => analytics.close());

test.each([
  ['UTC', { '2026-07-01': 1111 }],
  ['Europe/Warsaw', { '2026-07-01': 111, '2026-07-02': 1000 }],
  ['Asia/Kolkata', { '2026-07-01': 11, '2026-07-02': 1100 }],
  ['Asia/Kathmandu', { '2026-07-01': 1, '2026-07-02': 1110 }],
])('a shared report has the days of %s', async (timezone, expected) => {
  const days = await readSharedDays(analytics.olap, { workspaceId: 1, campaignId: '2', timezone }, NOW_MS);
  expect(Object.fromEntries(days.map(({ day, impressions }) => [day, impressions]))).toEqual(expected);
});

const campaign: Omit<SharedCampaign, 'currency'> = {
  workspaceId: 1,
  shareId: 1n,
  campaignId: '2',
  name: 'Autumn',
  advertiser: 'Alder',
  network: 'First',
  timezone: 'UTC',
  showsSpend: true,
  expiresAt: new Date(NOW_MS),
  startsAt: null,
  endsAt: null,
  lineItems: [{ id: '7', name: 'Sidebar', goal: null }],
};
const counts = { impressions: 1, viewable: 1, clicks: 0, conversions: 0, completed: 0 };
const day: SharedDay = { lineItemId: '7', day: '2026-07-01', ...counts, spend: 1_234_567_800_000n };

test.each([
  ['USD', '1,234.57'],
  ['KWD', '1,234.568'],
  ['JPY', '1,235'],
])('a shared report shows %s with the digits of the currency', (currency, text) => {
  const report = makeSharedReport({ ...campaign, currency }, [day], NOW_MS);
  expect([report.total.cells.at(-1), report.lineItems[0]?.cells.at(-1)]).toEqual([text, text]);
  expect(renderSharedPage(report, '/report.pdf')).toContain(`<td>${text}</td>`);
});
