import { expect, test } from 'vitest';
import { bid, bidBody, eventually, fire, graphql } from './support/server.ts';
import type { BidResponse } from './support/server.ts';

const unique = `${process.pid}-${Date.now()}`;
const ONE_A_DAY = { count: 1, window: 'DAY' };

async function data<T>(query: string, variables?: unknown): Promise<T> {
  const response = await graphql(query, { variables });
  const body = response.json<{ data?: T; errors?: unknown }>();
  if (body.errors !== undefined || body.data === undefined) throw new Error(JSON.stringify(body));
  return body.data;
}

async function create(type: string, input: unknown): Promise<string> {
  const field = `${type[0]?.toLowerCase()}${type.slice(1)}`;
  const query = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { object: ${field} { id } } }`;
  return (await data<{ made: { object: { id: string } } }>(query, { input })).made.object.id;
}

/** A line item of a new advertiser on a site of its own. */
async function book(name: string, own: object, ofAdvertiser: object = {}): Promise<{ ask: Ask; lineItemId: string }> {
  const code = `${name}-${unique}`;
  const siteId = await create('Site', { code, name, domain: `${name}.example` });
  const facts = { domains: ['ads.example'], dsaBehalf: 'A', dsaPaid: 'A' };
  const advertiserId = await create('Advertiser', { name, ...facts, ...ofAdvertiser });
  const campaignId = await create('Campaign', { advertiserId, name, status: 'ACTIVE' });
  const targeting = { test: { dimension: 'SITE', values: [siteId] } };
  const booking = { campaignId, name, type: 'PRICE', price: '5', status: 'ACTIVE', targeting };
  const lineItemId = await create('LineItem', { ...booking, ...own });
  const content = { image: { imageUrl: 'https://ads.example/ad.png', alt: name } };
  const picture = { width: 468, height: 60, clickUrl: 'https://ads.example/', content };
  await create('Creative', { lineItemId, name, ...picture });
  const site = { id: code, domain: `${name}.example`, page: `https://${name}.example/` };
  const imp = { tagid: '', banner: { format: [{ w: 468, h: 60 }] } };
  const ask: Ask = async (ids, more = {}) => {
    const response = await bid(bidBody({ site, user: { ext: { ids, ...more } } }, imp));
    if (response.status === 204) return null;
    return response.json<BidResponse>().seatbid[0]?.bid[0]?.burl ?? null;
  };
  return { ask, lineItemId };
}

type Ask = (ids: Record<string, string>, more?: object) => Promise<string | null>;

const served = (ask: () => Promise<string | null>) => eventually(ask, (link) => link !== null);
const capped = (ask: () => Promise<string | null>) => eventually(ask, (link) => link === null);

test('a cap per household counts what all its members saw, where the request names it with consent', async () => {
  const { ask } = await book('household', { frequencyCaps: [{ ...ONE_A_DAY, per: 'HOUSEHOLD' }] });
  const hh = `home-${unique}`;
  const link = await served(() => ask({ lu: `ann-${unique}`, hh }));
  expect((await fire(link ?? '')).status).toBe(200);
  expect(await capped(() => ask({ lu: `bob-${unique}`, hh }))).toBeNull();
  expect(await ask({ hh }), 'a household without a user').toBeNull();
  expect(await ask({ lu: `bob-${unique}`, hh: `other-${hh}` }), 'another household').not.toBeNull();
  expect(await ask({ lu: `bob-${unique}` }), 'a user of no known household').not.toBeNull();
  expect(await ask({ lu: `bob-${unique}`, hh: `third-${hh}` }, { npa: true }), 'without consent').toBeNull();
});

test('a cap by label counts the ads of all line items that bear it, and stops each of them', async () => {
  const label = `Bets & more ${unique}`;
  const first = await book('first-bets', { labels: [label] });
  const second = await book('second-bets', {}, { labels: [label] });
  const free = await book('no-bets', {});
  await data('mutation ($input: UpdateNetworkInput!) { updateNetwork(input: $input) { id } }', {
    input: { labelCaps: [{ label, frequencyCaps: [ONE_A_DAY] }] },
  });
  const lu = `cat-${unique}`;
  // Workers know the cap once they refuse a request without a user.
  await capped(() => first.ask({}));
  const link = await served(() => first.ask({ lu }));
  expect((await fire(link ?? '')).status).toBe(200);
  expect(await capped(() => second.ask({ lu }))).toBeNull();
  expect(await first.ask({ lu })).toBeNull();
  expect(await free.ask({ lu })).not.toBeNull();
  expect(await second.ask({ lu: `dan-${unique}` })).not.toBeNull();
  const query = 'query ($labels: [String!]) { lineItems(filter: { labels: $labels }) { nodes { id } } }';
  expect(await data(query, { labels: [label] })).toEqual({ lineItems: { nodes: [{ id: first.lineItemId }] } });
  await data('mutation { updateNetwork(input: { labelCaps: null }) { id } }');
});
