import { expect, test } from 'vitest';
import { bookOwnSite, dataOf, unique } from './support/own-site.ts';
import { bid, eventually, fire } from './support/server.ts';
import type { BidResponse } from './support/server.ts';

const ONE_A_DAY = { count: 1, window: 'DAY' };

type Ask = (ids: Record<string, string>, more?: object) => Promise<string | null>;

/** A line item of a new advertiser on a site of its own. */
async function book(name: string, own: object, ofAdvertiser: object = {}): Promise<{ ask: Ask; lineItemId: string }> {
  const { lineItemId, body } = await bookOwnSite(name, own, ofAdvertiser);
  const ask: Ask = async (ids, more = {}) => {
    const response = await bid(body({ user: { ext: { ids, ...more } } }));
    if (response.status === 204) return null;
    return response.json<BidResponse>().seatbid[0]?.bid[0]?.burl ?? null;
  };
  return { ask, lineItemId };
}

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
  await dataOf('mutation ($input: UpdateNetworkInput!) { updateNetwork(input: $input) { id } }', {
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
  expect(await dataOf(query, { labels: [label] })).toEqual({ lineItems: { nodes: [{ id: first.lineItemId }] } });
  await dataOf('mutation { updateNetwork(input: { labelCaps: null }) { id } }');
});
