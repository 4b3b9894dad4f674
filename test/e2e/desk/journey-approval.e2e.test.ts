/** A guaranteed booking that one admin makes, another approves, and the first activates, in a real browser against a whole server. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../../conformance/support/run-cli.ts';
import { openChromium } from '../support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn, waitUntilQuiet } from '../support/console-session.ts';
import { beginJourney } from '../support/journeys.ts';
import { openPlacard, type PlacardServer } from '../support/placard-server.ts';

const NAME = `Medlar week ${Date.now().toString(36)}`;

let placard: PlacardServer;
let browser: Browser;
let booker: ConsoleSession;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  booker = await openSession(browser, placard);
  await signIn(booker, placard.demo.account);
  await requireApproval(true);
});

afterAll(async () => {
  if (placard !== undefined) await requireApproval(false);
  await browser?.close();
  await placard?.close();
});

async function requireApproval(approvalRequired: boolean): Promise<void> {
  const response = await placard.graphql(
    'mutation ($input: UpdateNetworkInput!) { updateNetwork(input: $input) { approvalRequired } }',
    { input: { approvalRequired } },
  );
  expect(response.json()).toMatchObject({ data: { updateNetwork: { approvalRequired } } });
}

/** Another admin, who accepted an invitation. */
async function inviteAdmin(): Promise<ConsoleSession> {
  const { page } = booker;
  await booker.open('/settings/users');
  await page.getByRole('button', { name: 'Invite user' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill(`second-${Date.now().toString(36)}@example.com`);
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Admin' }).click();
  await dialog.getByRole('button', { name: 'Invite user' }).click();
  const command = await dialog.locator('pre').innerText();
  await page.getByRole('button', { name: 'Done' }).click();
  const { link } = await runCli<{ link: string }>(placard.dataDir, command.split(' ').slice(1));
  const other = await openSession(browser, placard);
  await other.page.goto(link);
  await other.page.getByLabel('Your name').fill('Sonia Second');
  await other.page.getByLabel('New password').fill('seven calm otters play');
  await other.page.getByRole('button', { name: 'Create account and accept' }).click();
  await other.page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  return other;
}

async function fillBooking(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Campaign', exact: true }).click();
  await page.getByRole('option').first().click();
  await page.getByRole('radio', { name: /Sponsorship/ }).check();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(NAME);
  await page.getByRole('textbox', { name: /^Price/ }).fill('24.00');
}

test('a booking that needs approval is asked for, approved by another admin on Today, and activated', async () => {
  const approver = await inviteAdmin();
  const { page } = booker;
  await booker.open('/desk/line-items/new');
  await fillBooking(page);
  await page.getByText('Another member has to approve this booking before it goes live.', { exact: false }).waitFor();
  await savePicture(page, 'journey-approval-booking');
  await page.getByRole('button', { name: 'Save and ask for approval' }).click();
  await page.getByRole('heading', { level: 2, name: NAME }).waitFor();
  const approval = page.getByRole('region', { name: 'Approval' });
  await approval.getByText(`${placard.demo.account.email} asked for approval.`, { exact: false }).waitFor();
  expect(await approval.getByRole('button').count()).toBe(0);

  // Who asked cannot approve, and Activate leads back to asking.
  await page.getByRole('button', { name: 'Activate', exact: true }).click();
  const refused = page.getByRole('dialog', { name: 'Activate 1 object?' });
  await refused.getByRole('button', { name: 'Ask for approval' }).waitFor();
  expect(await refused.getByRole('button', { name: 'Activate', exact: true }).isDisabled()).toBe(true);
  await savePicture(page, 'journey-approval-refused');
  await refused.getByRole('button', { name: 'Cancel' }).click();

  const journey = await beginJourney(approver.page, 'a booking is approved by another admin');
  await approver.open('/desk');
  const waiting = approver.page.getByRole('region', { name: 'Bookings that wait for approval' });
  await waiting.getByRole('link', { name: NAME }).waitFor();
  await savePicture(approver.page, 'journey-approval-today');
  await waiting.getByRole('button', { name: `Approve: ${NAME}` }).click();
  await approver.page.getByText(`${NAME} is approved.`, { exact: false }).waitFor();
  await journey.end();
  await expect.poll(() => waiting.getByRole('link', { name: NAME }).count()).toBe(0);

  await page.reload();
  await waitUntilQuiet(page);
  await approval.getByText('approved it', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Activate', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Activate', exact: true }).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).first().waitFor();
  expect([...booker.problems, ...approver.problems]).toEqual([]);
});
