/** Settings > Report links and the exchange rates of a network, by keyboard. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBarriers } from './support/barriers.ts';
import { openChromium } from './support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn } from './support/console-session.ts';
import { readDemoIds } from './support/console-pages.ts';
import { openPlacard, type PlacardServer } from './support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;
let admin: ConsoleSession;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  admin = await openSession(browser, placard);
  await signIn(admin, placard.demo.account);
});

afterAll(async () => {
  await browser?.close();
  await placard?.close();
});

/** Gives the focus to a control, and presses keys on it. */
async function press(page: Page, role: 'button' | 'menuitem', name: string | RegExp, ...keys: string[]): Promise<void> {
  await page.getByRole(role, { name }).focus();
  for (const key of keys) await page.keyboard.press(key);
}

test('an admin takes over the link of a key, revokes it, and finds it among those that work no longer', async () => {
  const { page } = admin;
  const { campaign } = await readDemoIds(placard);
  const name = `Agency ${Date.now().toString(36)}`;
  const made = await placard.graphql(
    'mutation ($campaign: ID!, $name: String!) { shareCampaignReport(campaignId: $campaign, name: $name) { url } }',
    { campaign, name },
  );
  const { url } = made.json<{ data: { shareCampaignReport: { url: string } } }>().data.shareCampaignReport;
  const opened = () => admin.context.request.get(`${admin.origin}${url}`);
  expect((await opened()).status()).toBe(200);
  await admin.open('/settings/report-links');
  const row = page.getByRole('row').filter({ hasText: name });
  await row.getByText('1 time').waitFor();
  await row.getByRole('cell', { name: 'Nobody' }).waitFor();
  await press(page, 'button', `Actions for the link for ${name}`, 'Enter');
  await press(page, 'menuitem', 'Take over', 'Enter');
  await savePicture(page, 'report-links-claim');
  await press(page, 'button', 'Take over', 'Enter');
  await row.getByRole('cell', { name: 'You', exact: true }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await savePicture(page, 'report-links-light');
  await press(page, 'button', `Actions for the link for ${name}`, 'Enter');
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Revoke']);
  await press(page, 'menuitem', 'Revoke', 'Enter');
  await press(page, 'button', 'Revoke', 'Enter');
  await row.waitFor({ state: 'detached' });
  expect((await opened()).status()).toBe(404);
  await page.getByRole('switch', { name: 'Show links that work no longer too' }).press('Space');
  await row.getByText('Revoked').waitFor();
});

test('a rate is added, a text of two meanings is refused, and the rate is removed', async () => {
  const { page } = admin;
  await admin.open('/settings/network');
  await press(page, 'button', 'Add a rate', 'Enter');
  const dialog = page.getByRole('dialog');
  const rate = dialog.getByRole('textbox', { name: /^1 [A-Z]{3} in/ });
  const currency = await dialog.getByRole('combobox').or(dialog.getByLabel('Currency')).first().inputValue();
  await rate.fill('1,234');
  await page.keyboard.press('Enter');
  await dialog.getByText('1,234 can mean 1.234 or 1234.').waitFor();
  await rate.fill('0.000000000092');
  await dialog.getByLabel(/^From/).fill('2020-01-01');
  await savePicture(page, 'rates-dialog');
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Enter');
  const row = page.getByRole('row').filter({ hasText: `1 ${currency} = 0.000000000092` });
  await row.getByText('Now', { exact: true }).waitFor();
  await savePicture(page, 'rates-light', true);
  await press(page, 'button', new RegExp(`^Change the rate of ${currency}`), 'Enter');
  await rate.fill('0.92');
  await page.keyboard.press('Enter');
  await page
    .getByRole('row')
    .filter({ hasText: `1 ${currency} = 0.92` })
    .waitFor();
  await press(page, 'button', new RegExp(`^Remove the rate of ${currency}`), 'Enter');
  await press(page, 'button', /^Remove$/, 'Enter');
  await row.waitFor({ state: 'detached' });
});
