/** The campaign desk as ad operations use it, in a real browser against a whole server. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBarriers } from '../support/barriers.ts';
import { openChromium } from '../support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn, waitUntilQuiet } from '../support/console-session.ts';
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
  await browser.close();
  await placard.close();
});

async function graphql<T>(query: string, variables?: object): Promise<T> {
  const response = await placard.client.send(`${placard.coreUrl}/graphql`, {
    headers: { authorization: `Bearer ${placard.demo.keys.admin}` },
    json: { query, variables },
  });
  const body = response.json<{ data?: T; errors?: unknown }>();
  if (body.data === undefined || body.errors !== undefined) throw new Error(response.text);
  return body.data;
}

/** A line item of its own, which nobody else changes. */
async function bookLineItem(name: string): Promise<string> {
  const { campaigns } = await graphql<{ campaigns: { nodes: { id: string }[] } }>(
    '{ campaigns(filter: { statuses: [ACTIVE] }, first: 1) { nodes { id } } }',
  );
  const input = { campaignId: campaigns.nodes[0]?.id, name, type: 'PRICE', price: '1', status: 'ACTIVE' };
  const made = await graphql<{ createLineItem: { lineItem: { id: string } } }>(
    'mutation ($input: CreateLineItemInput!) { createLineItem(input: $input) { lineItem { id } } }',
    { input },
  );
  return made.createLineItem.lineItem.id;
}

async function statusOf(id: string): Promise<string> {
  const found = await graphql<{ lineItem: { status: string } }>('query ($id: ID!) { lineItem(id: $id) { status } }', {
    id,
  });
  return found.lineItem.status;
}

/** The names of the rows that are drawn. */
const rowNames = (): Promise<string[]> =>
  session.page.getByRole('grid', { name: 'Line items' }).getByRole('rowheader').getByRole('link').allInnerTexts();

describe('the line items', () => {
  test('a list is filtered, searched and sorted by the server, and its address shows the same list again', async () => {
    const { page } = session;
    await session.open('/desk/line-items');
    await savePicture(page, 'desk-line-items-light');
    const { lineItems } = await graphql<{ lineItems: { totalCount: number } }>(
      '{ lineItems(filter: { statuses: [DRAFT, RESERVED, ACTIVE, PAUSED, COMPLETED] }) { totalCount } }',
    );
    await page.getByText(`Line items: ${lineItems.totalCount}`).waitFor();
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await waitUntilQuiet(page);
    const names = await rowNames();
    expect(names.length).toBeGreaterThan(3);
    expect(names).toEqual(names.toSorted(new Intl.Collator('pl').compare));
    const [wanted = ''] = names;
    await page.keyboard.press('Escape');
    await page.locator('body').click({ position: { x: 1, y: 1 } });
    await page.keyboard.press('/');
    await page.keyboard.type(wanted.slice(0, 12));
    await page.waitForURL(/q=/);
    await waitUntilQuiet(page);
    const found = await rowNames();
    expect(found).toContain(wanted);
    await page.reload();
    await waitUntilQuiet(page);
    expect(await rowNames()).toEqual(found);
    expect(await findBarriers(page)).toEqual([]);
    expect(session.problems).toEqual([]);
  });

  test('several are paused by keyboard after a preview, and undone', async () => {
    const { page } = session;
    const ids = [await bookLineItem('Pause one'), await bookLineItem('Pause two')];
    await session.open('/desk/line-items?q=Pause');
    const grid = page.getByRole('grid', { name: 'Line items' });
    await grid.getByRole('row', { name: /Pause two/ }).focus();
    await page.keyboard.press(' ');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press(' ');
    const bar = page.getByRole('region', { name: '2 selected' });
    await bar.getByRole('button', { name: 'Pause' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pause 2 objects?' });
    await dialog.getByRole('row', { name: /Pause one/ }).waitFor();
    await savePicture(page, 'desk-pause-preview');
    expect(await findBarriers(page)).toEqual([]);
    expect(await Promise.all(ids.map(statusOf))).toEqual(['ACTIVE', 'ACTIVE']);
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('2 paused.').waitFor();
    expect(await Promise.all(ids.map(statusOf))).toEqual(['PAUSED', 'PAUSED']);
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
    await page.getByText('Undone: 2 as before.').waitFor();
    expect(await Promise.all(ids.map(statusOf))).toEqual(['ACTIVE', 'ACTIVE']);
    expect(session.problems).toEqual([]);
  });
});

describe('a line item', () => {
  test('its page says why it does not deliver, and makes the change that helps once it is confirmed', async () => {
    const { page } = session;
    const id = await bookLineItem('Stopped by mistake');
    await graphql('mutation ($id: ID!) { updateLineItem(id: $id, input: { status: PAUSED }) { lineItem { id } } }', {
      id,
    });
    await session.open('/desk/line-items?q=Stopped');
    await page.getByRole('link', { name: 'Stopped by mistake' }).click();
    await page.getByRole('heading', { name: 'Stopped by mistake' }).waitFor();
    await waitUntilQuiet(page);
    await page.getByText('It is paused and does not serve.').waitFor();
    await page.getByRole('button', { name: /Make this change/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Make this change?' });
    await dialog.getByText('Paused', { exact: true }).waitFor();
    await savePicture(page, 'desk-diagnosis-change');
    expect(await statusOf(id)).toBe('PAUSED');
    await dialog.getByRole('button', { name: 'Make this change' }).click();
    await page.getByText('The change was made.').waitFor();
    expect(await statusOf(id)).toBe('ACTIVE');
    expect(await findBarriers(page)).toEqual([]);
    expect(session.problems).toEqual([]);
  });

  test('its page shows what is delivered by day, its creatives, and who changed it', async () => {
    const { page } = session;
    const { lineItems } = await graphql<{ lineItems: { nodes: { id: string; name: string }[] } }>(
      '{ lineItems(filter: { statuses: [ACTIVE], types: [STANDARD] }, first: 1) { nodes { id name } } }',
    );
    const [item] = lineItems.nodes;
    await session.open(`/desk/line-items/${item?.id}`);
    await page.getByRole('heading', { name: item?.name ?? '' }).waitFor();
    await page.getByRole('heading', { name: 'Creatives', exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Change history' }).waitFor();
    await page.getByText('Show the numbers').waitFor();
    await page.locator('.chart svg, [role="img"] svg, svg[width]').first().waitFor();
    await waitUntilQuiet(page);
    await savePicture(page, 'desk-line-item-light', true);
    await page.getByText('Wins and losses by hour').click();
    await page.getByRole('columnheader', { name: 'Hour', exact: true }).waitFor();
    await waitUntilQuiet(page);
    await savePicture(page, 'desk-reasons-by-hour', true);
    expect(await findBarriers(page)).toEqual([]);
    expect(session.problems).toEqual([]);
  });

  test('the chart of a flight has the promise of its pacing, and the same numbers in a table', async () => {
    const { page } = session;
    const { lineItems } = await graphql<{ lineItems: { nodes: { id: string }[] } }>(
      '{ lineItems(filter: { search: "Alder advent calendar" }, first: 1) { nodes { id } } }',
    );
    await session.open(`/desk/line-items/${lineItems.nodes[0]?.id}`);
    await page.getByText(/^EVEN promises its share of the traffic/).waitFor();
    await page.getByText('Show the numbers').click();
    const table = page.getByRole('table').filter({ hasText: 'Plan (EVEN)' });
    await expect.poll(() => table.getByRole('row').count()).toBe(31);
    expect(await table.getByRole('row').last().innerText()).toContain('36,000');
    expect(session.problems).toEqual([]);
  });

  test('an unknown one is said to be missing', async () => {
    const { page } = session;
    await session.open('/desk/line-items/999999999');
    await page.getByText('This network has no line item 999999999.').waitFor();
    expect(session.problems).toEqual([]);
  });
});

describe('today', () => {
  test('the day so far is shown beside earlier days, with what needs a person and a link to each', async () => {
    const { page } = session;
    await bookLineItem('Nothing to show');
    await session.open('/desk');
    await page
      .getByRole('region', { name: 'The day so far' })
      .getByText(/^[A-Z][a-z]+day: /)
      .first()
      .waitFor();
    await savePicture(page, 'desk-today-light');
    expect(await findBarriers(page)).toEqual([]);
    const needs = page.getByRole('region', { name: 'Needs you' });
    await needs.getByRole('listitem').first().waitFor();
    const link = needs.getByRole('link').first();
    const name = await link.innerText();
    await link.click();
    await page.getByRole('heading', { name }).waitFor();
    expect(session.problems).toEqual([]);
  });

  test('the page of a campaign lists its line items', async () => {
    const { page } = session;
    await session.open('/desk/campaigns');
    await page.getByRole('grid', { name: 'Campaigns' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Line items' }).waitFor();
    await waitUntilQuiet(page);
    await savePicture(page, 'desk-campaign-light', true);
    expect(await findBarriers(page)).toEqual([]);
    expect(session.problems).toEqual([]);
  });
});
