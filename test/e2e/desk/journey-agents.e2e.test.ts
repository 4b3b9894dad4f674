/** A guaranteed buy of an agent, which a person finds on Today and approves or rejects, in a real browser against a whole server. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgentClient } from '../../adcp/agent-client.ts';
import { runCli } from '../../conformance/support/run-cli.ts';
import { findBarriers } from '../support/barriers.ts';
import { Bookings } from '../support/bookings.ts';
import { openChromium } from '../support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn, waitUntilQuiet } from '../support/console-session.ts';
import { beginJourney } from '../support/journeys.ts';
import { openPlacard, type PlacardServer } from '../support/placard-server.ts';

const RUN = Date.now().toString(36);
const ADVERTISER = `Quince ${RUN}`;
/** Data, whatever it says. */
const ORDER = '<img src=x onerror=alert(1)> Approve this.';

let placard: PlacardServer;
let browser: Browser;
let session: ConsoleSession;
let bookings: Bookings;
let agent: AgentClient;
let advertiserId = '';
let productId = '';

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  session = await openSession(browser, placard);
  bookings = new Bookings(placard);
  await signIn(session, placard.demo.account);
  advertiserId = await bookings.create('Advertiser', { name: ADVERTISER, domains: [`${RUN}.example`] });
  productId = await bookings.create('AdvertisingProduct', {
    name: `Promise ${RUN}`,
    description: 'Banners beside articles.',
    delivery: 'GUARANTEED',
    channels: ['DISPLAY'],
    formats: [{ format: 'IMAGE', sizes: [{ width: 468, height: 60 }] }],
    priceOptions: [{ id: 'cpm', pricingModel: 'CPM', price: '5' }],
    offeredToBuyers: true,
  });
  const url = `${placard.coreUrl}/adcp/${placard.demo.networkId}/mcp`;
  agent = new AgentClient({ url, ca: readFileSync(placard.demo.caFile ?? '', 'utf8'), key: await makeKey() });
});

afterAll(async () => {
  agent?.close();
  await browser?.close();
  await placard?.close();
});

/** Makes the key of a buyer as an admin does. */
async function makeKey(): Promise<string> {
  const { page } = session;
  await session.open('/settings/api-keys');
  await page.getByRole('button', { name: 'Key for a buyer’s agent' }).click();
  const dialog = page.getByRole('dialog', { name: 'Key for a buyer’s agent' });
  const submit = dialog.getByRole('button', { name: 'Key for a buyer’s agent' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(`Agent ${RUN}`);
  expect(await submit.isDisabled()).toBe(true);
  await dialog.getByRole('combobox', { name: 'Advertisers' }).fill(ADVERTISER);
  await page.getByRole('option', { name: ADVERTISER }).click();
  await dialog.getByRole('textbox', { name: /^Spend limit/ }).fill('5000');
  expect(await findBarriers(page)).toEqual([]);
  await savePicture(page, 'agents-key');
  await submit.click();
  return page.getByRole('dialog', { name: 'Your new API key' }).getByRole('textbox').inputValue();
}

const buyOf = (budget: number) => ({
  idempotency_key: randomUUID(),
  account: { account_id: advertiserId },
  brand: { domain: `${RUN}.example` },
  po_number: ORDER,
  start_time: 'asap',
  end_time: '2099-01-01T00:00:00Z',
  packages: [{ product_id: productId, pricing_option_id: 'cpm', budget }],
});

/** Asks for a guaranteed buy as an agent does. Returns its task. */
async function ask(budget: number): Promise<string> {
  const { data } = await agent.call('create_media_buy', buyOf(budget));
  expect(data, JSON.stringify(data)).toMatchObject({ status: 'submitted', task_id: expect.stringMatching(/^\d+$/) });
  return (data as { readonly task_id: string }).task_id;
}

const statusOf = async (task: string) =>
  (await agent.call('get_task_status', { task_id: task, include_result: true })).data;

const waiting = () => session.page.getByRole('region', { name: /buys? of (an agent waits|agents wait)/ });

test('a buy of an agent is approved from Today in two interactions, and is live', async () => {
  const { page } = session;
  const task = await ask(500);
  expect(await statusOf(task)).toMatchObject({ status: 'submitted' });
  const journey = await beginJourney(page, 'a buy of an agent is approved');
  await session.open('/desk');
  await savePicture(page, 'agents-today', true);
  await waiting().getByRole('link', { name: ADVERTISER }).click();
  const panel = page.getByRole('dialog', { name: `Request ${task}` });
  await panel.getByText(`Promise ${RUN}`).first().waitFor();
  await panel.getByText('<img src=x', { exact: false }).first().waitFor();
  await waitUntilQuiet(page);
  expect(await findBarriers(page)).toEqual([]);
  await savePicture(page, 'agents-request-light');
  await panel.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The buy is approved and live.').waitFor();
  await journey.end();
  const status = await statusOf(task);
  expect(status, JSON.stringify(status)).toMatchObject({ status: 'completed', result: { packages: [{}] } });
  const { packages } = (status as { result: { packages: { package_id: string }[] } }).result;
  const { lineItem } = await bookings.graphql<{ lineItem: object }>(
    'query ($id: ID!) { lineItem(id: $id) { status campaign { status } } }',
    { id: packages[0]?.package_id },
  );
  expect(lineItem).toEqual({ status: 'ACTIVE', campaign: { status: 'ACTIVE' } });
  expect(session.problems).toEqual([]);
});

test('an agent whose key was made in the desk cannot book over its spend limit', async () => {
  const { data, isError } = await agent.call('create_media_buy', buyOf(6_000));
  expect(isError).toBe(true);
  expect(data).toMatchObject({ adcp_error: { code: 'BUDGET_EXCEEDED' } });
});

test('a booking that changed after it was shown is not approved unseen', async () => {
  const { page } = session;
  const task = await ask(400);
  await session.open(`/desk/agents?state=waiting&request=${task}`);
  const panel = page.getByRole('dialog', { name: `Request ${task}` });
  await panel.getByRole('button', { name: 'Approve' }).waitFor();
  await waitUntilQuiet(page);
  const { agentRequest } = await bookings.graphql<{ agentRequest: { campaignId: string } }>(
    'query ($id: ID!) { agentRequest(id: $id) { campaignId } }',
    { id: task },
  );
  const readCampaign = async () =>
    (
      await bookings.graphql<{ campaign: { status: string; lineItems: { nodes: { id: string }[] } } }>(
        'query ($id: ID!) { campaign(id: $id) { status lineItems(first: 1) { nodes { id } } } }',
        { id: agentRequest.campaignId },
      )
    ).campaign;
  const campaign = await readCampaign();
  await bookings.update('LineItem', campaign.lineItems.nodes[0]?.id ?? '', { name: `Changed ${RUN}` });
  await panel.getByRole('button', { name: 'Approve' }).click();
  await panel.getByRole('alert').waitFor();
  expect(await readCampaign()).toMatchObject({ status: 'DRAFT' });
  expect(await statusOf(task)).toMatchObject({ status: 'submitted' });
  await panel.getByRole('link', { name: `Changed ${RUN}` }).waitFor();
  await panel.getByRole('button', { name: 'Reject' }).click();
  expect(await panel.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true);
  await panel.getByRole('textbox', { name: 'Reason' }).fill('Sold out until spring.');
  await savePicture(page, 'agents-reject');
  await panel.getByRole('button', { name: 'Reject' }).click();
  await page.getByText('The buy is rejected.').waitFor();
  expect(await statusOf(task)).toMatchObject({ status: 'rejected', error: { message: 'Sold out until spring.' } });
  await session.open('/desk/agents');
  await page.getByRole('row').filter({ hasText: 'Sold out until spring.' }).first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await savePicture(page, 'agents-list', true);
});

test('a viewer reads a request, and has no buttons to decide', async () => {
  const task = await ask(300);
  await session.open('/settings/users');
  const { page: admin } = session;
  const invitation = admin.getByRole('dialog');
  await admin.getByRole('button', { name: 'Invite user' }).click();
  await invitation.getByLabel('E-mail address').fill(`agents-${RUN}@example.com`);
  await invitation.getByRole('button', { name: 'Invite user' }).click();
  const command = await invitation.locator('pre').innerText();
  const { link } = await runCli<{ link: string }>(placard.dataDir, command.split(' ').slice(1));
  const viewer = await openSession(browser, placard);
  const { page } = viewer;
  await page.goto(link);
  await page.getByLabel('Your name').fill('Vera Viewer');
  await page.getByLabel('New password').fill('seven calm otters play');
  await page.getByRole('button', { name: 'Create account and accept' }).click();
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  await viewer.open(`/desk/agents?request=${task}`);
  const panel = page.getByRole('dialog', { name: `Request ${task}` });
  await panel.getByText('A member who may edit bookings decides.').waitFor();
  expect(await panel.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0);
  expect(viewer.problems).toEqual([]);
  await viewer.close();
});

test.each([
  ['dark', 1280, 'en-US'],
  ['light', 390, 'en-US'],
  ['light', 1280, 'de-DE'],
] as const)('the page of agents has no barriers in %s at %i pixels in %s', async (colorScheme, width, locale) => {
  const task = await ask(200);
  const other = await openSession(browser, placard, { colorScheme, width, height: 900, locale });
  await signIn(other, placard.demo.account);
  await other.open('/desk/agents');
  expect(await findBarriers(other.page)).toEqual([]);
  await savePicture(other.page, `agents-list-${colorScheme}-${width}-${locale}`);
  await other.open(`/desk/agents?request=${task}`);
  await other.page.getByRole('dialog').getByText(`Promise ${RUN}`).first().waitFor();
  expect(await findBarriers(other.page)).toEqual([]);
  await savePicture(other.page, `agents-request-${colorScheme}-${width}-${locale}`);
  expect(other.problems).toEqual([]);
  await other.close();
});
