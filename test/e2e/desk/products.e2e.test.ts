/** Products as they are priced and booked in the desk, in a real browser against a whole server. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBarriers } from '../support/barriers.ts';
import { openChromium } from '../support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn } from '../support/console-session.ts';
import { openPlacard, type PlacardServer } from '../support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;
let session: ConsoleSession;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  session = await openSession(browser, placard);
  await signIn(session, placard.demo.account);
});

afterAll(async () => {
  await browser.close();
  await placard.close();
});

test('a product gets a second price in its form, and a price that cannot be is refused at the prices', async () => {
  const { page } = session;
  await session.open('/desk/products');
  await page.getByRole('link', { name: 'Sidebar guaranteed' }).first().click();
  const panel = page.getByRole('dialog', { name: 'Sidebar guaranteed' });
  const prices = panel.getByRole('group', { name: 'Prices', exact: true });
  await expect.poll(() => prices.getByRole('textbox', { name: 'Id', exact: true }).count()).toBe(2);
  await savePicture(page, 'product-form');
  await prices.getByRole('button', { name: 'Add' }).click();
  const third = panel.getByRole('group', { name: 'Prices 3' });
  await third.getByRole('textbox', { name: 'Id', exact: true }).fill('cpc');
  await third.getByRole('combobox', { name: 'Pricing model' }).click();
  await page.getByRole('option', { name: 'CPC', exact: true }).click();
  await panel.getByRole('button', { name: 'Save' }).click();
  await prices.getByText('Give a fixed price or a floor').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await third.getByRole('textbox', { name: 'Fixed price' }).fill('0.90');
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
});

test('a booking gets tier, price and inventory from its product', async () => {
  const { page } = session;
  await session.open('/desk/line-items/new');
  await page.getByRole('combobox', { name: 'Product' }).click();
  await page.getByRole('option', { name: 'Sidebar guaranteed' }).click();
  await expect
    .poll(() =>
      page
        .getByRole('textbox', { name: /^Price/ })
        .first()
        .inputValue(),
    )
    .toBe('14');
  await savePicture(page, 'product-booking');
  expect(await findBarriers(page)).toEqual([]);
});

test.each([
  ['dark', 1280],
  ['light', 390],
] as const)('the form of a product has no barriers in %s at %i pixels', async (colorScheme, width) => {
  const other = await openSession(browser, placard, { colorScheme, width, height: 900 });
  await signIn(other, placard.demo.account);
  await other.open('/desk/products');
  await other.page.getByRole('link', { name: 'Sidebar guaranteed' }).first().click();
  const panel = other.page.getByRole('dialog', { name: 'Sidebar guaranteed' });
  const prices = panel.getByRole('group', { name: 'Prices', exact: true });
  await prices.scrollIntoViewIfNeeded();
  await savePicture(other.page, `product-form-${colorScheme}-${width}`);
  expect(await findBarriers(other.page)).toEqual([]);
  const overflow = await other.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await other.close();
});
