/** The page of a line item, which shows and changes everything that is booked, in a real browser against a whole server. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../../conformance/support/run-cli.ts';
import { findBarriers } from '../support/barriers.ts';
import { openChromium } from '../support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn, waitUntilQuiet } from '../support/console-session.ts';
import { beginJourney } from '../support/journeys.ts';
import { openPlacard, type PlacardServer } from '../support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;
let session: ConsoleSession;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  session = await openSession(browser, placard, { width: 1440, height: 900 });
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

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** A line item of its own with a value in every part of the form. */
async function bookLineItem(name: string, more: object = {}): Promise<string> {
  const { campaigns } = await graphql<{ campaigns: { nodes: { id: string }[] } }>(
    '{ campaigns(filter: { statuses: [ACTIVE] }, first: 1) { nodes { id } } }',
  );
  const input = {
    campaignId: campaigns.nodes[0]?.id,
    name,
    type: 'STANDARD',
    price: '4.50',
    status: 'ACTIVE',
    startsAt: inDays(-2),
    endsAt: inDays(20),
    goal: { amount: 40_000, kind: 'IMPRESSIONS', period: 'LIFETIME' },
    frequencyCaps: [
      { count: 3, window: 'DAY' },
      { count: 1, window: 'WEEK', event: 'CLICKS' },
    ],
    caps: { impressionsPerDay: 5_000 },
    labels: ['north'],
    exclusionLabels: ['cars'],
    notes: 'As agreed by telephone.',
    dayParts: [{ days: [1, 2, 3, 4, 5], startMinute: 480, endMinute: 1_080 }],
    targeting: { all: [{ test: { dimension: 'COUNTRY', operator: 'IS', values: ['PL', 'DE'] } }] },
    ...more,
  };
  const made = await graphql<{ createLineItem: { lineItem: { id: string } } }>(
    'mutation ($input: CreateLineItemInput!) { createLineItem(input: $input) { lineItem { id } } }',
    { input },
  );
  return made.createLineItem.lineItem.id;
}

const FIELDS = `id name version status level notes labels goal { amount kind period } pacing
  frequencyCaps { event count window every per } caps { impressionsPerDay spendPerDay }
  dayParts { days startMinute endMinute } targeting { all { test { dimension operator values } } }`;

async function read(id: string): Promise<Record<string, unknown>> {
  const found = await graphql<{ lineItem: Record<string, unknown> }>(
    `query ($id: ID!) { lineItem(id: $id) { ${FIELDS} } }`,
    { id },
  );
  return found.lineItem;
}

describe('line item page', () => {
  test('the page shows what is booked in a form, and saves a change after its difference and its effect are told', async () => {
    const { page } = session;
    const id = await bookLineItem('Everything of it');
    await session.open(`/desk/line-items/${id}?full=1`);
    await page.getByRole('heading', { name: 'What', exact: true }).waitFor();
    await waitUntilQuiet(page);
    await savePicture(page, 'line-item-form-light', true);
    expect(await page.getByRole('textbox', { name: 'Goal', exact: true }).inputValue()).toBe('40000');
    expect(await page.getByRole('textbox', { name: 'Notes' }).inputValue()).toBe('As agreed by telephone.');
    await page.getByText('It runs where country is one of').waitFor();
    await page.getByRole('textbox', { name: 'Goal', exact: true }).fill('60000');
    await page.getByRole('textbox', { name: 'Priority level, 1 is first' }).fill('6');
    await page.getByRole('textbox', { name: 'At most 1' }).fill('5');
    await page.getByRole('combobox', { name: 'Pacing' }).click();
    await page.getByRole('option', { name: 'As fast as possible' }).click();
    await page.getByText('4 settings are changed and not saved.').waitFor();
    await waitUntilQuiet(page);
    await page.getByRole('button', { name: 'Save…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save “Everything of it”?' });
    await dialog.getByRole('row', { name: /Goal 40,000 impressions 60,000 impressions/ }).waitFor();
    await dialog.getByText(/To reach its goal it needs/).waitFor();
    await waitUntilQuiet(page);
    await savePicture(page, 'line-item-form-save');
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Nothing is changed.').waitFor();
    expect(await read(id)).toMatchObject({
      goal: { amount: 60_000 },
      level: 6,
      pacing: 'ASAP',
      frequencyCaps: [
        { event: 'IMPRESSIONS', count: 5, window: 'DAY' },
        { event: 'CLICKS', count: 1, window: 'WEEK' },
      ],
      notes: 'As agreed by telephone.',
      dayParts: [{ days: [1, 2, 3, 4, 5], startMinute: 480, endMinute: 1_080 }],
      targeting: { all: [{ test: { dimension: 'COUNTRY', operator: 'IS', values: ['PL', 'DE'] } }] },
    });
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
    await page.getByText('Undone: 1 as before.').waitFor();
    expect(await read(id)).toMatchObject({ goal: { amount: 40_000 }, level: 8, pacing: 'EVEN' });
    await expect.poll(() => page.getByRole('textbox', { name: 'Goal', exact: true }).inputValue()).toBe('40000');
    expect(session.problems).toEqual([]);
  });

  test('the page shows a refusal at its field, and the changes of two members side by side', async () => {
    const { page } = session;
    const id = await bookLineItem('Changed by two');
    await session.open(`/desk/line-items/${id}?full=1`);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    const level = page.getByRole('textbox', { name: 'Priority level, 1 is first' });
    await level.fill('99');
    await expect.poll(() => level.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('1 field needs a change.').waitFor();
    await level.fill('x');
    await page.getByText('This cannot be read.').waitFor();
    expect(await page.getByRole('button', { name: 'Save…' }).isDisabled()).toBe(true);
    await level.fill('5');
    await page.getByRole('textbox', { name: 'Notes' }).fill('Mine.');
    await graphql('mutation ($id: ID!) { updateLineItem(id: $id, input: { level: 3 }) { lineItem { id } } }', { id });
    await waitUntilQuiet(page);
    // By keyboard alone.
    await page.keyboard.press('Escape');
    await page.locator('body').press('Control+Enter');
    await page.getByRole('dialog', { name: 'Save “Changed by two”?' }).waitFor();
    await page.keyboard.press('Enter');
    const conflict = page.getByRole('dialog', { name: 'Two people changed “Changed by two”' });
    await conflict.getByRole('row', { name: /Level 8 3 5/ }).waitFor();
    expect(await read(id)).toMatchObject({ level: 3, notes: 'As agreed by telephone.' });
    expect(await findBarriers(page)).toEqual([]);
    await conflict.getByRole('radio', { name: '3' }).check();
    await conflict.getByRole('button', { name: 'Save this' }).click();
    await page.getByText('Both changes of “Changed by two” are saved.').waitFor();
    expect(await read(id)).toMatchObject({ level: 3, notes: 'Mine.' });
    expect(session.problems).toEqual([]);
  });

  test('the page asks before typed changes are left', async () => {
    const { page } = session;
    const id = await bookLineItem('Left in the middle');
    await session.open(`/desk/line-items/${id}?full=1`);
    await page.getByRole('textbox', { name: 'Notes' }).fill('Half a');
    await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    expect(await page.getByRole('textbox', { name: 'Notes' }).inputValue()).toBe('As agreed by telephone.');
  });

  test('the form works in the panel and on a phone, in the dark and in German', async () => {
    const id = await bookLineItem('Alles darüber');
    await session.open(`/desk/line-items/${id}`);
    await session.page.getByRole('heading', { name: 'Labels, people and notes' }).scrollIntoViewIfNeeded();
    await waitUntilQuiet(session.page);
    await savePicture(session.page, 'line-item-panel');
    expect(await findBarriers(session.page)).toEqual([]);
    const phone = await openSession(browser, placard, { width: 390, height: 844, colorScheme: 'dark', locale: 'de' });
    await signIn(phone, placard.demo.account);
    await phone.open(`/desk/line-items/${id}`);
    await phone.page.getByRole('heading', { name: 'Labels, Zuständige und Notizen' }).waitFor();
    await waitUntilQuiet(phone.page);
    const overflow = await phone.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    await savePicture(phone.page, 'line-item-phone-de', true);
    expect(overflow).toBe(0);
    expect(await findBarriers(phone.page)).toEqual([]);
    expect(phone.problems).toEqual([]);
    await phone.close();
  });

  test('a viewer reads every setting in words and changes none', async () => {
    const id = await bookLineItem('Only to look at');
    const email = `looks-${Date.now().toString(36)}@example.com`;
    await session.open('/settings/users');
    await session.page.getByRole('button', { name: 'Invite user' }).click();
    const dialog = session.page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill(email);
    await dialog.getByRole('button', { name: 'Invite user' }).click();
    const command = await dialog.locator('pre').innerText();
    const { link } = await runCli<{ link: string }>(placard.dataDir, command.split(' ').slice(1));
    const viewer = await openSession(browser, placard, { width: 1440, height: 900 });
    const { page } = viewer;
    await page.goto(link);
    await page.getByLabel('Your name').fill('Vera Viewer');
    await page.getByLabel('New password').fill('seven calm otters play');
    await page.getByRole('button', { name: 'Create account and accept' }).click();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await viewer.open(`/desk/line-items/${id}?full=1`);
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByText('It runs where country is one of Poland (PL) or Germany (DE).').waitFor();
    await settings.getByText('3 impressions a day for each user; 1 click a week for each user').waitFor();
    await settings.getByText('Mon–Fri 08:00–18:00').waitFor();
    expect(await settings.getByRole('textbox').count()).toBe(0);
    expect(await settings.getByRole('button', { name: 'Save…' }).count()).toBe(0);
    await savePicture(page, 'line-item-viewer', true);
    expect(await findBarriers(page)).toEqual([]);
    expect(viewer.problems).toEqual([]);
    await viewer.close();
  });
});

describe('creative page', () => {
  test('any booked ad is seen within two interactions from the list, and its page shows it at its size', async () => {
    const { page } = session;
    const { creatives } = await graphql<{
      creatives: { nodes: { id: string; name: string; width: number; clickUrl: string; lineItem: { name: string } }[] };
    }>(
      '{ creatives(filter: { reviewStates: [APPROVED] }, first: 1) { nodes { id name width clickUrl lineItem { name } } } }',
    );
    const [creative] = creatives.nodes;
    if (creative === undefined) throw new Error('The demo has no creatives');
    const { name, width, clickUrl, lineItem } = creative;
    const journey = await beginJourney(page, 'a booked ad is seen');
    await session.open(`/desk/line-items?q=${encodeURIComponent(lineItem.name)}`);
    await page.getByRole('grid', { name: 'Line items' }).getByRole('link', { name: lineItem.name }).first().click();
    const thumbnail = page.getByTitle(`The ad “${name}”`).first();
    await thumbnail.waitFor();
    await thumbnail.scrollIntoViewIfNeeded();
    await waitUntilQuiet(page);
    await savePicture(page, 'line-item-creatives');
    await page.getByRole('link', { name, exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await journey.end();
    const frame = page.locator('.ad-stage iframe');
    expect(await frame.evaluate(({ clientWidth }) => clientWidth)).toBe(width === 0 ? 300 : width);
    await page.getByRole('link', { name: clickUrl }).waitFor();
    await page.getByRole('link', { name: lineItem.name }).waitFor();
    await page
      .getByText(/CTR .* in 90 days/)
      .first()
      .waitFor();
    await waitUntilQuiet(page);
    await savePicture(page, 'creative-page-light', true);
    await page.getByText('Dark page').click();
    await page.locator('.ad-stage[data-scheme="dark"] iframe').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Copy preview link' }).click();
    await page.getByText(/The preview link is copied/).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/preview\//);
    expect(session.problems).toEqual([]);
  });

  test('the list of creatives shows each ad, also on a phone in the dark and in German', async () => {
    await session.open('/desk/creatives');
    await session.page.locator('.ad-thumbnail iframe').first().waitFor();
    await waitUntilQuiet(session.page);
    await savePicture(session.page, 'creatives-list');
    expect(await findBarriers(session.page)).toEqual([]);
    const { creatives } = await graphql<{ creatives: { nodes: { id: string }[] } }>(
      '{ creatives(filter: { reviewStates: [APPROVED] }, first: 1) { nodes { id } } }',
    );
    const phone = await openSession(browser, placard, { width: 390, height: 844, colorScheme: 'dark', locale: 'de' });
    await signIn(phone, placard.demo.account);
    await phone.open(`/desk/creatives/${creatives.nodes[0]?.id}`);
    await phone.page.getByRole('heading', { name: 'Die Anzeige' }).waitFor();
    await waitUntilQuiet(phone.page);
    const overflow = await phone.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    await savePicture(phone.page, 'creative-phone-de', true);
    expect(overflow).toBe(0);
    expect(await findBarriers(phone.page)).toEqual([]);
    expect(phone.problems).toEqual([]);
    await phone.close();
  });
});

test('the table has the targeting in words, and is filtered by type in its address', async () => {
  const { page } = session;
  await bookLineItem('Told in words', { type: 'PRICE', goal: null });
  await session.open('/desk/line-items?q=Told&set=setup');
  const grid = page.getByRole('grid', { name: 'Line items' });
  await grid.getByText('country is one of Poland (PL) or Germany (DE)').first().waitFor();
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await page.getByRole('combobox', { name: 'Type', exact: true }).click();
  await page.getByRole('option', { name: 'House' }).click();
  await page.waitForURL(/type=house/);
  await grid.getByText('Told in words').first().waitFor({ state: 'hidden' });
  await page.getByRole('option', { name: 'Price' }).click();
  await page.waitForURL(/type=price(?:%2C|,)house/);
  await grid.getByText('Told in words').first().waitFor();
  await page.keyboard.press('Escape');
  await waitUntilQuiet(page);
  await savePicture(page, 'line-items-targeting');
  expect(await findBarriers(page)).toEqual([]);
  expect(session.problems).toEqual([]);
});
