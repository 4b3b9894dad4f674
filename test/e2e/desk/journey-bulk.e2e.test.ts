/** Two hundred of ten thousand line items are paused at once, in a real browser against a whole server. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn } from '../support/console-session.ts';
import { addLineItems } from '../support/many-line-items.ts';
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
  expect(await counts()).toEqual([PAUSED, PAUSED, ALL - PAUSED]);
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await page.getByText(`Undone: ${PAUSED} as before.`).waitFor();
  expect(await counts()).toEqual([0, 0, ALL - PAUSED]);
  expect(session.problems).toEqual([]);
});
