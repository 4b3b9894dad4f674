import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAuthority, makeServerCertificate } from '../../../src/http/tls/certificate.ts';
import { inlineOf, wrapperOf } from '../../support/vast/third-party-vast.ts';
import { Bookings } from '../support/bookings.ts';
import { openChromium, shot } from '../support/chromium.ts';
import { eventually, openPlacard, type PlacardServer } from '../support/placard-server.ts';
import { bundlePlayer, playerPage } from '../support/player-page.ts';
import { openPublisherSite, type PublisherSite } from '../support/publisher-site.ts';

const HOST = 'www.magazine.example';
const CODE = 'tagged';
const FILM = readFileSync(new URL('../../../src/demo/media/house-spot.webm', import.meta.url));
const FILM_URL = `data:video/webm;base64,${FILM.toString('base64')}`;

let folder: string;
let placard: PlacardServer;
/** The publisher's pages, and at its other paths the third party's server. */
let site: PublisherSite;
let base: string;
let browser: Browser;

beforeAll(async () => {
  const authority = await makeAuthority(['localhost'], Date.now());
  const own = await makeServerCertificate(authority, ['localhost'], Date.now());
  folder = mkdtempSync(join(tmpdir(), 'placard-test-third-'));
  writeFileSync(join(folder, 'ca.pem'), authority.certPem);
  placard = await openPlacard({
    PLACARD_VAST_ALLOWED_RANGES: '127.0.0.1',
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
  });
  site = await openPublisherSite(own.keyPem + own.certPem);
  base = `https://localhost:${site.port}`;
  const bookings = new Bookings(placard);
  const siteId = await bookings.create('Site', { code: CODE, name: CODE, domain: HOST });
  await bookings.create('AdUnit', {
    siteId,
    name: `${CODE}/video`,
    sizes: [{ width: 640, height: 360 }],
    mediaTypes: ['VIDEO'],
  });
  const advertiserId = await bookings.create('Advertiser', { name: 'Their client' });
  const campaignId = await bookings.create('Campaign', { name: 'Theirs', advertiserId, status: 'ACTIVE' });
  const lineItemId = await bookings.create('LineItem', {
    name: 'Theirs',
    campaignId,
    type: 'SPONSORSHIP',
    sharePercent: 100,
    status: 'ACTIVE',
    price: '5.00',
    targeting: { test: { dimension: 'SITE', values: [siteId] } },
  });
  await bookings.create('Creative', {
    lineItemId,
    name: 'Their tag',
    width: 0,
    height: 0,
    reviewState: 'APPROVED',
    clickUrl: 'https://client.example/',
    content: { video: { title: 'Their tag', durationMs: 15_000, vastTagUrl: `${base}/tag` } },
  });
  site.put('/favicon.ico', { body: '', type: 'image/x-icon' });
  site.put('/player.js', { body: await bundlePlayer(), type: 'text/javascript' });
  site.put('/content.webm', { body: FILM, type: 'video/webm' });
  site.put('/player', { body: playerPage('/content.webm') });
  site.put('/article', {
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>The magazine</title>
<script>globalThis.seen = []; for (const name of ['filled', 'empty', 'error', 'viewable', 'video'])
  addEventListener('placard:' + name, (event) => seen.push(name + (event.detail?.error ? ' ' + event.detail.error.message : '')));</script>
<script async src="${placard.deliveryUrl}/tag.js" data-network="1000" data-site="${CODE}" data-gdpr="0"></script>
<body><div id="film" data-ad-unit="${CODE}/video" data-media="video" data-sizes="640x360"><p data-ad-fallback hidden>Our own story</p></div></body></html>`,
  });
  browser = await openChromium({ [`${HOST}:443`]: `127.0.0.1:${site.port}` });
  await eventually(
    () => placard.client.send(`${placard.deliveryUrl}/1000/vast?unit=${CODE}/video`),
    ({ text }) => text.includes('<Wrapper>'),
  );
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await placard?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Two levels of the third party, whose film the browser has in the document. */
function serveAd(mediaUrl = FILM_URL): void {
  site.put('/inline', {
    body: inlineOf('IAB1', mediaUrl).replaceAll('type="video/mp4"', 'type="video/webm"'),
    type: 'text/xml',
  });
  site.put('/tag', { body: wrapperOf('first', `${base}/inline`), type: 'text/xml' });
}

async function open(path: string): Promise<{ page: Page; sent: Request[] }> {
  const page = await (await browser.newContext({ viewport: { width: 800, height: 600 } })).newPage();
  const sent: Request[] = [];
  page.on('request', (request) => sent.push(request));
  await page.goto(`https://${HOST}${path}`);
  return { page, sent };
}

/** The names of the third party's trackers that were called. */
const told = (sent: readonly Request[]): string[] =>
  sent
    .map((one) => new URL(one.url()))
    .filter(({ host }) => host === 'other.example')
    .map(({ pathname }) => pathname.slice(1))
    .toSorted();
const own = (sent: readonly Request[], kind: string): number =>
  sent.filter((one) => one.url().includes(`/1000/${kind}/`)).length;
const seen = (page: Page): Promise<string[]> => page.evaluate('seen');

describe('the page tag', () => {
  test('it plays the ad behind a tag that the ad server follows, and tells all levels of it', async () => {
    serveAd();
    const { page, sent } = await open('/article');
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.3);
    await page.screenshot({ path: shot('third-party-video') });
    await page.locator('video').evaluate((video: HTMLVideoElement) => (video.playbackRate = 4));
    await eventually(
      async () => own(sent, 'video/complete'),
      (count) => count > 0,
      30_000,
    );
    const all = told(sent);
    for (const name of ['first-imp', 'film-imp', 'first-midpoint', 'film-midpoint'])
      expect(all.filter((one) => one === name)).toHaveLength(1);
    expect([own(sent, 'imp'), own(sent, 'video/midpoint'), own(sent, 'video/error')]).toEqual([1, 1, 0]);
    // The browser itself asked the third party for no document.
    expect(sent.filter((one) => one.url().startsWith(base))).toEqual([]);
    await page.context().close();
  });

  test('a video that is in view is told viewable to all levels after two seconds', async () => {
    serveAd();
    const { page, sent } = await open('/article');
    await eventually(
      () => seen(page),
      (names) => names.includes('viewable'),
    );
    expect(own(sent, 'view')).toBe(1);
    expect(told(sent)).toEqual(expect.arrayContaining(['first-viewable', 'film-viewable']));
    await page.context().close();
  });

  test('a tag without an ad shows the fallback of the page, and is error 303', async () => {
    const errors = () => placard.countToday('video_errors', { video_error_code: '303' });
    const before = await errors();
    site.put('/tag', { body: '<VAST version="4.2"></VAST>', type: 'text/xml' });
    const { page, sent } = await open('/article');
    await eventually(
      () => seen(page),
      (names) => names.length > 0,
    );
    expect(await seen(page)).toEqual(['error placard: the tag has no ad: error 303']);
    expect(await page.locator('[data-ad-fallback]').isVisible()).toBe(true);
    expect([await page.locator('video').count(), own(sent, 'imp')]).toEqual([0, 0]);
    expect(await eventually(errors, (count) => count > before)).toBe(before + 1);
    await page.context().close();
  });

  test('a film of theirs that cannot be played shows the fallback, tells error 405 to all levels, and is never viewable', async () => {
    serveAd('data:video/webm;base64,AAAA');
    const { page, sent } = await open('/article');
    await page.route(/other\.example/, (route) => route.abort());
    await eventually(
      () => seen(page),
      (names) => names.some((name) => name.startsWith('error')),
    );
    expect(await page.locator('[data-ad-fallback]').isVisible()).toBe(true);
    expect(told(sent)).toEqual(expect.arrayContaining(['film-error', 'first-error']));
    expect(sent.find((one) => one.url().includes('/video/error/'))?.url()).toContain('code=405');
    expect([own(sent, 'view'), own(sent, 'imp')]).toEqual([0, 0]);
    await page.context().close();
  });
});

describe('video.js with contrib-ads and a VAST client', () => {
  test('it plays the ad behind a tag that the ad server unwraps, and tells all levels of it', async () => {
    serveAd();
    const { page, sent } = await open('/player');
    const address = `${placard.deliveryUrl}/1000/vast?unit=${CODE}/video&sz=640x360&gdpr=0&mimes=video/webm&unwrap=1`;
    await page.evaluate(
      (url) => (globalThis as unknown as { playWith(one: string): Promise<void> }).playWith(url),
      address,
    );
    const outcomes = () =>
      page.evaluate<{ outcome: string }[]>('playedAds').then((ads) => ads.map(({ outcome }) => outcome));
    await eventually(outcomes, (found) => found.includes('ended'));
    expect(await outcomes()).toEqual(['playing', 'ended']);
    await eventually(
      async () => own(sent, 'video/complete'),
      (count) => count > 0,
    );
    expect(told(sent)).toEqual(expect.arrayContaining(['film-imp', 'film-midpoint', 'first-imp', 'first-midpoint']));
    expect([own(sent, 'imp'), own(sent, 'video/midpoint'), own(sent, 'video/error')]).toEqual([1, 1, 0]);
    expect(sent.filter((one) => one.url().startsWith(base))).toEqual([]);
    await page.context().close();
  });
});
