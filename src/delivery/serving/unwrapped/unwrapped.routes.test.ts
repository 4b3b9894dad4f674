import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runDelivery } from '../../../../test/support/running-delivery.ts';
import type { RunningDelivery } from '../../../../test/support/running-delivery.ts';
import {
  inlineOf,
  openThirdParty,
  type ThirdParty,
  wrapperOf,
} from '../../../../test/support/vast/third-party-vast.ts';
import { seedLineItem, seedNetwork } from '../../../../test/worlds/seed.sql.ts';

const film = {
  format: 'VIDEO',
  title: 'Own film',
  durationMs: 15_000,
  mediaFiles: [{ url: 'https://cdn.example/a.mp4', mimeType: 'video/mp4', width: 640, height: 360, bitrateKbps: 800 }],
  vastTagUrl: null,
  skipOffsetMs: null,
};
const EMPTY = '<?xml version="1.0" encoding="UTF-8"?>\n<VAST version="4.2" xmlns="http://www.iab.com/VAST"></VAST>';
const TAGGED = 'unit=home/video&cust_params=sport%3Dski';

let third: ThirdParty;
let delivery: RunningDelivery;

beforeAll(async () => {
  third = await openThirdParty();
  delivery = await runDelivery(async ({ db }) => {
    await seedNetwork(db);
    const common = { width: 0, height: 0 };
    await seedLineItem(db, { id: 1n, cpm: 12n, content: film, ...common });
    const tag = {
      ...film,
      title: 'Tag',
      mediaFiles: [],
      vastTagUrl: `${third.base}/tag?c=[CREATIVE_ID]&gdpr=\${GDPR}`,
    };
    const ski = { dimension: 'keyValue', key: 'sport', operator: 'is', values: ['ski'] };
    await seedLineItem(db, { id: 2n, cpm: 20n, content: tag, targeting: ski, ...common });
  });
});
afterAll(async () => {
  await delivery?.stop();
  await third?.close();
});
beforeEach(() => {
  third.replies.clear();
  third.asked.length = 0;
  delivery.counted.length = 0;
  delivery.videoErrors.length = 0;
});

const TAG_PATH = '/tag?c=200&gdpr=';
const serveAd = (tagPath = TAG_PATH) => {
  third.replies.set('/inline', { body: inlineOf() });
  third.replies.set(tagPath, { body: wrapperOf('first', `${third.base}/inline`) });
};
const ask = (address: string, init: RequestInit = {}) => fetch(`${delivery.url}${address}`, init);
async function textOf(address: string): Promise<string> {
  const response = await ask(address);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  return response.text();
}
const kinds = () => delivery.counted.map(({ key }) => `${key.kind} ${key.creativeId}`.trim());

describe('the VAST address with unwrap', () => {
  test('it has the ad behind the tag, with the trackers of all levels and our own', async () => {
    serveAd();
    const document = await textOf(`/1000/vast?${TAGGED}&unwrap=1`);
    expect(document).toMatch(/<Ad id="200"><InLine>.+<\/InLine><\/Ad>/s);
    expect(document).toContain('https://other.example/film.mp4');
    for (const address of [
      'https://ads.example/1000/imp/',
      'https://other.example/first-imp',
      'https://other.example/film-imp',
    ])
      expect(document).toContain(`<Impression><![CDATA[${address}`);
    expect(third.asked.map(({ path }) => path)).toEqual([TAG_PATH, '/inline']);
    expect(kinds()).toEqual(['request', 'served 200']);
    expect(delivery.videoErrors).toEqual([]);
  });

  test('the server follows a tag for GET with the parameter alone', async () => {
    serveAd();
    expect(await textOf(`/1000/vast?${TAGGED}`)).toContain('<Wrapper>');
    expect((await ask(`/1000/vast?${TAGGED}&unwrap=1`, { method: 'HEAD' })).status).toBe(200);
    expect(third.asked).toEqual([]);
  });

  test('a film of the network plays in place of a tag without an ad; the error counts for its creative, and its trackers are told', async () => {
    third.replies.set('/told?c=303', {});
    third.replies.set(TAG_PATH, { body: `<VAST version="4.2"><Error>${third.base}/told?c=[ERRORCODE]</Error></VAST>` });
    const document = await textOf(`/1000/vast?${TAGGED}&unwrap=1`);
    expect(document).toContain('<AdTitle>Own film</AdTitle>');
    expect(document.match(/<Ad /g)).toHaveLength(1);
    expect(kinds()).toEqual(['request', 'served 200', 'served 100']);
    expect(delivery.videoErrors).toEqual([['200', 303]]);
    await expect.poll(() => third.asked.map(({ path }) => path)).toContain('/told?c=303');
  });

  test('where no own film fits, the document is empty', async () => {
    third.replies.set(TAG_PATH, { body: 'not XML' });
    expect(await textOf(`/1000/vast?${TAGGED}&unwrap=1&mimes=video/ogg`)).toBe(EMPTY);
    expect(delivery.videoErrors).toEqual([['200', 100]]);
  });

  test('the pod goes on without the ad whose tag leads to none', async () => {
    third.replies.set(TAG_PATH, { status: 500 });
    const document = await textOf(`/1000/vast?${TAGGED}&unwrap=1&pmad=2`);
    expect(document.match(/<Ad id="\d+" sequence="\d+"/g)).toEqual(['<Ad id="100" sequence="1"']);
    expect(kinds()).toEqual(['request', 'request', 'served 200', 'served 100']);
  });

  test('the breaks of a VMAP document have the ad behind the tag', async () => {
    serveAd();
    const document = await textOf(`/1000/vmap?${TAGGED}&unwrap=1&breaks=start&break_ads=inline`);
    expect(document).toMatch(/<vmap:VASTAdData><VAST version="4.2"[^>]*><Ad id="200"><InLine>/);
    expect(await textOf(`/1000/vmap?${TAGGED}&unwrap=1&breaks=start`)).toContain('unwrap=1');
  });

  test('requests that do not ask are served while a tag never responds', async () => {
    const waiting = textOf(`/1000/vast?${TAGGED}&unwrap=1`);
    await expect.poll(() => third.asked.length).toBe(1);
    expect(await textOf(`/1000/vast?${TAGGED}`)).toContain('<Wrapper>');
    third.replies.set(TAG_PATH, {});
    expect(await waiting).toContain('<AdTitle>Own film</AdTitle>');
    expect(delivery.videoErrors).toEqual([['200', 301]]);
  });

  test.each([
    ['', '', '127.0.0.1'],
    ['&gdpr=1', '1', undefined],
  ])('third parties learn the address of the device unless ads may not be personal: "%s"', async (signal, gdpr, ip) => {
    serveAd(TAG_PATH + gdpr);
    await textOf(`/1000/vast?${TAGGED}&unwrap=1${signal}`);
    expect(third.asked[0]?.headers['x-device-ip']).toBe(ip);
    expect(third.asked[0]?.headers['x-device-user-agent']).toBe('node');
  });
});

describe('the address of an ad that was served as a wrapper', () => {
  const tokenOf = async (query: string) => /\/imp\/([^\]]+)/.exec(await textOf(`/1000/vast?${query}`))?.[1] ?? '';

  test('it has the ad behind the tag, with the links of that ad; nothing is decided or counted', async () => {
    serveAd(`${TAG_PATH}0`);
    const token = await tokenOf(TAGGED);
    delivery.counted.length = 0;
    const document = await textOf(`/1000/vast/${token}?gdpr=0`);
    expect(document).toContain(`<Impression><![CDATA[https://ads.example/1000/imp/${token}]]></Impression>`);
    expect(document).toContain('https://other.example/film.mp4');
    expect(document).toContain('<Advertiser>');
    expect([delivery.counted, delivery.videoErrors]).toEqual([[], []]);
  });

  test('a tag that leads to no ad is an empty document with its error, which is recorded', async () => {
    const token = await tokenOf(TAGGED);
    third.replies.set(TAG_PATH, { body: '<VAST version="3.0"></VAST>' });
    expect(await textOf(`/1000/vast/${token}`)).toContain('<!-- error 303 --></VAST>');
    expect(delivery.videoErrors).toEqual([['200', 303]]);
  });

  test('a token that is forged, of another network, or of an own film is 404', async () => {
    const token = await tokenOf(TAGGED);
    const own = await tokenOf('unit=home/video');
    for (const path of ['/1000/vast/x', `/1000/vast/${token}x`, `/staging/1000/vast/${token}`, `/1000/vast/${own}`]) {
      const response = await ask(path);
      expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('not_found')]);
    }
    expect(third.asked).toEqual([]);
  });
});
