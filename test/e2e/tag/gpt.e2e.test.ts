import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChromium, shot } from '../support/chromium.ts';
import { eventually, openPlacard, type PlacardServer } from '../support/placard-server.ts';
import { bundlePrebid } from '../support/prebid-bundle.ts';
import { openPublisherSite, type PublisherSite } from '../support/publisher-site.ts';

const HOST = 'www.magazine.example';
/** Pages that Prebid.js publishes for GPT, as its package has them. */
const examples = new URL('../../../node_modules/prebid.js/integrationExamples/gpt/', import.meta.url);
const ADAPTER = fileURLToPath(new URL('../../../sdk/prebid/modules/placardBidAdapter.js', import.meta.url));
const GOOGLE = 'https://securepubads.g.doubleclick.net/tag/js/gpt.js';
let placard: PlacardServer;
let site: PublisherSite;
let browser: Browser;

beforeAll(async () => {
  placard = await openPlacard();
  site = await openPublisherSite(placard.certificate);
  site.put('/build/dev/prebid.js', {
    body: await bundlePrebid(['appnexusBidAdapter'], [ADAPTER]),
    type: 'text/javascript',
  });
  site.put('/favicon.ico', { body: '', type: 'image/x-icon' });
  browser = await openChromium({ [`${HOST}:443`]: `127.0.0.1:${site.port}` });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await placard?.close();
});

interface Visit {
  readonly page: Page;
  readonly sent: readonly Request[];
  readonly complaints: readonly string[];
}

const scriptTag = (more = 'data-gdpr="0"'): string =>
  `src="${placard.deliveryUrl}/gpt.js" data-network="1000" data-site="magazine" data-area="home" ${more}`;

async function visit(path: string, body: string): Promise<Visit> {
  site.put(path, { body });
  const page = await (await browser.newContext()).newPage();
  const sent: Request[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => sent.push(request));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`https://${HOST}${path}`);
  return { page, sent, complaints };
}

/** A page with slots; `script` runs before they are displayed, and hears all events in `told`. */
const pageOf = (script: string, slots: readonly string[], more?: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>The magazine</title><script async ${scriptTag(more)}></script>
<script>window.googletag = window.googletag || { cmd: [] }; window.told = [];
googletag.cmd.push(function () {
  ['slotRequested', 'slotResponseReceived', 'slotRenderEnded', 'slotOnload', 'impressionViewable', 'slotVisibilityChanged'].forEach(function (name) {
    googletag.pubads().addEventListener(name, function (event) {
      told.push({ name: name, slot: event.slot.getSlotElementId(), isEmpty: event.isEmpty, size: event.size, creativeId: event.creativeId, share: event.inViewPercentage });
    });
  });
  ${script}
});</script><body>${slots
  .map(
    (id) => `<div id="${id}"><script>googletag.cmd.push(function () { googletag.display('${id}'); });</script></div>`,
  )
  .join('\n')}</body></html>`;

interface Told {
  readonly name: string;
  readonly slot: string;
  readonly isEmpty?: boolean;
  readonly size?: readonly number[] | null;
  readonly creativeId?: string;
  readonly share?: number;
}
const toldOf = (page: Page): Promise<Told[]> => page.evaluate('told');
const untilTold = (page: Page, name: string, count = 1): Promise<Told[]> =>
  eventually(
    () => toldOf(page),
    (told) => told.filter((one) => one.name === name).length >= count,
  );
const bidsOf = (sent: readonly Request[]) =>
  sent.filter((one) => one.url().endsWith('/1000/bid')).map((one) => JSON.parse(one.postData() ?? 'null'));

describe('a page that was made for Google’s publisher tag', () => {
  test('its slots share a request with their targeting, are drawn, counted once and told by the events of GPT', async () => {
    const all = () => placard.countToday('gross_impressions', {});
    const before = await all();
    const { page, sent, complaints } = await visit(
      '/gpt',
      pageOf(
        `googletag.pubads().setTargeting('section', 'bread').collapseEmptyDivs();
         googletag.defineSlot('/1234/home/sidebar', [[300, 250], [300, 600]], 'side').setTargeting('topic', ['rye', 'oven']).addService(googletag.pubads());
         googletag.defineSlot('/1234/home/nothing', [17, 19], 'none').addService(googletag.pubads());
         googletag.pubads().enableSingleRequest();
         googletag.enableServices();`,
        ['side', 'none'],
      ),
    );
    const told = await untilTold(page, 'impressionViewable');
    const ofSide = told.filter(({ slot }) => slot === 'side').map(({ name }) => name);
    expect(ofSide.filter((name) => name !== 'slotVisibilityChanged').toSorted()).toEqual([
      'impressionViewable',
      'slotOnload',
      'slotRenderEnded',
      'slotRequested',
      'slotResponseReceived',
    ]);
    const ends = told.filter(({ name }) => name === 'slotRenderEnded');
    expect(ends.find(({ slot }) => slot === 'side')).toMatchObject({
      isEmpty: false,
      size: [300, expect.any(Number)],
      creativeId: expect.stringMatching(/^\d+$/),
    });
    expect(ends.find(({ slot }) => slot === 'none')).toMatchObject({ isEmpty: true, size: null });
    expect(told.some(({ name, share }) => name === 'slotVisibilityChanged' && share === 100)).toBe(true);
    const [request, ...others] = bidsOf(sent);
    expect(others).toEqual([]);
    expect(request.ext.keyvalues).toEqual({ section: ['bread'] });
    expect(request.imp.map(({ tagid, ext }: { tagid: string; ext: object }) => [tagid, ext])).toEqual([
      ['home/sidebar', { keyvalues: { topic: ['rye', 'oven'] } }],
      ['home/nothing', { keyvalues: {} }],
    ]);
    expect(await page.locator('#none').isVisible()).toBe(false);
    expect(await eventually(all, (count) => count > before)).toBe(before + 1);
    expect(complaints).toEqual([]);
    await page.screenshot({ path: shot('gpt-slots') });
    await page.context().close();
  });

  test('a slot waits for refresh, is cleared, refreshed with other targeting, and destroyed', async () => {
    const { page, sent, complaints } = await visit(
      '/gpt-life',
      pageOf(
        `googletag.pubads().disableInitialLoad();
         var mapping = googletag.sizeMapping().addSize([0, 0], [300, 250]).addSize([5000, 0], [970, 250]).build();
         window.slot = googletag.defineSlot('/1234/home/sidebar', [[970, 250], [300, 250]], 'side').defineSizeMapping(mapping).addService(googletag.pubads());
         googletag.enableServices();`,
        ['side'],
      ),
    );
    await page.waitForFunction('window.slot && googletag.pubads().isInitialLoadDisabled()');
    expect(await page.evaluate('googletag.pubads().getSlots().map((one) => one.getAdUnitPath())')).toEqual([
      '/1234/home/sidebar',
    ]);
    expect(bidsOf(sent)).toEqual([]);
    await page.evaluate(`slot.setConfig({ targeting: { topic: 'rye' } }); googletag.pubads().refresh();`);
    await untilTold(page, 'slotOnload');
    await page.evaluate('googletag.pubads().clear([slot])');
    expect(await page.locator('#side iframe').count()).toBe(0);
    await page.evaluate(`slot.clearTargeting().setTargeting('topic', 'oven'); googletag.pubads().refresh([slot]);`);
    await untilTold(page, 'slotOnload', 2);
    await page.evaluate('googletag.pubads().refresh([slot])');
    await untilTold(page, 'slotOnload', 3);
    expect(await page.locator('#side iframe').count()).toBe(1);
    expect(bidsOf(sent).map(({ imp }) => [imp[0].ext.keyvalues.topic, imp[0].banner.format])).toEqual([
      [['rye'], [{ w: 300, h: 250 }]],
      [['oven'], [{ w: 300, h: 250 }]],
      [['oven'], [{ w: 300, h: 250 }]],
    ]);
    expect(await page.evaluate('googletag.destroySlots()')).toBe(true);
    expect(await page.evaluate('googletag.pubads().getSlots().length')).toBe(0);
    expect(await page.locator('#side iframe').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a request says what GPT’s privacy settings forbid, and no id is kept', async () => {
    const slot = `googletag.defineSlot('/1234/home/sidebar', [300, 250], 'side').addService(googletag.pubads()); googletag.enableServices();`;
    const personal = await visit('/gpt-personal', pageOf(slot, ['side']));
    await untilTold(personal.page, 'slotRenderEnded');
    expect(bidsOf(personal.sent)[0].user.ext).toMatchObject({ npa: false, ids: { lu: expect.any(String) } });
    await personal.page.context().close();
    const forbids = `googletag.pubads().setPrivacySettings({ nonPersonalizedAds: true, childDirectedTreatment: true });`;
    const { page, sent } = await visit('/gpt-forbids', pageOf(forbids + slot, ['side']));
    await untilTold(page, 'slotRenderEnded');
    const [request] = bidsOf(sent);
    expect([request.user.ext, request.regs.coppa]).toEqual([{ npa: true, ids: {} }, 1]);
    expect(await page.context().cookies()).toEqual([]);
    await page.context().close();
  });
});

describe('the pages that Prebid.js publishes for GPT', () => {
  /** A page of Prebid's package: its scripts come from the publisher and from the ad server, its bidder is ours, its own unit is one of the demo's. */
  function example(name: string, params: string): string {
    return readFileSync(new URL(name, examples), 'utf8')
      .replace(/src="[^"]*prebid\.js"/, 'src="/build/dev/prebid.js"')
      .replace(`src="${GOOGLE}"`, scriptTag())
      .replace("bidder: 'appnexus'", "bidder: 'placard'")
      .replace('placementId: 13144370', params)
      .replace('/19968336/header-bid-tag-0', '/19968336/home/sidebar')
      .replace(
        'pbjs.addAdUnits(adUnits);',
        `pbjs.setConfig({ placard: { endpoint: '${placard.deliveryUrl}' } }); pbjs.addAdUnits(adUnits);`,
      );
  }

  test('the page “hello world” asks Prebid.js first, gives its bid to the ad server, and shows the better of both', async () => {
    const page = await visit(
      '/hello',
      example('hello_world.html', "network: '1000', site: 'magazine', adUnit: 'home/sidebar'"),
    );
    await page.page.waitForSelector('#div-gpt-ad-1460505748561-0 iframe', { timeout: 30_000 });
    const own = bidsOf(page.sent).find(({ imp }) => imp[0].tagid === 'home/sidebar' && imp[0].ext?.hb !== undefined);
    expect(own.imp[0].ext.hb).toEqual([
      expect.objectContaining({
        bidder: 'placard',
        adId: expect.any(String),
        cpm: expect.any(Number),
        currency: 'PLN',
      }),
    ]);
    expect(Object.keys(own.imp[0].ext.keyvalues).filter((key) => key.startsWith('hb_'))).toEqual([]);
    expect(page.complaints).toEqual([]);
    await page.page.screenshot({ path: shot('gpt-hello-world') });
    await page.page.context().close();
  });
});
