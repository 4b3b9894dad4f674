/** Inventory as a tree, its availability and an upload of members, in a real browser against a whole server. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChromium } from './support/chromium.ts';
import {
  type ConsoleSession,
  findBarriers,
  openSession,
  savePicture,
  signIn,
  waitUntilQuiet,
} from './support/console-session.ts';
import { openPlacard, type PlacardServer } from './support/placard-server.ts';

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

describe('the inventory', () => {
  test('the tree opens by keyboard, and Enter on an ad unit edits its floor', async () => {
    const { page } = session;
    await session.open('/desk/inventory');
    const tree = page.getByRole('treegrid', { name: 'Inventory' });
    const site = tree.getByRole('row', { name: /The Demo Magazine/ });
    await site.focus();
    await page.keyboard.press('ArrowRight');
    const unit = tree.getByRole('row', { name: /article\/inline/ });
    await unit.waitFor();
    expect(await site.getAttribute('aria-expanded')).toBe('true');
    expect(page.url()).toMatch(/open=site-\d+/);
    await unit.focus();
    await page.keyboard.press('Enter');
    const floor = page.getByRole('textbox', { name: 'Floor of article/inline, CPM' });
    await expect.poll(() => floor.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('0,75');
    await page.keyboard.press('Enter');
    await page.getByText('The floor of article/inline is 0.75 now.').waitFor();
    await waitUntilQuiet(page);
    expect(await floor.inputValue()).toBe('0.75');
    expect(await findBarriers(page)).toEqual([]);
    await savePicture(page, 'inventory-tree');
    const { text } = await placard.graphql('{ adUnits(filter: { search: "article/inline" }) { nodes { floor } } }');
    expect(text).toContain('0.75');
  });

  test('the calendar of an ad unit shows what is free, and who has the rest', async () => {
    const { page } = session;
    await page.getByRole('link', { name: 'Availability: article/inline' }).click();
    await page.getByRole('heading', { level: 1, name: 'Availability' }).waitFor();
    await page
      .getByText(/\d free/)
      .first()
      .waitFor();
    await page.getByText('No flight with a forecast has ended yet.').waitFor();
    await waitUntilQuiet(page);
    expect(await findBarriers(page)).toEqual([]);
    await savePicture(page, 'availability', true);
  });

  test('members are uploaded from a file, and lines without an id are named before', async () => {
    const { page } = session;
    await session.open('/desk/segments');
    await page.getByRole('button', { name: 'New' }).click();
    const made = page.getByRole('dialog', { name: 'New segment' });
    await made.getByRole('textbox', { name: 'Name' }).fill('Gardeners');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Gardeners' });
    await panel.locator('input[type="file"]').setInputFiles({
      name: 'members.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('city,id\nParis,u-1\nRome,u-2\nOslo,\n'),
    });
    await panel.getByText('2 ids found.').waitFor();
    await panel.getByText('Line 4 has no id.').waitFor();
    await panel.getByRole('button', { name: 'Add 2 members' }).click();
    await panel.getByText('2 lines were read, 2 members changed.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await savePicture(page, 'segment-upload');
    expect(session.problems).toEqual([]);
  });
});
