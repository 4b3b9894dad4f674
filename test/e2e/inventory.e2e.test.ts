/** Inventory as a tree, its availability and an upload of members, in a real browser against a whole server. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBarriers } from './support/barriers.ts';
import { openChromium } from './support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn, waitUntilQuiet } from './support/console-session.ts';
import { openPlacard, type PlacardServer } from './support/placard-server.ts';

/** Results of three weeks, which no test can wait for. */
const RESULTS = {
  days: 21,
  arms: [
    {
      arm: 'RULE',
      requests: 120_400,
      impressions: 98_120,
      guaranteedImpressions: 41_050,
      clicks: 310,
      conversions: 12,
      revenue: '215.40',
      revenuePerThousandRequests: '1.789036',
    },
    {
      arm: 'REST',
      requests: 1_081_900,
      impressions: 884_310,
      guaranteedImpressions: 368_900,
      clicks: 2_950,
      conversions: 131,
      revenue: '2331.20',
      revenuePerThousandRequests: '2.154728',
    },
  ],
  differences: [
    { measure: 'REVENUE', value: -0.366, low: -0.452, high: -0.28, rest: 2.155 },
    { measure: 'IMPRESSIONS', value: -2.4, low: -9.8, high: 5, rest: 817.4 },
    { measure: 'GUARANTEED_IMPRESSIONS', value: 0, low: -4.1, high: 4.1, rest: 341 },
    { measure: 'CLICKS', value: -0.15, low: -0.41, high: 0.11, rest: 2.73 },
    { measure: 'CONVERSIONS', value: -0.021, low: -0.051, high: 0.009, rest: 0.121 },
  ],
};

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

describe('experiments', () => {
  test('an experiment is begun by keyboard, and stopped', async () => {
    const { page } = session;
    await session.open('/desk/experiments');
    await page.getByText('Begin with a tenth of the users').waitFor();
    await savePicture(page, 'experiments-empty');
    await page.getByRole('button', { name: 'New experiment' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New experiment' });
    await dialog.getByRole('radio', { name: 'without bids of goals' }).waitFor();
    await page.keyboard.type('Goals without bids');
    await waitUntilQuiet(page);
    expect(await findBarriers(page)).toEqual([]);
    await savePicture(page, 'experiments-new');
    await page.keyboard.press('Enter');
    const card = page.getByRole('region', { name: 'Goals without bids' });
    await card.getByText('Running').waitFor();
    await card.getByText('10 % of users, without bids of goals').waitFor();
    expect(await page.getByRole('button', { name: 'New experiment' }).count()).toBe(0);
    await card.getByRole('button', { name: 'Stop Goals without bids' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await card.getByText('Ended').waitFor();
    await page.getByRole('button', { name: 'New experiment' }).waitFor();
    await waitUntilQuiet(page);
    const { text } = await placard.graphql('{ experiments(first: 1) { nodes { name rule sharePercent state } } }');
    expect(text).toContain('"rule":"NO_PRICES","sharePercent":10,"state":"ENDED"');
  });

  test('results say what the difference is worth, and how sure that is', async () => {
    const { page } = session;
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('query ExperimentResults') !== true) return route.fallback();
      return route.fulfill({ json: { data: { experiment: { results: RESULTS } } } });
    });
    await session.open('/desk/experiments');
    await page.getByText(/By the rule, requests earn -17\s% \(-21\s% to -13\s%\) against the rest/).waitFor();
    await waitUntilQuiet(page);
    expect(await findBarriers(page)).toEqual([]);
    await savePicture(page, 'experiments', true);
    await page.setViewportSize({ width: 390, height: 844 });
    await waitUntilQuiet(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    await savePicture(page, 'experiments-narrow', true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.unroute('**/graphql');
    expect(session.problems).toEqual([]);
  });
});

describe('the inventory', () => {
  test('the tree opens by keyboard, and Enter on an ad unit edits its floor', async () => {
    const { page } = session;
    await session.open('/desk/inventory');
    const tree = page.getByRole('treegrid', { name: 'All inventory' });
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
