/** The page that brings ads into pages: its snippets are taken from it and run as they stand. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBarriers } from './support/barriers.ts';
import { openChromium } from './support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn, waitUntilQuiet } from './support/console-session.ts';
import { openPlacard, type PlacardServer } from './support/placard-server.ts';
import { openPublisherSite, type PublisherSite } from './support/publisher-site.ts';

const run = promisify(execFile);
const HOST = 'www.magazine.example';
let placard: PlacardServer;
let site: PublisherSite;
let browser: Browser;
let session: ConsoleSession;
let adUnitId: string;

beforeAll(async () => {
  placard = await openPlacard();
  site = await openPublisherSite(placard.certificate);
  site.put('/favicon.ico', { body: '', type: 'image/x-icon' });
  browser = await openChromium({ [`${HOST}:443`]: `127.0.0.1:${site.port}` });
  session = await openSession(browser, placard);
  await signIn(session, placard.demo.account);
  const found = await placard.graphql('{ adUnits(filter: { names: ["home/sidebar"] }) { nodes { id } } }');
  adUnitId = found.json<{ data: { adUnits: { nodes: { id: string }[] } } }>().data.adUnits.nodes[0]?.id ?? '';
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
  await placard?.close();
});

/** The text of a snippet, as the page shows it. */
async function snippet(kind: string): Promise<string> {
  await session.open(`/desk/integrate?unit=${adUnitId}&as=${kind}`);
  return session.page.locator(`[data-snippet="${kind}"]`).innerText();
}

describe('the page that integrates an ad unit', () => {
  test('a person finds the ad unit by its name, and its snippets have addresses', async () => {
    const { page } = session;
    await session.open('/desk/integrate');
    await page.getByRole('combobox', { name: 'Ad unit' }).fill('sidebar');
    await page.getByRole('option', { name: 'home/sidebar' }).first().click();
    await page.getByRole('tab', { name: 'curl' }).click();
    await waitUntilQuiet(page);
    expect(page.url()).toMatch(/unit=\d+&as=curl/);
    expect(await page.locator('[data-snippet="curl"]').innerText()).toContain('"tagid": "home/sidebar"');
    await savePicture(page, 'desk-integrate-light');
    // What an ad draws in its own frame is the advertiser's.
    expect((await findBarriers(page)).filter((one) => !one.includes('iframe iframe'))).toEqual([]);
  });

  test('the curl snippet gets a bid in a shell', async () => {
    const text = await snippet('curl');
    const env = { ...process.env, CURL_CA_BUNDLE: placard.demo.caFile ?? '' };
    const { stdout } = await run('sh', ['-c', text], { env, timeout: 60_000 });
    expect(JSON.parse(stdout)).toMatchObject({ cur: 'PLN', seatbid: [{ bid: [{ impid: '1' }] }] });
  });

  test('the watch sees the first request of a page with the tag snippet, its ad and its impression', async () => {
    const tag = await snippet('tag');
    site.put('/article', { body: `<!doctype html><meta charset="utf-8"><title>Bread</title><body>${tag}</body>` });
    await session.page.getByRole('button', { name: 'Watch for the first request' }).click();
    await session.page.getByText('No request since the watch began').waitFor();
    const person = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
    await person.goto(`https://${HOST}/article`);
    await person.locator('iframe[title="Advertisement"]').waitFor();
    await session.page.getByText('The page requests ads.').waitFor({ timeout: 120_000 });
    await session.page.getByText('1 impression', { exact: true }).waitFor({ timeout: 120_000 });
    await person.context().close();
  });

  test('a try shows the request, the response and the ad in a frame', async () => {
    const { page } = session;
    await session.open(`/desk/integrate?unit=${adUnitId}`);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('An ad is shown.').waitFor();
    const frame = page.frameLocator('iframe[title="The ad unit, as a page shows it"]');
    await frame.locator('iframe[title="Advertisement"]').waitFor();
    const region = (name: string | RegExp) => page.getByRole('region', { name, exact: true }).innerText();
    await expect.poll(() => region('Request')).toContain('"tagid": "home/sidebar"');
    await expect.poll(() => region(/^Response/)).toContain('"seatbid"');
    await savePicture(page, 'desk-integrate-try-light');
    // What an ad draws in its own frame is the advertiser's.
    expect((await findBarriers(page)).filter((one) => !one.includes('iframe iframe'))).toEqual([]);
    const others = session.problems.filter(
      (problem) => !problem.startsWith(`foreign request: ${placard.deliveryUrl}/`),
    );
    expect(others).toEqual([]);
  });
});
