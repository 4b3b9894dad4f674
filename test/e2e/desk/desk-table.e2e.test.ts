/** The tables of the desk: editing in place, changes of many, views and the panel. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBarriers } from '../support/barriers.ts';
import { openChromium } from '../support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn, waitUntilQuiet } from '../support/console-session.ts';
import { openPlacard, type PlacardServer } from '../support/placard-server.ts';

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

/** Of 40 letters and marks. */
const LONG_NAME = 'Winter night trains, Germany and Austria';

test('on a laptop, twenty rows are in sight with whole names, campaigns and a state that is true', async () => {
  const wide = await openSession(browser, placard, { width: 1440, height: 900 });
  const { page } = wide;
  await signIn(wide, placard.demo.account);
  const input = { campaignId, name: LONG_NAME, type: 'PRICE', price: '10', status: 'ACTIVE' };
  const { createLineItem: made } = await graphql<{ createLineItem: { lineItem: { id: string } } }>(
    'mutation ($input: CreateLineItemInput!) { createLineItem(input: $input) { lineItem { id } } }',
    { input },
  );
  await wide.open('/desk/line-items');
  const table = page.locator('.desk-scroll');
  const inSight = await table.evaluate((scroller) => {
    const head = scroller.querySelector('.report-head')?.getBoundingClientRect().bottom ?? 0;
    const end = Math.min(scroller.getBoundingClientRect().bottom, window.innerHeight);
    return [...scroller.querySelectorAll('.desk-row')].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top >= head - 1 && bottom <= end + 1;
    }).length;
  });
  expect(inSight).toBeGreaterThanOrEqual(20);
  const name = page.getByRole('link', { name: LONG_NAME }).first();
  expect(await name.evaluate((link) => link.scrollWidth <= link.clientWidth)).toBe(true);
  const right = await page
    .getByRole('columnheader', { name: 'Campaign' })
    .evaluate((cell) => cell.getBoundingClientRect().right);
  expect(right).toBeLessThan(1440);
  // It is active, and has no creative.
  await page
    .getByRole('row', { name: new RegExp(LONG_NAME) })
    .first()
    .getByText('No creative')
    .waitFor();
  await page.getByRole('columnheader', { name: 'Pacing' }).getByRole('button').focus();
  await page.getByRole('tooltip', { name: /in percent of the plan/ }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await savePicture(page, 'line-items-laptop');
  await graphql('mutation ($ids: [ID!]!) { archiveLineItems(ids: $ids) { results { index } } }', {
    ids: [made.lineItem.id],
  });
  expect(wide.problems).toEqual([]);
  await wide.close();
});

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
  await edit.getByText('Objects that change: 2. That stay as they are: 1.').waitFor();
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
  const copy = page.getByRole('dialog');
  await copy.getByLabel('Days later').fill('5000');
  await copy.getByText('These would be refused and stay as they are: 1.').waitFor();
  expect(await copy.getByRole('button', { name: 'Copy' }).isDisabled()).toBe(true);
  await copy.getByLabel('Days later').fill('30');
  await copy.getByText('1 line item', { exact: false }).waitFor();
  await copy.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('heading', { name: `${RUN} split (copy)` }).waitFor();
  expect(session.problems).toEqual([]);
});

interface CampaignFacts {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly labels: readonly string[];
  readonly caps: { readonly impressionsPerDay: number | null; readonly spendLifetime: string | null };
}

async function bookCampaigns(...names: readonly string[]): Promise<void> {
  const { advertisers } = await graphql<{ advertisers: { nodes: { id: string }[] } }>(
    '{ advertisers(first: 1) { nodes { id } } }',
  );
  const flight = { startsAt: '2030-01-01T00:00:00Z', endsAt: '2030-02-01T00:00:00Z' };
  for (const name of names)
    await graphql('mutation ($input: CreateCampaignInput!) { createCampaign(input: $input) { campaign { id } } }', {
      input: {
        advertiserId: advertisers.nodes[0]?.id,
        name: `${RUN} ${name}`,
        caps: { impressionsPerDay: 9 },
        ...flight,
      },
    });
}

async function readCampaigns(word: string): Promise<readonly CampaignFacts[]> {
  const { campaigns } = await graphql<{ campaigns: { nodes: CampaignFacts[] } }>(
    `query ($filter: CampaignFilter) { campaigns(filter: $filter, sort: { field: ID }, first: 100) {
      nodes { id name status startsAt endsAt labels caps { impressionsPerDay spendLifetime } } } }`,
    { filter: { search: `${RUN} ${word}` } },
  );
  return campaigns.nodes;
}

test('cells of a campaign are edited by keyboard; what is refused is said at the cell, and the focus comes back to it', async () => {
  const { page } = session;
  await bookCampaigns('cells');
  await session.open(`/desk/campaigns?q=${RUN}%20cells`);
  const row = page.getByRole('row', { name: new RegExp(`${RUN} cells`) });
  await row.focus();
  await page.keyboard.press('ArrowRight');
  const cell = (id: string) => page.locator(`[data-column="${id}"]`);
  await expect.poll(() => cell('name').evaluate((one) => one === document.activeElement)).toBe(true);
  for (let at = 0; at < 4; at += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F2');
  await page.keyboard.type('much');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'Enter an amount' }).waitFor();
  await expect.poll(() => cell('budget').evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  const budget = page.getByRole('textbox', { name: 'Budget', exact: true });
  expect([await budget.inputValue(), await budget.getAttribute('aria-invalid')]).toEqual(['much', 'true']);
  await savePicture(page, 'desk-campaign-fault');
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.type('1500');
  await page.keyboard.press('Shift+Tab');
  await page.getByLabel('End', { exact: true }).fill('2029-01-01T00:00');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'Give an end after the start of the flight.' }).waitFor();
  const faults = page.locator('.desk-fault-text');
  expect(await faults.count()).toBe(1);
  await savePicture(page, 'desk-campaign-refused');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await faults.waitFor({ state: 'detached' });
  await expect.poll(() => cell('ends').evaluate((one) => one === document.activeElement)).toBe(true);
  const [saved] = await readCampaigns('cells');
  expect([Number(saved?.caps.spendLifetime), saved?.caps.impressionsPerDay]).toEqual([1_500, 9]);
  expect(saved?.endsAt).toBe('2030-02-01T00:00:00.000Z');
  await page.getByRole('button', { name: 'Undo the last change' }).click();
  await expect.poll(async () => (await readCampaigns('cells'))[0]?.caps.spendLifetime).toBeNull();
  expect(session.problems).toEqual([]);
});

test('all campaigns that match a filter get another budget after a preview, those out of view too, and it is undone', async () => {
  const { page } = session;
  const names = Array.from({ length: 53 }, (_, at) => `budget ${String(at + 1).padStart(2, '0')}`);
  await bookCampaigns(...names);
  await session.open(`/desk/campaigns?q=${RUN}%20budget`);
  await page
    .getByRole('row', { name: new RegExp(`${RUN} budget`) })
    .first()
    .focus();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Select all 53 that match' }).click();
  await page.getByText('53 selected').waitFor();
  await page.getByRole('button', { name: 'Edit…' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit the selected objects (53)' });
  await edit.getByRole('combobox', { name: 'What to change' }).click();
  await page.getByRole('option', { name: 'Budget', exact: true }).click();
  await edit.getByText('Objects that change: 0. That stay as they are: 53.').waitFor();
  await edit.getByRole('combobox', { name: 'How it changes' }).click();
  await page.getByRole('option', { name: 'To the same amount' }).click();
  await edit.getByLabel('New budget').fill('much');
  await edit.getByText('Enter an amount, such as 1.50.').waitFor();
  expect(await edit.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true);
  await edit.getByLabel('New budget').fill('1500,50');
  await savePicture(page, 'desk-campaign-budget');
  expect(await findBarriers(page)).toEqual([]);
  await edit.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('dialog', { name: /^Budget/ });
  await preview.getByRole('row', { name: /budget 53.*\(none\) → .*1,500\.50/ }).waitFor();
  await savePicture(page, 'desk-campaign-budget-preview');
  await preview.getByRole('button', { name: 'Change 53' }).click();
  await page.getByText('Changed: 53.').waitFor();
  const budgets = async () => new Set((await readCampaigns('budget')).map(({ caps }) => caps.spendLifetime));
  expect(await budgets()).toEqual(new Set(['1500.5']));
  await page.getByRole('button', { name: 'Undo the last change' }).click();
  await page.getByText('Undone: 53 as before.').waitFor();
  expect(await budgets()).toEqual(new Set([null]));
  expect(session.problems).toEqual([]);
});

test('campaigns get labels, another end and copies after a preview, and each is undone', async () => {
  const { page } = session;
  await bookCampaigns('many one', 'many two');
  await session.open(`/desk/campaigns?q=${RUN}%20many`);
  const choose = () => page.getByRole('checkbox', { name: 'Select all that are loaded' }).check();
  const undo = () => page.getByRole('button', { name: 'Undo the last change' }).click();
  await choose();
  await page.getByRole('button', { name: 'Edit…' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit the selected objects (2)' });
  await edit.getByLabel('Days later').fill('-60');
  await edit.getByRole('button', { name: 'Preview' }).click();
  const refused = page.getByRole('dialog', { name: /End of the flight/ });
  await refused.getByText('These would be refused and stay as they are: 2.').waitFor();
  await refused.getByRole('cell', { name: 'Give an end after the start of the flight.' }).first().waitFor();
  expect(await refused.getByRole('button', { name: 'Change 0' }).isDisabled()).toBe(true);
  await refused.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Edit…' }).click();
  await edit.getByRole('combobox', { name: 'What to change' }).click();
  await page.getByRole('option', { name: 'Labels' }).click();
  await edit.getByLabel('Labels to add').fill('q1');
  await page.keyboard.press('Enter');
  await savePicture(page, 'desk-campaign-labels');
  expect(await findBarriers(page)).toEqual([]);
  await edit.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('dialog', { name: /^Labels/ });
  await preview.getByRole('row', { name: /many one.*\(none\) → q1/ }).waitFor();
  await preview.getByRole('button', { name: 'Change 2' }).click();
  await page.getByText('Changed: 2.').waitFor();
  expect((await readCampaigns('many')).map(({ labels }) => labels)).toEqual([['q1'], ['q1']]);
  await undo();
  await page.getByText('Undone: 2 as before.').waitFor();
  expect((await readCampaigns('many')).map(({ labels }) => labels)).toEqual([[], []]);
  await choose();
  await page.getByRole('button', { name: 'Copy…' }).click();
  const copy = page.getByRole('dialog', { name: 'Copy the selected objects (2)' });
  await copy.getByLabel('Days later').fill('5000');
  await copy.getByText('These would be refused and stay as they are: 2.').waitFor();
  expect(await copy.getByRole('button', { name: 'Copy' }).isDisabled()).toBe(true);
  await copy.getByLabel('Days later').fill('28');
  await copy
    .getByRole('cell', { name: /0 line items, 0 creatives/ })
    .first()
    .waitFor();
  expect((await readCampaigns('many')).length).toBe(2);
  await savePicture(page, 'desk-campaign-copy');
  expect(await findBarriers(page)).toEqual([]);
  await copy.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied as drafts: 2.').waitFor();
  const copies = (await readCampaigns('many')).filter(({ name }) => name.endsWith('(copy)'));
  expect(copies.map(({ status, startsAt, endsAt }) => [status, startsAt, endsAt])).toEqual(
    Array(2).fill(['DRAFT', '2030-01-29T00:00:00.000Z', '2030-03-01T00:00:00.000Z']),
  );
  await undo();
  await expect
    .poll(async () => (await readCampaigns('many')).map(({ status }) => status))
    .toEqual(['DRAFT', 'DRAFT', 'ARCHIVED', 'ARCHIVED']);
  expect(session.problems).toEqual([]);
});
