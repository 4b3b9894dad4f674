/** The tables of the desk: editing in place, changes of many, views and the panel. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
let campaignId: string;
/** Tells the line items of this run from those of another one on the same server. */
const RUN = `T${Date.now().toString(36)}`;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  session = await openSession(browser, placard);
  await signIn(session, placard.demo.account);
  const { campaigns } = await graphql<{ campaigns: { nodes: { id: string }[] } }>(
    '{ campaigns(filter: { statuses: [ACTIVE] }, first: 1) { nodes { id } } }',
  );
  campaignId = campaigns.nodes[0]?.id ?? '';
});

afterAll(async () => {
  await browser.close();
  await placard.close();
});

async function graphql<T>(query: string, variables?: object): Promise<T> {
  const response = await placard.graphql(query, variables);
  const body = response.json<{ data?: T; errors?: unknown }>();
  if (body.data === undefined || body.errors !== undefined) throw new Error(response.text);
  return body.data;
}

async function book(name: string, over: object = {}): Promise<string> {
  const flight = { startsAt: '2030-01-01T00:00:00Z', endsAt: '2030-02-01T00:00:00Z' };
  const goal = { kind: 'IMPRESSIONS', amount: 1_000, period: 'LIFETIME' };
  const input = {
    campaignId,
    name: `${RUN} ${name}`,
    type: 'STANDARD',
    price: '10',
    status: 'ACTIVE',
    goal,
    ...flight,
    ...over,
  };
  const { createLineItem } = await graphql<{ createLineItem: { lineItem: { id: string } } }>(
    'mutation ($input: CreateLineItemInput!) { createLineItem(input: $input) { lineItem { id } } }',
    { input },
  );
  return createLineItem.lineItem.id;
}

interface Item {
  readonly name: string;
  readonly price: string;
  readonly endsAt: string;
  readonly version: number;
  readonly goal: { readonly amount: number };
}

async function read(id: string): Promise<Item> {
  const { lineItem } = await graphql<{ lineItem: Item }>(
    'query ($id: ID!) { lineItem(id: $id) { name price endsAt version goal { amount } } }',
    { id },
  );
  return lineItem;
}

/** Opens the table of the line items of one test. */
async function openTable(word: string, more = ''): Promise<void> {
  await session.open(`/desk/line-items?q=${RUN}%20${word}${more}`);
  await session.page
    .getByRole('row', { name: new RegExp(`${RUN} ${word}`) })
    .first()
    .waitFor();
}

test('cells are edited by keyboard: E begins, Tab goes on, Enter saves, Escape does not, and it is undone', async () => {
  const { page } = session;
  const id = await book('inline');
  await openTable('inline', '&cols=price,goal');
  await page.getByRole('row', { name: new RegExp(`${RUN} inline`) }).focus();
  await page.keyboard.press('e');
  await page.keyboard.type(`${RUN} inline renamed`);
  await page.keyboard.press('Tab');
  await page.keyboard.type('12.50');
  await page.keyboard.press('Enter');
  await page.getByText(/Price is saved/).waitFor();
  await expect.poll(async () => (await read(id)).name).toBe(`${RUN} inline renamed`);
  expect((await read(id)).price).toMatch(/^12\.5/);
  await page.getByRole('row', { name: /inline renamed/ }).focus();
  await page.keyboard.press('e');
  await page.keyboard.type('lost');
  await page.keyboard.press('Escape');
  expect((await read(id)).name).toBe(`${RUN} inline renamed`);
  await page.getByRole('button', { name: 'Undo the last change' }).click();
  await expect.poll(async () => (await read(id)).price).toMatch(/^10/);
  expect(await findBarriers(page)).toEqual([]);
  expect(session.problems).toEqual([]);
});

test('all that match a filter get another end after a preview, and it is undone', async () => {
  const { page } = session;
  const ids = [
    await book('bulk one'),
    await book('bulk two'),
    await book('bulk three', { endsAt: null, goal: null, type: 'PRICE' }),
  ];
  await openTable('bulk');
  await page.getByRole('row', { name: new RegExp(`${RUN} bulk two`) }).focus();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Select all 3 that match' }).click();
  await page.getByRole('button', { name: 'Edit…' }).click();
  const edit = page.getByRole('dialog');
  await edit.getByText('Line items that change: 2. That stay as they are: 1.').waitFor();
  await edit.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('dialog', { name: /End of the flight/ });
  await preview.getByRole('row', { name: /bulk one/ }).waitFor();
  await savePicture(page, 'desk-bulk-preview');
  expect(await findBarriers(page)).toEqual([]);
  await preview.getByRole('button', { name: 'Change 2' }).click();
  await page.getByText('Changed: 2.').waitFor();
  expect((await read(ids[0] ?? '')).endsAt).toBe('2030-02-08T00:00:00.000Z');
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await page.getByText('Undone: 2 as before.').waitFor();
  expect((await read(ids[0] ?? '')).endsAt).toBe('2030-02-01T00:00:00.000Z');
  expect(session.problems).toEqual([]);
});

test('a view of the table is saved under a name and opened again', async () => {
  const { page } = session;
  await book('view');
  await openTable('view', '&tab=upcoming&set=money');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view' }).click();
  await page.getByRole('dialog').getByLabel(/Name/).fill(`${RUN} upcoming`);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await session.open('/desk/line-items');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: `${RUN} upcoming`, exact: true }).click();
  await page.waitForURL(/tab=upcoming.*set=money|set=money.*tab=upcoming/);
  await page.getByRole('tab', { name: /^Upcoming/, selected: true }).waitFor();
  expect(session.problems).toEqual([]);
});

test('a line item opens beside the table, which stays as it is, and gets the whole page by a button', async () => {
  const { page } = session;
  const id = await book('panel');
  await openTable('panel', '&set=setup');
  await page.getByRole('row', { name: new RegExp(`${RUN} panel`) }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/desk/line-items/${id}.*set=setup`));
  const panel = page.getByRole('complementary', { name: `${RUN} panel` });
  await panel.getByRole('heading', { name: 'Change history' }).waitFor();
  await waitUntilQuiet(page);
  await savePicture(page, 'desk-panel-light');
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/desk\/line-items\?/);
  await page.goBack();
  await panel.getByRole('link', { name: 'Full page' }).click();
  await page.getByRole('heading', { level: 1, name: `${RUN} panel` }).waitFor();
  expect(session.problems).toEqual([]);
});

test('two people who edit one line item see both sides, and both changes are kept', async () => {
  const { page } = session;
  const id = await book('merge');
  await session.open(`/desk/line-items/${id}?full=1`);
  await page.getByRole('button', { name: 'Edit…' }).click();
  const edit = page.getByRole('dialog');
  await edit.getByLabel('Price').fill('15');
  await edit.getByLabel(/^Name/).fill(`${RUN} merge mine`);
  await graphql(
    'mutation ($id: ID!, $input: UpdateLineItemInput!) { updateLineItem(id: $id, input: $input) { lineItem { id } } }',
    {
      id,
      input: { name: `${RUN} merge theirs`, goal: { kind: 'IMPRESSIONS', amount: 7_000, period: 'LIFETIME' } },
    },
  );
  await edit.getByRole('button', { name: 'Save' }).click();
  const both = page.getByRole('dialog', { name: /Two people changed/ });
  await both.getByText('not changed by the other').waitFor();
  await savePicture(page, 'desk-conflict');
  expect(await findBarriers(page)).toEqual([]);
  await both.getByLabel(`${RUN} merge theirs`).check();
  await both.getByRole('button', { name: 'Save this' }).click();
  await page.getByText(/Both changes of/).waitFor();
  const merged = await read(id);
  expect([merged.name, merged.goal.amount, Number(merged.price)]).toEqual([`${RUN} merge theirs`, 7_000, 15]);
  expect(session.problems).toEqual([]);
});

test('a change in the history is undone by itself, and what came after it stays', async () => {
  const { page } = session;
  const id = await book('history');
  for (const input of [{ price: '20' }, { name: `${RUN} history renamed` }])
    await graphql(
      'mutation ($id: ID!, $input: UpdateLineItemInput!) { updateLineItem(id: $id, input: $input) { lineItem { id } } }',
      { id, input },
    );
  await session.open(`/desk/line-items/${id}?full=1`);
  const history = page.getByRole('region', { name: 'Change history' });
  await history.getByRole('listitem').filter({ hasText: 'price' }).getByRole('button', { name: 'Undo this' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo this' }).click();
  await page.getByText(/the change is undone/).waitFor();
  const item = await read(id);
  expect([item.name, Number(item.price)]).toEqual([`${RUN} history renamed`, 10]);
  expect(session.problems).toEqual([]);
});

test('a line item is split by a share of its goal, and duplicated with its dates moved', async () => {
  const { page } = session;
  const id = await book('split');
  await session.open(`/desk/line-items/${id}?full=1`);
  await page.getByRole('button', { name: 'Split…' }).click();
  const split = page.getByRole('dialog');
  await split.getByLabel(/Percent of the rest/).fill('30');
  await split.getByText('The old one keeps 700 (0 of it delivered); the new one gets 300.').waitFor();
  await split.getByRole('button', { name: 'Split' }).click();
  await page.getByRole('heading', { name: `${RUN} split – part 2` }).waitFor();
  expect((await read(id)).goal.amount).toBe(700);
  await session.open(`/desk/line-items/${id}?full=1`);
  await page.getByRole('button', { name: 'Duplicate…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('heading', { name: `${RUN} split (copy)` }).waitFor();
  expect(session.problems).toEqual([]);
});
