/** Script in every name and text that a tenant can set: shown as text in the console, the Lens, the "Why this ad?" page and the demo page. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChromium, USER_AGENT } from './support/chromium.ts';
import { type ConsoleSession, openSession, waitUntilQuiet, signIn, savePicture } from './support/console-session.ts';
import { openPlacard, type PlacardServer } from './support/placard-server.ts';

/** Leaves a text, an attribute, a comment, a style, a script and a template; what runs sets `ran` or opens a dialog. */
const SCRIPT = `"'--></style></script><img src=x onerror="ran=1;alert(1)"><svg onload=ran=1>{{ran=1}}\${ran=1}`;
const KINDS = {
  Advertiser: 'advertisers',
  Campaign: 'campaigns',
  LineItem: 'lineItems',
  Creative: 'creatives',
  Site: 'sites',
  Area: 'areas',
  Deal: 'deals',
  AdvertisingProduct: 'advertisingProducts',
  Activity: 'activities',
} as const;

const QUERY = {
  measures: ['campaign_overview.impressions'],
  timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'last 7 days' }],
};

let placard: PlacardServer;
let browser: Browser;
let session: ConsoleSession;
let renamed = 0;
const ran: string[] = [];

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  for (const [type, plural] of Object.entries(KINDS)) await renameAll(type, plural);
  await ask('mutation ($input: UpdateNetworkInput!) { updateNetwork(input: $input) { __typename } }', {
    input: { name: SCRIPT },
  });
  await ask('mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { __typename } }', {
    input: { name: SCRIPT, permission: 'READ_ONLY' },
  });
  await ask('mutation ($name: String!) { createHeaderCredential(name: $name) { __typename } }', { name: SCRIPT });
  await ask('mutation ($input: CreateReportScheduleInput!) { createReportSchedule(input: $input) { __typename } }', {
    input: { name: SCRIPT, cron: '0 6 * * 1', query: QUERY },
  });
  session = await openSession(browser, placard);
  watch(session.page);
  await signIn(session, placard.demo.account);
}, 240_000);

afterAll(async () => {
  await session?.close();
  await browser?.close();
  await placard?.close();
});

async function ask<T>(query: string, variables: unknown): Promise<T> {
  const { data, errors } = (await placard.graphql(query, variables)).json<{ data: T; errors?: unknown }>();
  expect(errors).toBeUndefined();
  return data;
}

/** Some names must be unique: each gets its id behind the script. */
async function renameAll(type: string, plural: string): Promise<void> {
  // A creative of a line item that follows one of the library has its name from there.
  const own = type === 'Creative' ? 'libraryCreative { id }' : '';
  const list = `query { found: ${plural}(first: 100) { nodes { id ${own} } } }`;
  const { found } = await ask<{ found: { nodes: { id: string; libraryCreative?: { id: string } | null }[] } }>(
    list,
    {},
  );
  const mutation = `mutation ($id: ID!, $input: Update${type}Input!) { update${type}(id: $id, input: $input) { __typename } }`;
  for (const { id, libraryCreative = null } of found.nodes) {
    if (libraryCreative !== null) continue;
    const dsa = type === 'Advertiser' ? { dsaBehalf: SCRIPT.slice(0, 100), dsaPaid: SCRIPT.slice(0, 100) } : {};
    await ask(mutation, { id, input: { name: `${SCRIPT} ${id}`, ...dsa } });
    renamed += 1;
  }
}

function watch(page: Page): void {
  page.on('dialog', (dialog) => {
    ran.push(`dialog on ${page.url()}`);
    void dialog.dismiss();
  });
}

async function expectNothingRan(page: Page): Promise<void> {
  expect(await page.evaluate('typeof ran')).toBe('undefined');
  expect(await page.locator('img[src="x"], svg[onload]').count()).toBe(0);
  expect(ran).toEqual([]);
}

describe('script in every name', () => {
  test('script is stored unchanged in every kind of object', () => {
    expect(renamed).toBeGreaterThan(40);
  });

  test.each([
    ['/', false],
    ['/lens?g=none&d=line_item_name&m=impressions,clicks&v=table&r=last_7_days', true],
    ['/lens?g=none&d=campaign_name,advertiser_name&m=impressions&v=table&r=last_7_days', true],
    ['/lens?g=day&d=campaign_name&m=impressions&r=last_7_days', true],
    [`/lens?g=none&d=campaign_name&m=impressions&v=table&f=campaign_name~equals~${encodeURIComponent(SCRIPT)}`, true],
    [`/lens?g=${encodeURIComponent(SCRIPT)}&d=${encodeURIComponent(SCRIPT)}&r=${encodeURIComponent(SCRIPT)}`, false],
    ['/dashboards', false],
    ['/settings/api-keys', true],
    ['/settings/credentials', true],
    ['/settings/users', false],
    ['/settings/network', false],
    ['/settings/limits', false],
    ['/settings/audit-log', false],
    ['/settings/account', false],
    [`/sign-in?next=${encodeURIComponent('javascript:ran=1')}`, false],
    [`/${encodeURIComponent(SCRIPT)}`, false],
  ])('script is inert in the console at %s', async (path, isShown) => {
    await session.open(path);
    // Names reach the analytics store a moment later.
    if (isShown) {
      await expect
        .poll(
          async () => {
            const text = await session.page.locator('body').innerText();
            if (!text.includes('onerror=')) await session.open(path);
            return text;
          },
          { timeout: 60_000 },
        )
        .toContain('onerror=');
    }
    await waitUntilQuiet(session.page);
    await expectNothingRan(session.page);
    if (isShown) await savePicture(session.page, `stored-script-${path.replaceAll(/\W+/g, '-').slice(0, 40)}`);
  });

  test('script is inert on the page "Why this ad?"', async () => {
    const [site] = placard.demo.sites;
    const response = await placard.client.send(`${placard.deliveryUrl}/1000/bid`, {
      json: {
        id: 'why-1',
        imp: [{ id: '1', tagid: 'home/top', banner: { format: [{ w: 970, h: 250 }] } }],
        site: { id: site?.id, domain: site?.domain, page: site?.page },
        regs: { gdpr: 1, ext: { dsa: 1 } },
      },
      headers: { 'user-agent': USER_AGENT },
    });
    // Without the page's own policy, so that nothing but the escaping of its texts is tested.
    const context = await browser.newContext({ ignoreHTTPSErrors: true, bypassCSP: true });
    const page = await context.newPage();
    watch(page);
    await page.goto(response.json<{ ext: { dsaurl: string } }>().ext.dsaurl);
    expect(await page.locator('body').innerText()).toContain('onerror=');
    await expectNothingRan(page);
    await savePicture(page, 'stored-script-why');
    await context.close();
  });

  test('script is inert on the demo page', async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    watch(page);
    await page.goto(`${placard.coreUrl}/demo`);
    await page.locator('#own tr').first().waitFor();
    await expect.poll(() => page.locator('#own').innerText(), { timeout: 60_000 }).toContain('onerror=');
    await expectNothingRan(page);
    await savePicture(page, 'stored-script-demo');
    await context.close();
  });
});
