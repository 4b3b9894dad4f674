import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChromium } from './support/chromium.ts';
import { eventually, openPlacard, type PlacardServer } from './support/placard-server.ts';
import { bundlePlayer, type PlayedAd, playerPage } from './support/player-page.ts';
import { openPublisherSite, type PublisherSite } from './support/publisher-site.ts';

const SITE_HOST = 'www.magazine.example';
/** A film of the publisher, within its page. */
const CONTENT = `data:video/webm;base64,${readFileSync(new URL('../../src/demo/media/house-spot.webm', import.meta.url)).toString('base64')}`;

let placard: PlacardServer;
let site: PublisherSite;
let browser: Browser;

beforeAll(async () => {
  placard = await openPlacard();
  site = await openPublisherSite(placard.certificate);
  site.put('/player.js', { body: await bundlePlayer(), type: 'text/javascript' });
  site.put('/favicon.ico', { body: '', type: 'image/x-icon' });
  site.put('/film', { body: playerPage(CONTENT) });
  browser = await openChromium({ [`${SITE_HOST}:443`]: `127.0.0.1:${site.port}` });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await placard?.close();
});

interface PlayerWindow {
  readonly playedAds: readonly PlayedAd[];
  readonly playerError?: string;
  playWith(address: string): Promise<void>;
  preRollOf(address: string): Promise<string>;
}

const addressOf = (query: string, form: 'vast' | 'vmap' = 'vast') =>
  `${placard.deliveryUrl}/1000/${form}?unit=article/video&sz=640x360&gdpr=0&mimes=video/webm&${query}`;

async function openFilm(): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`https://${SITE_HOST}/film`);
  return page;
}

const play = (page: Page, address: string): Promise<void> =>
  page.evaluate((url) => (globalThis as unknown as PlayerWindow).playWith(url), address);

/** Waits until an ad comes to an outcome. */
async function until(page: Page, outcome: PlayedAd['outcome']): Promise<PlayedAd> {
  const read = () => page.evaluate(() => (globalThis as unknown as PlayerWindow).playedAds);
  const played = await eventually(read, (ads) => ads.some((ad) => ad.outcome === outcome));
  return played.find((ad) => ad.outcome === outcome) as PlayedAd;
}

/** The counted events of an ad by kind, from the analytics store. */
async function countedOf(impressionId: string): Promise<Record<string, unknown>> {
  const response = await placard.client.send(`${placard.coreUrl}/demo/counted.json?ads=${impressionId}`);
  return response.json<{ ads: Record<string, Record<string, unknown>> }>().ads[impressionId] ?? {};
}

const WATCHED = [
  'impression',
  'video_start',
  'video_first_quartile',
  'video_midpoint',
  'video_third_quartile',
  'video_complete',
];

describe('video.js with contrib-ads and a VAST client', () => {
  test.each([
    ['2.0', ''],
    ['3.0', ''],
    ['4.2', '&cust_params=section%3Dhome'],
  ])('it plays a pre-roll of VAST %s, and each of its events is counted once', async (version, more) => {
    const page = await openFilm();
    await play(page, addressOf(`vast=${version}${more}`));
    const starts = () => placard.countToday('video_completes', {});
    const before = await starts();
    const { impressionId } = await until(page, 'ended');
    if (version === '4.2') {
      const counted = await eventually(
        () => countedOf(impressionId),
        (events) => WATCHED.every((kind) => events[kind] === 1),
      );
      expect(counted['video_error']).toBeUndefined();
    }
    expect(await eventually(starts, (count) => count > before)).toBe(before + 1);
    await page.context().close();
  });

  test('a click on the film opens the landing page, and is counted', async () => {
    const page = await openFilm();
    await play(page, addressOf('vpos=preroll'));
    const { impressionId } = await until(page, 'playing');
    const [response] = await Promise.all([
      page.context().waitForEvent('response', (one) => /\/1000\/click\//.test(one.url())),
      page.locator('#content').click(),
    ]);
    expect(response.status()).toBe(302);
    await eventually(
      () => countedOf(impressionId),
      (events) => events['click'] === 1,
    );
    await page.context().close();
  });

  test('a film that cannot be played is an error of its creative, with its code in the Reports API', async () => {
    const page = await openFilm();
    await page.route(/\/assets\//, (route) => route.fulfill({ status: 404, body: '' }));
    const errors = () => placard.countToday('video_errors', { video_error_code: '405' });
    const before = await errors();
    await play(page, addressOf('vpos=preroll'));
    await until(page, 'failed');
    expect(await eventually(errors, (count) => count > before)).toBe(before + 1);
    await page.context().close();
  });

  test('the pre-roll of a VMAP document plays', async () => {
    const page = await openFilm();
    const breaks = addressOf('breaks=start,end', 'vmap');
    const preRoll = await page.evaluate((url) => (globalThis as unknown as PlayerWindow).preRollOf(url), breaks);
    expect(new URL(preRoll).searchParams.get('vpos')).toBe('preroll');
    await play(page, preRoll);
    expect((await until(page, 'playing')).impressionId).toMatch(/^[0-9A-Z]{26}$/);
    await page.context().close();
  });

  test.each([
    ['no fitting ad', 'max_ad_duration=1'],
    ['a wrong parameter', 'vast=9'],
  ])('the content plays when the request has %s', async (_name, query) => {
    const page = await openFilm();
    await play(page, addressOf(query));
    await until(page, 'none');
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0);
    await page.context().close();
  });
});
