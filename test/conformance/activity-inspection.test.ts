import { expect, test } from 'vitest';
import { bid, bidBody, type BidResponse, eventually, fire, graphql, send, server } from './support/server.ts';

const unique = `${process.pid}${Date.now()}`;

async function data<T>(query: string, variables?: unknown): Promise<T> {
  const response = await graphql(query, { variables });
  const body = response.json<{ data?: T; errors?: unknown }>();
  if (body.errors !== undefined || body.data === undefined) throw new Error(JSON.stringify(body));
  return body.data;
}

interface Inspection {
  readonly outcome: string;
  readonly refusal: { readonly code: string; readonly message: string; readonly fields: { path: string }[] } | null;
  readonly activity: { readonly actgid: string } | null;
  readonly credit: {
    readonly kind: string;
    readonly lineItem: { campaign: { databaseId: string } } | null;
    readonly earned: string;
  } | null;
  readonly noCredit: string | null;
}

const inspect = async (event: object): Promise<Inspection> => {
  const query = `query ($event: JSON!) { inspectActivityEvent(event: $event) { outcome noCredit segmentIds
    refusal { code message fields { path } } activity { actgid } credit { kind touchedAt earned lineItem { campaign { databaseId } } creative { id } } } }`;
  return (await data<{ inspectActivityEvent: Inspection }>(query, { event })).inspectActivityEvent;
};

const record = (json: object) =>
  send(`${server.deliveryUrl}/api/v1/events`, {
    headers: { authorization: `Bearer ${server.demo.keys.audience}` },
    json,
  });

/** An activity that credits the ads of all advertisers, and its event. */
async function makeActivity(more: object = {}): Promise<(over?: object) => Record<string, unknown>> {
  const actgid = `inspected${unique}${Math.random().toString(36).slice(2, 8)}`;
  await data('mutation ($input: CreateActivityInput!) { createActivity(input: $input) { activity { id } } }', {
    input: { actgid, name: 'Inspected', ...more },
  });
  const event = (over: object = {}) => ({ network: '1000', actgid, event: 'purchased', cost: '12.50', ...over });
  await eventually(
    () => inspect(event()),
    ({ outcome }) => outcome === 'ACCEPTED',
  );
  return event;
}

test('an inspection says what the API then does, and records nothing', async () => {
  const event = await makeActivity();
  const once = event({ ord: `order-${unique}` });
  for (const _time of [1, 2]) expect(await inspect(once)).toMatchObject({ outcome: 'ACCEPTED', refusal: null });
  expect((await record(once)).status).toBe(202);
  expect(await inspect(once)).toMatchObject({ outcome: 'DUPLICATE', credit: null, noCredit: null });
  expect((await record(once)).status).toBe(200);
});

test('the repeat interval of a user is known, and inspecting does not begin it', async () => {
  const event = await makeActivity({ repeatIntervalSeconds: 600 });
  const ofUser = event({ lu: `user${unique}` });
  for (const _time of [1, 2]) expect((await inspect(ofUser)).outcome).toBe('ACCEPTED');
  expect((await record(ofUser)).status).toBe(202);
  expect((await inspect(ofUser)).outcome).toBe('DUPLICATE');
});

test.each([
  [{ cost: 'abc' }, 'VALIDATION_FAILED', ['cost']],
  [{ network: '2000' }, 'INSUFFICIENT_PERMISSIONS', []],
  [{ actgid: 'nobody' }, 'UNKNOWN_ACTIVITY', []],
  [{ currency: 'GBP' }, 'VALIDATION_FAILED', ['currency']],
  [{ event: undefined, items: 1, ts: 'yesterday' }, 'VALIDATION_FAILED', ['event', 'ts']],
])('an event with %j is refused as the API refuses it', async (over, code, fields) => {
  const event = (await makeActivity())(over);
  const { outcome, refusal, activity } = await inspect(event);
  expect([outcome, refusal?.code, activity]).toEqual(['REFUSED', code, null]);
  expect(refusal?.fields.map(({ path }) => path)).toEqual(fields);
  const response = await record(event);
  expect(response.json<{ error: string }>().error.toUpperCase()).toBe(code);
});

test.each([['text'], [[]], [7], [{}]])('%j is refused and stops nothing', async (event) => {
  expect((await inspect(event as object)).outcome).toBe('REFUSED');
});

test('the ad that an event is credited to is named, and why none is', async () => {
  const event = await makeActivity();
  const lu = `credited${unique}`;
  expect(await inspect(event())).toMatchObject({ credit: null, noCredit: 'NO_USER' });
  expect(await inspect(event({ lu }))).toMatchObject({ credit: null, noCredit: 'NO_CONTACT' });
  expect(await inspect(event({ lu, npa: true }))).toMatchObject({ credit: null, noCredit: 'NO_USER' });
  const response = await bid(bidBody({ user: { ext: { ids: { lu } } } }));
  const served = response.json<BidResponse & { seatbid: { bid: { cid: string }[] }[] }>().seatbid[0]?.bid[0];
  expect((await fire(served?.ext.ems_link ?? '')).status).toBe(200);
  const seen = await eventually(
    () => inspect(event({ lu })),
    ({ credit }) => credit !== null,
  );
  expect(seen).toMatchObject({
    outcome: 'ACCEPTED',
    noCredit: null,
    credit: { kind: 'VIEW', lineItem: { campaign: { databaseId: served?.cid } } },
  });
  const past = new Date(Date.now() - 3_600_000).toISOString();
  expect(await inspect(event({ lu, ts: past }))).toMatchObject({ credit: null, noCredit: 'NONE_COUNTS' });
});

async function create(type: string, input: object): Promise<string> {
  const field = `${type[0]?.toLowerCase()}${type.slice(1)}`;
  const query = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { object: ${field} { id } } }`;
  return (await data<{ made: { object: { id: string } } }>(query, { input })).made.object.id;
}

/** Shows a user an ad of a new advertiser, whose line item is paid by conversions. */
async function showPaidByConversions(lu: string): Promise<void> {
  const code = `orders-${unique}`;
  const siteId = await create('Site', { code, name: code, domain: `${code}.example` });
  const advertiserId = await create('Advertiser', {
    name: code,
    domains: ['ads.example'],
    dsaBehalf: 'A',
    dsaPaid: 'A',
  });
  const campaignId = await create('Campaign', { advertiserId, name: code, status: 'ACTIVE' });
  const lineItemId = await create('LineItem', {
    campaignId,
    name: code,
    type: 'PRICE',
    pricingModel: 'CPA',
    price: '10',
    status: 'ACTIVE',
    targeting: { test: { dimension: 'SITE', values: [siteId] } },
  });
  const content = { image: { imageUrl: 'https://ads.example/ad.png', alt: code } };
  await create('Creative', {
    lineItemId,
    name: code,
    width: 468,
    height: 60,
    clickUrl: 'https://ads.example/',
    content,
  });
  const site = { id: code, domain: `${code}.example`, page: `https://${code}.example/` };
  const imp = { tagid: '', banner: { format: [{ w: 468, h: 60 }] } };
  const response = await eventually(
    () => bid(bidBody({ site, user: { ext: { ids: { lu } } } }, imp)),
    ({ status }) => status === 200,
  );
  expect((await fire(response.json<BidResponse>().seatbid[0]?.bid[0]?.ext.ems_link ?? '')).status).toBe(200);
}

test('an order that has earned earns nothing by another activity of its advertiser', async () => {
  const [cart, purchase] = [await makeActivity(), await makeActivity()];
  const order = { lu: `buyer${unique}`, ord: `order-of-two-${unique}` };
  await showPaidByConversions(order.lu);
  const credited = await eventually(
    () => inspect(cart(order)),
    ({ credit }) => credit !== null,
  );
  const earned = async (event: object) => Number((await inspect(event)).credit?.earned);
  expect(Number(credited.credit?.earned)).toBe(10);
  expect(await earned(purchase(order))).toBe(10);
  expect((await record(cart(order))).status).toBe(202);
  expect(await inspect(purchase(order))).toMatchObject({ outcome: 'ACCEPTED', credit: { kind: 'VIEW' } });
  expect(await earned(purchase(order)), 'the API bills the order once').toBe(0);
  expect(await earned(purchase({ ...order, ord: `next-${order.ord}` })), 'another order').toBe(10);
  expect((await record(purchase(order))).status).toBe(202);
});
