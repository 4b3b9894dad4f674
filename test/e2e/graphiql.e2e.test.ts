/** GraphiQL for a signed-in admin, in a real browser against a whole server. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChromium } from './support/chromium.ts';
import { type ConsoleSession, openSession, signIn, savePicture } from './support/console-session.ts';
import { openPlacard, type PlacardServer } from './support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;
let admin: ConsoleSession;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  admin = await openSession(browser, placard);
});

afterAll(async () => {
  await browser.close();
  await placard.close();
});

test('GraphiQL runs its first query and knows the schema, within its policy and without external requests', async () => {
  await signIn(admin, placard.demo.account);
  const { page } = admin;
  await page.goto(`${placard.coreUrl}/graphql`);
  const run = page.getByRole('button', { name: /execute query/i });
  await run.waitFor();
  await run.click();
  const response = page.getByRole('region', { name: /result/i });
  await expect.poll(() => response.textContent(), { timeout: 60_000 }).toContain('totalCount');
  await page.getByRole('button', { name: /documentation explorer/i }).click();
  await page.getByText('Mutation', { exact: true }).first().waitFor();
  await savePicture(page, 'graphiql');
  expect(admin.problems).toEqual([]);
});

test('other callers get no GraphiQL', async () => {
  const stranger = await openSession(browser, placard);
  const response = await stranger.page.goto(`${placard.coreUrl}/graphql`);
  expect([response?.status(), response?.headers()['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
  expect(await stranger.page.title()).toContain('Sign in');
  expect(await response?.text()).not.toMatch(/graphiql/i);
  const program = await stranger.page.request.get(`${placard.coreUrl}/graphql?query=%7B__typename%7D`);
  expect([program.status(), program.headers()['content-type']]).toEqual([401, expect.stringMatching(/json/)]);
  await stranger.close();
});
