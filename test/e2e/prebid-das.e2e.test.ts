import type { Browser, Frame, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loopbackOf, openChromium, shot, USER_AGENT } from './support/chromium.ts';
import { encodeConsent } from './support/consent-string.ts';
import { eventually, openPlacard, type PlacardServer } from './support/placard-server.ts';
import { bundlePrebid } from './support/prebid-bundle.ts';
import { type AuctionResult, prebidPage, type PrebidScenario, watchAuction } from './support/prebid-page.ts';
import { openPublisherSite, type PublisherSite } from './support/publisher-site.ts';

/** The address that the adapter is built with: the resolver sends it to the server under test. */
const ADAPTER_HOST = 'csr.onet.pl';
const SITE_HOST = 'www.magazine.example';

let placard: PlacardServer;
let site: PublisherSite;
let browser: Browser;

beforeAll(async () => {
  placard = await openPlacard();
  site = await openPublisherSite(placard.certificate);
  site.put('/prebid.js', { body: await bundlePrebid(['dasBidAdapter']), type: 'text/javascript' });
  browser = await openChromium({
    [`${ADAPTER_HOST}:443`]: loopbackOf(placard.deliveryUrl),
    [`${SITE_HOST}:443`]: `127.0.0.1:${site.port}`,
  });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await placard?.close();
});

const das = (params: Record<string, unknown>) => [
  { bidder: 'das', params: { network: '1000', site: 'magazine', area: 'home', ...params } },
];
const bannerUnit = (params: Record<string, unknown> = {}, code = 'sidebar') => ({
  code,
  mediaTypes: {
    banner: {
      sizes: [
        [300, 250],
        [300, 600],
      ],
    },
  },
  bids: das({ slot: 'home/sidebar', ...params }),
});
const nativeUnit = {
  code: 'story',
  mediaTypes: {
    native: {
      adTemplate:
        '<a href="##hb_native_linkurl##"><img src="##hb_native_image##" width="300"><b>##hb_native_title##</b> <i>##hb_native_brand##</i></a>',
      title: { required: true },
      image: { required: true },
      sponsoredBy: { required: true },
      clickUrl: { required: true },
    },
  },
  bids: das({ slot: 'article/native' }),
};

interface Visit {
  readonly page: Page;
  readonly sent: readonly Request[];
  readonly result: AuctionResult;
}

async function visit(scenario: PrebidScenario): Promise<Visit> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const sent: Request[] = [];
  page.on('request', (request) => sent.push(request));
  site.put('/article', { body: prebidPage(scenario) });
  const result = await watchAuction(page, `https://${SITE_HOST}/article`);
  return { page, sent, result };
}

const bidsOf = (sent: readonly Request[]) => sent.filter((request) => new URL(request.url()).hostname === ADAPTER_HOST);
const pixelsOf = (sent: readonly Request[]) => sent.filter((request) => /\/1000\/imp\//.test(request.url()));
/** The body of a bid request, whichever way it went. */
const bodyOf = (request: Request | undefined) =>
  JSON.parse(request?.postData() ?? new URL(request?.url() ?? '').searchParams.get('data') ?? 'null');

/** The frame that holds the ad's own link, at any depth. */
async function drawnFrame(page: Page, selector: string): Promise<Frame> {
  const find = async (): Promise<Frame | undefined> => {
    for (const frame of page.frames().slice(1)) if ((await frame.locator(selector).count()) > 0) return frame;
    return undefined;
  };
  const frame = await eventually(find, (found) => found !== undefined);
  if (frame === undefined) throw new Error(`no frame of the page holds ${selector}`);
  return frame;
}

/** Impressions of a creative, robots included. */
const countOf = (creativeId: string) => placard.countToday('gross_impressions', { creative_id: creativeId });

/**
 * Runs a visit whose one ad is `media`; checks that its auction was won and drawn, and that exactly one impression was counted, under
 * its creative, with the requested privacy.
 */
async function expectWonDrawnCounted(
  scenario: PrebidScenario,
  { mediaType, npa }: { mediaType: string; npa: boolean },
): Promise<Visit> {
  const filter = { npa: String(npa) };
  const allBefore = await placard.countToday('gross_impressions', {});
  const samePrivacyBefore = await placard.countToday('gross_impressions', filter);
  const seen = await visit(scenario);
  const [bid, ...others] = seen.result.bids;
  expect(others).toEqual([]);
  expect(bid).toMatchObject({ bidder: 'das', mediaType, currency: 'PLN' });
  expect(bid?.cpm).toBeGreaterThan(0);
  expect(bid?.meta['advertiserDomains']).toEqual([expect.stringMatching(/\.example$/)]);
  const names = await eventually(
    () => seen.page.evaluate(() => (globalThis as never as { auctionResult: AuctionResult }).auctionResult.events),
    (events) => events.length >= 2,
  );
  expect(names.map(({ name }) => name).sort()).toEqual(['adRenderSucceeded', 'bidWon']);
  const all = () => placard.countToday('gross_impressions', {});
  expect(await eventually(all, (count) => count > allBefore)).toBe(allBefore + 1);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(await all()).toBe(allBefore + 1);
  await expect
    .poll(() => placard.countToday('gross_impressions', filter), { timeout: 30_000 })
    .toBe(samePrivacyBefore + 1);
  expect(await countOf(bid?.creativeId ?? '')).toBeGreaterThan(0);
  return seen;
}

// Conformance: B13
describe('the unmodified das adapter of Prebid.js', () => {
  // Conformance: B13
  test('a banner wins its auction, is drawn, and its impression is counted once', async () => {
    const { page, sent } = await expectWonDrawnCounted(
      { adUnits: [bannerUnit()] },
      { mediaType: 'banner', npa: false },
    );
    expect(bidsOf(sent).map((request) => request.method())).toEqual(['GET']);
    const frame = await drawnFrame(page, 'a[href*="/1000/click/"]');
    // A picture, or one of the demo's banners of HTML.
    const sizesOf = () =>
      frame.locator('a[href*="/1000/click/"]').evaluateAll((links) =>
        links.map((link) => {
          const image = link.querySelector('img');
          return [image === null || image.naturalWidth > 0, Math.round((image ?? link).getBoundingClientRect().width)];
        }),
      );
    await expect.poll(sizesOf).toContainEqual([true, 300]);
    expect(await frame.locator('a', { hasText: 'Why this ad?' }).getAttribute('href')).toContain('/1000/why/');
    expect(pixelsOf(sent)).toHaveLength(1);
    await page.screenshot({ path: shot('das-banner') });
    await page.context().close();
  });

  // Conformance: B13
  test('a native ad wins, is drawn from its fields, and its click address redirects to the landing page', async () => {
    const { page, sent, result } = await expectWonDrawnCounted(
      { adUnits: [nativeUnit] },
      { mediaType: 'native', npa: false },
    );
    const frame = await drawnFrame(page, 'b');
    const link = (await frame.locator('a').getAttribute('href')) ?? '';
    expect(await frame.locator('b').textContent()).toBe(result.bids[0]?.native?.['title']);
    expect(link).toMatch(/\/1000\/click\/[^/]+\/https:\/\//);
    const click = await placard.client.send(link, { headers: { 'user-agent': USER_AGENT } });
    expect([click.status, click.headers.location]).toEqual([302, link.replace(/^.*\/click\/[^/]+\//, '')]);
    expect(pixelsOf(sent).length).toBeGreaterThan(0);
    await page.screenshot({ path: shot('das-native') });
    await page.context().close();
  });

  // Conformance: B13
  test('a request too long for an address goes by POST as text/plain, without a preflight, and wins as well', async () => {
    const keyValues = Object.fromEntries(
      Array.from({ length: 150 }, (_one, index) => [`topic${index}`, 'x'.repeat(60)]),
    );
    const { page, sent } = await expectWonDrawnCounted(
      { adUnits: [bannerUnit({ pageContext: { keyValues, keyWords: ['bakery', 'night train'] } })] },
      { mediaType: 'banner', npa: false },
    );
    const [request, ...more] = bidsOf(sent);
    expect(more).toEqual([]);
    expect([request?.method(), request?.headers()['content-type']]).toEqual(['POST', 'text/plain']);
    expect(bodyOf(request).ext.keyvalues['kvtopic149']).toBe('x'.repeat(60));
    await page.context().close();
  });

  // Conformance: B13
  test('several ad units share one request, each gets its own ad, and all are counted', async () => {
    const before = await placard.countToday('gross_impressions', {});
    const { page, sent, result } = await visit({
      adUnits: [bannerUnit(), bannerUnit({ slot: 'article/inline' }, 'inline'), nativeUnit],
    });
    expect(bidsOf(sent)).toHaveLength(1);
    expect(bodyOf(bidsOf(sent)[0]).imp).toHaveLength(3);
    expect(result.bids.map((bid) => bid.adUnitCode).sort()).toEqual(['inline', 'sidebar', 'story']);
    expect(new Set(result.bids.map((bid) => bid.creativeId)).size).toBe(3);
    const all = () => placard.countToday('gross_impressions', {});
    expect(await eventually(all, (count) => count >= before + 3)).toBe(before + 3);
    await page.context().close();
  });

  // Conformance: B13
  test('a request without a fitting ad gets no bid and no error', async () => {
    const odd = { ...bannerUnit(), mediaTypes: { banner: { sizes: [[17, 13]] } } };
    const { page, result } = await visit({ adUnits: [odd] });
    expect(result).toEqual({ bids: [], events: [] });
    await page.context().close();
  });
});

// Conformance: B13
describe('consent through the das adapter', () => {
  const ids = { customParams: { lu: 'first-party-7', aid: 'hashed-7' } };

  test('the ad is personal with consent for every purpose, and the TCF string arrives where the adapter puts it', async () => {
    const purposes = [1, 2, 3, 4, 7];
    const tcString = encodeConsent(purposes);
    const { page, sent } = await expectWonDrawnCounted(
      { adUnits: [bannerUnit(ids)], tcf: { gdprApplies: true, tcString, purposes } },
      { mediaType: 'banner', npa: false },
    );
    expect(bodyOf(bidsOf(sent)[0])).toMatchObject({
      regs: { gdpr: 1, gpp: tcString },
      user: { ext: { ids: { lu: 'first-party-7', aid: 'hashed-7' } } },
    });
    await page.context().close();
  });

  test.each([
    ['consent for storage alone', encodeConsent([1]), [1], {}],
    ['a string that cannot be read', 'not-a-consent-string', [], {}],
    ['full consent, but the page says npa', encodeConsent([1, 3, 4]), [1, 3, 4], { pubconsent: 'npa=1' }],
  ])('the ad with %s is contextual and counted as such', async (_name, tcString, purposes, custom) => {
    const params = { customParams: { ...ids.customParams, ...custom } };
    const { page } = await expectWonDrawnCounted(
      { adUnits: [bannerUnit(params)], tcf: { gdprApplies: true, tcString, purposes } },
      { mediaType: 'banner', npa: true },
    );
    const cookies = await page.context().cookies();
    expect(cookies).toEqual([]);
    await page.context().close();
  });

  test('no consent is needed where GDPR does not apply', async () => {
    const { page, sent } = await expectWonDrawnCounted(
      { adUnits: [bannerUnit(ids)], tcf: { gdprApplies: false, tcString: '', purposes: [] } },
      { mediaType: 'banner', npa: false },
    );
    expect(bodyOf(bidsOf(sent)[0]).regs).toMatchObject({ gdpr: 0 });
    await page.context().close();
  });
});
