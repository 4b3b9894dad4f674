import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReportsServer, type ReportsServer } from './fixtures/reports-server.ts';

const DAY = '2026-01-10';
const query = (more: object = {}): object => ({
  measures: ['campaign_overview.impressions'],
  dimensions: ['campaign_overview.advertiser_id'],
  timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: [DAY, DAY] }],
  ...more,
});

let server: ReportsServer;

beforeAll(async () => {
  server = await openReportsServer();
  const event = { time: `${DAY} 10:00:00.000`, workspace_id: 1 };
  await server.insert([
    { ...event, advertiser_id: '7', event_id: 'a' },
    { ...event, advertiser_id: '8', event_id: 'b' },
    { ...event, advertiser_id: '8', event_id: 'c' },
  ]);
});
afterAll(() => server.close());

async function advertisersFor(buyerOf: string | null, asked: object): Promise<unknown> {
  const headers: Record<string, string> = buyerOf === null ? {} : { 'x-buyer-of': buyerOf };
  const response = await server.load(asked, { headers });
  const body = (await response.json()) as { data?: Record<string, unknown>[]; error?: string };
  return body.data?.map((row) => row['campaign_overview.advertiser_id']).toSorted() ?? body.error;
}

test("a buyer's report has only its advertiser, also right after another caller asked the same", async () => {
  expect(await advertisersFor(null, query())).toEqual(['7', '8']);
  expect(await advertisersFor('7', query())).toEqual(['7']);
  expect(await advertisersFor('8', query())).toEqual(['8']);
  expect(await advertisersFor(null, query())).toEqual(['7', '8']);
});

test("a buyer's filters reach no other advertiser", async () => {
  const member = 'campaign_overview.advertiser_id';
  for (const filters of [
    [{ member, operator: 'equals', values: ['8'] }],
    [{ member, operator: 'notEquals', values: ['7'] }],
  ])
    expect(await advertisersFor('7', query({ filters }))).toEqual([]);
  const or = [
    {
      or: [
        { member, operator: 'set' },
        { member, operator: 'equals', values: ['8'] },
      ],
    },
  ];
  expect(await advertisersFor('7', query({ filters: or }))).toEqual(['7']);
});

test('a buyer is refused members that are not open to buyers', async () => {
  expect(await advertisersFor('7', query({ measures: ['campaign_overview.requests'] }))).toBe(
    'insufficient_permissions',
  );
});
