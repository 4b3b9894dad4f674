/** A creative that serves is rejected in the review queue, and approved again, by a person in a real browser. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bookings } from '../support/bookings.ts';
import { openChromium } from '../support/chromium.ts';
import { type ConsoleSession, openSession, signIn, waitUntilQuiet } from '../support/console-session.ts';
import { beginJourney } from '../support/journeys.ts';
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
  await browser?.close();
  await placard?.close();
});

/** Selects the creatives of a list by its address, and decides on them with a key. */
async function review(address: string, key: 'a' | 'r', reason: string | null): Promise<void> {
  const { page } = session;
  const verb = key === 'a' ? 'Approve' : 'Reject';
  await session.open(address);
  await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check();
  await page.getByRole('region', { name: '1 selected' }).waitFor();
  await page.locator('body').click({ position: { x: 1, y: 1 } });
  await page.keyboard.press(key);
  const dialog = page.getByRole('dialog', { name: new RegExp(`^${verb}`) });
  if (reason !== null) await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await dialog.getByRole('button', { name: verb }).click();
  await page.getByText(`${verb}: 1 done.`).waitFor();
}

test('a rejected creative stops at once, and serves again when it is approved', async () => {
  const bookings = new Bookings(placard);
  const item = await bookings.book(`review${Date.now().toString(36)}`);
  await bookings.untilServes(item, true);
  const journey = await beginJourney(session.page, 'a serving creative is rejected with a reason');
  await review(`/desk/creatives?review=approved&q=${item.name}`, 'r', 'The logo is missing.');
  await journey.end();
  const stoppedMs = await bookings.untilServes(item, false);
  for (let request = 0; request < 20; request += 1) expect(await bookings.ask(item)).toBeNull();
  await review(`/desk/creatives?review=rejected&q=${item.name}`, 'a', null);
  const servedMs = await bookings.untilServes(item, true);
  console.log(
    `After a rejection, no bid has the creative ${Math.round(stoppedMs)} ms later; after the approval, ${Math.round(servedMs)} ms`,
  );
  await waitUntilQuiet(session.page);
  expect(session.problems).toEqual([]);
});
