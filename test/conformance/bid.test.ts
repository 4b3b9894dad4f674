import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createClient } from '../support/http-client.ts';
import {
  bid,
  type BidAnswer,
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

const filled = async (over: Record<string, unknown> = {}, imp: Record<string, unknown> = {}): Promise<BidAnswer> => {
  const answer = await bid(bidBody(over, imp));
  expect(answer.status).toBe(200);
  return answer.json<BidAnswer>();
};

const impressionsOf = async (creativeId: string): Promise<number> => {
  const answer = await load(
    {
      measures: ['campaign_overview.impressions'],
      timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: todayRange() }],
      filters: [{ member: 'campaign_overview.creative_id', operator: 'equals', values: [creativeId] }],
    },
    credentialHeaders(),
  );
  return Number(answer.json<{ data: Record<string, string>[] }>().data[0]?.['campaign_overview.impressions'] ?? 0);
};

const figuresOf = async (adUnit: string): Promise<{ impressions: number; requests: number }> => {
  const query = {
    measures: ['campaign_overview.impressions', 'campaign_overview.requests'],
    timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: todayRange() }],
    filters: [{ member: 'campaign_overview.ad_unit_name', operator: 'equals', values: [adUnit] }],
  };
  const row = (await load(query, credentialHeaders())).json<{ data: Record<string, string>[] }>().data[0];
  return {
    impressions: Number(row?.['campaign_overview.impressions'] ?? 0),
    requests: Number(row?.['campaign_overview.requests'] ?? 0),
  };
};

describe('B · ad decision endpoint', () => {
  test('B1 a request without credentials gets 200 with a bid body', async () => {
    const answer = await bid(bidBody());
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/application\/json/);
  });

  test.each([
    ['URL-encoded JSON', (json: string) => encodeURIComponent(json)],
    ['base64url JSON', (json: string) => Buffer.from(json).toString('base64url')],
  ])('B2 GET with data as %s is the same exchange', async (_name, encode) => {
    const answer = await fire(`${server.deliveryUrl}/1000/bid?data=${encode(JSON.stringify(bidBody()))}`);
    expect(answer.status).toBe(200);
    expect(answer.json<BidAnswer>().seatbid[0]?.bid[0]?.impid).toBe('i1');
  });

  const site = { id: 'magazine', domain: 'magazine.example' };
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
  ])('B3 %s is 400 invalid_request naming it', async (_name, over, named) => {
    const answer = await bid(bidBody(over));
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ error: 'invalid_request', message: expect.stringContaining(named) });
  });

  test('B3 unknown fields and enum values are tolerated', async () => {
    const answer = await bid(
      bidBody(
        { brandNew: { a: [1] }, at: 77, device: { devicetype: 9999 } },
        { banner: { format: [{ w: 300, h: 250 }], pos: 'odd' } },
      ),
    );
    expect(answer.status).toBe(200);
  });

  test('B4 nothing that fits is 204 with no body', async () => {
    const answer = await bid(bidBody({}, { banner: { format: [{ w: 13, h: 17 }] } }));
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
  });

  test('B4 an answer that would be late is 204 as well', async () => {
    expect((await bid(bidBody({ tmax: 10_000 }))).status).toBe(200);
    const late = await bid(bidBody({ tmax: 0.001 }));
    expect([late.status, late.text]).toEqual([204, '']);
  });

  test('B5 the answer is OpenRTB 2.6 with the tracking URL in ext and in the markup', async () => {
    const body = bidBody();
    const answer = (await bid(body)).json<BidAnswer>();
    expect(answer).toMatchObject({
      id: body['id'],
      cur: 'PLN',
      ext: { dsaurl: expect.stringContaining('/1000/why/') },
    });
    const [first] = answer.seatbid[0]?.bid ?? [];
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

  test('B6 firing the tracking URL records the impression once; an unfired one counts nowhere', async () => {
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

  test('B6 a forged or cut link is answered and records nothing', async () => {
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

  test('B7 two imps of one request get two creatives', async () => {
    const banner = { format: [{ w: 300, h: 250 }] };
    const answer = await filled({
      imp: [
        { id: 'a', tagid: 'home/sidebar', banner },
        { id: 'b', tagid: 'article/inline', banner },
        { id: 'c', tagid: 'sports/sidebar', banner },
      ],
    });
    const bids = answer.seatbid.flatMap((seat) => seat.bid);
    expect(bids.length).toBeGreaterThan(1);
    expect(new Set(bids.map((one) => one.crid)).size).toBe(bids.length);
  });

  test('B8 secure markup holds HTTPS addresses alone', async () => {
    const [first] = (await filled()).seatbid[0]?.bid ?? [];
    expect(first?.adm).not.toMatch(/http:\/\//);
  });

  test('B10 with DSA required the answer names who is behind and who paid', async () => {
    const answer = await filled({ regs: { gdpr: 1, ext: { dsa: 1 } } });
    expect(answer.ext.dsaurl).toMatch(/^https:/);
    expect(answer.seatbid[0]?.bid[0]?.ext.dsa).toMatchObject({ behalf: expect.any(String), paid: expect.any(String) });
  });

  test.each([
    ['en', 'en'],
    ['pl', 'pl'],
    ['de', 'de'],
    ['fr', 'fr'],
    ['es', 'es'],
    ['xx', 'en'],
  ])('B11 the why page answers Accept-Language %s in %s, without cookies', async (asked, language) => {
    const answer = await filled({ regs: { gdpr: 1, ext: { dsa: 1 } } });
    const page = await fire(answer.ext.dsaurl, { 'accept-language': asked });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toMatch(/text\/html/);
    expect(page.text).toContain(`lang="${language}"`);
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.text).toContain(answer.seatbid[0]?.bid[0]?.ext.dsa?.paid);
  });

  test.each([
    ['200', () => bidBody(), 200],
    ['204', () => bidBody({}, { banner: { format: [{ w: 13, h: 17 }] } }), 204],
    ['400', () => ({}), 400],
  ])('B12 CORS with credentials on %s', async (_name, body, status) => {
    const answer = await bid(body(), { headers: { origin: 'https://www.publisher.example' } });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://www.publisher.example',
      'access-control-allow-credentials': 'true',
    });
    expect(answer.headers.vary).toMatch(/origin/i);
  });

  test('B12 OPTIONS is answered, and text/plain bodies are taken', async () => {
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
    const answer = await send(`${server.deliveryUrl}/1000/bid`, {
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify(bidBody()),
    });
    expect(answer.status).toBe(200);
  });

  test('B1 a gzip body is taken', async () => {
    const answer = await send(`${server.deliveryUrl}/1000/bid`, {
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify(bidBody())),
    });
    expect(answer.status).toBe(200);
  });

  test('B1 an unknown network is 404', async () => {
    const answer = await bid(bidBody(), { network: '999999' });
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({ error: 'unknown_network' });
  });

  test('B14 a retry, to whichever worker, gets the first response byte for byte and is one request in reports', async () => {
    const body = bidBody(
      { site: { id: 'sports', domain: 'sports.example' } },
      { tagid: 'sports/mobile', banner: { format: [{ w: 320, h: 100 }] } },
    );
    const before = await figuresOf('sports/mobile');
    const workers = new Set<string>();
    const texts = new Set<string>();
    const ask = async (form: 'POST' | 'GET'): Promise<void> => {
      const client = createClient(server.ca);
      const url = `${server.deliveryUrl}/1000/bid`;
      const headers = { 'user-agent': BROWSER };
      const answer = await (form === 'POST'
        ? client.send(url, { headers, json: body })
        : client.send(`${url}?data=${encodeURIComponent(JSON.stringify(body))}`, { headers }));
      client.close();
      expect(answer.status).toBe(200);
      workers.add(String(answer.headers['x-request-id']).split('.', 1)[0] ?? '');
      texts.add(answer.text);
    };
    const startedMs = performance.now();
    await Promise.all([ask('POST'), ask('GET'), ask('POST'), ask('POST')]);
    while (workers.size < 2 && performance.now() - startedMs < 8_000) await ask('POST');
    expect(workers.size).toBeGreaterThan(1);
    expect(texts.size).toBe(1);
    const [text] = texts;
    const link = (JSON.parse(text ?? '') as BidAnswer).seatbid[0]?.bid[0]?.ext.ems_link ?? '';
    for (let again = 0; again < 2; again += 1) expect((await fire(link)).status).toBe(200);
    const after = await eventually(
      () => figuresOf('sports/mobile'),
      (found) => found.impressions > before.impressions && found.requests > before.requests,
    );
    expect(after).toEqual({ impressions: before.impressions + 1, requests: before.requests + 1 });
  });

  test('B14 ten users behind one request id get ten ads with ids of their own, and ten impressions count when they fire', async () => {
    const id = `constant-${Date.now()}`;
    const before = await figuresOf('sports/mobile');
    const ask = async (user: number): Promise<BidAnswer> =>
      filled(
        {
          id,
          site: { id: 'sports', domain: 'sports.example' },
          user: { ext: { ids: { lu: `user-${user}-of-b14` } } },
        },
        { tagid: 'sports/mobile', banner: { format: [{ w: 320, h: 100 }] } },
      );
    const answers = await Promise.all(Array.from({ length: 10 }, (_one, user) => ask(user)));
    const bids = answers.map((answer) => answer.seatbid[0]?.bid[0]);
    expect(new Set(answers.map((answer) => answer.id))).toEqual(new Set([id]));
    expect(new Set(bids.map((one) => one?.id)).size).toBe(10);
    expect(new Set(bids.map((one) => one?.ext.ems_link)).size).toBe(10);
    for (const one of bids) await fire(one?.ext.ems_link ?? '');
    const after = await eventually(
      () => figuresOf('sports/mobile'),
      (found) => found.impressions >= before.impressions + 10 && found.requests >= before.requests + 10,
    );
    expect(after).toEqual({ impressions: before.impressions + 10, requests: before.requests + 10 });
    const reused = /^placard_bid_reused_ids_total ([1-9]\d*)$/m;
    await eventually(
      async () => {
        // Each connection may be another worker's.
        const client = createClient(server.ca);
        const { text } = await client.send(`${server.deliveryUrl}/metrics`);
        client.close();
        return text;
      },
      (text) => reused.test(text),
    );
  });

  test('E1 staging decides on its own data', async () => {
    const answer = await send(`${server.deliveryUrl}/staging/1000/bid`, { json: bidBody() });
    expect(answer.status).toBe(200);
    expect(answer.json<BidAnswer>().seatbid[0]?.bid[0]?.ext.ems_link).toContain('/staging/1000/imp/');
  });
});
