/** A page whose tags are those of Revive Adserver, which nobody replaced: asynchronous tags, a frame, and a picture with its link. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChromium, shot } from '../support/chromium.ts';
import { eventually, openPlacard, type PlacardServer } from '../support/placard-server.ts';
import { openPublisherSite, type PublisherSite } from '../support/publisher-site.ts';

const HOST = 'www.magazine.example';
const REVIVE_ID = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
let placard: PlacardServer;
let site: PublisherSite;
let browser: Browser;

beforeAll(async () => {
  placard = await openPlacard({ PLACARD_REVIVE_NETWORK: '1000' });
  const sites = await placard.graphql('{ sites(first: 5) { nodes { id code } } }');
  const { nodes } = sites.json<{ data: { sites: { nodes: { id: string; code: string }[] } } }>().data.sites;
  const siteId = nodes.find(({ code }) => code === 'magazine')?.id;
  const made = await placard.graphql(
    'mutation ($input: CreateAdUnitInput!) { createAdUnit(input: $input) { adUnit { id } } }',
    { input: { siteId, name: 'revive-7', sizes: [{ width: 300, height: 250 }], mediaTypes: ['BANNER'] } },
  );
  expect(made.text).toContain('adUnit');
  site = await openPublisherSite(placard.certificate);
  site.put('/favicon.ico', { body: '', type: 'image/x-icon' });
  browser = await openChromium({ [`${HOST}:443`]: `127.0.0.1:${site.port}` });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await placard?.close();
});

async function visit(path: string, body: string): Promise<{ page: Page; complaints: string[] }> {
  site.put(path, {
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>The magazine</title><body>${body}</body></html>`,
  });
  const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`https://${HOST}${path}`);
  return { page, complaints };
}

const old = (file: string): string => `${placard.deliveryUrl}/delivery/${file}`;
const shown = (): Promise<number> => placard.countToday('gross_impressions', { ad_unit_name: 'revive-7' });

test('asynchronous tags show ads of their zone, each once, and count them', async () => {
  const before = await shown();
  const tag = (zone: number): string =>
    `<ins data-revive-zoneid="${zone}" data-revive-source="home" data-revive-id="${REVIVE_ID}"></ins>
     <script async src="${old('asyncjs.php')}"></script>`;
  const { page, complaints } = await visit('/async.html', `<h1>News</h1>${tag(7)}<p>Text</p>${tag(7)}${tag(99)}`);
  const frames = page.locator('ins[data-revive-zoneid="7"] iframe');
  await expect.poll(() => frames.count(), { timeout: 30_000 }).toBe(2);
  expect(await page.locator('ins[data-revive-zoneid="99"] iframe').count()).toBe(0);
  expect(await page.locator('ins [data-kv-source="home"]').count()).toBe(2);
  await page.screenshot({ path: shot('revive-async') });
  expect(await eventually(shown, (count) => count > before + 1)).toBe(before + 2);
  expect(complaints).toEqual([]);
});

test('a frame shows an ad of its zone, and an unknown zone an empty page', async () => {
  const before = await shown();
  const frame = (zone: number): string =>
    `<iframe id="zone${zone}" src="${old('afr.php')}?zoneid=${zone}&cb=1" width="300" height="250"></iframe>`;
  const { page } = await visit('/frame.html', frame(7) + frame(99));
  const ad = page.frameLocator('#zone7').locator('iframe');
  await ad.waitFor();
  expect((await page.frameLocator('#zone99').locator('body').innerHTML()).trim()).toBe('');
  await page.screenshot({ path: shot('revive-frame') });
  expect(await eventually(shown, (count) => count > before)).toBe(before + 1);
});

test('a picture is counted as it is shown, and its link leads to the landing page of the same ad', async () => {
  const before = await shown();
  const { page } = await visit(
    '/picture.html',
    `<a id="ad" href="${old('ck.php')}?n=a9c8b7"><img alt="" src="${old('avw.php')}?zoneid=7&cb=2&n=a9c8b7"></a>`,
  );
  const widthOf = (): Promise<number> => page.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(widthOf).toBe(300);
  await page.screenshot({ path: shot('revive-picture') });
  expect(await eventually(shown, (count) => count > before)).toBe(before + 1);
  const clicks = () => placard.countToday('gross_clicks', { ad_unit_name: 'revive-7' });
  const clicksBefore = await clicks();
  await page.route(/^https:\/\/www\.(?!magazine)/, (route) => route.fulfill({ body: 'the landing page' }));
  const landed = page.waitForRequest(
    (request) => request.isNavigationRequest() && request.url().includes('placard-demo'),
  );
  await page.locator('#ad').click();
  await landed;
  expect(await eventually(clicks, (count) => count > clicksBefore)).toBe(clicksBefore + 1);
});

test('a link without a picture in this browser leads nowhere, and a beacon of a stored page counts nothing', async () => {
  const before = await shown();
  const click = await placard.client.send(old('ck.php?n=unknown'));
  expect(click.status).toBe(404);
  const given = await placard.client.send(old('ck.php?oadest=https://evil.example/'));
  expect([given.status, given.headers['location']]).toEqual([404, undefined]);
  expect((await placard.client.send(old('lg.php?bannerid=1'))).status).toBe(200);
  expect(await shown()).toBe(before);
});
