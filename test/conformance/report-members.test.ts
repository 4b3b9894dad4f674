import { describe, expect, test } from 'vitest';
import { create, dataOf } from './support/own-site.ts';
import {
  bid,
  bidBody,
  type BidResponse,
  credentialHeaders,
  eventually,
  fire,
  load,
  send,
  server,
  todayRange,
} from './support/server.ts';

const unique = `${process.pid}_${Date.now()}`;
const member = (name: string): string => `campaign_overview.${name}`;

interface Booked {
  readonly advertiserId: string;
  readonly lineItemId: string;
  readonly site: Readonly<Record<string, string>>;
}

/** An advertiser with one line item on a separate site. */
async function book(name: string, more: object = {}): Promise<Booked> {
  const code = `${name}-${unique}`;
  const siteId = await create('Site', { code, name, domain: `${name}.example` });
  const advertiserId = await create('Advertiser', { name, domains: ['ads.example'], dsaBehalf: 'A', dsaPaid: 'A' });
  const campaignId = await create('Campaign', { advertiserId, name, status: 'ACTIVE' });
  const lineItemId = await create('LineItem', {
    campaignId,
    name,
    type: 'PRICE',
    price: '5',
    status: 'ACTIVE',
    targeting: { test: { dimension: 'SITE', values: [siteId] } },
    ...more,
  });
  await create('Creative', {
    lineItemId,
    name,
    width: 468,
    height: 60,
    clickUrl: 'https://ads.example/',
    content: { image: { imageUrl: 'https://ads.example/ad.png', alt: name } },
  });
  return { advertiserId, lineItemId, site: { id: code, domain: `${name}.example`, page: `https://${name}.example/` } };
}

/** The impression link of the ad that a page with these key-values gets. */
async function serve({ site }: Booked, lu: string, keyvalues: Record<string, unknown> = {}): Promise<string> {
  const body = () =>
    bidBody(
      { site, user: { ext: { ids: { lu } } }, ext: { keyvalues } },
      { tagid: '', banner: { format: [{ w: 468, h: 60 }] } },
    );
  const response = await eventually(
    () => bid(body()),
    ({ status }) => status === 200,
  );
  return response.json<BidResponse>().seatbid[0]?.bid[0]?.ext.ems_link ?? '';
}

async function rowsOf(query: object): Promise<Record<string, string | null>[]> {
  const response = await load({ timeDimensions: [{ dimension: member('time'), dateRange: todayRange() }], ...query });
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return response.json<{ data: Record<string, string | null>[] }>().data;
}

async function membersOf(prefix: string): Promise<Set<string>> {
  const response = await send(`${server.coreUrl}${prefix}/reports/1000/v1/meta`, {
    headers: prefix === '' ? credentialHeaders() : { authorization: `Bearer ${server.demo.keys.staging}` },
  });
  const [cube] = response.json<{ cubes: { measures: { name: string }[]; dimensions: { name: string }[] }[] }>().cubes;
  return new Set([...(cube?.dimensions ?? []), ...(cube?.measures ?? [])].map(({ name }) => name));
}

describe('members that a network defines', () => {
  // Conformance: Q5
  test('a reportable key is in /meta of its workspace and splits requests and impressions', async () => {
    const key = `tone_${unique}`;
    const name = member(`kv_${key}`);
    const keyId = await create('KeyValue', { key, name: 'Tone', reportable: true });
    expect(
      await eventually(
        () => membersOf(''),
        (members) => members.has(name),
      ),
    ).toContain(name);
    expect(await membersOf('/staging')).not.toContain(name);
    const booked = await book('toned');
    await serve(booked, `warm-up-${unique}`);
    const tones = [['Glad'], ['glad'], ['sad', 'calm'], []];
    const links = await Promise.all(tones.map((values, at) => serve(booked, `u${at}-${unique}`, { [key]: values })));
    for (const link of links) expect((await fire(link)).status).toBe(200);
    const expected = [
      ['calm,sad', '1', '1'],
      ['glad', '2', '2'],
    ];
    const ask = async () =>
      (
        await rowsOf({
          measures: ['requests', 'impressions'].map(member),
          dimensions: [name],
          filters: [{ member: name, operator: 'set' }],
          order: { [name]: 'asc' },
        })
      ).map((row) => [row[name], row[member('requests')], row[member('impressions')]]);
    expect(await eventually(ask, (rows) => JSON.stringify(rows) === JSON.stringify(expected), 60_000)).toEqual(
      expected,
    );
    await dataOf('mutation ($id: ID!) { updateKeyValue(id: $id, input: {reportable: false}) { validatedOnly } }', {
      id: keyId,
    });
    expect(
      await eventually(
        () => membersOf(''),
        (members) => !members.has(name),
      ),
    ).not.toContain(name);
  }, 120_000);

  // Conformance: G4
  test('one reportable key beyond the maximum is refused by field', async () => {
    const made: string[] = [];
    let refused: unknown = null;
    for (let at = 0; at < 11 && refused === null; at += 1) {
      const input = { key: `many_${at}_${unique}`, name: 'Many', reportable: true };
      await create('KeyValue', input).then(
        (id) => made.push(id),
        (error: unknown) => (refused = error),
      );
    }
    expect(String(refused)).toMatch(/too_many.*input\.reportable|input\.reportable.*too_many/);
    for (const id of made)
      await dataOf('mutation ($id: ID!) { updateKeyValue(id: $id, input: {reportable: false}) { validatedOnly } }', {
        id,
      });
  });

  // Conformance: P3
  test('an activity of one advertiser credits only ads of that advertiser, any other credits the newest ad, and each has members', async () => {
    const [first, second] = [await book('owner'), await book('rival')];
    const [own, shared] = [`own_${unique}`, `shared_${unique}`];
    await create('Activity', { actgid: own, name: 'Own', advertiserId: first.advertiserId });
    await create('Activity', { actgid: shared, name: 'Shared' });
    const lu = `buyer-${unique}`;
    for (const booked of [first, second]) {
      const impression = await serve(booked, lu);
      expect((await fire(impression)).status).toBe(200);
      expect((await fire(impression.replace('/imp/', '/click/'))).status).toBe(302);
    }
    for (const actgid of [own, shared]) {
      const response = await eventually(
        () =>
          send(`${server.deliveryUrl}/api/v1/events`, {
            headers: { authorization: `Bearer ${server.demo.keys.audience}` },
            json: { network: '1000', actgid, event: 'bought', cost: '12.50', ord: `${actgid}-1`, lu },
          }),
        ({ status }) => status === 202,
      );
      expect(response.status).toBe(202);
    }
    const measures = [`activity_${own}_count`, `activity_${own}_value`, `activity_${shared}_post_click`].map(member);
    const ask = () =>
      rowsOf({
        measures,
        dimensions: [member('line_item_id')],
        filters: [
          { member: member('line_item_id'), operator: 'equals', values: [first.lineItemId, second.lineItemId] },
        ],
        order: { [member('line_item_id')]: 'asc' },
      });
    const expected = [
      [first.lineItemId, '1', '12.5', '0'],
      [second.lineItemId, '0', '0', '1'],
    ];
    const shown = async () =>
      (await ask()).map((row) => [row[member('line_item_id')], ...measures.map((measure) => row[measure] ?? null)]);
    const rows = await eventually(shown, (found) => JSON.stringify(found) === JSON.stringify(expected), 60_000);
    expect(rows).toEqual(expected);
  }, 120_000);

  // Conformance: P3
  test('an order counts for the line item that names its activity and event, and models of attribution share it among both ads', async () => {
    const actgid = `orders_${unique}`;
    const activityId = await create('Activity', { actgid, name: 'Orders' });
    const first = await book('named', { countedActivities: [{ activityId, events: ['paid', 'cart'] }] });
    const second = await book('other', { countedActivities: [{ activityId, events: ['cart'] }] });
    const lu = `orders-${unique}`;
    for (const booked of [first, second]) {
      const impression = await serve(booked, lu);
      expect((await fire(impression)).status).toBe(200);
      expect((await fire(impression.replace('/imp/', '/click/'))).status).toBe(302);
    }
    for (const event of ['cart', 'paid']) {
      await eventually(
        () =>
          send(`${server.deliveryUrl}/api/v1/events`, {
            headers: { authorization: `Bearer ${server.demo.keys.audience}` },
            json: { network: '1000', actgid, event, cost: '12.50', ord: `${actgid}-1`, lu },
          }),
        ({ status }) => status === 202,
      );
    }
    const measures = ['activities', 'first_touch_conversions', 'linear_conversions', 'position_based_conversions'];
    const shown = async () => {
      const rows = await rowsOf({
        measures: measures.map(member),
        dimensions: [member('line_item_id')],
        filters: [{ member: member('activity_id'), operator: 'equals', values: [activityId] }],
        order: { [member('line_item_id')]: 'asc' },
      });
      return rows.map((row) => [row[member('line_item_id')], ...measures.map((one) => row[member(one)] ?? null)]);
    };
    // The cart is the second line item's, which was clicked last; the order paid is the first one's, which alone counts it.
    const expected = [
      [first.lineItemId, '1', '2', '1.5', '1.5'],
      [second.lineItemId, '1', '0', '0.5', '0.5'],
    ];
    const rows = await eventually(shown, (found) => JSON.stringify(found) === JSON.stringify(expected), 60_000);
    expect(rows).toEqual(expected);
  }, 120_000);
});
