/** Booking a line item as ad operations do, in a real browser against a whole server. */
import type { Browser, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { findBarriers } from '../support/barriers.ts';
import { openChromium } from '../support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn, waitUntilQuiet } from '../support/console-session.ts';
import { openPlacard, type PlacardServer } from '../support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;
/** Drafts are stored in the browser: each test has one of its own. */
let session: ConsoleSession;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
});

beforeEach(async () => {
  session = await openSession(browser, placard);
  await signIn(session, placard.demo.account);
  session.page.setDefaultTimeout(100_000);
});

afterEach(() => session.close());

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

/** The most keys that a booking takes: 20 seconds at five keys a second. */
const KEYS_MAX = 100;

test('a professional books a new campaign by keyboard alone, with few keys', async () => {
  const { page } = session;
  let keys = 0;
  const press = async (key: string): Promise<void> => {
    keys += 1;
    await page.keyboard.press(key);
  };
  const type = async (text: string): Promise<void> => {
    keys += text.length;
    await page.keyboard.type(text);
  };
  /** The accessible name of the focused element. */
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const at = document.activeElement;
      if (!(at instanceof HTMLElement)) return '';
      const labels = at instanceof HTMLInputElement ? [...(at.labels ?? [])].map(({ textContent }) => textContent) : [];
      return at.ariaLabel ?? (labels.length > 0 ? labels.join(' ') : at.textContent);
    });
  const tabTo = async (name: RegExp): Promise<void> => {
    while (!name.test(await focused())) {
      if (keys >= KEYS_MAX) throw new Error(`No way to ${name}: the focus is at "${await focused()}"`);
      await press('Tab');
    }
  };
  await session.open('/desk/line-items');
  await press('b');
  await page.getByRole('heading', { level: 1, name: 'New line item' }).waitFor();
  await tabTo(/^Campaign/);
  await type('Quince week');
  await page.getByRole('option', { name: /Make the campaign/ }).waitFor();
  await press('ArrowDown');
  await press('Enter');
  await page.getByRole('combobox', { name: 'Advertiser of the new campaign' }).waitFor();
  await tabTo(/^Advertiser of the new campaign/);
  await type('Nordlicht');
  await page.getByRole('option').first().waitFor();
  await press('ArrowDown');
  await press('Enter');
  await tabTo(/^Goal/);
  await type('50000');
  await tabTo(/^Price/);
  await type('12.40');
  await press('Control+Enter');
  await page.getByRole('heading', { level: 2, name: 'Quince week' }).waitFor();
  expect(keys).toBeLessThanOrEqual(KEYS_MAX);
  console.log(`A booking by keyboard alone: ${keys} keys`);
  expect(session.problems).toEqual([]);
});

test('a new campaign and its line item are booked by keyboard, with a forecast beside them', async () => {
  const { page } = session;
  await session.open('/desk/line-items');
  await waitUntilQuiet(page);
  await page.keyboard.press('b');
  await page.getByRole('heading', { level: 1, name: 'New line item' }).waitFor();
  await page.getByRole('combobox', { name: 'Campaign', exact: true }).focus();
  await page.keyboard.type('Spring in the garden');
  await page.getByRole('option', { name: /Make the campaign/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Advertiser of the new campaign' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('radio', { name: /Guaranteed/ }).focus();
  await page.getByRole('textbox', { name: 'Goal', exact: true }).focus();
  await page.keyboard.type('100000');
  await page.getByRole('textbox', { name: /^Price/ }).focus();
  await page.keyboard.type('18.50');
  await page.getByText('PLN 1,850.00', { exact: false }).waitFor();
  await page.getByRole('gridcell', { name: 'Monday, 0:00' }).focus();
  await page.keyboard.press(' ');
  for (let hour = 1; hour < 6; hour += 1) await page.keyboard.press('Shift+ArrowRight');
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByRole('combobox', { name: 'Condition 1' }).click();
  const country = page.getByRole('option', { name: 'Country' });
  await country.click();
  // On a busy machine, a list that closes later would take the focus back.
  await country.waitFor({ state: 'hidden' });
  await page.getByRole('combobox', { name: 'Values' }).fill('Poland');
  await page.getByRole('option', { name: 'Poland (PL)' }).click();
  await page.getByText('It runs where country is one of Poland (PL).').waitFor();
  await page.keyboard.press('Escape');
  await page
    .getByText(/^Likely: |requests were sampled/)
    .first()
    .waitFor();
  await waitUntilQuiet(page);
  await savePicture(page, 'booking-light');
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Name' }).focus();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { level: 2, name: 'Spring in the garden' }).waitFor();
  const { lineItems } = await graphql<{ lineItems: { nodes: object[] } }>(
    `{ lineItems(filter: { search: "Spring in the garden" }) { nodes {
        name status type price goal { amount kind period } campaign { name status }
        dayParts { days startMinute endMinute } targeting { all { test { dimension operator values } } } } } }`,
  );
  expect(lineItems.nodes).toEqual([
    {
      name: 'Spring in the garden',
      status: 'ACTIVE',
      type: 'STANDARD',
      price: expect.stringMatching(/^18\.50*$/) as string,
      goal: { amount: 100_000, kind: 'IMPRESSIONS', period: 'LIFETIME' },
      campaign: { name: 'Spring in the garden', status: 'ACTIVE' },
      dayParts: [
        { days: [1], startMinute: 360, endMinute: 1_440 },
        { days: [2, 3, 4, 5, 6, 7], startMinute: 0, endMinute: 1_440 },
      ],
      targeting: { all: [{ test: { dimension: 'COUNTRY', operator: 'IS', values: ['PL'] } }] },
    },
  ]);
  expect(session.problems).toEqual([]);
});

/** A forecast as the server responds with it. */
const forecastOf = (precision: 'ROUGH' | 'FULL', impressions: number) => ({
  precision,
  opportunities: 90_000,
  matched: 80_000,
  available: 70_000,
  possible: impressions,
  possibleLow: impressions / 2,
  possibleHigh: impressions * 2,
  likelyLow: impressions * 0.75,
  likelyHigh: impressions * 1.5,
  revenue: '7.50',
  displacedRevenue: '2.25',
  displacedHeaderBidRevenue: '0.25',
  displaced: [{ lineItemId: '1', name: 'Displaced line item', impressions: 400, goalUnits: null, revenue: '2.00' }],
  impressions,
  sampleSize: 15_000,
  sampledHours: 336,
  notes: [],
  remarks: [],
  contending: [],
});

test('a rough forecast comes first and is marked as such; the full one begins once the input rests, and is given up when it changes', async () => {
  const { page } = session;
  const asked: string[] = [];
  const held: Route[] = [];
  let isAllReplayed = false;
  const respond = (route: Route, forecast: object) => route.fulfill({ json: { data: { forecast } } });
  await page.route(/\/graphql$/, async (route) => {
    const { query, variables } = route.request().postDataJSON() as { query: string; variables: { precision: string } };
    if (!query.includes('BookingForecast')) return route.fallback();
    asked.push(variables.precision);
    if (isAllReplayed) return respond(route, forecastOf('FULL', 3_000));
    if (variables.precision === 'ROUGH') return respond(route, forecastOf('ROUGH', 1_000));
    held.push(route);
  });
  const rough = page.getByText('A rough forecast from a part of the sample. The exact one follows.');
  await page.goto(`${placard.coreUrl}/desk/line-items/new`);
  const price = page.getByRole('textbox', { name: /^Price/ });
  await price.fill('7.50');
  await rough.waitFor();
  await page.getByText('Likely: 1,000 impressions').waitFor();
  await expect.poll(() => held.length).toBeGreaterThan(0);
  const [outdated] = held.splice(0);
  const before = asked.length;
  await price.fill('8.50');
  // The outdated one is given up.
  await expect.poll(() => outdated?.request().failure()?.errorText ?? '').toMatch(/abort/i);
  await expect.poll(() => held.length).toBe(1);
  expect(asked.slice(before)).toEqual(['ROUGH', 'FULL']);
  const [full] = held.splice(0);
  if (full !== undefined) await respond(full, forecastOf('FULL', 2_000));
  await page.getByText('Likely: 2,000 impressions').waitFor();
  // What the booking takes from others, in money.
  await page.getByText(/takes .*2\.25 from others/).waitFor();
  await page.getByText('Displaced line item').waitFor();
  expect(await rough.count()).toBe(0);
  isAllReplayed = true;
  const asking = asked.length;
  await price.fill('9.50');
  await page.getByText('Likely: 3,000 impressions').waitFor();
  await waitUntilQuiet(page);
  expect(asked.slice(asking), 'a forecast that leaves nothing out is asked once').toEqual(['ROUGH']);
});

test('an incomplete booking shows all faults at their fields, keeps its draft over a reload, and books nothing', async () => {
  const { page } = session;
  const countOf = async (): Promise<number> =>
    (await graphql<{ lineItems: { totalCount: number } }>('{ lineItems { totalCount } }')).lineItems.totalCount;
  const before = await countOf();
  await session.open('/desk/line-items/new');
  await page.getByRole('textbox', { name: /^Price/ }).fill('2');
  await page.getByRole('textbox', { name: 'Priority level' }).fill('99');
  await page.getByRole('textbox', { name: 'Ends' }).fill('2020-01-01T00:00');
  await waitUntilQuiet(page);
  await page.getByRole('button', { name: 'Activate' }).click();
  await page.getByText('Choose a campaign, or type the name of a new one.').waitFor();
  await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBeGreaterThanOrEqual(5);
  await savePicture(page, 'booking-faults');
  expect(await findBarriers(page)).toEqual([]);
  await page.reload();
  await page.getByText(/This is the draft that you left/).waitFor();
  expect(await page.getByRole('textbox', { name: /^Price/ }).inputValue()).toBe('2');
  await page.getByRole('button', { name: 'Start again' }).click();
  // The terms of the last booking stay: only the name is taken back.
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('');
  expect(await countOf()).toBe(before);
});

test('the page of a campaign leads to a booking in this campaign', async () => {
  const { page } = session;
  const { campaigns } = await graphql<{ campaigns: { nodes: { id: string; name: string }[] } }>(
    '{ campaigns(filter: { statuses: [ACTIVE] }, first: 1) { nodes { id name } } }',
  );
  const [campaign] = campaigns.nodes;
  await session.open(`/desk/campaigns/${campaign?.id}`);
  await page.getByRole('link', { name: 'New line item' }).click();
  const field = page.getByRole('combobox', { name: 'Campaign', exact: true });
  await expect.poll(() => field.inputValue()).toBe(campaign?.name);
  await page.getByRole('radio', { name: /House/ }).check();
  await page.getByRole('textbox', { name: 'Name' }).fill('Fills the rest');
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await page.getByRole('heading', { level: 2, name: 'Fills the rest' }).waitFor();
  const { lineItems } = await graphql<{ lineItems: { nodes: object[] } }>(
    '{ lineItems(filter: { search: "Fills the rest" }) { nodes { type status campaign { id } } } }',
  );
  expect(lineItems.nodes).toEqual([{ type: 'HOUSE', status: 'DRAFT', campaign: { id: campaign?.id } }]);
});

test('the page works on a phone in the dark', async () => {
  const phone = await openSession(browser, placard, { width: 360, height: 740, colorScheme: 'dark' });
  await signIn(phone, placard.demo.account);
  await phone.open('/desk/line-items/new');
  await waitUntilQuiet(phone.page);
  const overflow = await phone.page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
  expect(await findBarriers(phone.page)).toEqual([]);
  await savePicture(phone.page, 'booking-phone');
  expect(phone.problems).toEqual([]);
  await phone.close();
});
