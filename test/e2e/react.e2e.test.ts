import { fileURLToPath } from 'node:url';
import type { Browser, Page, Request } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChromium, shot } from './support/chromium.ts';
import { eventually, openPlacard, type PlacardServer } from './support/placard-server.ts';
import { openPublisherSite, type PublisherSite } from './support/publisher-site.ts';

const HOST = 'www.magazine.example';
let placard: PlacardServer;
let site: PublisherSite;
let browser: Browser;

beforeAll(async () => {
  placard = await openPlacard();
  site = await openPublisherSite(placard.certificate);
  browser = await openChromium({ [`${HOST}:443`]: `127.0.0.1:${site.port}` });
  site.put('/page.js', { body: await buildPage(), type: 'text/javascript' });
  site.put('/favicon.ico', { body: '', type: 'image/x-icon' });
  site.put('/', {
    body: `<!doctype html><html lang="en" data-delivery-url="${placard.deliveryUrl}"><meta charset="utf-8"><title>The magazine</title><body><div id="root"></div><script type="module" src="/page.js"></script></body></html>`,
  });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await placard?.close();
});

async function buildPage(): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('support/react-page.ts', import.meta.url)),
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  return output[0].code;
}

const toldOf = (page: Page): Promise<string[]> => page.evaluate('told');
const bidsOf = (sent: readonly Request[]) =>
  sent
    .filter((request) => request.url().endsWith('/1000/bid'))
    .map((request) => JSON.parse(request.postData() ?? 'null'));

describe('the React components in Chromium', () => {
  test('ad units are filled, change with their properties, and go with their components', async () => {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 1000 } })).newPage();
    const sent: Request[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => sent.push(request));
    page.on('console', (message) => (message.type() === 'error' ? complaints.push(message.text()) : 0));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`https://${HOST}/`);
    await eventually(
      () => toldOf(page),
      (told) => ['top:filled', 'side:viewable', 'none:empty'].every((one) => told.includes(one)),
    );
    await page.screenshot({ path: shot('react') });
    expect(await page.locator('script[src$="/tag.js"]').count()).toBe(1);
    expect(await page.locator('#none p').textContent()).toBe('No ad today.');
    const sides = () =>
      bidsOf(sent).filter(({ imp }) => imp.some(({ tagid }: { tagid: string }) => tagid === 'home/sidebar'));
    const sideOf = (bid: ReturnType<typeof bidsOf>[number]) =>
      bid.imp.find(({ tagid }: { tagid: string }) => tagid === 'home/sidebar');
    expect(sideOf(sides().at(-1)).ext.keyvalues).toEqual({ section: 'bread', topic: ['rye', 'oven'] });
    const before = sides().length;
    await page.evaluate("change({ section: 'cake' })");
    await eventually(
      () => Promise.resolve(sides()),
      (asked) => asked.length > before,
    );
    expect(sideOf(sides().at(-1)).ext.keyvalues.section).toBe('cake');
    await page.waitForSelector('#side iframe');
    // A new render with the same properties leaves the ad where it is.
    const asked = bidsOf(sent).length;
    await page.evaluate('change({})');
    await page.evaluate('change({ shown: false })');
    await page.waitForSelector('#side', { state: 'detached' });
    expect(await page.locator('#top iframe').count()).toBe(1);
    expect(bidsOf(sent)).toHaveLength(asked);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
