/** What a buyer's agent is told of its buy is what pages showed, to the unit and the nano of money, also after a kill of every process. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readChildren } from '../../src/runtime/supervisor/run-files.ts';
import { type Client, createClient } from '../support/http-client.ts';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';
import { AgentClient } from './agent-client.ts';
import { BROWSER, pauseOthers } from './auction-history.ts';
import { valuesAt } from './paths.ts';
import { productInput, Publisher } from './seed-fixtures.ts';

const WAIT_MS = 120_000;
/** An impression costs 4,321,000 nanos: a sum that is rounded to cents differs. */
const CPM = 4.321;
const NANOS_OF_IMPRESSION = BigInt(Math.round(CPM * 1e6));
const ACCOUNT = { brand: { domain: 'acme.example' }, operator: 'agency.example' };

let server: LeanPlacard;
let client: Client;
let publisher: Publisher;
let agent: AgentClient;
let key = '';
const counted = { impressions: 0, clicks: 0 };

beforeAll(async () => {
  server = await startLeanPlacard({ PLACARD_DEMO: 'true' });
  connect();
  await pauseOthers(publisher);
  await publisher.make('Site', { code: 'outdoor', name: 'Outdoor', domain: 'outdoor.example' });
  const advertiserId = await publisher.make('Advertiser', { name: 'Acme', domains: ['acme.example'] });
  const option = { pricing_option_id: 'cpm', pricing_model: 'cpm', fixed_price: CPM };
  await publisher.make('AdvertisingProduct', productInput('Trail magazine', {}, [option]));
  key = await publisher.makeBuyerKey([advertiserId], '100');
  reconnectAgent();
}, 300_000);
afterAll(async () => {
  agent?.close();
  client?.close();
  await server?.remove();
});

function sellerUrl(): string {
  return `${server.coreUrl}/staging/adcp/${server.demo.networkId}/mcp`;
}

function connect(): void {
  client = createClient(server.ca);
  publisher = new Publisher(server, sellerUrl());
}

function reconnectAgent(): void {
  agent = new AgentClient({ url: sellerUrl(), ca: server.ca, key });
}

async function restartAfterKill(): Promise<void> {
  agent.close();
  client.close();
  for (const { pid } of readChildren(server.dataDir)) process.kill(pid, 'SIGKILL');
  await server.kill();
  server = await server.restart();
  connect();
  reconnectAgent();
}

/** Asks for a banner as a page does. What is acknowledged counts. */
async function visit(withClick: boolean): Promise<boolean> {
  const network = `${server.deliveryUrl}/staging/${server.demo.networkId}`;
  const json = {
    id: randomUUID(),
    imp: [{ id: '1', secure: 1, banner: { format: [{ w: 300, h: 250 }] } }],
    site: { id: 'outdoor', domain: 'outdoor.example', page: 'https://outdoor.example/' },
  };
  const response = await client.send(`${network}/bid`, { json, headers: BROWSER });
  const token = response.status === 200 ? /\/imp\/([\w.-]+)/.exec(response.text)?.[1] : undefined;
  if (token === undefined) return false;
  const shown = await client.send(`${network}/imp/${token}`, { headers: BROWSER });
  expect(shown.status).toBeLessThan(300);
  counted.impressions += 1;
  if (!withClick) return true;
  const clicked = await client.send(`${network}/click/${token}`, { headers: BROWSER });
  expect(clicked.status).toBeLessThan(400);
  counted.clicks += 1;
  return true;
}

async function visitPages(impressions: number): Promise<void> {
  const wanted = counted.impressions + impressions;
  const once = async () => {
    for (let at = 0; at < 50 && counted.impressions < wanted; at += 1) if (!(await visit(at % 5 === 0))) break;
    return counted.impressions;
  };
  await expect.poll(once, { timeout: WAIT_MS, interval: 500 }).toBe(wanted);
}

const QUERY = (campaignId: string) => ({
  measures: ['impressions', 'clicks', 'revenue'].map((name) => `campaign_overview.${name}`),
  dimensions: ['campaign_overview.campaign_id'],
  timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'today' }],
  filters: [{ member: 'campaign_overview.campaign_id', operator: 'equals', values: [campaignId] }],
});

async function loadReport(campaignId: string, accept: string): Promise<string> {
  const response = await client.send(`${server.coreUrl}/staging/reports/${server.demo.networkId}/v1/load`, {
    headers: { authorization: `Bearer ${server.demo.keys.staging}`, accept },
    json: { query: QUERY(campaignId) },
  });
  return response.text;
}

test('a buy is found, booked, approved, shown and clicked, and all figures agree through a kill of every process', async () => {
  const found = await agent.call('get_products', { buying_mode: 'brief', brief: 'trail magazine', account: ACCOUNT });
  const [product] = valuesAt(found.data, 'products[0].product_id');
  const [formatId] = valuesAt(found.data, 'products[0].format_ids[0]');
  const made = await agent.call('create_media_buy', {
    idempotency_key: randomUUID(),
    account: ACCOUNT,
    brand: ACCOUNT.brand,
    start_time: 'asap',
    end_time: '2099-01-01T00:00:00Z',
    packages: [{ product_id: product, pricing_option_id: 'cpm', budget: 50, pacing: 'asap' }],
  });
  const [buyId, packageId] = [valuesAt(made.data, 'media_buy_id')[0], valuesAt(made.data, 'packages[0].package_id')[0]];
  const synced = await agent.call('sync_creatives', {
    idempotency_key: randomUUID(),
    account: ACCOUNT,
    creatives: [
      {
        creative_id: 'trail',
        name: 'Trail',
        format_id: formatId,
        assets: {
          image: { asset_type: 'image', url: 'https://cdn.acme.example/a.png', width: 300, height: 250 },
          click_url: { asset_type: 'url', url: 'https://acme.example/trail' },
        },
      },
    ],
    assignments: [{ creative_id: 'trail', package_id: packageId }],
  });
  const [creativeId] = valuesAt(synced.data, 'creatives[0].platform_id');
  expect(await visit(false)).toBe(false);
  await publisher.graphql(
    'mutation ($id: ID!) { updateLibraryCreative(id: $id, input: { reviewState: APPROVED }) { validatedOnly } }',
    { id: creativeId },
  );
  await visitPages(30);
  await restartAfterKill();
  await visitPages(30);
  const delivery = async () =>
    (await agent.call('get_media_buy_delivery', { media_buy_ids: [buyId], include_package_daily_breakdown: true }))
      .data;
  const impressions = async () => valuesAt(await delivery(), 'aggregated_totals.impressions')[0];
  await expect.poll(impressions, { timeout: WAIT_MS, interval: 1_000 }).toBe(counted.impressions);
  const spendNanos = NANOS_OF_IMPRESSION * BigInt(counted.impressions);
  const spend = Number(spendNanos) / 1e9;
  const totals = { ...counted, spend };
  expect(await delivery()).toMatchObject({
    aggregated_totals: totals,
    media_buy_deliveries: [{ totals, by_package: [{ package_id: packageId, ...totals }] }],
  });
  const json = JSON.parse(await loadReport(String(buyId), 'application/json')) as { data: Record<string, string>[] };
  expect(json.data).toHaveLength(1);
  expect(json.data[0]).toMatchObject({
    'campaign_overview.impressions': String(counted.impressions),
    'campaign_overview.clicks': String(counted.clicks),
  });
  const revenue = json.data[0]?.['campaign_overview.revenue'] ?? '';
  expect(BigInt(Math.round(Number(revenue) * 1e9))).toBe(spendNanos);
  const [, row = ''] = (await loadReport(String(buyId), 'text/csv')).trim().split(/\r?\n/);
  expect(row.split(',').map((one) => one.replaceAll('"', ''))).toEqual(
    expect.arrayContaining([String(counted.impressions), String(counted.clicks), revenue]),
  );
}, 600_000);
