/** From nothing to an ad that is seen, and many line items paused at once, in a real browser against a whole server. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePng } from '../../../src/management/resources/upload/fixtures/pictures.ts';
import { openChromium } from '../support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn } from '../support/console-session.ts';
import { beginJourney, endJourney } from '../support/journeys.ts';
import { openPlacard, type PlacardServer } from '../support/placard-server.ts';

const WAIT = { timeout: 100_000 };
const NAME = 'Quince and pear';

let placard: PlacardServer;
let browser: Browser;
let session: ConsoleSession;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  session = await openSession(browser, placard);
  session.page.setDefaultTimeout(WAIT.timeout);
  await signIn(session, placard.demo.account);
});

afterAll(async () => {
  await browser?.close();
  await placard?.close();
});

test('an advertiser, a campaign, a line item and a creative are booked, and the demo page shows the ad', async () => {
  const { page } = session;
  const journey = await beginJourney(page, 'from nothing to an ad on a page');
  await session.open('/desk/advertisers');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const making = page.getByRole('dialog', { name: 'New advertiser' });
  await making.getByRole('textbox', { name: 'Name', exact: true }).fill(`${NAME} orchard`);
  await making.getByRole('button', { name: 'New' }).click();
  await page.getByRole('dialog', { name: `${NAME} orchard` }).waitFor();

  const withAdvertiser = await journey.count();
  await session.open('/desk/line-items/new');
  await page.getByRole('combobox', { name: 'Campaign', exact: true }).fill(NAME);
  await page.getByRole('option', { name: /Make the campaign/ }).click();
  await page.getByRole('combobox', { name: 'Advertiser of the new campaign' }).fill(`${NAME} orchard`);
  await page.getByRole('option', { name: `${NAME} orchard` }).click();
  await page.getByRole('radio', { name: /Sponsorship/ }).check();
  await page.getByLabel('Starts').fill('2026-01-01T00:00');
  await page.getByRole('textbox', { name: /^Price/ }).fill('24.00');
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByRole('combobox', { name: 'Values' }).fill('home/sidebar');
  await page.getByRole('option', { name: /home\/sidebar/ }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Activate' }).click();
  await page.getByRole('heading', { level: 2, name: NAME }).waitFor();

  await page.getByRole('link', { name: 'Add creatives' }).first().click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'pear.png',
    mimeType: 'image/png',
    buffer: makePng(300, 250),
  });
  await page.getByLabel('Landing page of all files').fill('https://orchard.example/pears');
  await page.getByRole('button', { name: 'Add 1 creative' }).click();
  await page.getByText('1 creative was added.', { exact: false }).waitFor();
  const savedAtMs = performance.now();
  await journey.end();
  // The address of the booking page is open then.
  endJourney('from a known advertiser to an ad on a page', (await journey.count()) - withAdvertiser - 1);

  const seconds = (): string => ((performance.now() - savedAtMs) / 1_000).toFixed(1);

  const picture = await pictureOf('pear');
  const visit = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 2250 } });
  const user = await visit.newPage();
  const ad = user.frameLocator('.slot[data-ad-unit="home/sidebar"] iframe').locator(`img[src$="${picture}"]`);
  const isShown = async (): Promise<boolean> => {
    await user.goto(`${placard.coreUrl}/demo`);
    await user.locator('.slot[data-ad-unit="home/sidebar"] .foot').waitFor();
    return ad.isVisible();
  };
  await expect.poll(isShown, WAIT).toBe(true);
  const shownAfter = seconds();
  // Its picture is there, too, not only its frame.
  await expect.poll(() => ad.evaluate((image: HTMLImageElement) => image.naturalWidth), WAIT).toBe(300);
  await user.locator('#own tr').filter({ hasText: NAME }).first().waitFor();
  console.log(`The demo page shows the ad ${shownAfter} s after it was saved, and counts it after ${seconds()} s`);
  await savePicture(user, 'journey-demo-page');
  await visit.close();
  // Pictures of creatives come from the address that serves ads.
  expect(session.problems.filter((problem) => !problem.includes('/assets/'))).toEqual([]);
});

/** The path of an image creative's file. */
async function pictureOf(name: string): Promise<string> {
  const response = await placard.graphql(
    'query ($name: String) { creatives(filter: { search: $name }) { nodes { content { ... on ImageContent { imageUrl } } } } }',
    { name },
  );
  const { data } = response.json<{ data: { creatives: { nodes: { content: { imageUrl: string } }[] } } }>();
  return data.creatives.nodes[0]?.content.imageUrl ?? '';
}
