/** A member's morning: the worst line item of Today is mended, another one is put off; an object is found and paused by name; a creative is reviewed by key. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBarriers } from '../support/barriers.ts';
import { Bookings } from '../support/bookings.ts';
import { openChromium } from '../support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn } from '../support/console-session.ts';
import { beginJourney } from '../support/journeys.ts';
import { openPlacard, type PlacardServer } from '../support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;
let session: ConsoleSession;
let bookings: Bookings;
const RUN = `t${Date.now().toString(36)}`;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  session = await openSession(browser, placard);
  bookings = new Bookings(placard);
  await signIn(session, placard.demo.account);
});

afterAll(async () => {
  await browser?.close();
  await placard?.close();
});

const needs = () => session.page.getByRole('region', { name: 'Needs you' });

test('the root is Today, whose worst line item is mended in two interactions', async () => {
  const { page } = session;
  const journey = await beginJourney(page, 'the worst line item of Today is mended');
  await session.open('/');
  expect(new URL(page.url()).pathname).toBe('/desk');
  const worst = needs().getByRole('listitem').filter({ hasText: 'at risk' }).first();
  await worst.waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await savePicture(page, 'desk-today-light', true);
  const mend = worst.getByRole('button').filter({ hasText: 'Mend…' });
  await mend.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make this change' }).click();
  await page.getByText('The change was made.').waitFor();
  await journey.end();
});

test('a snoozed line item is still hidden after a reload', async () => {
  const { page } = session;
  const journey = await beginJourney(page, 'a line item of Today is put off');
  await session.open('/desk');
  const more = needs()
    .getByRole('button', { name: /^More: / })
    .first();
  const name = (await more.getAttribute('aria-label')) ?? '';
  await more.click();
  await page.getByRole('menuitem', { name: 'Until tomorrow morning' }).click();
  const named = page.getByRole('button', { name, exact: true });
  await named.waitFor({ state: 'detached' });
  await journey.end();
  await session.open('/desk');
  expect(await named.count()).toBe(0);
  await page.getByRole('button', { name: /^Show \d+ snoozed/ }).click();
  await named.waitFor();
});

async function statusOf(id: string): Promise<string> {
  type Found = { lineItem: { status: string } };
  return (await bookings.graphql<Found>('query ($id: ID!) { lineItem(id: $id) { status } }', { id })).lineItem.status;
}

test('a name that is typed behind a verb finds the line item, and Enter pauses it after a preview', async () => {
  const { page } = session;
  const item = await bookings.book(`${RUN}-search`);
  const journey = await beginJourney(page, 'a line item is paused by its name');
  await session.open('/desk');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search objects, pages and commands' });
  await field.fill(item.lineItem);
  await page
    .getByRole('option', { name: new RegExp(`${RUN}-search.*Line item`) })
    .first()
    .waitFor();
  await field.fill(`pause ${RUN}-search`);
  await page
    .getByRole('option', { name: new RegExp(`^Pause .*${RUN}-search`) })
    .first()
    .waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await expect.poll(async () => statusOf(item.lineItem)).toBe('PAUSED');
  await journey.end();
});

test('a creative that waits is approved by a key, and the next one comes by itself', async () => {
  const { page } = session;
  const item = await bookings.book(`${RUN}-review`);
  await bookings.update('Creative', item.creative, { reviewState: 'PENDING' });
  const journey = await beginJourney(page, 'a waiting creative is approved');
  await session.open(`/desk/review?line_item=${item.lineItem}`);
  await page.getByRole('button', { name: /^Approve/ }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await savePicture(page, 'desk-review', true);
  await page.locator('h1').click();
  await page.keyboard.press('a');
  await page.getByText('No creative waits for its review.').waitFor();
  await journey.end();
  await bookings.untilServes(item, true);
  expect(session.problems).toEqual([]);
});
