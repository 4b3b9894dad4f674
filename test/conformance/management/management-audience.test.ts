import { describe, expect, test } from 'vitest';
import { create, dataOf, unique } from '../support/own-site.ts';
import { bid, bidBody, eventually, graphql, send, server } from '../support/server.ts';

interface Booked {
  readonly siteId: string;
  readonly lineItemId: string;
  /** Asks for an ad on the booked site. */
  ask(user?: Record<string, unknown>, ext?: Record<string, unknown>): Promise<number>;
}

let sites = 0;

/** A separate site with one line item, which its own targeting may narrow. */
async function book(name: string, test: Record<string, unknown> | null, price = '5'): Promise<Booked> {
  sites += 1;
  const code = `${name}-${unique}-${sites}`;
  const siteId = await create('Site', { code, name, domain: `${name}.example` });
  const advertiserId = await create('Advertiser', { name, domains: ['ads.example'], dsaBehalf: 'A', dsaPaid: 'A' });
  const campaignId = await create('Campaign', { advertiserId, name, status: 'ACTIVE' });
  const onSite = { test: { dimension: 'SITE', values: [siteId] } };
  const lineItemId = await create('LineItem', {
    campaignId,
    name,
    type: 'PRICE',
    price,
    status: 'ACTIVE',
    targeting: test === null ? onSite : { all: [onSite, { test }] },
  });
  await create('Creative', {
    lineItemId,
    name,
    width: 468,
    height: 60,
    clickUrl: 'https://ads.example/',
    content: { image: { imageUrl: 'https://ads.example/ad.png', alt: name } },
  });
  const site = { id: code, domain: `${name}.example`, page: `https://${name}.example/` };
  const imp = { tagid: '', banner: { format: [{ w: 468, h: 60 }] } };
  const ask = async (user?: Record<string, unknown>, ext: Record<string, unknown> = {}): Promise<number> => {
    const response = await bid(bidBody({ site, ...(user === undefined ? {} : { user }), ext }, imp));
    if (response.status !== 200) return response.status;
    const served = response.json<{ seatbid: { bid: { cid: string }[] }[] }>().seatbid[0]?.bid.length ?? 0;
    return served > 0 ? 200 : 204;
  };
  return { siteId, lineItemId, ask };
}

const person = (lu: string, more: Record<string, unknown> = {}) => ({ ext: { ids: { lu }, ...more } });
const within = (ask: () => Promise<number>, status: number) => eventually(ask, (responded) => responded === status);

async function upload(segmentId: string, query: string, body: string): Promise<void> {
  const response = await send(`${server.coreUrl}/segments/${segmentId}/members${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.demo.keys.audience}`, 'content-type': 'application/x-ndjson' },
    body,
  });
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
}

// Conformance: G4
describe('segments', () => {
  test('only uploaded users get the ads that target their segment, and never under npa', async () => {
    const segmentId = await create('Segment', { name: `Readers ${unique}` });
    const { ask } = await book('uploaded', { dimension: 'SEGMENT', values: [segmentId] });
    await upload(segmentId, '', `{"id":"ann-${unique}"}\n{"id":"bob-${unique}"}\n`);
    expect(await within(() => ask(person(`ann-${unique}`)), 200)).toBe(200);
    expect(await ask(person(`eve-${unique}`))).toBe(204);
    expect(await ask()).toBe(204);
    expect(await ask(person(`ann-${unique}`, { npa: true }))).toBe(204);
    // The server ignores segments that a page claims.
    expect(await ask({ ...person(`eve-${unique}`), data: [{ segment: [{ id: segmentId }] }] })).toBe(204);
    await upload(segmentId, '?mode=REMOVE', `ann-${unique}\n`);
    expect(await within(() => ask(person(`ann-${unique}`)), 204)).toBe(204);
    await upload(segmentId, '?mode=REPLACE', `eve-${unique}\n`);
    expect(await within(() => ask(person(`eve-${unique}`)), 200)).toBe(200);
    expect(await within(() => ask(person(`bob-${unique}`)), 204)).toBe(204);
  });

  test('a rule over key-values adds users that a request with them shows', async () => {
    const rule = { any: [{ keyValue: { key: `Sport${unique}`, values: ['Golf'] } }] };
    const segmentId = await create('Segment', { name: `Golfers ${unique}`, membershipDays: 3, rule });
    const { ask } = await book('observed', { dimension: 'SEGMENT', values: [segmentId] });
    const golfing = { keyvalues: { [`kvsport${unique}`]: 'golf' } };
    expect(await ask(person(`ann-${unique}`))).toBe(204);
    // A user seen without consent is not remembered.
    await ask(person(`eve-${unique}`, { npa: true }), golfing);
    const see = async () => {
      await ask(person(`ann-${unique}`), golfing);
      return ask(person(`ann-${unique}`));
    };
    expect(await within(see, 200)).toBe(200);
    expect(await ask(person(`eve-${unique}`))).toBe(204);
    const query = 'query ($id: ID!) { segment(id: $id) { sizeEstimate rule { any { keyValue { key values } } } } }';
    expect((await dataOf<{ segment: unknown }>(query, { id: segmentId })).segment).toEqual({
      sizeEstimate: 1,
      rule: { any: [{ keyValue: { key: `sport${unique}`, values: ['golf'] } }] },
    });
    const update =
      'mutation ($id: ID!, $input: UpdateSegmentInput!) { updateSegment(id: $id, input: $input) { validatedOnly } }';
    await dataOf(update, { id: segmentId, input: { rule: { any: [{ keyValue: { key: 'other' } }] } } });
    expect(await within(() => ask(person(`ann-${unique}`)), 204)).toBe(204);
    expect((await dataOf<{ segment: { sizeEstimate: number } }>(query, { id: segmentId })).segment.sizeEstimate).toBe(
      0,
    );
  });

  test('a rule over an activity adds users whose event it counts', async () => {
    const activityId = await create('Activity', { actgid: `order-${unique}`, name: 'Order' });
    const rule = { any: [{ activity: { activityId, event: 'purchase' } }] };
    const segmentId = await create('Segment', { name: `Buyers ${unique}`, rule });
    const { ask } = await book('bought', { dimension: 'SEGMENT', values: [segmentId] });
    const record = (lu: string, event: string) =>
      send(`${server.deliveryUrl}/api/v1/events`, {
        headers: { authorization: `Bearer ${server.demo.keys.audience}` },
        json: { network: server.demo.networkId, actgid: `order-${unique}`, event, cost: '1.00', lu },
      });
    const bought = await eventually(
      () => record(`buyer-${unique}`, 'purchase'),
      (response) => response.status < 300,
    );
    expect(bought.status).toBe(202);
    await record(`looker-${unique}`, 'view');
    expect(await within(() => ask(person(`buyer-${unique}`)), 200)).toBe(200);
    expect(await ask(person(`looker-${unique}`))).toBe(204);
  });

  // Conformance: G6
  test('a rule with an unknown activity and targeting of an unknown segment are refused by field', async () => {
    const response = await graphql(
      'mutation { createSegment(input: {name: "X", rule: {any: [{activity: {activityId: "999999999"}}]}}) { validatedOnly } }',
    );
    expect(response.json()).toMatchObject({
      errors: [
        { extensions: { code: 'validation_failed', fields: [{ path: 'input.rule.any.0.activity.activityId' }] } },
      ],
    });
    await expect(book('nowhere', { dimension: 'SEGMENT', values: ['999999999'] })).rejects.toThrow(/segment 999999999/);
  });
});

// Conformance: G4
describe('floors', () => {
  test('a floor for a site, by priority, sets the lowest price of the ads that serve there', async () => {
    const { siteId, ask } = await book('floored', null, '5');
    expect(await within(() => ask(), 200)).toBe(200);
    await create('Floor', { name: `High ${unique}`, floor: '5.01', siteId, sizes: [{ width: 468, height: 60 }] });
    expect(await within(() => ask(), 204)).toBe(204);
    const lower = await create('Floor', { name: `Low ${unique}`, floor: '1', siteId, priority: 1 });
    expect(await within(() => ask(), 200)).toBe(200);
    await dataOf('mutation ($id: ID!) { archiveFloor(id: $id) { floor { status } } }', { id: lower });
    expect(await within(() => ask(), 204)).toBe(204);
  });
});
