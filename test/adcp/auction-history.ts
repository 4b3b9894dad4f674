import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createClient } from '../support/http-client.ts';
import type { LeanPlacard } from '../support/lean-placard.ts';
import type { Publisher } from './seed-fixtures.ts';

export const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
/** Bids over the floor, each of an advertiser of its own. */
const OVER_FLOOR = [1, 1.25, 1.5];
/** Impressions that a bid buys: together more than guidance needs. */
const IMPRESSIONS = 40;
const WAIT_MS = 120_000;

interface SoldProduct {
  readonly id: string;
  readonly formats: readonly { readonly format: string }[];
  readonly priceOptions: readonly { readonly id: string; readonly floor: string | null }[];
  readonly minimumSpend: string | null;
  readonly priceGuidance: readonly unknown[];
}

const PRODUCTS = `{ advertisingProducts(first: 100, filter: { statuses: [ACTIVE] }) {
  nodes { id: databaseId formats { format } priceOptions { id floor } minimumSpend priceGuidance { p50 } } } }`;
const BOOK = 'mutation ($input: BookProductInput!) { bookProduct(input: $input) { lineItem { id: databaseId } } }';
const START = `mutation ($id: ID!) { updateLineItem(id: $id, input: { status: ACTIVE, pacing: ASAP }) { lineItem { id } } }`;

/** Lets three advertisers buy impressions of every product with a floor, through the addresses that pages use, until reports have their prices. */
export async function sellByAuction(server: LeanPlacard, publisher: Publisher): Promise<void> {
  await pauseOthers(publisher);
  const sold = await productsOf(publisher);
  for (const [at, factor] of OVER_FLOOR.entries()) {
    const advertiserId = await publisher.make('Advertiser', { name: `Bidder ${at}` });
    const campaignId = await publisher.make('Campaign', { name: `Bids ${at}`, advertiserId, status: 'ACTIVE' });
    for (const product of sold) await bid(publisher, { product, campaignId, factor });
  }
  await showAds(server, sold.length * OVER_FLOOR.length * IMPRESSIONS);
  const known = async () => (await productsOf(publisher)).filter((one) => one.priceGuidance.length > 0).length;
  await expect.poll(known, { timeout: WAIT_MS, interval: 1_000 }).toBe(sold.length);
}

/** Line items of the demo would win. */
export async function pauseOthers(publisher: Publisher): Promise<void> {
  const { lineItems } = await publisher.graphql<{ lineItems: { nodes: { id: string }[] } }>(
    '{ lineItems(first: 100, filter: { statuses: [ACTIVE] }) { nodes { id: databaseId } } }',
    {},
  );
  const updates = lineItems.nodes.map(({ id }) => ({ id, input: { status: 'PAUSED' } }));
  await publisher.graphql(
    'mutation ($updates: [UpdateLineItemEntry!]!) { updateLineItems(updates: $updates) { results { index } } }',
    { updates },
  );
}

async function productsOf(publisher: Publisher): Promise<SoldProduct[]> {
  const { advertisingProducts } = await publisher.graphql<{ advertisingProducts: { nodes: SoldProduct[] } }>(
    PRODUCTS,
    {},
  );
  // Products of the demo cost more than a few impressions.
  return advertisingProducts.nodes.filter(
    ({ priceOptions, minimumSpend }) => minimumSpend === null && priceOptions.some(({ floor }) => floor !== null),
  );
}

interface Bid {
  readonly product: SoldProduct;
  readonly campaignId: string;
  readonly factor: number;
}

async function bid(publisher: Publisher, { product, campaignId, factor }: Bid): Promise<void> {
  const option = product.priceOptions.find(({ floor }) => floor !== null);
  const price = Number(option?.floor) * factor;
  const input = {
    productId: product.id,
    priceOptionId: option?.id,
    campaignId,
    bid: price.toString(),
    quantity: IMPRESSIONS,
    startsAt: new Date(Date.now() + 5_000).toISOString(),
    endsAt: '2099-01-01T00:00:00Z',
  };
  const { bookProduct } = await publisher.graphql<{ bookProduct: { lineItem: { id: string } } }>(BOOK, { input });
  const lineItemId = bookProduct.lineItem.id;
  const isVideo = product.formats.some(({ format }) => format === 'VIDEO');
  const file = { url: 'https://cdn.example/ad.mp4', mimeType: 'video/mp4', width: 1280, height: 720, bitrateKbps: 900 };
  await publisher.make('Creative', {
    lineItemId,
    name: 'Ad',
    clickUrl: 'https://bidder.example/',
    ...(isVideo
      ? { content: { video: { title: 'Ad', durationMs: 15_000, mediaFiles: [file] } } }
      : { width: 300, height: 250, content: { html: { html: '<b>Ad</b>' } } }),
  });
  await publisher.graphql(START, { id: lineItemId });
}

/** Asks for banners and videos as pages do, and reports their impressions, until all are shown. */
async function showAds(server: LeanPlacard, wanted: number): Promise<void> {
  const client = createClient(server.ca);
  const network = `${server.deliveryUrl}/staging/${server.demo.networkId}`;
  const banner = { banner: { format: [{ w: 300, h: 250 }] } };
  const video = { video: { mimes: ['video/mp4'], protocols: [3, 6, 7, 8], w: 1280, h: 720, maxduration: 30 } };
  let shown = 0;
  const show = async (format: object): Promise<void> => {
    const json = {
      // Impressions of one request count once.
      id: randomUUID(),
      imp: [{ id: '1', secure: 1, ...format }],
      site: { id: 'outdoor', domain: 'outdoor.example', page: 'https://outdoor.example/' },
    };
    const response = await client.send(`${network}/bid`, { json, headers: BROWSER });
    const token = response.status === 200 ? /\/imp\/([\w.-]+)/.exec(response.text)?.[1] : undefined;
    if (token === undefined) return;
    await client.send(`${network}/imp/${token}`, { headers: BROWSER });
    shown += 1;
  };
  try {
    const round = async () => {
      for (let at = 0; at < 50; at += 1) await Promise.all([show(banner), show(video)]);
      return shown;
    };
    await expect.poll(round, { timeout: WAIT_MS, interval: 500 }).toBeGreaterThanOrEqual(wanted);
  } finally {
    client.close();
  }
}
