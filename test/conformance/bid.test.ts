import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Client, createClient } from '../support/http-client.ts';
import { bookOwnSite, type OwnSite } from './support/own-site.ts';
import {
  bid,
  type BidResponse,
  bidBody,
  BROWSER,
  credentialHeaders,
  eventually,
  fire,
  load,
  send,
  server,
  todayRange,
} from './support/server.ts';

const filled = async (over: Record<string, unknown> = {}, imp: Record<string, unknown> = {}): Promise<BidResponse> => {
  const response = await bid(bidBody(over, imp));
  expect(response.status).toBe(200);
  return response.json<BidResponse>();
};

const impressionsOf = async (creativeId: string): Promise<number> => {
  const response = await load(
    {
      measures: ['campaign_overview.impressions'],
      timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: todayRange() }],
      filters: [{ member: 'campaign_overview.creative_id', operator: 'equals', values: [creativeId] }],
    },
    credentialHeaders(),
  );
  return Number(response.json<{ data: Record<string, string>[] }>().data[0]?.['campaign_overview.impressions'] ?? 0);
};

const figuresOf = async (siteId: string): Promise<{ impressions: number; requests: number }> => {
  const query = {
    measures: ['campaign_overview.impressions', 'campaign_overview.requests'],
    timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: todayRange() }],
    filters: [{ member: 'campaign_overview.site_id', operator: 'equals', values: [siteId] }],
  };
  const row = (await load(query, credentialHeaders())).json<{ data: Record<string, string>[] }>().data[0];
  return {
    impressions: Number(row?.['campaign_overview.impressions'] ?? 0),
    requests: Number(row?.['campaign_overview.requests'] ?? 0),
  };
};

/** Requests so far: those with an ad count for the site, the others do once the worker knew the site. */
interface ServedSite extends OwnSite {
  readonly asked: number;
  readonly filled: number;
}

/** A site whose ad all workers know, with the number of its requests so far. */
async function bookServedSite(name: string): Promise<ServedSite> {
  const site = await bookOwnSite(name, {});
  const served = new Set<string>();
  let [asked, filled] = [0, 0];
  while (served.size < 2) {
    // Each connection may reach another worker.
    const client = createClient(server.ca);
    const headers = { 'user-agent': BROWSER };
    const { status, headers: got } = await client.send(`${server.deliveryUrl}/1000/bid`, {
      headers,
      json: site.body(),
    });
    client.close();
    if (status === 200) {
      served.add(String(got['x-request-id']).split('.', 1)[0] ?? '');
      filled += 1;
    }
    asked += 1;
  }
  return { ...site, asked, filled };
}

describe('ad decision endpoint', () => {
  // Conformance: B1
  test('a request without credentials gets 200 with a bid body', async () => {
    const response = await bid(bidBody());
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toMatch(/application\/json/);
  });

  // Conformance: B2
  test.each([
    ['URL-encoded JSON', (json: string) => encodeURIComponent(json)],
    ['base64url JSON', (json: string) => Buffer.from(json).toString('base64url')],
  ])('GET with data as %s gets the response of POST', async (_name, encode) => {
    const response = await fire(`${server.deliveryUrl}/1000/bid?data=${encode(JSON.stringify(bidBody()))}`);
    expect(response.status).toBe(200);
    expect(response.json<BidResponse>().seatbid[0]?.bid[0]?.impid).toBe('i1');
  });

  const site = { id: 'magazine', domain: 'magazine.example' };
  // Conformance: B3
  test.each([
    ['id missing', { id: undefined }, 'id'],
    ['imp missing', { imp: undefined }, 'imp'],
    ['imp empty', { imp: [] }, 'imp'],
    ['an imp without id', { imp: [{ banner: {} }] }, 'imp[0].id'],
    ['an imp without banner, video and native', { imp: [{ id: '1' }] }, 'imp[0]'],
    [
      'two imps with one id',
      {
        imp: [
          { id: 'i', banner: {} },
          { id: 'i', banner: {} },
        ],
      },
      'imp[1].id',
    ],
    ['site missing', { site: undefined }, 'site'],
    ['site without id', { site: { ...site, id: undefined } }, 'site.id'],
    ['site without domain', { site: { ...site, domain: undefined, page: 'https://magazine.example/' } }, 'site.domain'],
  ])('a request with %s gets 400 invalid_request that names it', async (_name, over, named) => {
    const response = await bid(bidBody(over));
    expect(response.status).toBe(400);
    expect(response.json()).toMatchObject({ error: 'invalid_request', message: expect.stringContaining(named) });
  });

  // Conformance: B3
  test('unknown fields and enum values are tolerated', async () => {
    const response = await bid(
      bidBody(
        { brandNew: { a: [1] }, at: 77, device: { devicetype: 9999 } },
        { banner: { format: [{ w: 300, h: 250 }], pos: 'odd' } },
      ),
    );
    expect(response.status).toBe(200);
  });

  // Conformance: B4
  test('a request without a fitting ad gets 204 with an empty body', async () => {
    const response = await bid(bidBody({}, { banner: { format: [{ w: 13, h: 17 }] } }));
    expect(response.status).toBe(204);
    expect(response.text).toBe('');
  });

  // Conformance: B4
  test('a late response becomes 204', async () => {
    expect((await bid(bidBody({ tmax: 10_000 }))).status).toBe(200);
    const late = await bid(bidBody({ tmax: 0.001 }));
    expect([late.status, late.text]).toEqual([204, '']);
  });

  // Conformance: B5
  test('the response is OpenRTB 2.6 with the tracking URL in ext and in the markup', async () => {
    const body = bidBody();
    const response = (await bid(body)).json<BidResponse>();
    expect(response).toMatchObject({
      id: body['id'],
      cur: 'PLN',
      ext: { dsaurl: expect.stringContaining('/1000/why/') },
    });
    const [first] = response.seatbid[0]?.bid ?? [];
    expect(first).toMatchObject({
      impid: 'i1',
      price: expect.any(Number),
      adomain: [expect.stringMatching(/\.example$/)],
      cid: expect.any(String),
      crid: expect.any(String),
      w: 300,
      mtype: 1,
      exp: expect.any(Number),
      burl: expect.stringContaining('https://'),
      ext: { ems_link: expect.stringContaining('/1000/imp/') },
    });
    expect(first?.adm).toContain(first?.ext.ems_link);
    expect([250, 600]).toContain(first?.h);
  });

  // Conformance: B6
  test('a fired tracking URL records the impression once, and an unfired one records nothing', async () => {
    const [first] = (await filled()).seatbid[0]?.bid ?? [];
    if (first === undefined) throw new Error('no bid');
    const before = await impressionsOf(first.crid);
    for (let again = 0; again < 3; again += 1) {
      const pixel = await fire(first.ext.ems_link);
      expect([pixel.status, pixel.headers['content-type']]).toEqual([200, 'image/gif']);
    }
    expect(
      await eventually(
        () => impressionsOf(first.crid),
        (count) => count > before,
      ),
    ).toBe(before + 1);
  });

  // Conformance: B6
  test('a forged or cut link gets the usual response and records nothing', async () => {
    const [first] = (await filled()).seatbid[0]?.bid ?? [];
    const link = first?.ext.ems_link ?? '';
    for (const bad of [
      link.slice(0, -3),
      `${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`,
      link.replace(/imp\/.*/, 'imp/nonsense'),
    ]) {
      expect((await fire(bad)).status).toBe(200);
    }
  });

  // Conformance: B7
  test('each of two imps in one request gets its own creative', async () => {
    const banner = { format: [{ w: 300, h: 250 }] };
    const response = await filled({
      imp: [
        { id: 'a', tagid: 'home/sidebar', banner },
        { id: 'b', tagid: 'article/inline', banner },
        { id: 'c', tagid: 'sports/sidebar', banner },
      ],
    });
    const bids = response.seatbid.flatMap((seat) => seat.bid);
    expect(bids.length).toBeGreaterThan(1);
    expect(new Set(bids.map((one) => one.crid)).size).toBe(bids.length);
  });

  // Conformance: B8
  test('secure markup has only HTTPS addresses', async () => {
    const [first] = (await filled()).seatbid[0]?.bid ?? [];
    expect(first?.adm).not.toMatch(/http:\/\//);
  });

  // Conformance: B10
  test('the response names who is behind the ad and who paid when DSA is required', async () => {
    const response = await filled({ regs: { gdpr: 1, ext: { dsa: 1 } } });
    expect(response.ext.dsaurl).toMatch(/^https:/);
    expect(response.seatbid[0]?.bid[0]?.ext.dsa).toMatchObject({
      behalf: expect.any(String),
      paid: expect.any(String),
    });
  });

  // Conformance: B11
  test.each([
    ['en', 'en'],
    ['pl', 'pl'],
    ['de', 'de'],
    ['fr', 'fr'],
    ['es', 'es'],
    ['xx', 'en'],
  ])('the why page for Accept-Language %s is in %s and sets no cookie', async (asked, language) => {
    const response = await filled({ regs: { gdpr: 1, ext: { dsa: 1 } } });
    const page = await fire(response.ext.dsaurl, { 'accept-language': asked });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toMatch(/text\/html/);
    expect(page.text).toContain(`lang="${language}"`);
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.text).toContain(response.seatbid[0]?.bid[0]?.ext.dsa?.paid);
  });

  // Conformance: B12
  test.each([
    ['200', () => bidBody(), 200],
    ['204', () => bidBody({}, { banner: { format: [{ w: 13, h: 17 }] } }), 204],
    ['400', () => ({}), 400],
  ])('%s has CORS headers with credentials', async (_name, body, status) => {
    const response = await bid(body(), { headers: { origin: 'https://www.publisher.example' } });
    expect(response.status).toBe(status);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': 'https://www.publisher.example',
      'access-control-allow-credentials': 'true',
    });
    expect(response.headers.vary).toMatch(/origin/i);
  });

  // Conformance: B12
  test('OPTIONS gets a preflight response, and text/plain bodies are accepted', async () => {
    const preflight = await send(`${server.deliveryUrl}/1000/bid`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://www.publisher.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('https://www.publisher.example');
    const response = await send(`${server.deliveryUrl}/1000/bid`, {
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify(bidBody()),
    });
    expect(response.status).toBe(200);
  });

  // Conformance: B1
  test('a gzip body is accepted', async () => {
    const response = await send(`${server.deliveryUrl}/1000/bid`, {
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify(bidBody())),
    });
    expect(response.status).toBe(200);
  });

  // Conformance: B1
  test('an unknown network gets 404', async () => {
    const response = await bid(bidBody(), { network: '999999' });
    expect(response.status).toBe(404);
    expect(response.json()).toMatchObject({ error: 'unknown_network' });
  });

  // Conformance: B14
  test('a retry to the same worker gets the first response byte for byte, and no retry counts until it is fired', async () => {
    const site = await bookServedSite('retries');
    const body = site.body();
    const texts = new Map<string, Set<string>>();
    const ask = async (client: Client): Promise<void> => {
      const url = `${server.deliveryUrl}/1000/bid`;
      const response = await client.send(url, { headers: { 'user-agent': BROWSER }, json: body });
      expect(response.status).toBe(200);
      const worker = String(response.headers['x-request-id']).split('.', 1)[0] ?? '';
      texts.set(worker, (texts.get(worker) ?? new Set()).add(response.text));
    };
    // Each connection reaches a worker of its own choice, and keeps it.
    const clients = Array.from({ length: 6 }, () => createClient(server.ca));
    for (let round = 0; round < 3; round += 1) await Promise.all(clients.map(ask));
    for (const client of clients) client.close();
    for (const given of texts.values()) expect(given.size).toBe(1);
    const [text] = [...texts.values()].flatMap((given) => [...given]);
    const link = (JSON.parse(text ?? '') as BidResponse).seatbid[0]?.bid[0]?.ext.ems_link ?? '';
    for (let again = 0; again < 2; again += 1) expect((await fire(link)).status).toBe(200);
    const after = await eventually(
      () => figuresOf(site.siteId),
      (found) => found.impressions > 0 && found.requests > site.filled,
    );
    expect(after.impressions).toBe(1);
    expect(after.requests).toBeLessThanOrEqual(site.asked + texts.size);
  });

  // Conformance: B14
  test('ten users with the same request id get ten ads with different ids, and their ten impressions count', async () => {
    const id = `constant-${Date.now()}`;
    const site = await bookServedSite('reused');
    const ask = async (user: number): Promise<BidResponse> => {
      const response = await bid(site.body({ id, user: { ext: { ids: { lu: `user-${user}-of-b14` } } } }));
      expect(response.status).toBe(200);
      return response.json<BidResponse>();
    };
    const responses = await Promise.all(Array.from({ length: 10 }, (_one, user) => ask(user)));
    const bids = responses.map((response) => response.seatbid[0]?.bid[0]);
    expect(new Set(responses.map((response) => response.id))).toEqual(new Set([id]));
    expect(new Set(bids.map((one) => one?.id)).size).toBe(10);
    expect(new Set(bids.map((one) => one?.ext.ems_link)).size).toBe(10);
    for (const one of bids) await fire(one?.ext.ems_link ?? '');
    const after = await eventually(
      () => figuresOf(site.siteId),
      (found) => found.impressions >= 10 && found.requests >= site.filled + 10,
    );
    expect(after.impressions).toBe(10);
    expect(after.requests).toBeLessThanOrEqual(site.asked + 10);
    const reused = /^placard_bid_reused_ids_total ([1-9]\d*)$/m;
    await eventually(
      async () => {
        // Each connection may reach another worker.
        const client = createClient(server.ca);
        const { text } = await client.send(`${server.deliveryUrl}/metrics`);
        client.close();
        return text;
      },
      (text) => reused.test(text),
    );
  });

  // Conformance: E1
  test('staging decides on its own data', async () => {
    const response = await send(`${server.deliveryUrl}/staging/1000/bid`, { json: bidBody() });
    expect(response.status).toBe(200);
    expect(response.json<BidResponse>().seatbid[0]?.bid[0]?.ext.ems_link).toContain('/staging/1000/imp/');
  });
});
