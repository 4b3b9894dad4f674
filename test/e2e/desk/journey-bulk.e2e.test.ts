/** Two hundred of ten thousand line items are paused at once, in a real browser against a whole server. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBarriers } from '../support/barriers.ts';
import { openChromium } from '../support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn } from '../support/console-session.ts';
import { addLineItems } from '../support/many-line-items.ts';
import { beginJourney } from '../support/journeys.ts';
import { openPlacard, type PlacardServer } from '../support/placard-server.ts';

const ALL = 10_000;
const EVERY = 50;
const PAUSED = ALL / EVERY;

let placard: PlacardServer;
let browser: Browser;
let session: ConsoleSession;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  session = await openSession(browser, placard);
  session.page.setDefaultTimeout(200_000);
  await signIn(session, placard.demo.account);
  await addLineItems(placard, ALL, (index) => ({
    name: `${index % EVERY === 0 ? 'Sunny' : 'Snowy'} voucher ${index}`,
    status: 'ACTIVE',
  }));
});

afterAll(async () => {
  await browser?.close();
  await placard?.close();
});

/** How many line items have a status and a word in their name. */
async function countOf(status: string, search: string): Promise<number> {
  const found = await placard.graphql(
    'query ($status: DeliveryStatus!, $search: String!) { lineItems(filter: { statuses: [$status], search: $search }) { totalCount } }',
    { status, search },
  );
  return found.json<{ data: { lineItems: { totalCount: number } } }>().data.lineItems.totalCount;
}

const counts = () =>
  Promise.all([countOf('PAUSED', 'voucher'), countOf('PAUSED', 'Sunny'), countOf('ACTIVE', 'Snowy')]);

test('200 of 10,000 line items are found, paused after a preview, and all undone', async () => {
  const { page } = session;
  const journey = await beginJourney(page, '200 of 10,000 line items are paused');
  await session.open('/desk/line-items?q=Sunny');
  const grid = page.getByRole('grid', { name: 'Line items' });
  await grid
    .getByRole('row', { name: /Sunny voucher/ })
    .first()
    .focus();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: `Select all ${PAUSED} that match` }).click();
  const bar = page.getByRole('region', { name: `${PAUSED} selected` });
  await bar.getByRole('button', { name: 'Pause' }).click();
  const dialog = page.getByRole('dialog', { name: `Pause ${PAUSED} objects?` });
  await dialog
    .getByRole('row', { name: /Sunny voucher/ })
    .first()
    .waitFor();
  await savePicture(page, 'journey-bulk-preview');
  expect(await counts()).toEqual([0, 0, ALL - PAUSED]);
  await dialog.getByRole('button', { name: 'Pause' }).click();
  await page.getByText(`${PAUSED} paused.`).waitFor();
  await journey.end();
  expect(await counts()).toEqual([PAUSED, PAUSED, ALL - PAUSED]);
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await page.getByText(`Undone: ${PAUSED} as before.`).waitFor();
  expect(await counts()).toEqual([0, 0, ALL - PAUSED]);
  expect(session.problems).toEqual([]);
});

/** Chooses the vouchers of a word in the table, and opens the dialog that edits them, by keyboard. */
async function openEdit(word: string, count: number) {
  const { page } = session;
  await session.open(`/desk/line-items?q=${word}`);
  await page
    .getByRole('grid', { name: 'Line items' })
    .getByRole('row', { name: new RegExp(`${word} voucher`) })
    .first()
    .focus();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: `Select all ${count} that match` }).press('Enter');
  await page
    .getByRole('region', { name: `${count} selected` })
    .getByRole('button', { name: 'Edit…' })
    .press('Enter');
  return page.getByRole('dialog', { name: `Edit the selected objects (${count})` });
}

/** Opens a field of a dialog by keyboard, and chooses an option by its text. */
async function choose(field: Locator, option: string): Promise<void> {
  await field.press('ArrowDown');
  await session.page.getByRole('option', { name: option, exact: true }).click();
}

test('200 line items get one more condition, which Activity tells as one change that unfolds, and undo takes back', async () => {
  const { page } = session;
  const journey = await beginJourney(page, '200 line items get one more condition');
  const edit = await openEdit('Sunny', PAUSED);
  await choose(edit.getByRole('combobox', { name: 'What to change' }), 'Targeting');
  await choose(edit.getByRole('combobox', { name: 'Condition 1' }), 'Country');
  const values = edit.getByRole('combobox', { name: 'Values' });
  await values.fill('Poland');
  await page.getByRole('option', { name: /Poland/ }).click();
  await edit.getByText(`Objects that change: ${PAUSED}.`).waitFor();
  await savePicture(page, 'journey-bulk-targeting');
  await edit.getByRole('button', { name: 'Preview' }).press('Enter');
  const preview = page.getByRole('dialog', { name: `Targeting: objects that change (${PAUSED})` });
  await preview
    .getByRole('row', { name: /everywhere, for everybody.*Country is one of Poland/i })
    .first()
    .waitFor();
  await savePicture(page, 'journey-bulk-targeting-preview');
  await preview.getByRole('button', { name: `Change ${PAUSED}` }).press('Enter');
  await page.getByText(`Changed: ${PAUSED}.`).waitFor();
  await journey.end();
  expect(await targetedCount('Sunny')).toBe(PAUSED);
  await page.getByRole('button', { name: 'Undo', exact: true }).first().press('Enter');
  await page.getByText(`Undone: ${PAUSED} as before.`).waitFor();
  expect(await targetedCount('Sunny')).toBe(0);

  await session.open('/desk/activity');
  const entries = page.getByText(`Line item: changed · ${PAUSED} objects · Targeting`);
  await entries.first().waitFor();
  expect(await entries.count()).toBe(2);
  await page.getByRole('button', { name: 'Show each' }).first().press('Enter');
  await page
    .getByText(/Country is one of Poland \(PL\) → It runs everywhere/i)
    .first()
    .waitFor();
  await savePicture(page, 'journey-bulk-activity');
  const parts = page.locator('ol[id^="activity-parts"]').getByRole('link', { name: /Sunny voucher/ });
  expect(await parts.count()).toBe(50);
  expect(await page.locator('main').innerText()).not.toMatch(/[{}]|COUNTRY|targeting\./);
  expect(await findBarriers(page)).toEqual([]);
  await lookInGerman();
  expect(session.problems).toEqual([]);
});

/** The same on a phone, in German and dark: the folded entry of a change, and the dialog that edits many objects. */
async function lookInGerman(): Promise<void> {
  const phone = await openSession(browser, placard, { width: 390, height: 844, colorScheme: 'dark', locale: 'de-DE' });
  const { page } = phone;
  await signIn(phone, placard.demo.account);
  await phone.open('/desk/activity');
  await page.getByRole('button', { name: 'Einzeln zeigen' }).first().click();
  await page.getByText(/Polen/).first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await savePicture(page, 'journey-bulk-activity-phone');
  await phone.open('/desk/line-items?q=Sunny');
  await page.getByRole('checkbox').nth(1).check();
  await page.getByRole('button', { name: /^Bearbeiten/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox').first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await savePicture(page, 'journey-bulk-edit-phone');
  expect(phone.problems).toEqual([]);
  await page.context().close();
}

/** How many vouchers of a word have a targeting. */
async function targetedCount(search: string): Promise<number> {
  const found = await placard.graphql(
    'query ($search: String!) { lineItems(filter: { search: $search }, first: 100) { nodes { targeting { all { test { values } } } } } }',
    { search },
  );
  const { nodes } = found.json<{ data: { lineItems: { nodes: { targeting: unknown }[] } } }>().data.lineItems;
  return (nodes.filter(({ targeting }) => targeting !== null).length * PAUSED) / nodes.length;
}

test('a refused line item of a bulk change is named with its reason, and the others get the creative', async () => {
  const { page } = session;
  const creative = await addLibraryCreative('Voucher banner');
  await addForeignLineItem('Rainy voucher abroad');
  await addLineItems(placard, 2, (index) => ({ externalId: `rainy-${index}`, name: `Rainy voucher ${index}` }));
  const journey = await beginJourney(page, 'many line items get a creative, and one is refused');
  const edit = await openEdit('Rainy', 3);
  await choose(edit.getByRole('combobox', { name: 'What to change' }), 'Creatives');
  const picker = edit.getByRole('combobox', { name: 'Creative of the library' });
  await picker.fill('Voucher banner');
  await page.getByRole('option', { name: /Voucher banner · 300×250/ }).click();
  await edit.getByText('Objects that change: 3.').waitFor();
  await edit.getByRole('button', { name: 'Preview' }).press('Enter');
  const preview = page.getByRole('dialog', { name: 'Creatives: objects that change (3)' });
  await preview.getByText('These would be refused and stay as they are: 1.').waitFor();
  await preview.getByRole('row', { name: /Rainy voucher abroad/ }).waitFor();
  await savePicture(page, 'journey-bulk-creatives-preview');
  await preview.getByRole('button', { name: 'Change 2' }).press('Enter');
  await preview.getByText('1 change was not made. The others are done.').waitFor();
  await journey.end();
  expect(await usesOf(creative)).toBe(2);
  expect(session.problems).toEqual([]);
});

async function addLibraryCreative(name: string): Promise<string> {
  const campaigns = await placard.graphql('{ campaigns(first: 1) { nodes { advertiserId } } }');
  const [first] = campaigns.json<{ data: { campaigns: { nodes: { advertiserId: string }[] } } }>().data.campaigns.nodes;
  const made = await placard.graphql(
    'mutation ($input: CreateLibraryCreativeInput!) { made: createLibraryCreative(input: $input) { libraryCreative { id } } }',
    {
      input: {
        advertiserId: first?.advertiserId,
        name,
        width: 300,
        height: 250,
        clickUrl: 'https://shop.example/',
        content: { html: { html: '<b>Voucher</b>' } },
      },
    },
  );
  return made.json<{ data: { made: { libraryCreative: { id: string } } } }>().data.made.libraryCreative.id;
}

async function addForeignLineItem(name: string): Promise<void> {
  const made = await placard.graphql(
    `mutation ($input: SaveCampaignInput!) { saveCampaign(input: $input) { campaign { id } } }`,
    {
      input: {
        name: 'Elsewhere',
        advertiserId: await addAdvertiser('Elsewhere Ltd'),
        lineItems: [{ name, type: 'HOUSE', pricingModel: 'CPM', price: '0' }],
      },
    },
  );
  if (made.text.includes('"errors"')) throw new Error(made.text);
}

async function addAdvertiser(name: string): Promise<string> {
  const made = await placard.graphql(
    'mutation ($name: String!) { made: createAdvertiser(input: { name: $name }) { advertiser { id } } }',
    { name },
  );
  return made.json<{ data: { made: { advertiser: { id: string } } } }>().data.made.advertiser.id;
}

async function usesOf(libraryCreativeId: string): Promise<number> {
  const found = await placard.graphql(
    'query ($ids: [ID!]) { creatives(filter: { libraryCreativeIds: $ids }) { totalCount } }',
    { ids: [libraryCreativeId] },
  );
  return found.json<{ data: { creatives: { totalCount: number } } }>().data.creatives.totalCount;
}
