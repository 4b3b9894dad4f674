/** Files of the desk's tables: saved, written over in a spreadsheet, and read again, with new objects and changes. */
import { readFileSync } from 'node:fs';
import type { Browser, Download, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBarriers } from '../support/barriers.ts';
import { openChromium } from '../support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn, waitUntilQuiet } from '../support/console-session.ts';
import { openPlacard, type PlacardServer } from '../support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;
let session: ConsoleSession;
/** Tells the objects of this run from those of another one on the same server. */
const RUN = `F${Date.now().toString(36)}`;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  session = await openSession(browser, placard);
  await signIn(session, placard.demo.account);
  for (const [key, type] of [
    ['code', 'TEXT'],
    ['score', 'NUMBER'],
  ])
    await graphql(
      'mutation ($input: CreateCustomFieldInput!) { createCustomField(input: $input) { userErrors { code } } }',
      {
        input: { key: `${RUN}_${key}`, name: `${RUN} ${key}`, type, kinds: ['lineItem'] },
      },
    );
  const { createAdvertiser } = await graphql<{ createAdvertiser: { advertiser: { id: string } } }>(
    'mutation ($input: CreateAdvertiserInput!) { createAdvertiser(input: $input) { advertiser { id } } }',
    { input: { name: `${RUN} Acme` } },
  );
  const { createCampaign } = await graphql<{ createCampaign: { campaign: { id: string } } }>(
    'mutation ($input: CreateCampaignInput!) { createCampaign(input: $input) { campaign { id } } }',
    { input: { name: `${RUN} Spring`, advertiserId: createAdvertiser.advertiser.id } },
  );
  await graphql('mutation ($input: CreateLineItemInput!) { createLineItem(input: $input) { lineItem { id } } }', {
    input: {
      campaignId: createCampaign.campaign.id,
      name: `${RUN} =first`,
      type: 'STANDARD',
      price: '10',
      startsAt: '2030-01-01T00:00:00Z',
      endsAt: '2030-02-01T00:00:00Z',
      goal: { kind: 'IMPRESSIONS', target: 1_000, period: 'LIFETIME' },
      targeting: { all: [{ test: { dimension: 'COUNTRY', operator: 'IS', values: ['PL'] } }] },
      labels: ['a|b'],
      caps: { impressionsPerDay: 500, spendLifetime: '90.5' },
      frequencyCaps: [
        { count: 3, window: 'DAY' },
        { event: 'CLICKS', count: 1, window: 'DAY', every: 7, per: 'HOUSEHOLD' },
      ],
      dayParts: [
        { days: [1, 2, 3, 4, 5], startMinute: 480, endMinute: 1_080 },
        { days: [6], startMinute: 0, endMinute: 1_440 },
      ],
      customFields: { [`${RUN}_code`]: '7', [`${RUN}_score`]: 7.5 },
      notes: 'Two\nlines; "quoted"',
    },
  });
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

interface Item {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly price: string;
  readonly startsAt: string | null;
  readonly externalId: string | null;
  readonly campaign: { readonly name: string; readonly status: string };
}

async function readItems(): Promise<Item[]> {
  const { lineItems } = await graphql<{ lineItems: { nodes: Item[] } }>(
    `query ($search: String) { lineItems(filter: { search: $search }, sort: { field: ID }, first: 50) {
      nodes { id name status price startsAt externalId campaign { name status } } } }`,
    { search: RUN },
  );
  return lineItems.nodes;
}

async function openMenu(item: string): Promise<void> {
  await session.page.getByRole('button', { name: 'CSV', exact: true }).click();
  await session.page.getByRole('menuitem', { name: item }).click();
}

async function textOf(download: Promise<Download>): Promise<string> {
  return readFileSync(await (await download).path(), 'utf8');
}

/** Chooses a file in the dialog, and waits until the server has validated it. */
async function readFile(text: string, one = session): Promise<Locator> {
  const dialog = one.page.getByRole('dialog');
  const chooser = one.page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await dialog.getByRole('radiogroup', { name: 'Shown rows' }).waitFor();
  await dialog.getByText(/^Validated:/).waitFor({ state: 'detached' });
  return dialog;
}

async function counts(dialog: Locator): Promise<string[]> {
  return (await dialog.getByRole('radiogroup').innerText()).split('\n').filter((line) => line !== '');
}

test('a saved table that is read again changes nothing', async () => {
  await session.open(`/desk/line-items?q=${RUN}`);
  const download = session.page.waitForEvent('download');
  await openMenu('Save as CSV');
  const text = await textOf(download);
  expect(text.startsWith('\uFEFFid,version,campaign_id,')).toBe(true);
  for (const cell of [
    ',500,,,,,90.5,',
    ',3 per day; 1 click per 7 days per household,',
    ',mon-fri 08:00-18:00; sat,',
    `,"${RUN}_code=""7""; ${RUN}_score=7.5"`,
  ])
    expect(text).toContain(cell);
  await openMenu('Import from CSV…');
  const dialog = await readFile(text);
  expect(await counts(dialog)).toEqual(['All 1', 'New 0', 'Changes 0', 'Refused 0', 'Same 1']);
  expect(await dialog.getByRole('button', { name: 'Create 0, change 0' }).isDisabled()).toBe(true);
});

test('caps, hours and custom fields are changed by a file, and wrong text says what to write', async () => {
  const { page } = session;
  const [first] = await readItems();
  const text = [
    'id;cap_clicks_per_day;frequency_caps;day_parts;custom_fields',
    `${first?.id};9;5 per lifetime;sun 10:00-12:00;${RUN}_score=8`,
    `;;3 a day;mon 22:00-02:00;North`,
  ].join('\n');
  await session.open(`/desk/line-items?q=${RUN}`);
  await openMenu('Import from CSV…');
  const dialog = await readFile(text);
  expect(await counts(dialog)).toEqual(['All 2', 'New 0', 'Changes 1', 'Refused 1', 'Same 0']);
  await dialog
    .getByRole('row', { name: /frequency_caps: 3 per day; 1 click per 7 days per household → 5 per lifetime/ })
    .waitFor();
  await dialog.getByRole('row', { name: /day_parts: .*Write mon-fri 08:00-18:00; sat 10:00-12:00\./ }).waitFor();
  await savePicture(page, 'desk-csv-parts');
  await dialog.getByRole('button', { name: 'Create 0, change 1' }).click();
  await dialog.getByText('Created: 0. Changed: 1. Refused: 1.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const fields =
    'caps { clicksPerDay impressionsPerDay } frequencyCaps { count window } dayParts { days } customFields';
  const read = () =>
    graphql<{ lineItem: object }>(`query ($id: ID!) { lineItem(id: $id) { ${fields} } }`, { id: first?.id });
  expect((await read()).lineItem).toEqual({
    caps: { clicksPerDay: 9, impressionsPerDay: 500 },
    frequencyCaps: [{ count: 5, window: 'LIFETIME' }],
    dayParts: [{ days: [7] }],
    customFields: { [`${RUN}_score`]: 8 },
  });
  await page.getByRole('button', { name: 'Undo the last change' }).click();
  await page.getByText('Undone: 1 as before.').waitFor();
  expect((await read()).lineItem).toMatchObject({
    caps: { clicksPerDay: null, impressionsPerDay: 500 },
    frequencyCaps: [{ count: 3 }, { count: 1 }],
    dayParts: [{ days: [1, 2, 3, 4, 5] }, { days: [6] }],
    customFields: { [`${RUN}_code`]: '7', [`${RUN}_score`]: 7.5 },
  });
  expect(session.problems).toEqual([]);
});

test('two new line items, a change and a bad row are shown before they are stored, and undo archives what was made', async () => {
  const { page } = session;
  const [first] = await readItems();
  const text = [
    'id;external_id;name;type;status;campaign;advertiser;price;starts_at;countries',
    `${first?.id};;;;;;;12,50;;PL|DE`,
    `;${RUN}-2;${RUN} second;HOUSE;DRAFT;${RUN} Spring;${RUN} Acme;;01.03.2030;`,
    `;${RUN}-3;${RUN} third;price;;${RUN} Autumn;${RUN} Acme;1.234,5;2030-03-01 08:00;PL`,
    `;${RUN}-4;${RUN} fourth;HOUSE;;${RUN} Spring;;7;;Poland`,
  ].join('\r\n');
  await session.open(`/desk/line-items?q=${RUN}`);
  await openMenu('Import from CSV…');
  const dialog = await readFile(text);
  expect(await counts(dialog)).toEqual(['All 4', 'New 1', 'Changes 1', 'Refused 2', 'Same 0']);
  await dialog.getByText(new RegExp(`There is no “${RUN} Autumn”`)).waitFor();
  await dialog.getByRole('checkbox', { name: /Create missing campaigns/ }).check();
  await dialog.getByText(/^Validated:/).waitFor({ state: 'detached' });
  await expect.poll(() => counts(dialog)).toEqual(['All 4', 'New 2', 'Changes 1', 'Refused 1', 'Same 0']);
  await dialog.getByRole('row', { name: /price: 10 → 12.5/ }).waitFor();
  await dialog.getByRole('row', { name: /fourth.*Give a two-letter country code/ }).waitFor();
  await savePicture(page, 'desk-csv-preview');
  expect(await findBarriers(page)).toEqual([]);
  expect(await readItems()).toEqual([first]);
  const refused = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save the refused rows' }).click();
  expect((await textOf(refused)).split('\r\n')[1]).toMatch(/fourth.*countries: /);
  await dialog.getByRole('button', { name: 'Create 2, change 1' }).click();
  await dialog.getByText('Created: 2. Changed: 1. Refused: 1.').waitFor();
  await savePicture(page, 'desk-csv-result');
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await readItems()).toMatchObject([
    { price: '12.5', status: 'DRAFT' },
    { name: `${RUN} second`, startsAt: '2030-02-28T23:00:00.000Z', campaign: { name: `${RUN} Spring` } },
    {
      name: `${RUN} third`,
      price: '1234.5',
      startsAt: '2030-03-01T07:00:00.000Z',
      campaign: { name: `${RUN} Autumn`, status: 'DRAFT' },
    },
  ]);
  await openMenu('Import from CSV…');
  const again = await readFile(text);
  expect(await counts(again)).toEqual(['All 4', 'New 0', 'Changes 0', 'Refused 1', 'Same 3']);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Undo the last change' }).click();
  await page.getByText('Undone: 4 as before.').waitFor();
  expect(await readItems()).toMatchObject([
    { price: '10', status: 'DRAFT' },
    { name: `${RUN} second`, status: 'ARCHIVED' },
    { name: `${RUN} third`, status: 'ARCHIVED', campaign: { status: 'ARCHIVED' } },
  ]);
  expect(session.problems).toEqual([]);
});

test('sites are made from their template, and a phone in the dark shows what is wrong with a file', async () => {
  const { page } = session;
  await session.open('/desk/sites');
  const download = page.waitForEvent('download');
  await openMenu('Download a template');
  const [heading = ''] = (await textOf(download)).split('\r\n');
  const columns = heading.replace('\uFEFF', '').split(',');
  const code = RUN.toLowerCase();
  const cells: Readonly<Record<string, string>> = {
    code,
    name: `"${RUN} ""News"""`,
    domain: 'news.example',
    labels: 'a|b',
  };
  const line = columns.map((column) => cells[column] ?? '').join('\t');
  await openMenu('Import from CSV…');
  const dialog = await readFile(`${columns.join('\t')}\n${line}\n`);
  await dialog.getByRole('button', { name: 'Create 1, change 0' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('row', { name: new RegExp(`${RUN} "News"`) }).waitFor();
  await page.getByRole('button', { name: 'Undo the last change' }).click();
  await page.getByText('Undone: 1 as before.').waitFor();
  const { sites } = await graphql<{ sites: { nodes: object[] } }>(
    'query ($codes: [String!]) { sites(filter: { codes: $codes }) { nodes { name status domain labels } } }',
    { codes: [code] },
  );
  expect(sites.nodes).toEqual([
    { name: `${RUN} "News"`, status: 'ARCHIVED', domain: 'news.example', labels: ['a', 'b'] },
  ]);
  const phone = await openSession(browser, placard, { width: 360, height: 740, colorScheme: 'dark' });
  await signIn(phone, placard.demo.account);
  await phone.open('/desk/sites');
  await phone.page.getByRole('button', { name: 'CSV', exact: true }).click();
  await phone.page.getByRole('menuitem', { name: 'Import from CSV…' }).click();
  await phone.page.getByRole('dialog').getByRole('button', { name: 'Choose a file' }).waitFor();
  await waitUntilQuiet(phone.page);
  await savePicture(phone.page, 'desk-csv-choose-phone');
  expect(await findBarriers(phone.page)).toEqual([]);
  const wrong = await readFile('code,name\nnew-one,New one\n', phone);
  await wrong.getByRole('row', { name: /domain: / }).waitFor();
  await savePicture(phone.page, 'desk-csv-preview-phone');
  expect(await findBarriers(phone.page)).toEqual([]);
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await phone.close();
  expect(session.problems).toEqual([]);
});
