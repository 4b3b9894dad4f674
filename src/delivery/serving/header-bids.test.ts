import { afterAll, beforeAll, expect, test } from 'vitest';
import { runDelivery } from '../../../test/support/running-delivery.ts';
import type { RunningDelivery } from '../../../test/support/running-delivery.ts';
import { seedLineItem, seedNetwork } from '../../../test/worlds/seed.sql.ts';

const image = { format: 'IMAGE', imageUrl: 'https://cdn.example/1.png', alt: '' };
const won = { bidder: 'bidco', adId: 'ad-1', width: 300, height: 250 };
const headerBid = (cpm: number, currency = 'PLN') => ({
  bidder: 'bidco',
  adId: 'ad-1',
  cpm,
  currency,
  size: '300x250',
});

let delivery: RunningDelivery;
let serial = 0;

beforeAll(async () => {
  delivery = await runDelivery(async ({ db }) => {
    await seedNetwork(db);
    await seedLineItem(db, { id: 1n, cpm: 12n, content: image });
  });
});
afterAll(() => delivery?.stop());

/** Asks for one slot for each list of header bids. */
async function bid(...lists: (readonly object[] | undefined)[]) {
  serial += 1;
  const imp = lists.map((hb, index) => ({
    id: `i${index}`,
    tagid: 'home/top',
    banner: { format: [{ w: 300, h: 250 }] },
    ...(hb === undefined ? {} : { ext: { hb } }),
  }));
  const body = { id: `r${serial}`, imp, site: { id: 'news', domain: 'news.example' } };
  const response = await delivery.post('/1000/bid', body);
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>) };
}

async function ads(more: object) {
  const response = await delivery.post('/api/v1/ads', { network: '1000', adUnit: 'home/top', ...more });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('a bid response names the header bid that won, and has no bid for its slot', async () => {
  const { status, body } = await bid([headerBid(3), headerBid(12.01)]);
  expect(status).toBe(200);
  expect(body).toEqual({ id: `r${serial}`, cur: 'PLN', seatbid: [], ext: { hb: [{ impid: 'i0', ...won }] } });
});

test('a bid response names header bids beside bids for other slots', async () => {
  const { body } = await bid([headerBid(20)], undefined);
  const { seatbid, ext } = body as { seatbid: { bid: { impid: string }[] }[]; ext: Record<string, unknown> };
  expect(seatbid.flatMap((seat) => seat.bid.map(({ impid }) => impid))).toEqual(['i1']);
  expect(ext['hb']).toEqual([{ impid: 'i0', ...won }]);
  expect(ext['dsaurl']).toMatch(/^https:/);
});

test.each([
  ['a lower one', [headerBid(11.99)]],
  ['one in another currency', [headerBid(90, 'USD')]],
  ['malformed ones', [{ ...headerBid(90), adId: 7 }]],
])('a line item of PRICE wins against %s, and the response is as without it', async (_name, hb) => {
  const { body } = await bid(hb);
  expect(body).toMatchObject({ seatbid: [{ bid: [{ impid: 'i0', price: 12 }] }] });
  expect(body?.['ext']).not.toHaveProperty('hb');
});

test('an ad request names the header bid that won the first ad, and returns the ads of the others', async () => {
  const { body } = await ads({ count: 2, hb: [headerBid(20)] });
  expect(body).toMatchObject({ headerBid: won, noFill: null, ads: [{ position: 1, lineItemId: '1' }] });
  const alone = await ads({ hb: [headerBid(20)] });
  expect(alone.body).toMatchObject({ headerBid: won, noFill: { code: 'header_bid' }, ads: [] });
});

test('an ad request whose header bids lose says so, and one without any says nothing', async () => {
  expect((await ads({ hb: [headerBid(1)] })).body).toMatchObject({ headerBid: null, ads: [{ lineItemId: '1' }] });
  expect((await ads({})).body).not.toHaveProperty('headerBid');
});

test('an ad request with a wrong header bid gets 400 that names the member', async () => {
  const { status, body } = await ads({ hb: [headerBid(1), headerBid(1, 'USD')] });
  expect([status, body['message']]).toEqual([400, 'hb[1].currency must be PLN or a currency with an exchange rate.']);
  expect((await ads({ hb: [{}] })).body['message']).toContain('hb[0].bidder');
});

test('an explanation says that line items lost to the header bidder by price', async () => {
  delivery.principal = { ...delivery.principal, permission: 'admin' };
  const { body } = await ads({ hb: [headerBid(20)], explain: true });
  expect(body['losers']).toEqual([{ position: 1, lineItemId: '1', reason: 'lost.price' }]);
});
