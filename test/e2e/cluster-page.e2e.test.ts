/** Settings > Cluster as an operator uses it: with the keyboard, light and dark, on a phone. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBarriers } from './support/barriers.ts';
import { openChromium } from './support/chromium.ts';
import { openSession, savePicture, signIn } from './support/console-session.ts';
import { openPlacard, type PlacardServer } from './support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
}, 400_000);

afterAll(async () => {
  await browser.close();
  await placard.close();
});

test.each([
  ['light', 1280],
  ['dark', 360],
] as const)('the page of nodes and secrets has no barriers in %s at %i pixels', async (colorScheme, width) => {
  const session = await openSession(browser, placard, { colorScheme, width });
  const { page } = session;
  await signIn(session, placard.demo.account);
  await session.open('/settings/cluster');
  await page.getByRole('heading', { level: 1, name: 'Cluster' }).waitFor();
  await page.getByText('Every node agrees with the others.').waitFor();
  const nodes = page.getByRole('region', { name: 'Nodes' });
  await nodes.getByText('ready').first().waitFor();
  await page.getByRole('region', { name: 'Secrets' }).getByText('link-keys', { exact: true }).waitFor();
  await savePicture(page, `console-cluster-${colorScheme}`);
  await nodes.focus();
  expect(await nodes.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  expect([await findBarriers(page), session.problems]).toEqual([[], []]);
  await session.close();
});
