import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isExpected, readCases } from '../../../test/rtb/rtb-case.ts';
import { openServedAd } from '../../domain/events/link-token.ts';
import { lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import { LINK_KEY, runDelivery, samplePrincipal } from '../../../test/support/running-delivery.ts';
import type { RunningDelivery } from '../../../test/support/running-delivery.ts';
import { seedLineItem, seedNetwork, setLineItemStatus, setNetworkStatus } from '../../../test/worlds/seed.sql.ts';

interface Bid {
  id: string;
  impid: string;
  price: number;
  adm: string;
  adomain: string[];
  cid: string;
  crid: string;
  w?: number;
  h?: number;
  mtype: number;
  burl: string;
  exp: number;
  ext: { ems_link: string; dsaurl: string; dsa?: { behalf: string; paid: string; adrender: number } };
}
interface BidResponseBody {
  id: string;
  cur: string;
  seatbid: { seat: string; bid: Bid[] }[];
  ext: { dsaurl: string };
}

const image = { format: 'IMAGE', imageUrl: 'https://cdn.example/1.png', alt: 'A "quoted" <alt>' };
const native = {
  format: 'NATIVE',
  title: 'T <b>',
  body: 'B',
  callToAction: 'Go',
  sponsoredBy: 'Acme',
  imageUrl: 'https://cdn.example/n.png',
  imageWidth: 300,
  imageHeight: 200,
  iconUrl: null,
};

let delivery: RunningDelivery;

beforeAll(async () => {
  delivery = await runDelivery(async ({ db }) => {
    await seedNetwork(db);
    await seedLineItem(db, { id: 1n, cpm: 12n, content: image });
    await seedLineItem(db, { id: 2n, cpm: 20n, content: native, width: 0, height: 0 });
  });
});
afterAll(() => delivery?.stop());
beforeEach(() => {
  delivery.principal = samplePrincipal({});
  delivery.counted.length = 0;
});

let serial = 0;
function bidRequest(body: object = {}): Record<string, unknown> {
  serial += 1;
  return {
    id: `r${serial}`,
    imp: [{ id: 'i1', tagid: 'home/top', secure: 1, banner: { format: [{ w: 300, h: 250 }] } }],
    site: {
      id: 'news',
      domain: 'news.example',
      page: 'https://news.example/1',
      ext: { area: 'sport', kwrd: 'ski+snow' },
    },
    ...body,
  };
}

async function bidOf(body: object, path = '/1000/bid'): Promise<BidResponseBody> {
  const response = await delivery.post(path, body);
  expect(response.status).toBe(200);
  return (await response.json()) as BidResponseBody;
}

function firstBid(response: BidResponseBody): Bid {
  const bid = response.seatbid[0]?.bid[0];
  if (bid === undefined) throw new Error('There is no bid');
  return bid;
}

/** Waits until `check` returns true; returns the time in milliseconds. @throws Error after 30 seconds */
async function eventually(check: () => Promise<boolean>): Promise<number> {
  const withinMs = 30_000;
  const started = performance.now();
  while (!(await check())) {
    if (performance.now() - started > withinMs) throw new Error(`Not within ${withinMs} ms`);
    await sleep(5);
  }
  return performance.now() - started;
}

describe('the bid endpoint', () => {
  test('two indistinguishable browsers get the same response and different ids', async () => {
    const body = JSON.stringify(bidRequest({ regs: { gdpr: 0 } }));
    const headers = { 'content-type': 'application/json', origin: 'https://news.example' };
    const ask = () => fetch(`${delivery.url}/1000/bid`, { method: 'POST', headers, body });
    const responses = [await ask(), await ask()];
    const [one, other] = responses.map((response) => response.headers.get('set-cookie'));
    expect(one).toMatch(/^__Host-placard-user-1=/);
    expect(other).toMatch(/^__Host-placard-user-1=/);
    expect(other).not.toBe(one);
    const [text, repeated] = await Promise.all(responses.map((response) => response.text()));
    expect(repeated).toBe(text);
  });

  test('the markup of a banner has its impression pixel, landing link and why link', async () => {
    const response = await bidOf(bidRequest());
    const bid = firstBid(response);
    expect(response).toMatchObject({ cur: 'PLN', seatbid: [{ seat: 'advertiser-1' }] });
    expect(bid).toMatchObject({
      impid: 'i1',
      price: 12,
      cid: '1',
      crid: '100',
      w: 300,
      h: 250,
      mtype: 1,
      adomain: ['acme.example'],
    });
    expect(bid.adm).toContain(`<img src="${bid.ext.ems_link}"`);
    expect(bid.adm).toContain(`href="${bid.ext.dsaurl}"`);
    expect(bid.adm).toContain('alt="A &quot;quoted&quot; &lt;alt&gt;"');
    expect(bid.burl).toBe(bid.ext.ems_link);
    expect(response.ext.dsaurl).toBe(bid.ext.dsaurl);
    const token = bid.ext.ems_link.split('/').at(-1) ?? '';
    expect(openServedAd(token, [LINK_KEY])).toMatchObject({
      impressionId: bid.id,
      workspaceId: 1,
      lineItemId: '1',
      creativeId: '100',
      siteId: '1',
      adUnitId: '1',
      priceMicros: 12_000_000,
    });
  });

  test('the endpoint accepts a request as encoded JSON or base64url in GET, and as text/plain in POST', async () => {
    const data = JSON.stringify(bidRequest());
    for (const text of [encodeURIComponent(data), Buffer.from(data).toString('base64url')]) {
      const response = await fetch(`${delivery.url}/1000/bid?data=${text}`);
      expect(response.status).toBe(200);
    }
    const plain = await delivery.post('/1000/bid', data, {
      'content-type': 'text/plain',
      origin: 'https://news.example',
    });
    expect(plain.status).toBe(200);
    expect(plain.headers.get('access-control-allow-origin')).toBe('https://news.example');
    expect(plain.headers.get('access-control-allow-credentials')).toBe('true');
  });

  test.each([
    ['id', { id: undefined }, 'id is missing'],
    ['an empty imp', { imp: [] }, 'imp is missing or empty'],
    ['an imp without id', { imp: [{ banner: {} }] }, 'imp[0].id'],
    [
      'two imps with one id',
      {
        imp: [
          { id: '1', banner: {} },
          { id: '1', banner: {} },
        ],
      },
      'imp[1].id',
    ],
    ['an imp without media type', { imp: [{ id: '1', text: {} }] }, 'imp[0] needs one of'],
    ['site', { site: undefined }, 'site is missing'],
    ['site.id', { site: { domain: 'd.example' } }, 'site.id'],
    ['site.domain', { site: { id: 'x', page: 'https://d.example/' } }, 'site.domain'],
  ])('a request with %s is refused with a message that names it', async (_title, body, message) => {
    const response = await delivery.post('/1000/bid', bidRequest(body), { origin: 'https://news.example' });
    expect(response.status).toBe(400);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://news.example');
    expect(await response.json()).toMatchObject({
      error: 'invalid_request',
      message: expect.stringContaining(message) as string,
    });
  });

  test('an unknown network gets 404, and another currency gets 204', async () => {
    expect((await delivery.post('/77/bid', bidRequest())).status).toBe(404);
    expect((await delivery.post('/1000/bid', bidRequest({ cur: ['USD'] }))).status).toBe(204);
    expect((await delivery.post('/1000/bid', bidRequest({ cur: ['USD', 'PLN'] }))).status).toBe(200);
    expect((await delivery.post('/staging/1000/bid', bidRequest())).status).toBe(204);
  });

  test('the endpoint returns 204 with an empty body when nothing fits', async () => {
    const response = await delivery.post('/1000/bid', bidRequest({ imp: [{ id: 'i', banner: { w: 1, h: 1 } }] }));
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
  });

  test('an empty native request gets the native form of the das adapter', async () => {
    const response = await bidOf(
      bidRequest({ imp: [{ id: 'i1', tagid: 'home/top', native: { request: '{}', ver: '1.2' } }] }),
    );
    const bid = firstBid(response);
    expect(bid.mtype).toBe(4);
    const adm = JSON.parse(bid.adm) as { fields: Record<string, string>; meta: Record<string, unknown> };
    expect(adm.fields).toMatchObject({
      title: 'T <b>',
      leadtext: 'B',
      Calltoaction: 'Go',
      image: 'https://cdn.example/n.png',
    });
    expect(adm.meta).toMatchObject({ advertiser_name: 'Acme & <Sons>', slot: 'home/top', dsaurl: bid.ext.dsaurl });
    expect(String(adm.meta['adclick'])).toMatch(/\/1000\/click\/[\w.-]+\/$/);
  });

  test('a Native 1.2 request gets a response by asset ids', async () => {
    const request = JSON.stringify({
      ver: '1.2',
      eventtrackers: [
        { event: 1, methods: [1] },
        { event: 2, methods: [1] },
      ],
      assets: [
        { id: 7, required: 1, title: { len: 3 } },
        { id: 8, required: 1, img: { type: 3, wmin: 100 } },
        { id: 9, data: { type: 501 } },
      ],
    });
    const response = await bidOf(bidRequest({ imp: [{ id: 'i1', native: { request } }] }));
    const adm = JSON.parse(firstBid(response).adm) as {
      assets: { id: number; title?: { text: string } }[];
      eventtrackers: object[];
    };
    expect(adm.assets.map(({ id }) => id)).toEqual([7, 8]);
    expect(adm.assets[0]?.title?.text).toBe('T <');
    expect(adm.eventtrackers).toHaveLength(2);
    expect(
      (await delivery.post('/1000/bid', bidRequest({ imp: [{ id: 'i1', native: { request: '{broken' } }] }))).status,
    ).toBe(204);
  });

  test('both forms of a DSA request get the DSA facts', async () => {
    for (const dsa of [1, 3, { dsarequired: 2, pubrender: 2 }]) {
      const response = await bidOf(bidRequest({ regs: { gdpr: 1, ext: { dsa } } }));
      expect(response.seatbid[0]?.bid[0]?.ext.dsa).toMatchObject({
        behalf: 'Acme',
        paid: 'Acme Holding',
        adrender: typeof dsa === 'number' ? 1 : 0,
      });
    }
    // A signal that cannot be read permits nothing.
    const unread = await bidOf(bidRequest({ regs: { ext: { dsa: 'x' } } }));
    expect(unread.seatbid[0]?.bid[0]?.ext.dsa).toMatchObject({ behalf: 'Acme', paid: 'Acme Holding' });
  });

  test('a token has no user under npa, or under GDPR without readable consent', async () => {
    const users: string[] = [];
    const bodies = [
      { user: { ext: { ids: { lu: 'u' } } } },
      { user: { ext: { ids: { lu: 'u' }, npa: true } } },
      { user: { ext: { ids: { lu: 'u' }, consent: 'garbage' } }, regs: { gdpr: 1 } },
      { user: { ext: { ids: { lu: 'u' } } }, regs: { ext: { gdpr: 1 } } },
    ];
    for (const body of bodies) {
      const bid = firstBid(await bidOf(bidRequest(body)));
      users.push(openServedAd(bid.burl.split('/').at(-1) ?? '', [LINK_KEY])?.userHash ?? 'forged');
    }
    expect(users).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), '', '', '']);
  });

  test('a request counts once when its id repeats within five minutes, and a test request never counts', async () => {
    const body = bidRequest();
    await delivery.post('/1000/bid', body);
    await delivery.post('/1000/bid', body);
    await delivery.post('/1000/bid', bidRequest({ test: 1 }));
    expect(delivery.counted.map(({ key }) => [key.kind, key.adUnitId, key.lineItemId])).toEqual([
      ['request', '1', ''],
      ['served', '1', '1'],
    ]);
  });

  test('a line item stops at a cap that the hot store reports as reached', async () => {
    await seedLineItem(delivery.database.db, { id: 9n, cpm: 90n, content: image });
    const isNine = async () => (await bidOf(bidRequest())).seatbid.some(({ bid }) => bid[0]?.crid === '900');
    await eventually(isNine);
    await delivery.database.db
      .updateTable('line_items')
      .set({ caps: JSON.stringify({ impressionsLifetime: 3 }) })
      .where('id', '=', 9n)
      .execute();
    await sleep(300);
    expect(await isNine()).toBe(true);
    const key = lifetimeCounterKey({ workspaceId: 1, scope: 'li', id: '9', kind: 'imp' });
    await delivery.hot.addToCounters([{ key, by: 3n, ttlMs: 60_000 }]);
    await expect.poll(isNine).toBe(false);
    await setLineItemStatus(delivery.database.db, 9n, 'PAUSED');
  });
});

test('recorded requests get their expected responses', async () => {
  const wrong: unknown[] = [];
  for (const one of readCases()) {
    const { status, headers } = await delivery.post('/1000/bid', one.body, { origin: 'https://news.example' });
    if (!isExpected(status, one.expect) || headers.get('access-control-allow-origin') !== 'https://news.example')
      wrong.push({ status, ...one });
  }
  expect(wrong).toEqual([]);
});

describe('changes', () => {
  test('the pause and return of a line item or network take effect within a second', async () => {
    const statusIs = (wanted: number) => async () => (await delivery.post('/1000/bid', bidRequest())).status === wanted;
    const { db } = delivery.database;
    // On a busy machine a single change may take longer: the fastest of three counts.
    const tookMs = { pause: Infinity, resume: Infinity, pauseNetwork: Infinity, resumeNetwork: Infinity };
    const time = async (step: keyof typeof tookMs, change: Promise<unknown>, status: number): Promise<void> => {
      await change;
      tookMs[step] = Math.min(tookMs[step], await eventually(statusIs(status)));
    };
    for (let round = 0; round < 3; round += 1) {
      await time('pause', setLineItemStatus(db, 1n, 'PAUSED'), 204);
      await time('resume', setLineItemStatus(db, 1n, 'ACTIVE'), 200);
      await time('pauseNetwork', setNetworkStatus(db, 'PAUSED'), 204);
      await time('resumeNetwork', setNetworkStatus(db, 'ACTIVE'), 200);
    }
    expect(Object.values(tookMs).filter((ms) => ms > 1_000)).toEqual([]);
  });

  test('a click on an ad of a stopped line item still finds its landing address', async () => {
    await setLineItemStatus(delivery.database.db, 2n, 'PAUSED');
    await eventually(() => Promise.resolve(delivery.delivery.catalog.findLineItem(1, '2')?.status === 'PAUSED'));
    expect(delivery.delivery.catalog.findCreative(1, '200')?.clickUrl).toContain('acme.example');
    await setLineItemStatus(delivery.database.db, 2n, 'ACTIVE');
    await eventually(() => Promise.resolve(delivery.delivery.catalog.findLineItem(1, '2')?.status === 'ACTIVE'));
  });
});

describe('the ad request API', () => {
  test('the API returns the ads of a unit, best first, with links and content by format', async () => {
    const response = await delivery.post('/api/v1/ads', { network: '1000', adUnit: 'home/top', count: 5 });
    const body = (await response.json()) as { ads: Record<string, unknown>[]; noFill: null };
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(body.noFill).toBeNull();
    expect(body.ads.map((ad) => [ad['position'], ad['format'], ad['lineItemId']])).toEqual([
      [1, 'NATIVE', '2'],
      [2, 'IMAGE', '1'],
    ]);
    expect(body.ads[1]).toMatchObject({
      content: { imageUrl: 'https://cdn.example/1.png' },
      width: 300,
      height: 250,
      html: expect.stringContaining('<a href="https://ads.example/1000/click/') as string,
      tracking: {
        impressionUrl: expect.stringContaining('https://ads.example/1000/imp/') as string,
        thirdPartyImpressionUrls: [],
      },
      dsa: { behalf: 'Acme', paid: 'Acme Holding' },
      advertiser: { name: 'Acme & <Sons>' },
    });
  });

  test.each([
    ['another network', { network: '2', adUnit: 'home/top', count: 1 }, 403, 'insufficient_permissions'],
    ['an unknown ad unit', { network: '1000', adUnit: 'nowhere', count: 1 }, 404, 'unknown_ad_unit'],
    ['a count of 0', { network: '1000', adUnit: 'home/top', count: 0 }, 400, 'invalid_request'],
    ['a count of 21', { network: '1000', adUnit: 'home/top', count: 21 }, 400, 'invalid_request'],
    [
      'explain without an admin key',
      { network: '1000', adUnit: 'home/top', count: 1, explain: true },
      403,
      'insufficient_permissions',
    ],
  ])('the API refuses %s', async (_title, body, status, error) => {
    const response = await delivery.post('/api/v1/ads', body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error });
  });

  test('the API states why there is no ad', async () => {
    const response = await delivery.post('/api/v1/ads', { network: '1000', adUnit: 'home/video', count: 1 });
    expect(await response.json()).toMatchObject({ ads: [], noFill: { code: 'no_match' } });
  });

  test('the API explains losers and prices to an admin key', async () => {
    delivery.principal = samplePrincipal({ permission: 'admin' });
    const response = await delivery.post('/api/v1/ads', {
      network: '1000',
      adUnit: 'home/top',
      count: 1,
      explain: true,
    });
    const body = (await response.json()) as {
      ads: { bidCpm: string }[];
      losers: { lineItemId: string; reason: string }[];
    };
    expect(body.ads[0]?.bidCpm).toBe('20');
    expect(body.losers).toContainEqual({ position: 1, lineItemId: '1', reason: 'lost.price' });
  });
});

describe('the why page', () => {
  async function whyPath(): Promise<string> {
    return new URL((await bidOf(bidRequest())).ext.dsaurl).pathname;
  }

  test.each([
    ['pl-PL,pl;q=0.9', 'pl', 'Dlaczego widzę tę reklamę?'],
    ['fr;q=0.2, de;q=0.8', 'de', 'Warum diese Anzeige?'],
    ['zz', 'en', 'Why this ad?'],
  ])('the page has the language of %s', async (accept, language, title) => {
    const response = await fetch(`${delivery.url}${await whyPath()}`, { headers: { 'accept-language': accept } });
    const body = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-language')).toBe(language);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(body).toContain(title);
    expect(body).toContain('Acme Holding');
  });

  test('a forged link gets 404', async () => {
    expect((await fetch(`${delivery.url}/1000/why/a.Zm9yZ2Vk`)).status).toBe(404);
    expect((await fetch(`${delivery.url}/staging${await whyPath()}`)).status).toBe(404);
  });
});
