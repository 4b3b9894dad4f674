import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChromium } from './support/chromium.ts';
import { openPlacard, type PlacardServer } from './support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
});

afterAll(async () => {
  await browser.close();
  await placard.close();
});

/** The folder of a run's screenshots: for people, and ignored by git. */
const SHOTS = new URL('../../test-results/', import.meta.url).pathname;

interface Row {
  readonly unit: string;
  readonly lineItem: string;
  readonly impressions: number;
  readonly viewable: number;
  readonly clicks: number;
  readonly conversions: number;
}

async function readRows(page: Page): Promise<Row[]> {
  const rows = await page.locator('#own tr').allInnerTexts();
  return rows.map((text) => {
    const [unit = '', lineItem = '', , impressions, viewable, clicks, conversions] = text.split('\t');
    return {
      unit,
      lineItem,
      impressions: Number(impressions),
      viewable: Number(viewable),
      clicks: Number(clicks),
      conversions: Number(conversions),
    };
  });
}

async function untilRows(page: Page, accept: (rows: readonly Row[]) => boolean): Promise<Row[]> {
  const deadline = performance.now() + 150_000;
  let rows = await readRows(page);
  while (!accept(rows) && performance.now() < deadline) {
    await page.waitForTimeout(200);
    rows = await readRows(page);
  }
  return rows;
}

describe.each(['light', 'dark'] as const)('the demo page, %s', (colorScheme) => {
  test('four ads are shown from another origin, and their impressions appear in the report', async () => {
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      colorScheme,
      viewport: { width: 1280, height: 2250 },
    });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      // A busy server says so, and the page asks for its report again.
      const isBusy = message.text().includes('the server responded with a status of 503');
      if (message.type() === 'error' && !isBusy) problems.push(message.text());
    });
    const before = await placard.countToday('impressions', {});
    await page.goto(`${placard.coreUrl}/demo`);
    const rows = await untilRows(
      page,
      (found) => found.length === 4 && found.every((row) => row.impressions === 1 && row.viewable === 1),
    );
    // The page's own words, for a failure.
    const said = (await page.locator('.slot, #status').allInnerTexts()).join(' | ');
    expect(rows.map((row) => row.unit).toSorted(), said).toEqual([
      'article/native',
      'article/video',
      'home/sidebar',
      'home/top',
    ]);
    expect(
      rows.map((row) => [row.impressions, row.viewable]),
      said,
    ).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    await expect.poll(() => placard.countToday('impressions', {})).toBe(before + 4);
    expect(await page.getByText('Why this ad?', { exact: true }).count()).toBeGreaterThanOrEqual(4);
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: `${SHOTS}demo-${colorScheme}.png` });
    expect(problems).toEqual([]);
    await context.close();
  });

  test('a click and a conversion of the user appear in the panel', async () => {
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      colorScheme,
      viewport: { width: 1280, height: 2250 },
    });
    const page = await context.newPage();
    await page.goto(`${placard.coreUrl}/demo`);
    await untilRows(page, (found) => found.length === 4 && found.every((row) => row.impressions === 1));
    const [landing] = await Promise.all([
      context.waitForEvent('page'),
      // The landing page itself is on no host that exists here.
      context.waitForEvent('response', (response) => /\/click\//.test(response.url())),
      page.locator('.story').click(),
    ]);
    await landing.close();
    // The person is redirected before the click is counted: on a busy machine, the conversion would come first.
    await untilRows(page, (found) => found.some((row) => row.clicks === 1));
    await page.locator('#convert').click();
    const rows = await untilRows(page, (found) => found.some((row) => row.clicks === 1 && row.conversions === 1));
    expect(rows.filter((row) => row.clicks === 1 && row.conversions === 1).map((row) => row.unit)).toEqual([
      'article/native',
    ]);
    await context.close();
  });
});
