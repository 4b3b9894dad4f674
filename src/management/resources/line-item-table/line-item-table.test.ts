import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../../../test/support/stores.ts';
import { lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';
import { StandingsJob } from '../delivery-progress/standings-job.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const GOAL = { kind: 'IMPRESSIONS', amount: 1_000_000, period: 'LIFETIME' };

const counters = new Map<string, bigint>();
const hot = { readCounters: async (keys: readonly string[]) => keys.map((key) => counters.get(key) ?? 0n) };
const ids = new Map<string, string>();
let management: TestManagement;
let job: StandingsJob;
let campaignId: string;

const at = (afterMs: number): string => new Date(management.clock.nowMs + afterMs).toISOString();
const deliver = (name: string, impressions: number): void => {
  const id = ids.get(name) ?? '';
  counters.set(lifetimeCounterKey({ workspaceId: 1, scope: 'li', id, kind: 'imp' }), BigInt(impressions));
  counters.set(lifetimeCounterKey({ workspaceId: 1, scope: 'li', id, kind: 'spend' }), BigInt(impressions) * 1_000n);
};

async function create(type: string, input: object): Promise<string> {
  const one = type.charAt(0).toLowerCase() + type.slice(1);
  const data = await management.data<Record<string, Record<string, { id: string }>>>(
    `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${one} { id } } }`,
    { input },
  );
  return data[`create${type}`]?.[one]?.id ?? '';
}

async function book(name: string, over: object = {}, review: string | null = 'APPROVED'): Promise<void> {
  const usual = {
    campaignId,
    type: 'STANDARD',
    status: 'ACTIVE',
    price: '1',
    startsAt: at(-5 * DAY_MS),
    endsAt: at(5 * DAY_MS),
  };
  const id = await create('LineItem', { ...usual, goal: GOAL, name, ...over });
  ids.set(name, id);
  if (review === null) return;
  const creative = { name, clickUrl: 'https://shop.example/', content: { html: { html: '<b>ad</b>' } } };
  await create('Creative', { ...creative, lineItemId: id, width: 300, height: 250, reviewState: review });
}

async function standings(): Promise<Record<string, string>> {
  const { lineItemTable } = await management.data<{
    lineItemTable: { nodes: { name: string; standing: { tab: string; reason: string } }[] };
  }>('{ lineItemTable(first: 100) { nodes { name standing { tab reason } } } }');
  return Object.fromEntries(
    lineItemTable.nodes.map(({ name, standing }) => [name, `${standing.tab} ${standing.reason}`]),
  );
}

async function names(args: string): Promise<string[]> {
  const { lineItemTable } = await management.data<{ lineItemTable: { nodes: { name: string }[]; totalCount: number } }>(
    `{ lineItemTable(${args}) { nodes { name } totalCount } }`,
  );
  return lineItemTable.nodes.map(({ name }) => name);
}

beforeAll(async () => {
  management = await createTestManagement({ hot });
  job = new StandingsJob({ sql: management.database.db, hot, nowMs: () => management.clock.nowMs, log: silentLog });
  const advertiserId = await create('Advertiser', { name: 'Shop' });
  campaignId = await create('Campaign', { advertiserId, name: 'Autumn', status: 'ACTIVE' });
  const stopped = await create('Campaign', { advertiserId, name: 'Stopped', status: 'PAUSED' });
  await book('on plan');
  await book('behind');
  await book('quiet', { goal: null, type: 'PRICE' });
  await book('draft', { status: 'DRAFT' });
  await book('paused', { status: 'PAUSED' });
  await book('upcoming', { startsAt: at(DAY_MS) });
  await book('no creative', {}, null);
  await book('pending', {}, 'PENDING');
  await book('rejected', {}, 'REJECTED');
  await book('stopped campaign', { campaignId: stopped });
  await book('short', { endsAt: at(HOUR_MS) });
  deliver('on plan', 499_000);
  deliver('behind', 100_000);
  deliver('quiet', 10);
  deliver('short', 990_000);
  await job.run();
}, 120_000);
afterAll(() => management.close());

test('each line item is in one tab, with the first reason that holds', async () => {
  expect(await standings()).toEqual({
    'on plan': 'DELIVERING SERVING',
    behind: 'BEHIND AT_RISK',
    quiet: 'DELIVERING SERVING',
    draft: 'DRAFT DRAFT',
    paused: 'NOT_DELIVERING PAUSED',
    upcoming: 'UPCOMING NOT_BEGUN',
    'no creative': 'NOT_DELIVERING NO_CREATIVE',
    pending: 'NOT_DELIVERING REVIEW_PENDING',
    rejected: 'NOT_DELIVERING REVIEW_REJECTED',
    'stopped campaign': 'NOT_DELIVERING CAMPAIGN_STOPPED',
    short: 'DELIVERING SERVING',
  });
});

test('a tab shows the line items that its count counts', async () => {
  const { lineItemTabs } = await management.data<{ lineItemTabs: { tab: string; count: number }[] }>(
    '{ lineItemTabs { tab count } }',
  );
  expect(Object.fromEntries(lineItemTabs.map(({ tab, count }) => [tab, count]))).toEqual({
    DELIVERING: 3,
    BEHIND: 1,
    NOT_DELIVERING: 5,
    UPCOMING: 1,
    DRAFT: 1,
    ENDED: 0,
  });
  for (const { tab, count } of lineItemTabs) expect(await names(`tab: ${tab}`)).toHaveLength(count);
});

test('a table is sorted by what only the counters know, and those without a value come last in both directions', async () => {
  expect((await names('sort: PACE, tab: DELIVERING')).at(-1)).toBe('quiet');
  expect((await names('sort: PACE, descending: true, tab: DELIVERING')).at(-1)).toBe('quiet');
  expect((await names('sort: SPEND, descending: true, first: 2')).slice(0, 2)).toEqual(['short', 'on plan']);
  expect((await names('sort: ENDS_AT, first: 1'))[0]).toBe('short');
});

test('a window begins anywhere, and its filter also finds the name of a campaign', async () => {
  expect(await names('offset: 9, first: 5')).toHaveLength(2);
  expect(await names('filter: { search: "stopp" }')).toEqual(['stopped campaign']);
  expect(await names(`filter: { endsBefore: "${at(2 * HOUR_MS)}" }`)).toEqual(['short']);
  expect(await names('filter: { ids: ["nonsense"] }')).toEqual([]);
});

test('a table is narrowed by level, and by what the targeting tests at any depth', async () => {
  const leaf = (dimension: string, values: readonly string[]) => ({ test: { dimension, values } });
  const polish = { all: [leaf('COUNTRY', ['PL', 'CZ']), { not: leaf('DEVICE_TYPE', ['tv']) }] };
  await management.data(
    'mutation ($id: ID!, $input: UpdateLineItemInput!) { updateLineItem(id: $id, input: $input) { __typename } }',
    { id: ids.get('draft'), input: { targeting: polish, level: 3 } },
  );
  expect(await names('filter: { levels: [3, 4] }')).toEqual(['draft']);
  expect(await names('filter: { targets: { dimension: COUNTRY, values: ["cz"] } }')).toEqual(['draft']);
  expect(await names('filter: { targets: { dimension: DEVICE_TYPE } }')).toEqual(['draft']);
  expect(await names('filter: { targets: { dimension: COUNTRY, values: ["DE"] } }')).toEqual([]);
});

test('a line item without an impression for an hour is quiet, and serves again once it is changed', async () => {
  management.clock.nowMs += 2 * HOUR_MS;
  const id = ids.get('quiet');
  await management.database.db
    .updateTable('line_items')
    .set({ updated_at: new Date(management.clock.nowMs - 90 * 60_000) })
    .where('workspace_id', '=', 1)
    .execute();
  await management.database.db
    .updateTable('campaigns')
    .set({ updated_at: new Date(management.clock.nowMs - 90 * 60_000) })
    .where('workspace_id', '=', 1)
    .execute();
  deliver('on plan', 500_000);
  await job.run();
  expect(await standings()).toMatchObject({
    quiet: 'NOT_DELIVERING QUIET',
    behind: 'NOT_DELIVERING QUIET',
    'on plan': 'DELIVERING SERVING',
    short: 'ENDED FLIGHT_OVER',
  });
  await management.database.db
    .updateTable('line_items')
    .set({ updated_at: new Date(management.clock.nowMs) })
    .where('workspace_id', '=', 1)
    .where('id', '=', BigInt(id ?? 0))
    .execute();
  expect(await standings()).toMatchObject({ quiet: 'DELIVERING SERVING' });
});

test('another network sees none of it', async () => {
  const found = await management.data<{ lineItemTable: { totalCount: number }; lineItemTabs: { count: number }[] }>(
    '{ lineItemTable { totalCount } lineItemTabs { count } }',
    {},
    { as: 'stranger' },
  );
  expect(found.lineItemTable.totalCount).toBe(0);
  expect(found.lineItemTabs.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0]);
});

test.each([
  ['first: 101', 'first'],
  ['offset: -1', 'offset'],
  [`filter: { targets: { dimension: COUNTRY, values: [${'"x",'.repeat(501)}] } }`, 'filter.targets.values'],
  [`filter: { search: "${'x'.repeat(201)}" }`, 'filter.search'],
])('%s is refused by name', async (args, name) => {
  const { body } = await management.ask(`{ lineItemTable(${args}) { totalCount } }`);
  expect(body.errors?.[0]?.extensions.code).toBe('invalid_request');
  expect(body.errors?.[0]?.message).toContain(name);
});
