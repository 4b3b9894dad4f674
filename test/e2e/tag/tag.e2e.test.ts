import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUNDLE_PAGE, makeZip } from '../../../src/storage/bundles/fixtures/make-zip.ts';
import { openChromium, shot } from '../support/chromium.ts';
import { encodeConsent } from '../support/consent-string.ts';
import { eventually, openPlacard, type PlacardServer } from '../support/placard-server.ts';
import { openPublisherSite, type PublisherSite } from '../support/publisher-site.ts';

const HOST = 'www.magazine.example';
let placard: PlacardServer;
let site: PublisherSite;
let browser: Browser;

beforeAll(async () => {
  placard = await openPlacard();
  site = await openPublisherSite(placard.certificate);
  site.put('/page.css', {
    body: 'body{font:16px/1.5 Georgia,serif;max-width:64rem;margin:auto}.kept{min-height:250px}.low{min-height:130px}#gap{height:4000px}',
    type: 'text/css',
  });
  site.put('/favicon.ico', { body: '', type: 'image/x-icon' });
  browser = await openChromium({ [`${HOST}:443`]: `127.0.0.1:${site.port}` });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await placard?.close();
});

/** The page's own policy allows itself and the ad server; no inline script or style, no text that becomes code. */
const policy = (): string =>
  ["default-src 'none'", "style-src 'self'"]
    .concat(
      ['script-src', 'connect-src', 'frame-src', 'img-src', 'media-src'].map(
        (one) => `${one} 'self' ${placard.deliveryUrl}`,
      ),
    )
    .join('; ');

interface Visit {
  readonly page: Page;
  readonly sent: readonly Request[];
  /** Problems that the browser named in its console. */
  readonly complaints: readonly string[];
}

interface PageOptions {
  readonly body: string;
  readonly script?: string;
  readonly tag?: string;
  readonly context?: BrowserContextOptions;
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Records the tag's events and layout shifts. Runs before anything else. */
const WATCHER = `
  globalThis.seen = []; globalThis.shift = 0;
  for (const name of ['filled', 'empty', 'error', 'viewable', 'video', 'native', 'headerbid'])
    addEventListener('placard:' + name, (event) => seen.push(event.target.id + ':' + name));
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) shift += entry.value; })
    .observe({ type: 'layout-shift', buffered: true });`;

async function visit({ body, script = '', tag = 'data-gdpr="0"', context, prepare }: PageOptions): Promise<Visit> {
  site.put('/page.js', { body: script, type: 'text/javascript' });
  site.put('/article', {
    headers: { 'content-security-policy': policy() },
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>The magazine</title><link rel="stylesheet" href="/page.css">
<script src="/page.js"></script>
<script async src="${placard.deliveryUrl}/tag.js" data-network="1000" data-site="magazine" data-area="home" ${tag}></script>
<body>${body}</body></html>`,
  });
  const page = await (await browser.newContext(context)).newPage();
  const sent: Request[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => sent.push(request));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.addInitScript(WATCHER);
  await prepare?.(page);
  await page.goto(`https://${HOST}/article`);
  return { page, sent, complaints };
}

const seenOf = (page: Page): Promise<string[]> => page.evaluate('seen');
const waitSeen = (page: Page, ...names: string[]): Promise<string[]> =>
  eventually(
    () => seenOf(page),
    (seen) => names.every((name) => seen.includes(name)),
  );
const bidsOf = (sent: readonly Request[]) =>
  sent
    .filter((request) => request.url().endsWith('/1000/bid'))
    .map((request) => JSON.parse(request.postData() ?? 'null'));
const firedOf = (sent: readonly Request[], kind: string) =>
  sent.filter((request) => request.url().includes(`/1000/${kind}/`));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const SIDEBAR = '<div id="side" data-ad-unit="home/sidebar" data-sizes="300x250"></div>';
const FAR = '<p>Far below.</p><div id="gap"></div>';
/** A consent tool that responds when the test says so: the ad comes well after the tag. */
const HELD_TOOL = `globalThis.__tcfapi = (command, version, callback) => {
  globalThis.release = () => callback({ eventStatus: 'tcloaded', gdprApplies: false }, true); };`;

describe('the page tag in Chromium', () => {
  test('the tag draws banner, native and video under a strict policy, and each is counted once', async () => {
    const all = () => placard.countToday('gross_impressions', {});
    const viewable = () => placard.countToday('viewable_impressions', {});
    const before = [await all(), await viewable()] as const;
    const { page, sent, complaints } = await visit({
      body: `<h1>The bakery that opens at four</h1>
<div id="top" data-ad-unit="home/top" data-sizes="1024:970x250,728x90;0:320x50"></div>
<p>At ten to four the street is still blue.</p>
<div id="story" data-ad-unit="article/native" data-media="native"><template>
  <a data-ad="link"><img data-ad="image" alt="" width="200"><b data-ad="title"></b> <span data-ad="body"></span> <i data-ad="sponsor"></i></a>
  <a data-ad="why">Why this ad?</a></template></div>
<div id="film" data-ad-unit="article/video" data-media="video" data-sizes="640x360" data-lazy="2000"></div>`,
      context: { viewport: { width: 1280, height: 1400 } },
    });
    const seen = await waitSeen(page, 'top:viewable', 'story:viewable', 'film:viewable');
    expect(seen).toEqual(expect.arrayContaining(['top:filled', 'story:filled', 'film:filled']));
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5);
    await page.screenshot({ path: shot('tag-desktop') });
    expect(complaints).toEqual([]);
    expect(bidsOf(sent)).toHaveLength(1);
    expect(bidsOf(sent)[0].imp.map((imp: { tagid: string }) => imp.tagid)).toEqual([
      'home/top',
      'article/native',
      'article/video',
    ]);
    expect(await page.locator('#top iframe').getAttribute('sandbox')).not.toContain('allow-same-origin');
    const story = page.locator('#story > div');
    expect(await story.locator('b').textContent()).not.toBe('');
    expect(await story.locator('a').first().getAttribute('href')).toMatch(/\/1000\/click\/[^/]+\/https:\/\//);
    expect(await story.locator('a', { hasText: 'Why' }).getAttribute('href')).toContain('/1000/why/');
    expect(firedOf(sent, 'measurable')).toHaveLength(3);
    expect(await eventually(all, (count) => count >= before[0] + 3)).toBe(before[0] + 3);
    expect(await eventually(viewable, (count) => count >= before[1] + 3)).toBe(before[1] + 3);
    await pause(1_000);
    expect(await all()).toBe(before[0] + 3);
    await page.context().close();
  });

  test('a banner fills the space that the page’s style reserves, so that nothing shifts', async () => {
    const kept = SIDEBAR.replace('<div', '<div class="kept"');
    const { page } = await visit({ body: `${kept}<p>Text below the ad that must not move.</p>` });
    await waitSeen(page, 'side:viewable');
    expect(await page.evaluate('shift')).toBe(0);
    await page.context().close();
  });

  test('the tag reserves the space from its first moment on where the page’s style does not', async () => {
    const { page } = await visit({ body: `${SIDEBAR}<p>Text below the ad.</p>`, script: HELD_TOOL, tag: '' });
    await page.waitForFunction(() => (document.getElementById('side')?.offsetHeight ?? 0) === 250);
    const reserved: number = await page.evaluate('shift');
    // The tag asks the tool a moment after it has reserved the space.
    await page.waitForFunction(() => 'release' in globalThis);
    await page.evaluate('release()');
    await waitSeen(page, 'side:viewable');
    expect(await page.evaluate('shift')).toBe(reserved);
    await page.context().close();
  });

  test('a phone asks for the sizes of its breakpoint, and the ad fits', async () => {
    const { page, sent } = await visit({
      body: '<div id="m" data-ad-unit="sports/mobile" data-sizes="1024:970x250;0:320x100,320x50"></div><p>Text</p>',
      tag: 'data-gdpr="0" data-site="sports"',
      context: { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true },
    });
    await waitSeen(page, 'm:filled');
    expect(bidsOf(sent)[0].imp[0].banner.format).toEqual([
      { w: 320, h: 100 },
      { w: 320, h: 50 },
    ]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.frameLocator('#m iframe').locator('img').first().waitFor();
    await page.screenshot({ path: shot('tag-phone') });
    await page.context().close();
  });

  test('a breakpoint without sizes sends no request', async () => {
    const { page, sent } = await visit({
      body: '<div id="none" data-ad-unit="home/top" data-sizes="2000:970x250;0:"></div>',
    });
    await waitSeen(page, 'none:empty');
    expect(bidsOf(sent)).toEqual([]);
    await page.context().close();
  });

  test('a slot far below requests an ad when it comes near, and is viewable when it is seen', async () => {
    const { page, sent } = await visit({
      body: `${FAR}${SIDEBAR}`,
      script:
        'addEventListener("DOMContentLoaded", () => { document.getElementById("gap").style.height = "4000px"; });',
    });
    await pause(800);
    expect(bidsOf(sent)).toEqual([]);
    await page.evaluate(() => window.scrollTo(0, 4000 - innerHeight - 200));
    await waitSeen(page, 'side:filled');
    await pause(1_500);
    expect(firedOf(sent, 'view')).toEqual([]);
    await page.locator('#side').scrollIntoViewIfNeeded();
    const scrolledAt = performance.now();
    await waitSeen(page, 'side:viewable');
    expect(performance.now() - scrolledAt).toBeGreaterThan(900);
    expect(firedOf(sent, 'view')).toHaveLength(1);
    await page.context().close();
  });

  test('a page with a single request asks for all slots at once, and draws and counts each one when it is near', async () => {
    const { page, sent } = await visit({
      tag: 'data-gdpr="0" data-single-request',
      body: `${SIDEBAR}${FAR}<div id="low" data-ad-unit="home/top" data-sizes="970x250"></div>`,
    });
    await waitSeen(page, 'side:filled');
    expect(bidsOf(sent).map(({ imp }) => imp.map(({ tagid }: { tagid: string }) => tagid))).toEqual([
      ['home/sidebar', 'home/top'],
    ]);
    expect(await seenOf(page)).not.toContain('low:filled');
    await eventually(
      () => Promise.resolve(firedOf(sent, 'imp')),
      (fired) => fired.length === 1,
    );
    await page.evaluate(`document.getElementById('low').scrollIntoView()`);
    await waitSeen(page, 'low:filled');
    await eventually(
      () => Promise.resolve(firedOf(sent, 'imp')),
      (fired) => fired.length === 2,
    );
    expect(bidsOf(sent)).toHaveLength(1);
  });

  test('a click in the sandboxed banner is counted and opens a window', async () => {
    const { page } = await visit({ body: SIDEBAR });
    await waitSeen(page, 'side:viewable');
    const clicks = () => placard.countToday('gross_clicks', {});
    const before = await clicks();
    // In the middle: the winner is a picture, or HTML in a frame of its own.
    await Promise.all([page.context().waitForEvent('page'), page.locator('#side iframe').click()]);
    expect(await eventually(clicks, (count) => count > before)).toBe(before + 1);
    await page.context().close();
  });

  test('an uploaded HTML5 bundle is shown in a frame of its own, and its click is counted and leads on', async () => {
    await bookBundle();
    site.put('/autumn', { body: '<!doctype html><title>Autumn</title><h1>Autumn</h1>' });
    const { page } = await visit({ body: '<div id="rich" data-ad-unit="home/rich" data-sizes="300x250"></div>' });
    await waitSeen(page, 'rich:viewable');
    const clicks = () => placard.countToday('gross_clicks', {});
    const before = await clicks();
    await page.screenshot({ path: shot('tag-bundle') });
    const bundle = page.frames().find((one) => one.url().includes('/html5/'));
    if (bundle === undefined) throw new Error('The bundle has no frame.');
    expect(await bundle.evaluate(() => origin)).toBe('null');
    const [landing] = await Promise.all([
      page.context().waitForEvent('page'),
      bundle.getByText('Buy').click({ timeout: 30_000 }),
    ]);
    await landing.waitForURL(`https://${HOST}/autumn`);
    expect(await eventually(clicks, (count) => count > before)).toBe(before + 1);
    await page.context().close();
  });

  test('code in the banner’s frame has no access to the page', async () => {
    const { page } = await visit({ body: SIDEBAR });
    await waitSeen(page, 'side:filled');
    const find = async () => page.frames().find((one) => one.url().includes('tag-frame'));
    const frame = await eventually(find, (found) => found !== undefined);
    const reached = await frame?.evaluate(() => {
      const tried = (what: () => unknown): string => {
        try {
          return String(what());
        } catch (error) {
          return (error as Error).name;
        }
      };
      return [origin, tried(() => parent.document.title), tried(() => document.cookie)];
    });
    expect(reached).toEqual(['null', 'SecurityError', 'SecurityError']);
    await page.context().close();
  });
});

/** An ad unit with a sponsorship whose one creative is an uploaded bundle. */
async function bookBundle(): Promise<void> {
  const page = BUNDLE_PAGE.replace('<body>', '<body style="margin:0;background:#fc6">').replace(
    '<a ',
    '<a style="display:block;font:40px sans-serif" ',
  );
  const uploaded = await placard.client.send(`${placard.coreUrl}/assets`, {
    headers: { authorization: `Bearer ${placard.demo.keys.admin}`, 'content-type': 'application/zip' },
    body: makeZip([
      { path: 'index.html', content: page },
      { path: 'js/ad.js', content: 'document.title = "rich";' },
    ]),
  });
  expect(uploaded.status).toBe(201);
  const run = async <T>(query: string, variables?: unknown): Promise<T> => {
    const { data, errors } = (await placard.graphql(query, variables)).json<{ data: T; errors?: unknown }>();
    expect(errors).toBeUndefined();
    return data;
  };
  const { adUnits } = await run<{ adUnits: { nodes: { siteId: string; areaId: string | null }[] } }>(
    '{ adUnits(where: {name: {eq: "home/sidebar"}}) { nodes { siteId areaId } } }',
  );
  const { createAdUnit } = await run<{ createAdUnit: { adUnit: { id: string } } }>(
    'mutation ($input: CreateAdUnitInput!) { createAdUnit(input: $input) { adUnit { id } } }',
    { input: { ...adUnits.nodes[0], name: 'home/rich', sizes: [{ width: 300, height: 250 }] } },
  );
  const { advertisers } = await run<{ advertisers: { nodes: { id: string }[] } }>(
    '{ advertisers(first: 1) { nodes { id } } }',
  );
  await run('mutation ($input: SaveCampaignInput!) { saveCampaign(input: $input) { campaign { id } } }', {
    input: {
      advertiserId: advertisers.nodes[0]?.id,
      name: 'Rich',
      status: 'ACTIVE',
      lineItems: [
        {
          name: 'Rich',
          type: 'SPONSORSHIP',
          status: 'ACTIVE',
          sharePercent: 100,
          targeting: { test: { dimension: 'AD_UNIT', values: [createAdUnit.adUnit.id] } },
          creatives: [
            {
              name: 'Rich',
              width: 300,
              height: 250,
              clickUrl: `https://${HOST}/autumn`,
              content: { html5: { zipUrl: uploaded.json<{ url: string }>().url } },
            },
          ],
        },
      ],
    },
  });
}

describe('no fill', () => {
  const ODD = 'data-ad-unit="home/sidebar" data-sizes="17x130"';

  test('a slot out of view releases its space, and one in view holds it until it is left', async () => {
    const { page } = await visit({
      body: `<div id="in" class="low" ${ODD}></div><p>Text</p>${FAR}<div id="out" ${ODD} data-lazy="9000"></div><p>The end</p>`,
      script:
        'addEventListener("DOMContentLoaded", () => { document.getElementById("gap").style.height = "3000px"; });',
    });
    await waitSeen(page, 'in:empty', 'out:empty');
    const shown = (id: string) => page.locator(`#${id}`).evaluate((element) => getComputedStyle(element).display);
    await eventually(
      () => shown('out'),
      (display) => display === 'none',
    );
    expect([await shown('out'), await shown('in')]).toEqual(['none', 'block']);
    expect(await page.locator('#in').evaluate((element: HTMLElement) => element.offsetHeight)).toBe(130);
    expect(await page.evaluate('shift')).toBe(0);
    await page.evaluate(() => window.scrollTo(0, 2000));
    expect(
      await eventually(
        () => shown('in'),
        (display) => display === 'none',
      ),
    ).toBe('none');
    await page.context().close();
  });

  test('the fallback of the page is shown', async () => {
    const { page } = await visit({ body: `<div id="in" ${ODD}><p data-ad-fallback hidden>Subscribe!</p></div>` });
    await waitSeen(page, 'in:empty');
    expect(await page.getByText('Subscribe!').isVisible()).toBe(true);
    await page.context().close();
  });

  test('the page works while the ad server is unavailable', async () => {
    const { page, complaints } = await visit({
      body: SIDEBAR,
      prepare: async (one) => void (await one.route('**/1000/bid', (route) => route.abort())),
    });
    await waitSeen(page, 'side:error');
    expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
    await page.context().close();
  });
});

describe('consent', () => {
  /** A consent tool that shows its question until the test responds. */
  const TOOL = `
    const listeners = [];
    globalThis.isListenedTo = () => listeners.length > 0;
    globalThis.__tcfapi = (command, version, callback) => {
      if (command !== 'addEventListener') return;
      listeners.push(callback);
      callback({ eventStatus: 'cmpuishown', gdprApplies: true, tcString: '', purpose: { consents: {} } }, true);
    };
    globalThis.respond = (tcString, purposes) => listeners.forEach((tell) => tell({ eventStatus: 'useractioncomplete', gdprApplies: true,
      tcString, purpose: { consents: Object.fromEntries(purposes.map((purpose) => [purpose, true])) } }, true));`;
  /** The user decides, once the tag listens: a page's script may come before the tag's. */
  const consentTo = async (page: Page, purposes: readonly number[]) => {
    await eventually(() => page.evaluate<boolean>('isListenedTo()'), Boolean);
    await page.evaluate(
      ([text, ids]) => (globalThis as never as { respond(a: string, b: readonly number[]): void }).respond(text, ids),
      [encodeConsent(purposes), purposes] as const,
    );
  };
  const cookiesOf = async (page: Page) => (await page.context().cookies()).map((cookie) => cookie.name);

  test('the tag waits while the user decides, and with consent the ad is personal and the id is stored', async () => {
    const { page, sent } = await visit({ body: SIDEBAR, script: TOOL, tag: '' });
    await pause(3_000);
    expect([bidsOf(sent), await cookiesOf(page)]).toEqual([[], []]);
    await consentTo(page, [1, 2, 3, 4, 7]);
    await waitSeen(page, 'side:filled');
    const [request] = bidsOf(sent);
    expect(request).toMatchObject({
      regs: { gdpr: 1, ext: { dsa: 1 } },
      user: {
        consent: encodeConsent([1, 2, 3, 4, 7]),
        ext: { npa: false, ids: { lu: expect.stringMatching(/^[\w-]{36}$/) } },
      },
    });
    expect(await cookiesOf(page)).toContain('placard_lu');
    await page.context().close();
  });

  test('the ad is contextual without consent, and a stored id is removed', async () => {
    const npa = () => placard.countToday('gross_impressions', { npa: 'true' });
    const before = await npa();
    const { page, sent } = await visit({
      body: SIDEBAR,
      script: `document.cookie = 'placard_lu=old-id;path=/';${TOOL}`,
      tag: '',
    });
    await consentTo(page, [1]);
    await waitSeen(page, 'side:filled');
    expect(bidsOf(sent)[0]).toMatchObject({ regs: { gdpr: 1 }, user: { ext: { npa: true, ids: {} } } });
    expect(await cookiesOf(page)).toEqual([]);
    expect(await eventually(npa, (count) => count > before)).toBe(before + 1);
    await page.context().close();
  });

  test.each([
    ['a tool that never responds counts as refusal', 'globalThis.__tcfapi = () => {};', '', { gdpr: 1, npa: true }],
    ['no tool and no word of the page counts as no', '', '', { gdpr: 0, npa: true }],
    ['no tool, and the page says that GDPR applies', '', 'data-gdpr="1"', { gdpr: 1, npa: true }],
    ['no tool, and the page says that it does not apply', '', 'data-gdpr="0"', { gdpr: 0, npa: false }],
  ])('%s', async (_name, script, tag, { gdpr, npa }) => {
    const { page, sent } = await visit({ body: SIDEBAR, script, tag: `${tag} data-consent-timeout="300"` });
    await waitSeen(page, 'side:filled');
    expect(bidsOf(sent)[0]).toMatchObject({ regs: { gdpr }, user: { ext: { npa } } });
    expect((await cookiesOf(page)).includes('placard_lu')).toBe(!npa);
    await page.context().close();
  });
});

describe('refresh and single-page applications', () => {
  test('a visible slot refreshes, never before the floor of 30 s', async () => {
    const { page, sent } = await visit({
      body: '<div id="side" data-ad-unit="home/sidebar" data-sizes="300x250" data-refresh="5"></div>',
      prepare: async (one) => {
        await one.clock.install();
      },
    });
    await waitSeen(page, 'side:filled');
    await page.clock.runFor(28_000);
    await pause(500);
    expect(bidsOf(sent)).toHaveLength(1);
    // In small steps: the request gives up after three seconds of the page's clock, and its response takes time of the real one.
    for (let step = 0; step < 12 && bidsOf(sent).length < 2; step += 1) {
      await page.clock.runFor(250);
      await pause(50);
    }
    await expect.poll(async () => (await seenOf(page)).filter((one) => one === 'side:filled')).toHaveLength(2);
    await page.clock.runFor(1_000);
    expect(bidsOf(sent)).toHaveLength(2);
    expect(await page.locator('#side iframe').count()).toBe(1);
    await page.context().close();
  });

  test('later slots are filled, and with data-spa a new address loads new ads', async () => {
    const { page, sent } = await visit({ body: SIDEBAR, tag: 'data-gdpr="0" data-spa' });
    await waitSeen(page, 'side:filled');
    await page.evaluate(() => {
      const container = document.createElement('div');
      Object.assign(container, { id: 'late' });
      container.dataset['adUnit'] = 'article/inline';
      container.dataset['sizes'] = '300x250';
      document.body.append(container);
    });
    await waitSeen(page, 'late:filled');
    expect(bidsOf(sent)).toHaveLength(2);
    await page.evaluate(() => {
      document.getElementById('late')?.remove();
      history.pushState({}, '', '/another-article');
    });
    await eventually(
      async () => bidsOf(sent).length,
      (count) => count === 3,
    );
    expect(bidsOf(sent)[2]).toMatchObject({
      site: { page: `https://${HOST}/another-article` },
      imp: [{ tagid: 'home/sidebar' }],
    });
    await page.evaluate(() => history.pushState({}, '', '#part'));
    await pause(600);
    expect(bidsOf(sent)).toHaveLength(3);
    expect(await page.locator('#side iframe').count()).toBe(1);
    await page.context().close();
  });
});

describe('header bids', () => {
  /** No creative of the demo has this size, so that a header bid always wins. */
  const ODD = '<div id="side" data-ad-unit="home/sidebar" data-sizes="123x45"></div>';
  /** A wrapper that renders as Prebid.js does. */
  const WRAPPER = `globalThis.rendered = [];
    globalThis.placardHeaderBids = (adUnit) => Promise.resolve([
      { bidder: 'bidco', adId: 'low', cpm: 30, size: '123x45', ad: '<b>not sent</b>' },
      { bidder: 'adworks', adId: adUnit + '-7', cpm: 40, currency: 'PLN', size: '123x45' },
    ]);
    globalThis.pbjs = { que: { push: (run) => run() }, renderAd: (frame, adId) => {
      rendered.push(adId); frame.body.append('Ad ' + adId); } };`;

  test('the highest header bid wins, and Prebid.js renders it in a frame of its size without an impression of ours', async () => {
    const { page, sent, complaints } = await visit({ body: ODD, script: WRAPPER });
    await waitSeen(page, 'side:headerbid');
    expect(bidsOf(sent)[0].imp[0].ext.hb).toEqual([
      { bidder: 'bidco', adId: 'low', cpm: 30, size: '123x45' },
      { bidder: 'adworks', adId: 'home/sidebar-7', cpm: 40, currency: 'PLN', size: '123x45' },
    ]);
    const renderedOf = (): Promise<string[]> => page.evaluate('rendered');
    expect(await eventually(renderedOf, (names) => names.length > 0)).toEqual(['home/sidebar-7']);
    const frame = page.locator('#side iframe');
    expect([await frame.getAttribute('width'), await frame.getAttribute('height')]).toEqual(['123', '45']);
    expect(await page.frameLocator('#side iframe').locator('body').textContent()).toBe('Ad home/sidebar-7');
    await pause(1_000);
    expect([firedOf(sent, 'imp'), firedOf(sent, 'view'), complaints]).toEqual([[], [], []]);
    await page.context().close();
  });

  test('a page that shows the winner itself gets its names, and the tag draws nothing', async () => {
    const { page } = await visit({
      body: ODD,
      script: `${WRAPPER} addEventListener('placard:headerbid', (event) => { event.preventDefault(); globalThis.won = event.detail; });`,
    });
    await waitSeen(page, 'side:headerbid');
    expect(await page.evaluate('won')).toEqual({ bidder: 'adworks', adId: 'home/sidebar-7', width: 123, height: 45 });
    expect(await page.evaluate('rendered')).toEqual([]);
    expect(await page.locator('#side iframe').count()).toBe(0);
    await page.context().close();
  });

  test('an ad of a line item is drawn where the page’s bids come too late', async () => {
    const { page, sent } = await visit({
      body: SIDEBAR,
      tag: 'data-gdpr="0" data-header-bid-timeout="50"',
      script: 'globalThis.placardHeaderBids = () => new Promise(() => {});',
    });
    await waitSeen(page, 'side:filled');
    expect(bidsOf(sent)[0].imp[0].ext?.hb).toBeUndefined();
    await page.context().close();
  });
});

describe('ad units that a page defines by calls', () => {
  const QUEUE = `globalThis.placard = { cmd: [] };
    globalThis.told = [];
    placard.cmd.push((tag) => {
      tag.on('filled', (event) => told.push([event.target.id, event.detail.width]));
      tag.setTargeting('section', 'bread');
    }, () => { throw new Error('of the page'); });
    placard.cmd.push((tag) => tag.defineSlot('home/sidebar', [300, 250], 'side', { lazy: 'off' }).setTargeting('topic', ['rye', 'oven']));
    addEventListener('load', () => placard.cmd.push((tag) => {
      globalThis.top2 = tag.defineSlot('home/top', [[970, 250], [728, 90]], 'top', { lazy: 'off', position: 'first' });
      tag.display('side'); tag.display(top2);
    }));`;
  const BODY = '<div id="top"></div><div id="side"></div><div id="other"></div>';

  test('slots of the queue send the key-values of page and slot, and an error of the page stops nothing', async () => {
    const { page, sent, complaints } = await visit({
      body: BODY,
      script: QUEUE,
      context: { viewport: { width: 1280, height: 1000 } },
    });
    await waitSeen(page, 'top:filled', 'side:filled');
    const [first] = bidsOf(sent);
    type Imp = { tagid: string; ext: { keyvalues: object } };
    expect(first.ext.keyvalues).toEqual({ section: 'bread' });
    expect(first.imp.map(({ tagid, ext }: Imp) => [tagid, ext.keyvalues])).toEqual([
      ['home/top', {}],
      ['home/sidebar', { topic: ['rye', 'oven'] }],
    ]);
    expect(bidsOf(sent)[0].imp[0].ext.pos).toBe('first');
    const told = await page.evaluate('told');
    expect(told).toEqual(expect.arrayContaining([['side', 300]]));
    // The page's own error is reported and stops nothing.
    expect(complaints).toEqual([expect.stringContaining('Error: of the page')]);
    await page.evaluate("placard.cmd.push((tag) => tag.destroy('side'))");
    expect(await page.locator('#side iframe').count()).toBe(0);
    await page.evaluate("placard.setTargeting('section', 'cake'); placard.refresh(top2)");
    await eventually(
      () => Promise.resolve(bidsOf(sent)),
      (bids) => bids.length === 2,
    );
    expect(bidsOf(sent)[1].ext.keyvalues).toEqual({ section: 'cake' });
    expect(bidsOf(sent)[1].imp.map(({ tagid }: { tagid: string }) => tagid)).toEqual(['home/top']);
    await page.context().close();
  });

  test('slots that are displayed at once share one request', async () => {
    const { page, sent } = await visit({
      body: BODY,
      script: `globalThis.placard = { cmd: [] };
        addEventListener('load', () => placard.cmd.push((tag) => {
          for (const [unit, id] of [['home/top', 'top'], ['home/sidebar', 'side']])
            tag.display(tag.defineSlot(unit, id === 'top' ? '0:970x250' : [[300, 250]], id, { lazy: 'off' }));
        }));`,
    });
    await waitSeen(page, 'top:filled', 'side:filled');
    expect(bidsOf(sent).map(({ imp }) => imp.length)).toEqual([2]);
    await page.context().close();
  });

  test('a slot without an element is an error that names it', async () => {
    const { page, complaints } = await visit({
      body: BODY,
      script: `globalThis.placard = { cmd: [(tag) => tag.display(tag.defineSlot('home/top', [970, 250], 'gone')), () => { globalThis.later = true; }] };`,
    });
    await page.waitForFunction(() => Reflect.get(globalThis, 'later') === true);
    expect(complaints).toEqual([expect.stringContaining('Error: placard: no element #gone')]);
    await page.context().close();
  });
});

describe('video', () => {
  const FILM = '<div id="film" data-ad-unit="article/video" data-media="video" data-sizes="640x360"></div>';

  test('the player of the page gets the VAST document, and the tag itself plays nothing', async () => {
    const { page } = await visit({
      body: FILM,
      script:
        'addEventListener("placard:video", (event) => { event.preventDefault(); globalThis.vast = event.detail.vast; });',
    });
    await waitSeen(page, 'film:filled');
    expect(await page.evaluate('vast')).toMatch(/^<\?xml|^<VAST/);
    expect(await page.locator('video').count()).toBe(0);
    await page.context().close();
  });

  test('the tag tracks each event of the player once, up to the end', async () => {
    const { page, sent } = await visit({ body: FILM });
    await waitSeen(page, 'film:filled');
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 1);
    await page.locator('video').evaluate((video: HTMLVideoElement) => (video.playbackRate = 8));
    const eventsOf = () => firedOf(sent, 'video').map((request) => /\/video\/(\w+)\//.exec(request.url())?.[1]);
    await eventually(
      async () => eventsOf(),
      (names) => names.includes('complete'),
      20_000,
    );
    expect(eventsOf()).toEqual(['start', 'first_quartile', 'midpoint', 'third_quartile', 'complete']);
    expect(firedOf(sent, 'imp')).toHaveLength(1);
    await page.context().close();
  });
});
