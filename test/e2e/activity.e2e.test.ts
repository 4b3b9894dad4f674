/** The page of activity: who did what, for admins and for members who may read less. */
import { runCli } from '../conformance/support/run-cli.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBarriers } from './support/barriers.ts';
import { openChromium } from './support/chromium.ts';
import { openSession, savePicture, signIn, waitUntilQuiet } from './support/console-session.ts';
import { openPlacard, type PlacardServer } from './support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  const found = await placard.graphql('{ lineItems(first: 1) { nodes { id } } }');
  const [item] = found.json<{ data: { lineItems: { nodes: { id: string }[] } } }>().data.lineItems.nodes;
  const changed = await placard.graphql(
    'mutation ($id: ID!) { updateLineItem(id: $id, input: {name: "Autumn, renamed"}) { lineItem { id } userErrors { message } } }',
    { id: item?.id },
  );
  expect(changed.text).not.toContain('"errors"');
});

afterAll(async () => {
  await browser?.close();
  await placard?.close();
});

test('an admin sees who did what, filters it, and follows it to the object by keyboard', async () => {
  const session = await openSession(browser, placard);
  const { page } = session;
  await signIn(session, placard.demo.account);
  await session.open('/lens');
  await page.keyboard.press('g');
  await page.keyboard.press('y');
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
  await page.getByText('API key “Demo admin”').first().waitFor();
  await page.getByRole('combobox', { name: 'Kind of object' }).click();
  await page.getByRole('option', { name: 'Line item', exact: true }).click();
  await page.waitForURL(/kind=lineItem/);
  await waitUntilQuiet(page);
  await savePicture(page, 'activity-light');
  const link = page.getByRole('link', { name: 'Autumn, renamed' }).first();
  await link.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/desk\/line-items\/\d+/);
  expect(session.problems).toEqual([]);
  await session.close();
});

test('the page is without barriers in the dark, and fits a phone', async () => {
  const session = await openSession(browser, placard, { colorScheme: 'dark' });
  const { page } = session;
  await signIn(session, placard.demo.account);
  await session.open('/desk/activity');
  expect(await findBarriers(page)).toEqual([]);
  await savePicture(page, 'activity-dark');
  await page.setViewportSize({ width: 360, height: 740 });
  await waitUntilQuiet(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await savePicture(page, 'activity-phone');
  await session.close();
});

test('a browser in Polish gets the texts of the first page in Polish', async () => {
  const session = await openSession(browser, placard, { locale: 'pl-PL' });
  const { page } = session;
  await session.open('/sign-in');
  await page.getByLabel('Adres e-mail').fill(placard.demo.account.email);
  await page.locator('input[type="password"]').fill(placard.demo.account.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname }) => /^\/(lens|desk)/.test(pathname));
  await session.open('/desk/activity');
  await page.getByText('Kto co zrobił w tej sieci, od najnowszych.').waitFor();
  await page.getByText('Klucz API „Demo admin”').first().waitFor();
  expect(session.problems).toEqual([]);
  await session.close();
});

test('a viewer sees changes of the desk, and nothing that only the audit log has', async () => {
  const admin = await openSession(browser, placard);
  const email = `viewer-${Date.now().toString(36)}@example.com`;
  await signIn(admin, placard.demo.account);
  await admin.open('/settings/users');
  const dialog = admin.page.getByRole('dialog');
  await admin.page.getByRole('button', { name: 'Invite user' }).click();
  await dialog.getByLabel('E-mail address').fill(email);
  await dialog.getByRole('button', { name: 'Invite user' }).click();
  const command = await dialog.locator('pre').innerText();
  const { link } = await runCli<{ link: string }>(placard.dataDir, command.split(' ').slice(1));
  await admin.open('/desk/activity');
  await admin.page
    .getByText(/^Invitation: created/)
    .first()
    .waitFor();
  const { data: found } = (
    await placard.graphql('{ lineItems(first: 1, filter: { statuses: [ACTIVE] }) { nodes { id name } } }')
  ).json<{ data: { lineItems: { nodes: { id: string; name: string }[] } } }>();
  const [lineItem] = found.lineItems.nodes;
  const commented = await admin.context.request.post(`${admin.origin}/graphql`, {
    headers: { origin: admin.origin, 'x-placard-network': placard.demo.networkId },
    data: {
      query:
        'mutation ($id: ID!) { addComment(objectKind: LINE_ITEM, objectId: $id, body: "They pay late.") { comment { id } } }',
      variables: { id: lineItem?.id },
    },
  });
  expect(await commented.json()).toMatchObject({ data: { addComment: { comment: {} } } });
  await admin.close();

  const viewer = await openSession(browser, placard);
  const { page } = viewer;
  await page.goto(link);
  await page.getByLabel('Your name').fill('Vera Viewer');
  await page.getByLabel('New password').fill('seven calm otters play');
  await page.getByRole('button', { name: 'Create account and accept' }).click();
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  await viewer.open('/desk/activity');
  await page.getByRole('link', { name: 'Autumn, renamed' }).first().waitFor();
  expect(await page.getByText(/^Invitation: created/).count()).toBe(0);
  const said = page
    .getByRole('listitem')
    .filter({ hasText: /Comment: / })
    .first();
  await said.getByRole('link', { name: lineItem?.name ?? '' }).waitFor();
  await savePicture(page, 'activity-viewer');
  await page.getByRole('combobox', { name: 'Person or program' }).click();
  await page.getByRole('option', { name: 'Vera Viewer' }).click();
  await page.getByText('Nothing matches these filters.').waitFor();
  for (const path of ['/desk/campaigns', '/desk/line-items', '/desk/deals']) {
    await viewer.open(path);
    await page.getByRole('row').nth(1).waitFor();
    expect([path, await page.locator('.desk-editable').count()]).toEqual([path, 0]);
    await page.getByRole('row').nth(1).focus();
    await page.keyboard.press('e');
    expect([path, await page.locator('.desk-cell-input').count()]).toEqual([path, 0]);
  }
  expect(viewer.problems).toEqual([]);
  await viewer.close();
});
