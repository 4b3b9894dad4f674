/** Adding many files as creatives of a campaign, in a real browser against a whole server. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePng } from '../../src/management/resources/upload/fixtures/pictures.ts';
import { BUNDLE_PAGE, makeZip } from '../../src/storage/bundles/fixtures/make-zip.ts';
import { findBarriers } from './support/barriers.ts';
import { openChromium } from './support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn, waitUntilQuiet } from './support/console-session.ts';
import { openPlacard, type PlacardServer } from './support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;
let session: ConsoleSession;
let campaignId: string;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  session = await openSession(browser, placard);
  await signIn(session, placard.demo.account);
  const { advertisers } = await graphql<{ advertisers: { nodes: { id: string }[] } }>(
    '{ advertisers(first: 1) { nodes { id } } }',
  );
  const lineItem = { type: 'HOUSE', status: 'ACTIVE' };
  const { saveCampaign } = await graphql<{ saveCampaign: { campaign: { id: string } } }>(
    'mutation ($input: SaveCampaignInput!) { saveCampaign(input: $input) { campaign { id } } }',
    {
      input: {
        advertiserId: advertisers.nodes[0]?.id,
        name: 'Autumn',
        status: 'ACTIVE',
        lineItems: [
          { ...lineItem, name: 'Box 300x250' },
          { ...lineItem, name: 'Board 728x90' },
          { ...lineItem, name: 'Tower 160x600' },
        ],
      },
    },
  );
  campaignId = saveCampaign.campaign.id;
});

afterAll(async () => {
  await browser?.close();
  await placard?.close();
});

async function graphql<T>(query: string, variables?: object): Promise<T> {
  const body = (await placard.graphql(query, variables)).json<{ data?: T; errors?: unknown }>();
  if (body.data === undefined || body.errors !== undefined) throw new Error(JSON.stringify(body));
  return body.data;
}

// Names stand between marks of bidi isolation.
const TOWER_LACKS = /Tower 160x600\W*: \W*160 × 600/;
const BOX_LACKS = /Box 300x250\W*: \W*300 × 250/;

const files = [
  { name: 'box.png', mimeType: 'image/png', buffer: makePng(300, 250) },
  {
    name: 'rich.zip',
    mimeType: 'application/zip',
    buffer: makeZip([
      { path: 'index.html', content: BUNDLE_PAGE.replace('<body>', '<body style="background:#fc6">') },
      { path: 'js/ad.js', content: '' },
    ]),
  },
  { name: 'tag_728x90.html', mimeType: 'text/html', buffer: Buffer.from('<a href="https://cdn.example/">Tag</a>') },
  { name: 'cut.png', mimeType: 'image/png', buffer: makePng(300, 250).subarray(0, 40) },
];

test('many files become creatives at once: sizes are read, line items are proposed, mistakes are named before saving', async () => {
  const { page } = session;
  await session.open(`/desk/campaigns/${campaignId}`);
  await page.getByRole('link', { name: 'Add creatives' }).click();
  await page.getByRole('heading', { level: 1, name: 'Add creatives' }).waitFor();
  await page.getByText(TOWER_LACKS).waitFor();
  await page.locator('input[type=file]').setInputFiles(files);
  const card = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await card('box.png')
    .getByText(/Picture · 300 × 250/)
    .waitFor();
  await card('rich.zip')
    .getByText(/HTML5 bundle · 300 × 250/)
    .waitFor();
  await card('cut.png').getByRole('alert').waitFor();
  await card('box.png').getByText('Give the landing page.').waitFor();
  expect(await page.getByRole('button', { name: /^Add \d creatives?$/ }).isDisabled()).toBe(true);
  expect(await page.getByText(TOWER_LACKS).count()).toBe(1);
  expect(await page.getByText(BOX_LACKS).count()).toBe(0);
  await page.getByLabel('Landing page of all files').fill('https://www.magazine.example/autumn');
  await card('tag_728x90.html')
    .getByText(/click macro/)
    .waitFor();
  await page.getByText('1 file is not complete.').waitFor();
  await waitUntilQuiet(page);
  await savePicture(page, 'studio');
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add 3 creatives' }).click();
  await page.getByText('3 creatives were added.', { exact: false }).waitFor();
  await card('box.png')
    .getByText(/and in \W*Box 300x250/)
    .waitFor();
  const { campaign } = await graphql<{
    campaign: { lineItems: { nodes: { name: string; creatives: { nodes: { format: string }[] } }[] } };
  }>(
    'query ($id: ID!) { campaign(id: $id) { lineItems(first: 9) { nodes { name creatives(first: 9) { nodes { format } } } } } }',
    { id: campaignId },
  );
  const formats = Object.fromEntries(
    campaign.lineItems.nodes.map(({ name, creatives }) => [
      name,
      creatives.nodes.map(({ format }) => format).toSorted(),
    ]),
  );
  expect(formats).toEqual({ 'Box 300x250': ['HTML', 'IMAGE'], 'Board 728x90': ['HTML'], 'Tower 160x600': [] });
});

test('a second visit proposes the landing page that the campaign has, and takes pasted files', async () => {
  const { page } = session;
  await session.open(`/desk/campaigns/${campaignId}/creatives`);
  await page.getByText(TOWER_LACKS).waitFor();
  expect(await page.getByLabel('Landing page of all files').inputValue()).toBe('https://www.magazine.example/autumn');
  await page.evaluate(
    async ([bytes]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes ?? [])], 'tower.png', { type: 'image/png' }));
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    },
    [[...makePng(160, 600)]],
  );
  await page.getByText(/Picture · 160 × 600/).waitFor();
  await page.getByRole('button', { name: 'Add 1 creative' }).click();
  await page.getByText('1 creative was added.', { exact: false }).waitFor();
  expect(await page.getByText('Sizes without a creative').count()).toBe(0);
});

test('an address of VAST is typed, found in the library, replaced, brought back by its history, and assigned', async () => {
  const { page } = session;
  await session.open(`/desk/campaigns/${campaignId}/creatives`);
  await page.getByRole('button', { name: 'VAST address' }).click();
  const card = page.getByRole('listitem').filter({ hasText: 'VAST address' });
  await card.getByText('Give a name.').waitFor();
  await card.getByLabel('Name').fill('Partner film');
  await card.getByText('Fill in the fields that are marked with *.').waitFor();
  await card.getByLabel('Address of the VAST document').fill('https://vast.partner.example/1');
  await waitUntilQuiet(page);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add 1 creative' }).click();
  await page.getByText('1 creative was added.', { exact: false }).waitFor();

  await session.open('/desk/creatives');
  await page.getByText('Library', { exact: true }).click();
  await page.getByText('Pictures', { exact: true }).click();
  await page.getByRole('link', { name: 'Partner film' }).click();
  await page.getByRole('button', { name: 'Replace…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address of the VAST document').fill('https://vast.partner.example/2');
  await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await vastAddress()).toBe('https://vast.partner.example/2');
  await page.getByRole('button', { name: 'Undo this' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo this' }).click();
  await page.getByText('the change is undone', { exact: false }).waitFor();
  expect(await vastAddress()).toBe('https://vast.partner.example/1');

  await page.getByRole('combobox', { name: 'Let it serve in another line item' }).fill('Tower');
  await page.getByRole('option', { name: 'Tower 160x600' }).click();
  await page.getByRole('button', { name: 'Change 1' }).click();
  await page.getByRole('link', { name: 'Tower 160x600' }).waitFor();
  await waitUntilQuiet(page);
  await savePicture(page, 'library-creative', true);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Take it out of Tower 160x600' }).click();
  await page.getByRole('button', { name: 'Change 1' }).click();
  await page.getByText('No line item uses it.').waitFor();
});

async function vastAddress(): Promise<string | undefined> {
  const { libraryCreatives } = await graphql<{
    libraryCreatives: { nodes: readonly { content: { vastTagUrl: string } }[] };
  }>(
    '{ libraryCreatives(first: 1, filter: { search: "Partner film" }) { nodes { content { ... on VideoContent { vastTagUrl } } } } }',
  );
  return libraryCreatives.nodes[0]?.content.vastTagUrl;
}
