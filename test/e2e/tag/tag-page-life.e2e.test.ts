import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AD_SANDBOX } from '../../../src/domain/booking/ad-frame.ts';
import type { AdLinks } from '../../../src/domain/events/ad-links.ts';
import { renderBanner } from '../../../src/delivery/markup/banner-markup.ts';
import { sampleCreative } from '../../worlds/sample-workspace.ts';
import { openChromium } from '../support/chromium.ts';
import { eventually, openPlacard, type PlacardServer } from '../support/placard-server.ts';
import { openPublisherSite, type PublisherSite } from '../support/publisher-site.ts';

const HOST = 'www.magazine.example';
const SIDEBAR = '<div id="side" data-ad-unit="home/sidebar" data-sizes="300x250"></div>';
let placard: PlacardServer;
let site: PublisherSite;
let browser: Browser;
let plainBody = '';
const plain = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(plainBody);
});

beforeAll(async () => {
  placard = await openPlacard();
  site = await openPublisherSite(placard.certificate);
  site.put('/favicon.ico', { body: '', type: 'image/x-icon' });
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  browser = await openChromium({
    [`${HOST}:443`]: `127.0.0.1:${site.port}`,
    'shop.test:80': `127.0.0.1:${(plain.address() as AddressInfo).port}`,
  });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  plain.closeAllConnections();
  plain.close();
  await placard?.close();
});

/** Lets a test hide the page, and stop its timers as the back/forward cache does. */
const LIFE = `
  globalThis.seen = []; globalThis.isHidden = false; globalThis.isFrozen = false;
  for (const name of ['filled', 'empty', 'error', 'viewable'])
    addEventListener('placard:' + name, (event) => seen.push(event.target.id + ':' + name));
  Object.defineProperty(Document.prototype, 'hidden', { get: () => isHidden });
  globalThis.hide = (hidden) => { isHidden = hidden; document.dispatchEvent(new Event('visibilitychange')); };
  const every = setInterval;
  globalThis.setInterval = (run, ms) => every(() => isFrozen || run(), ms);`;

interface Visit {
  readonly page: Page;
  readonly sent: readonly Request[];
  readonly warnings: readonly string[];
}

interface Options {
  readonly body?: string;
  readonly script?: string;
  readonly tag?: string;
  readonly address?: string;
  readonly prepare?: (page: Page) => Promise<unknown>;
}

async function visit({
  body = SIDEBAR,
  script = '',
  tag = 'data-gdpr="0"',
  address,
  prepare,
}: Options): Promise<Visit> {
  plainBody = `<!doctype html><html lang="en"><meta charset="utf-8"><title>The magazine</title><script>${LIFE}${script}</script>
<script async src="${placard.deliveryUrl}/tag.js" data-network="1000" data-site="magazine" data-area="home" ${tag}></script><body>${body}</body></html>`;
  site.put('/article', { body: plainBody });
  const page = await (await browser.newContext()).newPage();
  const [sent, warnings]: [Request[], string[]] = [[], []];
  page.on('request', (request) => sent.push(request));
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
  });
  await prepare?.(page);
  await page.goto(address ?? `https://${HOST}/article`);
  return { page, sent, warnings };
}

const waitSeen = (page: Page, ...names: string[]): Promise<string[]> =>
  eventually(
    () => page.evaluate<string[]>('seen'),
    (seen) => names.every((name) => seen.includes(name)),
  );
const bidsOf = (sent: readonly Request[]) =>
  sent
    .filter((request) => request.url().endsWith('/1000/bid'))
    .map((request) => JSON.parse(request.postData() ?? 'null'));
const viewsOf = (sent: readonly Request[]) => sent.filter((request) => request.url().includes('/1000/view/'));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('a page without TLS gets an ad', async () => {
  const { page, sent } = await visit({ address: 'http://shop.test/' });
  await waitSeen(page, 'side:viewable');
  expect(bidsOf(sent)[0].id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect((await page.context().cookies()).map(({ name }) => name)).toContain('placard_lu');
  await page.context().close();
});

test('a page shows the creative of a preview link in its ad unit, without a request for an ad there', async () => {
  const { creatives } = (
    await placard.graphql('{ creatives(first: 1, filter: { formats: [IMAGE] }) { nodes { preview { url } } } }')
  ).json<{ data: { creatives: { nodes: [{ preview: { url: string } }] } } }>().data;
  const token = creatives.nodes[0].preview.url.split('/').at(-1) ?? '';
  const { page, sent } = await visit({
    address: `https://${HOST}/article#placard-preview=${token},300,250,home%2Fsidebar`,
    body: `${SIDEBAR}<div id="top" data-ad-unit="home/top" data-sizes="970x250"></div>`,
  });
  await page.frameLocator('#side iframe').locator('img').waitFor();
  await waitSeen(page, 'top:filled');
  expect(bidsOf(sent).flatMap(({ imp }) => imp.map(({ tagid }: { tagid: string }) => tagid))).toEqual(['home/top']);
  await page.context().close();
});

test('an ad unit that the network does not have is a warning', async () => {
  const { page, warnings } = await visit({
    body: `${SIDEBAR}<div id="odd" data-ad-unit="home/sidebra" data-sizes="300x250"></div>`,
  });
  await waitSeen(page, 'side:filled');
  expect(warnings.filter((text) => text.startsWith('placard:'))).toEqual([
    'placard: the network has no ad unit "home/sidebra"',
  ]);
  await page.context().close();
});

test('the tag asks for films and for VAST wrappers, which the ad server follows for it', async () => {
  const { page, sent } = await visit({
    body: '<div id="film" data-ad-unit="article/video" data-media="video" data-sizes="640x360"></div>',
  });
  await waitSeen(page, 'film:viewable');
  expect(bidsOf(sent)[0].imp[0].video.protocols).toEqual([2, 3, 5, 6, 7, 8, 11, 12, 13, 14]);
  await page.context().close();
});

describe('opt-outs of the United States', () => {
  const GPP = (section: string, extra = '') => `globalThis.__gpp = (command, callback) => callback(
    command === 'ping' ? ping : { eventName: 'signalStatus', pingData: ping }, true);
    const ping = { signalStatus: 'ready', gppString: 'DBABLA~BVQqAAAAAgA.QA', applicableSections: [7], ${section} };${extra}`;
  const SOLD = 'parsedSections: { usnat: [{ SaleOptOut: 1 }, { Gpc: false }] }';
  const KEPT = 'parsedSections: { usnat: [{ SaleOptOut: 2 }, { Gpc: false }] }';
  const usp = (text: string) =>
    `globalThis.__uspapi = (command, version, callback) => callback({ version: 1, uspString: '${text}' }, true);`;

  test.each([
    ['an opt-out in GPP', GPP(SOLD), true],
    ['a GPP section that its tool does not parse', GPP('parsedSections: {}'), true],
    ['a GPP tool that stays silent', 'globalThis.__gpp = () => {};', true],
    ['an opt-out in US Privacy', usp('1YYN'), true],
    ['an opt-out in both', GPP(SOLD, usp('1YYN')), true],
    ['no opt-out in both', GPP(KEPT, usp('1YNN')), false],
  ])('after %s, the ad is personal and the user has an id only without an opt-out', async (_name, script, npa) => {
    const { page, sent } = await visit({ script, tag: 'data-gdpr="0" data-consent-timeout="300"' });
    await waitSeen(page, 'side:filled');
    const [request] = bidsOf(sent);
    expect(request.user.ext.npa).toBe(npa);
    expect(Object.keys(request.user.ext.ids)).toEqual(npa ? [] : ['lu']);
    expect((await page.context().cookies()).map(({ name }) => name).includes('placard_lu')).toBe(!npa);
    if (script.includes('gppString'))
      expect(request.regs).toMatchObject({ gpp: 'DBABLA~BVQqAAAAAgA.QA', gpp_sid: [7] });
    if (script.includes('uspString')) expect(request.regs.us_privacy).toMatch(/^1Y.N$/);
    await page.context().close();
  });
});

describe('the life of a page', () => {
  test('a page that nobody sees yet requests no ad', async () => {
    const { page, sent } = await visit({
      script: 'isHidden = true;',
      tag: 'data-gdpr="0" data-single-request',
      body: SIDEBAR.replace('<div', '<div data-lazy="off"'),
    });
    await page.waitForLoadState('networkidle');
    await pause(500);
    expect(bidsOf(sent)).toEqual([]);
    await page.evaluate('hide(false)');
    await waitSeen(page, 'side:viewable');
    expect(bidsOf(sent)).toHaveLength(1);
    await page.context().close();
  });

  test('an ad that comes while the page is covered is drawn and counted when it is shown', async () => {
    const { page, sent } = await visit({
      prepare: (one) =>
        one.route('**/1000/bid', async (route) => {
          await one.evaluate('hide(true)');
          await route.continue();
        }),
    });
    await page.waitForResponse('**/1000/bid');
    await pause(500);
    expect(sent.filter((request) => request.url().includes('/1000/imp/'))).toEqual([]);
    await page.evaluate('hide(false)');
    await waitSeen(page, 'side:viewable');
    await page.context().close();
  });

  test('a request that is lost because the page was left is sent again when the page comes back', async () => {
    let isLost = true;
    const { page, sent } = await visit({
      prepare: (one) =>
        one.route('**/1000/bid', async (route) => {
          if (!isLost) return route.continue();
          isLost = false;
          await one.evaluate('hide(true)');
          await route.abort();
          return one.evaluate('hide(false)');
        }),
    });
    expect(await waitSeen(page, 'side:filled')).not.toContain('side:error');
    expect(bidsOf(sent)).toHaveLength(2);
    await page.context().close();
  });

  test('time in the back/forward cache does not count as time in view', async () => {
    const { page, sent } = await visit({
      script: `addEventListener('placard:filled', () => setTimeout(() => { isFrozen = true; hide(true); }, 300), { once: true });
        addEventListener('placard:viewable', () => { globalThis.viewableAt = performance.now(); }, { once: true });`,
    });
    await page.waitForFunction(() => Reflect.get(globalThis, 'isHidden') === true);
    await pause(1_500);
    await page.evaluate('isFrozen = false; globalThis.backAt = performance.now(); hide(false)');
    await waitSeen(page, 'side:viewable');
    // By the clock of the page: a busy machine only lengthens it.
    expect(await page.evaluate<number>('viewableAt - backAt')).toBeGreaterThan(900);
    expect(viewsOf(sent)).toHaveLength(1);
    await page.context().close();
  });

  test('a view that is complete when the page is left is sent', async () => {
    const { page, sent } = await visit({
      prepare: (one) => one.route('**/tag-frame.html', (route) => route.continue()),
    });
    await waitSeen(page, 'side:filled');
    // A tick of the tag's timer, which follows each tenth of a second, sees the ad in view; the timer then stops.
    await page.locator('#side iframe').evaluate(
      (frame) =>
        new Promise((resolve) => {
          new IntersectionObserver(([entry]) => {
            if (entry !== undefined && entry.intersectionRatio >= 0.5) setTimeout(resolve, 250);
          }).observe(frame);
        }),
    );
    await page.evaluate('isFrozen = true');
    await pause(1_200);
    await page.evaluate('hide(true)');
    await eventually(
      () => Promise.resolve(viewsOf(sent)),
      (views) => views.length === 1,
    );
    await page.context().close();
  });
});

describe('links in HTML ads', () => {
  const links = { clickUrl: `https://${HOST}/landing`, token: 'a.TOKEN' } as AdLinks;
  const TARGETS = ['', '_self', '_parent', '_top', '_blank', 'other'];
  const html = TARGETS.map((target) => `<p><a href="\${CLICK_URL}" target="${target}">to ${target}.</a></p>`).join('');

  test.each([...TARGETS.map((target) => `to ${target}.`), 'by code.'])(
    'a click on "%s" opens the landing page',
    async (text) => {
      const code = "<button onclick=\"window.open('${CLICK_URL}', '_self')\">by code.</button>";
      const creative = sampleCreative({ content: { format: 'HTML', html: html + code } });
      const ad = renderBanner({ creative, links, width: 300, height: 500, withTracking: false });
      site.put('/ad', { body: ad, headers: { 'content-security-policy': `sandbox ${AD_SANDBOX}` } });
      site.put('/landing', { body: '<title>Landing</title>' });
      site.put('/frames', {
        body: `<title>Page</title><iframe sandbox="${AD_SANDBOX}" src="/ad" width="320" height="520"></iframe>`,
      });
      const page = await (await browser.newContext()).newPage();
      await page.goto(`https://${HOST}/frames`);
      const opened = new Promise<Page>((resolve) => {
        page.context().on('page', resolve);
        page.on('framenavigated', (frame) => frame === page.mainFrame() && resolve(page));
      });
      await page.frameLocator('iframe').frameLocator('iframe').getByText(text, { exact: true }).click();
      const landing = await opened;
      await landing.waitForURL(`https://${HOST}/landing`);
      expect(await landing.title()).toBe('Landing');
      await page.context().close();
    },
  );
});

/** Prototype.js 1.6 gives lists a `toJSON` of its own, by which JSON holds them as texts. */
const OLD_LIBRARY = `Array.prototype.toJSON = function () { return '[' + this.map((one) => JSON.stringify(one)).join(', ') + ']'; };
  String.prototype.toJSON = function () { return '"' + this + '"'; };`;

test('a page whose library gives lists a toJSON of its own gets an ad, and keeps its toJSON', async () => {
  const { page, sent } = await visit({ script: OLD_LIBRARY });
  expect(await waitSeen(page, 'side:filled')).toContain('side:filled');
  expect(bidsOf(sent)[0].imp).toMatchObject([{ tagid: 'home/sidebar', banner: { format: [{ w: 300, h: 250 }] } }]);
  expect(await page.evaluate('Object.keys(Array.prototype)')).toEqual(['toJSON']);
  await page.context().close();
});

test('a page that runs the tag without naming it as the running script gets an ad', async () => {
  // As modules do, and proxies that hold scripts back.
  const { page } = await visit({ script: "Object.defineProperty(document, 'currentScript', { value: null });" });
  expect(await waitSeen(page, 'side:filled')).toContain('side:filled');
  await page.context().close();
});

test('a sandboxed frame, which has neither cookies nor an address, gets an ad of its page', async () => {
  const inner = `<script async src="${placard.deliveryUrl}/tag.js" data-network="1000" data-area="home" data-gdpr="0"></script>${SIDEBAR}`;
  const { page, sent } = await visit({
    body: `<iframe id="box" sandbox="allow-scripts" width="400" height="300" srcdoc='${inner}'></iframe>`,
  });
  await page.frameLocator('#box').locator('#side iframe').waitFor();
  const [bid] = bidsOf(sent);
  expect(bid.site).toMatchObject({ domain: 'magazine.example', page: `https://${HOST}/article` });
  expect(bid.user.ext.ids).toEqual({});
  await page.context().close();
});
