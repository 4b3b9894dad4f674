/** The page of the API description in a browser: its content, and that it loads nothing from other origins. */
import fastify, { type FastifyInstance } from 'fastify';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerDocs } from '../../src/docs/docs.routes.ts';
import { openChromium } from './support/chromium.ts';

let app: FastifyInstance;
let origin: string;
let browser: Browser;

beforeAll(async () => {
  app = fastify();
  registerDocs(app, '0.0.0');
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
  browser = await openChromium();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

test.each(['light', 'dark'] as const)(
  'the docs page shows every tag in %s mode without an external request',
  async (mode) => {
    const page = await browser.newPage({ colorScheme: mode });
    const problems: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(`${origin}/docs/api`);
    await page.getByRole('heading', { name: 'Placard', exact: true }).waitFor();
    for (const tag of ['Ad decision', 'Management', 'Reports', 'Health'])
      await page.getByRole('link', { name: tag, exact: true }).first().waitFor();
    expect(await page.locator(`body.${mode}-mode`).count()).toBe(1);
    expect(requests.filter((address) => !address.startsWith(origin) && !address.startsWith('data:'))).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  },
);

test('the docs page opens its search by keyboard and lists matching operations', async () => {
  const page = await browser.newPage();
  await page.goto(`${origin}/docs/api`);
  await page.getByRole('heading', { name: 'Placard', exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').locator('input').waitFor();
  await page.keyboard.type('requests bids');
  await page.getByRole('option', { name: 'Requests bids' }).first().waitFor();
  await page.close();
});
