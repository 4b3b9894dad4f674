/** Dashboards with widgets of the desk, in a real browser against a whole server. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../conformance/support/run-cli.ts';
import { findBarriers } from './support/barriers.ts';
import { openChromium } from './support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn, waitUntilQuiet } from './support/console-session.ts';
import { openPlacard, type PlacardServer } from './support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;
let session: ConsoleSession;
let lineItem: { id: string; name: string };

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  session = await openSession(browser, placard);
  await signIn(session, placard.demo.account);
  const response = await placard.graphql(
    '{ lineItems(filter: { statuses: [ACTIVE], types: [STANDARD] }, first: 1) { nodes { id name } } }',
  );
  const { data } = response.json<{ data: { lineItems: { nodes: { id: string; name: string }[] } } }>();
  lineItem = data.lineItems.nodes[0] ?? { id: '', name: '' };
});

afterAll(async () => {
  await browser.close();
  await placard.close();
});

/** The titles of the widgets, in their order. */
const titles = (page: Page): Promise<string[]> => page.locator('[data-widget] h2').allInnerTexts();

const widget = (page: Page, name: string): Locator => page.locator(`[data-widget][aria-label="${name}"]`);

/** Scrolls all widgets into sight, so that each loads. */
async function lookAtAll(page: Page): Promise<void> {
  for (const one of await page.locator('[data-widget]').all()) {
    await one.scrollIntoViewIfNeeded();
    await one.locator('[data-waiting]').waitFor({ state: 'detached' });
  }
  await waitUntilQuiet(page);
  await page.evaluate(() => window.scrollTo(0, 0));
}

async function addWidget(page: Page, kind: string, choose: (dialog: Locator) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Add widget' }).click();
  await page.getByRole('menuitem', { name: kind }).click();
  const dialog = page.getByRole('dialog');
  await choose(dialog);
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add widget' }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function chooseObject(page: Page, dialog: Locator, label: string, name: string): Promise<void> {
  await dialog.getByRole('combobox', { name: label }).fill(name);
  await page.getByRole('option', { name }).first().click();
}

/** Of the window. */
const HEIGHT_PX = 800;

/** The middle of a handle of a widget, in sight. */
async function handleOf(page: Page, name: string, kind: 'move' | 'resize'): Promise<{ x: number; y: number }> {
  const handle = widget(page, name).locator(`[data-drag="${kind}"]`);
  await handle.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await handle.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}

/** Drags the first widget to the position of the second and back, and pulls the first to the whole page and back. */
async function dragByHandle(page: Page, order: readonly string[]): Promise<void> {
  const [first = '', second = '', ...others] = order;
  const dragTo = async (from: string, to: string): Promise<void> => {
    const start = await handleOf(page, from, 'move');
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    // To the middle: at the edges, the page scrolls under the pointer.
    await page.mouse.move(start.x, HEIGHT_PX / 2);
    await widget(page, to).evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const over = (await widget(page, to).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(over.x + over.width / 2, Math.max(over.y + 30, HEIGHT_PX / 4), { steps: 4 });
  };
  await dragTo(first, second);
  await savePicture(page, 'dashboards-drag-light');
  await page.mouse.up();
  expect(await titles(page)).toEqual([second, first, ...others]);
  await page.getByText(`${first}: position 2 of ${order.length}.`).waitFor({ state: 'attached' });
  await dragTo(first, second);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  expect(await titles(page)).toEqual([second, first, ...others]);
  await dragTo(first, second);
  await page.mouse.up();
  expect(await titles(page)).toEqual(order);
  const pull = async (name: string, byPx: number): Promise<number> => {
    const start = await handleOf(page, name, 'resize');
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(start.x + byPx, start.y, { steps: 4 });
    await page.mouse.up();
    return (await widget(page, name).boundingBox())?.width ?? 0;
  };
  const initialPx = (await widget(page, second).boundingBox())?.width ?? 0;
  const isHalf = (await page.getByRole('button', { name: `Make ${second} as wide as the page` }).count()) === 1;
  expect(isHalf).toBe(true);
  const column = (await widget(page, second).boundingBox())?.x ?? 0;
  const left = (await widget(page, first).boundingBox())?.x ?? 0;
  expect(await pull(second, column > left + 50 ? -90 : 90)).toBeGreaterThan(1.8 * initialPx);
  await page.getByText(`${second}: Full width.`).waitFor({ state: 'attached' });
  expect(await pull(second, -90)).toBeLessThan(1.2 * initialPx);
}

test('a dashboard of all kinds of widgets is made, moved by keyboard, saved and read again', async () => {
  const { page } = session;
  await session.open('/lens?m=revenue,impressions&r=last_30_days');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Revenue of the month');
  await page.getByRole('dialog').getByRole('switch').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await session.open('/dashboards');
  await page.getByRole('button', { name: 'New dashboard' }).click();
  await page.getByLabel('Name').fill('Our morning');
  await addWidget(page, 'The day so far', async () => {});
  await addWidget(page, 'Needs you', async () => {});
  await addWidget(page, 'Line items', async (dialog) => {
    await dialog.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Delivering', exact: true }).click();
    await dialog.getByLabel('Title').fill('Delivering now');
  });
  await addWidget(page, 'Delivered and planned', (dialog) => chooseObject(page, dialog, 'Line item', lineItem.name));
  await addWidget(page, 'Saved view of the Lens', (dialog) =>
    chooseObject(page, dialog, 'Saved view', 'Revenue of the month'),
  );
  await addWidget(page, 'Delivered and planned', async (dialog) => {
    await dialog.getByText('A campaign', { exact: true }).click();
    await chooseObject(page, dialog, 'Campaign', 'winter night trains');
    await dialog.getByLabel('Title').fill('The campaign');
  });
  const made = [
    'The day so far',
    'Needs you',
    'Delivering now',
    'Delivered and planned',
    'Revenue of the month',
    'The campaign',
  ];
  expect(await titles(page)).toEqual(made);

  const later = page.getByRole('button', { name: 'Move Delivering now later' });
  await later.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  const [day = '', needs = '', table = '', delivery = '', revenue = '', campaign = ''] = made;
  const moved = [day, needs, delivery, revenue, table, campaign];
  expect(await titles(page)).toEqual(moved);
  expect(await later.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.getByText('Delivering now: position 5 of 6.').waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  const earlier = page.getByRole('button', { name: 'Move Delivering now earlier' });
  expect(await earlier.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  expect(await titles(page)).toEqual(moved);
  await page.getByRole('button', { name: 'Make Revenue of the month as wide as the page' }).click();
  // A widget that loads while another one is dragged moves what is below it.
  await lookAtAll(page);
  await dragByHandle(page, moved);
  await lookAtAll(page);
  expect(await findBarriers(page)).toEqual([]);
  await savePicture(page, 'dashboards-edit-light', true);
  await page.getByRole('switch', { name: 'Everyone in this network may see it' }).check();
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
  await leaving.getByRole('button', { name: 'Cancel' }).click();
  expect(await titles(page)).toEqual(moved);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();

  await page.reload();
  await waitUntilQuiet(page);
  expect(await titles(page)).toEqual(moved);
  await lookAtAll(page);
  await widget(page, day)
    .getByText(/^[A-Z][a-z]+day: /)
    .first()
    .waitFor();
  await widget(page, needs).getByRole('listitem').first().waitFor();
  const rows = widget(page, table).getByRole('grid', { name: table }).getByRole('row');
  expect(await rows.count()).toBeGreaterThan(3);
  expect(await rows.count()).toBeLessThanOrEqual(11);
  await widget(page, table).getByRole('columnheader', { name: 'Why' }).waitFor();
  await widget(page, delivery).getByRole('link', { name: lineItem.name }).waitFor();
  await widget(page, delivery).locator('svg').first().waitFor();
  await widget(page, revenue).locator('svg').first().waitFor();
  await widget(page, campaign)
    .getByText(/Adds up \d+ of \d+ line items/)
    .waitFor();
  const widthOf = async (name: string): Promise<number> => (await widget(page, name).boundingBox())?.width ?? 0;
  expect(await widthOf(revenue)).toBeGreaterThan(1.8 * (await widthOf(needs)));
  expect(await findBarriers(page)).toEqual([]);
  await savePicture(page, 'dashboards-light', true);

  await widget(page, table)
    .getByRole('link', { name: /The whole table/ })
    .click();
  await page.getByRole('grid', { name: 'Line items' }).waitFor();
  expect(new URL(page.url()).searchParams.get('tab')).toBe('delivering');
  await page.goBack();
  await lookAtAll(page);
  expect(session.problems).toEqual([]);
});

test('a widget that fails says so in its frame, and is read again on request', async () => {
  const { page } = session;
  let fails = true;
  await page.route('**/graphql', async (route) => {
    const isWatched = route.request().postData()?.includes('query DeskWatched') === true;
    await (fails && isWatched ? route.fulfill({ status: 500, json: { error: 'internal_error' } }) : route.continue());
  });
  await page.route('**/assets/line-items-widget*.js', (route) => (fails ? route.abort() : route.continue()));
  await session.open('/dashboards');
  await lookAtAll(page);
  const failed = widget(page, 'Needs you');
  await failed.getByRole('alert').getByText('The server failed at this.', { exact: false }).waitFor();
  await widget(page, 'Delivering now').getByRole('alert').waitFor();
  await widget(page, 'The day so far')
    .getByText(/^[A-Z][a-z]+day: /)
    .first()
    .waitFor();
  expect(await page.getByRole('alert').count()).toBe(2);
  await savePicture(page, 'dashboards-failed');
  fails = false;
  await failed.getByRole('button', { name: 'Try again' }).click();
  await failed.getByRole('listitem').first().waitFor();
  await widget(page, 'Delivering now').getByRole('button', { name: 'Try again' }).click();
  await widget(page, 'Delivering now').getByRole('grid').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.unrouteAll();
});

test('a dashboard on a phone in the dark has one column, and scrolls in no second direction', async () => {
  const phone = await openSession(browser, placard, { width: 360, height: 740, colorScheme: 'dark' });
  await signIn(phone, placard.demo.account);
  await phone.open('/dashboards');
  const { page } = phone;
  for (const mode of ['seen', 'edited']) {
    if (mode === 'edited') await page.getByRole('button', { name: 'Edit' }).click();
    await lookAtAll(page);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect([mode, overflow]).toEqual([mode, 0]);
    expect([mode, await findBarriers(page)]).toEqual([mode, []]);
    await savePicture(page, `dashboards-phone-${mode}`);
    await widget(page, 'Delivering now').scrollIntoViewIfNeeded();
    await savePicture(page, `dashboards-phone-${mode}-table`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await lookAtAll(page);
  expect(await findBarriers(page)).toEqual([]);
  await savePicture(page, 'dashboards-dark', true);
  expect(phone.problems).toEqual([]);
  await phone.close();
});

test('a member with read-only access sees the same dashboard without controls, and is told of a kind that is not known', async () => {
  const admin = await openSession(browser, placard);
  await signIn(admin, placard.demo.account);
  await admin.open('/settings/users');
  const dialog = admin.page.getByRole('dialog');
  await admin.page.getByRole('button', { name: 'Invite user' }).click();
  await dialog.getByLabel('E-mail address').fill(`viewer-${Date.now().toString(36)}@example.com`);
  await dialog.getByRole('button', { name: 'Invite user' }).click();
  const command = await dialog.locator('pre').innerText();
  const { link } = await runCli<{ link: string }>(placard.dataDir, command.split(' ').slice(1));
  await admin.close();

  const viewer = await openSession(browser, placard);
  const { page } = viewer;
  await page.goto(link);
  await page.getByLabel('Your name').fill('Dora Viewer');
  await page.getByLabel('New password').fill('seven calm otters play');
  await page.getByRole('button', { name: 'Create account and accept' }).click();
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  await page.route('**/console-api/views', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { views: { kind: string; body: { widgets?: object[] } }[] };
    const clock = { id: 'clock', kind: 'clock', width: 'half', title: '', options: { zone: 'UTC' } };
    for (const { body: contents } of body.views) contents.widgets?.push(clock);
    await route.fulfill({ response, json: body });
  });
  await viewer.open('/dashboards');
  await lookAtAll(page);
  expect(await titles(page)).toEqual([
    'The day so far',
    'Needs you',
    'Delivered and planned',
    'Revenue of the month',
    'Delivering now',
    'The campaign',
    'clock',
  ]);
  await widget(page, 'clock')
    .getByText(/does not know widgets of the kind/)
    .waitFor();
  await widget(page, 'Delivering now').getByRole('grid').waitFor();
  await widget(page, 'Needs you').getByRole('listitem').first().waitFor();
  expect(await page.getByRole('button', { name: /^Edit|^Delete|Approve|Extend|Resume|Move / }).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
  expect(viewer.problems).toEqual([]);
  await viewer.close();
});
