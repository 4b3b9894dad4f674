import { VASTClient } from '@dailymotion/vast-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openServedAd } from '../../domain/events/link-token.ts';
import { LINK_KEY, runDelivery } from '../../../test/support/running-delivery.ts';
import type { RunningDelivery } from '../../../test/support/running-delivery.ts';
import { seedLineItem, seedNetwork } from '../../../test/worlds/seed.sql.ts';

const film = {
  format: 'VIDEO',
  title: 'Film <1>',
  durationMs: 15_000,
  mediaFiles: [
    { url: 'https://cdn.example/a.mp4?x=1&y=2', mimeType: 'video/mp4', width: 640, height: 360, bitrateKbps: 800 },
    { url: 'https://cdn.example/a.webm', mimeType: 'video/webm', width: 640, height: 360, bitrateKbps: null },
  ],
  vastTagUrl: null,
  skipOffsetMs: 5_000,
};
const EMPTY = '<?xml version="1.0" encoding="UTF-8"?>\n<VAST version="4.2" xmlns="http://www.iab.com/VAST"></VAST>';

let delivery: RunningDelivery;

beforeAll(async () => {
  delivery = await runDelivery(async ({ db }) => {
    await seedNetwork(db);
    await seedLineItem(db, { id: 1n, cpm: 12n, content: film, width: 0, height: 0 });
    const other = { ...film, title: 'Tag of others', vastTagUrl: 'https://tag.example/vast?cb=1', mediaFiles: [] };
    const ski = { dimension: 'keyValue', key: 'sport', operator: 'is', values: ['ski'] };
    await seedLineItem(db, { id: 2n, cpm: 20n, content: other, width: 0, height: 0, targeting: ski });
    const short = { ...film, title: 'Short', durationMs: 5_000 };
    const news = { ...ski, values: ['news'] };
    for (const id of [3n, 4n])
      await seedLineItem(db, { id, cpm: 9n, content: short, width: 0, height: 0, targeting: news });
    await db
      .insertInto('sites')
      .values({ workspace_id: 2, id: 9n, code: 's', name: 'S', domain: 's.example' })
      .execute();
    const staged = { workspace_id: 2, site_id: 9n, id: 9n, name: 'staged', sizes: '[]', media_types: ['video'] };
    await db.insertInto('ad_units').values(staged).execute();
  });
});
afterAll(() => delivery?.stop());
beforeEach(() => {
  delivery.counted.length = 0;
});

const ask = (address: string, init: RequestInit = {}) => fetch(`${delivery.url}${address}`, init);
async function textOf(address: string): Promise<string> {
  const response = await ask(address);
  expect(response.status).toBe(200);
  return response.text();
}
const tokenIn = (document: string): string => /\/imp\/([^\]]+)/.exec(document)?.[1] ?? '';
const adIn = (document: string) => openServedAd(tokenIn(document), [LINK_KEY]);

describe('pods', () => {
  const news = 'unit=home/video&cust_params=sport%3Dnews';

  test('the pod of a break is one document with its ads in sequence, within the time that they share', async () => {
    const { ads } = await new VASTClient().get(`${delivery.url}/1000/vast?${news}&pmad=3`);
    expect(ads.map(({ sequence }: { sequence: string }) => Number(sequence))).toEqual([1, 2, 3]);
    const within = await textOf(`/1000/vast?${news}&pmad=3&pmxd=10000`);
    expect(within.match(/<AdTitle>Short/g)).toHaveLength(2);
    expect(within).not.toContain('Film');
    expect(new Set(within.match(/<Ad id="\d+"/g)).size).toBe(2);
    expect((await textOf(`/1000/vast?${news}`)).match(/<Ad /g)).toHaveLength(1);
  });

  test('each break of a VMAP document has ads that no other break has', async () => {
    const document = await textOf(`/1000/vmap?${news}&breaks=start,end&break_ads=inline&pmad=2`);
    const breaks = document.split('<vmap:AdBreak ').slice(1);
    expect(breaks.map((one) => one.match(/<Ad /g)?.length)).toEqual([2, 1]);
    expect(new Set(document.match(/<Ad id="\d+"/g)).size).toBe(3);
  });

  test.each(['0', '21', 'many', '1.5'])('a pod of %s ads is refused by name', async (pmad) => {
    const response = await ask(`/1000/vast?${news}&pmad=${pmad}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('pmad must be a whole number from 1 to 20.');
  });
});

describe('the VAST address', () => {
  test('a player reads the film, its events and its click from the document', async () => {
    const { ads } = await new VASTClient().get(`${delivery.url}/1000/vast?unit=home/video&correlator=1`);
    const [ad] = ads;
    expect([ads.length, ad?.id, ad?.title]).toEqual([1, '100', 'Film <1>']);
    const linear = ad?.creatives.find((one: { readonly type: string }) => one.type === 'linear') as unknown as {
      mediaFiles: { fileURL: string }[];
      trackingEvents: Record<string, string[]>;
      skipDelay: number;
    };
    expect(linear.mediaFiles.map(({ fileURL }) => fileURL)).toEqual(film.mediaFiles.map(({ url }) => url));
    expect(linear.skipDelay).toBe(5);
    expect(Object.keys(linear.trackingEvents)).toEqual(
      expect.arrayContaining(['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete']),
    );
    expect(String(ad?.errorURLTemplates[0])).toMatch(/\/1000\/video\/error\/.+\?code=\[ERRORCODE\]$/);
  });

  test('the links hold the ad unit and the size of the player, and the request is counted', async () => {
    const document = await textOf('/1000/vast?unit=home/video&sz=640x480');
    expect(adIn(document)).toMatchObject({ workspaceId: 1, adUnitId: '2', lineItemId: '1', width: 640, height: 480 });
    expect(delivery.counted.map(({ key }) => [key.kind, key.adUnitId, key.size])).toEqual([
      ['request', '2', '640x480'],
      ['served', '2', '640x480'],
    ]);
    expect(document).not.toContain('<Pricing');
  });

  test.each(['unit=2', 'iu=/1000/home/video', 'unit=home%2Fvideo'])('%s finds the ad unit', async (query) => {
    expect(adIn(await textOf(`/1000/vast?${query}`))).toMatchObject({ adUnitId: '2' });
  });

  test.each([
    ['vast=2.0', {}, '<VAST version="2.0">'],
    ['output=xml_vast3', {}, '<VAST version="3.0">'],
    ['', { accept: 'application/xml;version=4.1' }, '<VAST version="4.1" xmlns="http://www.iab.com/VAST">'],
  ])('%s with %o chooses the version', async (query, headers, root) => {
    const response = await ask(`/1000/vast?unit=home/video&${query}`, { headers });
    expect(await response.text()).toContain(`${root}<Ad `);
  });

  test('key-values find the line item that targets them, and its tag of a third party is wrapped', async () => {
    const document = await textOf('/1000/vast?unit=home/video&cust_params=sport%3DSki%252Calpine');
    expect(document).toContain('<VASTAdTagURI><![CDATA[https://tag.example/vast?cb=1]]></VASTAdTagURI>');
  });

  test('personalisation follows the signals of the address', async () => {
    const known = adIn(await textOf('/1000/vast?unit=2&ppid=p1'));
    expect([known?.npa, known?.userHash]).toEqual([false, expect.stringMatching(/^[0-9a-f]{16}$/)]);
    const refused = adIn(await textOf('/1000/vast?unit=2&ppid=p1&gdpr=1'));
    expect([refused?.npa, refused?.userHash]).toEqual([true, '']);
  });

  test('a browser that may have a cookie gets one, and is known by it', async () => {
    const headers = { origin: 'https://news.example' };
    const first = await ask('/1000/vast?unit=2&gdpr=0', { headers });
    const cookie = first.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    expect(cookie).toMatch(/^__Host-placard-user-1=/);
    expect(adIn(await first.text())?.userHash).toBe('');
    const second = await ask('/1000/vast?unit=2&gdpr=0', { headers: { ...headers, cookie } });
    expect(adIn(await second.text())?.userHash).not.toBe('');
  });

  test('a test request gets an ad that counts nothing', async () => {
    expect(adIn(await textOf('/1000/vast?unit=2&test=1'))?.test).toBe(true);
    expect(delivery.counted).toEqual([]);
  });
});

describe('a response without an ad', () => {
  test('it is an empty document that may not be cached, and tells strangers no reason', async () => {
    const response = await ask('/1000/vast?unit=2&max_ad_duration=1000&debug=1');
    expect([response.status, await response.text()]).toEqual([200, EMPTY]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-type')).toBe('text/xml; charset=utf-8');
    expect(await textOf('/1000/vast?unit=2&vad_type=nonlinear')).toBe(EMPTY);
  });

  test('in staging, debug names the reason', async () => {
    expect(await textOf('/staging/1000/vast?unit=staged&debug=1')).toContain('<!-- No ad: no_match. -->');
    expect(await textOf('/staging/1000/vast?unit=staged')).toBe(EMPTY);
  });

  test.each([
    ['/1000/vast', 400, 'invalid_request: unit is missing'],
    ['/1000/vast?unit=2&sz=x', 400, 'invalid_request: sz must hold sizes'],
    ['/1000/vast?unit=home/top', 400, 'invalid_request: unit: the ad unit 1 has neither video nor audio'],
    ['/1000/vast?unit=--%3E%3Cx/%3E', 404, 'unknown_ad_unit: The network has no ad unit "- -><x/>"'],
    ['/77/vast?unit=2', 404, 'unknown_network: There is no network 77.'],
    ['/1000/vmap?unit=2&breaks=soon', 400, 'invalid_request: breaks has "soon"'],
    ['/1000/vmap?unit=nothing', 404, 'unknown_ad_unit'],
    ['/1000/vmap?unit=2&break_ads=none', 400, 'break_ads must be one of tag, inline'],
  ])('%s gets %i with an empty document that says what is wrong', async (address, status, message) => {
    const response = await ask(address, { headers: { origin: 'https://news.example' } });
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://news.example');
    const document = await response.text();
    expect(document).toMatch(/^<\?xml [^>]+>\n<(?:VAST|vmap:VMAP) [^>]+><!-- [^\n]+ --><\/(?:VAST|vmap:VMAP)>$/);
    expect(document).toContain(message);
    expect(document.match(/--/g)).toHaveLength(2);
    expect(delivery.counted).toEqual([]);
  });
});

describe('the VMAP address', () => {
  test('each break has an address with its position, and the parameters of the request', async () => {
    const document = await textOf('/1000/vmap?unit=2&gdpr=0&cust_params=a%3Db&breaks=start,00:10:00,end&output=vmap');
    const breaks = [...document.matchAll(/timeOffset="([^"]+)" breakType="linear" breakId="([^"]+)"/g)];
    expect(breaks.map(([, offset, id]) => `${offset} ${id}`)).toEqual([
      'start preroll',
      '00:10:00 midroll-1',
      'end postroll',
    ]);
    const addresses = [...document.matchAll(/<!\[CDATA\[([^\]]+)\]\]>/g)].map(([, url]) => url ?? '');
    expect(addresses).toEqual(
      ['preroll', 'midroll', 'postroll'].map(
        (position) => `https://ads.example/1000/vast?unit=2&gdpr=0&cust_params=a%3Db&vpos=${position}`,
      ),
    );
    expect(delivery.counted).toEqual([]);
    expect(adIn(await textOf((addresses[0] ?? '').replace('https://ads.example', '')))).toMatchObject({
      lineItemId: '1',
    });
  });

  test('the VMAP address decides all breaks at once: no film comes twice, and a break without a film is left out', async () => {
    const document = await textOf('/1000/vmap?unit=2&breaks=start,50%25,end&break_ads=inline');
    expect(document.match(/<vmap:VASTAdData><VAST version="4.2"/g)).toHaveLength(1);
    expect(document).toContain('timeOffset="start"');
    expect(document).not.toContain('timeOffset="50%"');
    expect(delivery.counted.map(({ key }) => key.kind)).toEqual(['request', 'request', 'request', 'served']);
  });
});

describe('other methods', () => {
  test.each(['/1000/vast?unit=2', '/1000/vmap?unit=2&break_ads=inline'])(
    'HEAD of %s decides and counts nothing',
    async (address) => {
      const response = await ask(address, { method: 'HEAD' });
      expect([response.status, delivery.counted]).toEqual([200, []]);
      expect((await ask(`${address}&sz=x`, { method: 'HEAD' })).status).toBe(400);
    },
  );

  test('a preflight gets 204, and a POST 405', async () => {
    const headers = { origin: 'https://news.example', 'access-control-request-method': 'GET' };
    const preflight = await ask('/1000/vast?unit=2', { method: 'OPTIONS', headers });
    expect([preflight.status, preflight.headers.get('access-control-allow-credentials')]).toEqual([204, 'true']);
    expect((await ask('/1000/vast?unit=2', { method: 'POST' })).status).toBe(405);
  });
});
