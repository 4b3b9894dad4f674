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

test('an admin makes a webhook, sees its secret once and why a test was not delivered, sends the test again, and deletes the webhook', async () => {
  const { page } = admin;
  const name = `Billing ${Date.now().toString(36)}`;
  const dialog = page.getByRole('dialog');
  await admin.open('/settings/webhooks');
  await press(page, 'button', 'Create webhook', 'Enter');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Address').fill('http://hooks.example.invalid/placard');
  await dialog.getByRole('radio', { name: 'Chosen events' }).press('Space');
  await page.keyboard.press('Tab');
  for (const words of ['Line item: every', 'Campaign: archived']) {
    await page.keyboard.type(words);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  }
  await page.keyboard.press('Tab');
  await dialog.getByLabel('Name').press('Enter');
  await dialog.getByText('Give an https:// address.').first().waitFor();
  await savePicture(page, 'webhook-dialog');
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByLabel('Address').fill('https://hooks.example.invalid/placard');
  await page.keyboard.press('Enter');
  await dialog.getByRole('textbox', { name: 'Secret' }).waitFor();
  expect(await dialog.getByRole('textbox', { name: 'Secret' }).inputValue()).toMatch(/^whsec_/);
  await dialog.getByRole('checkbox').press('Space');
  await press(page, 'button', 'Done', 'Enter');
  const row = page.getByRole('row').filter({ hasText: name });
  await row.getByText('Line item: every change').waitFor();
  expect(await row.getByText('Campaign: archived').count()).toBe(1);
  expect(await findBarriers(page)).toEqual([]);
  await savePicture(page, 'webhooks-light');
  await row.getByRole('link', { name }).press('Enter');
  await press(page, 'button', 'Send test', 'Enter');
  const delivery = page.getByRole('row').filter({ hasText: 'Test message' });
  await delivery.getByText('No response').waitFor();
  await delivery.getByText('The host name cannot be resolved.').waitFor();
  await delivery.getByRole('cell', { name: '1', exact: true }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await savePicture(page, 'webhook-light');
  await press(page, 'button', /^Redeliver delivery/, 'Enter');
  await page.getByText('1 delivery is sent again.').waitFor();
  await press(page, 'button', 'Actions', 'Enter');
  await press(page, 'menuitem', 'Delete', 'Enter');
  await dialog.getByRole('textbox').fill(name);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await row.waitFor({ state: 'detached' });
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
