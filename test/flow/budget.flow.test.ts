import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Client, createClient } from '../support/http-client.ts';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';

/** Hard limits under load, on two real workers that share one port. They measure the figures of docs/budgets.md. */
const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
const CLIENTS = 16;
let placard: LeanPlacard;
let clients: Client[] = [];
const inventory = { site: '', adUnit: '', campaign: '' };
/** A line item on an ad unit of its own, by whose landing page workers show which changes they know. */
const marker = { lineItem: '', creative: '', round: 0 };
/** Bounds a wait for something that comes within a second or two on a quiet machine. */
const WAIT_MS = 120_000;
let booked: string[] = [];

beforeAll(async () => {
  placard = await startLeanPlacard({ PLACARD_DEMO: 'true', PLACARD_WORKERS: '2' });
  // A connection stays with one worker: several of them meet both.
  clients = Array.from({ length: CLIENTS }, () => createClient(placard.ca));
  inventory.site = await create('Site', { code: 'budget', name: 'Budget', domain: 'budget.example' });
  const createAdUnit = (name: string): Promise<string> =>
    create('AdUnit', {
      siteId: inventory.site,
      name,
      sizes: [{ width: 300, height: 250 }],
      mediaTypes: ['BANNER'],
    });
  inventory.adUnit = await createAdUnit('budget/unit');
  const markerUnit = await createAdUnit('budget/marker');
  const advertiserId = await create('Advertiser', {
    name: 'Budget Ltd',
    domains: ['budget-shop.example'],
    dsaBehalf: 'Budget Ltd',
    dsaPaid: 'Budget Ltd',
  });
  inventory.campaign = await create('Campaign', { advertiserId, name: 'Budget campaign', status: 'ACTIVE' });
  await pauseDemo();
  Object.assign(marker, await createSponsorship('marker', markerUnit, {}));
  await reachWorkers();
}, 300_000);

afterAll(async () => {
  for (const client of clients) client.close();
  await placard.remove();
});

async function graphql<T>(query: string, variables: unknown): Promise<T> {
  const response = await (clients[0] as Client).send(`${placard.coreUrl}/graphql`, {
    headers: { authorization: `Bearer ${placard.demo.keys.admin}` },
    json: { query, variables },
  });
  const body = response.json<{ data?: T; errors?: unknown }>();
  if (body.data === undefined || body.errors !== undefined) throw new Error(`GraphQL: ${response.text}`);
  return body.data;
}

async function create(resource: string, input: unknown): Promise<string> {
  const name = `${resource[0]?.toLowerCase()}${resource.slice(1)}`;
  const data = await graphql<Record<string, Record<string, { id: string }>>>(
    `mutation ($input: Create${resource}Input!) { made: create${resource}(input: $input) { ${name} { id } } }`,
    { input },
  );
  return data['made']?.[name]?.id ?? '';
}

/** The demo network's line items would compete for the ad unit of this test. */
async function pauseDemo(): Promise<void> {
  const query = 'query { lineItems(filter: { statuses: [ACTIVE] }, first: 100) { nodes { id } } }';
  const { lineItems } = await graphql<{ lineItems: { nodes: { id: string }[] } }>(query, {});
  for (const { id } of lineItems.nodes) await pauseLineItem(id);
}

/** A line item that alone may serve on the ad unit of this test, with these limits. */
async function book(name: string, limits: object): Promise<string> {
  const { lineItem } = await createSponsorship(name, inventory.adUnit, limits);
  booked.push(lineItem);
  await until(async () => (await readStatus(lineItem)) === 'ACTIVE');
  await reachWorkers();
  return lineItem;
}

async function createSponsorship(
  name: string,
  adUnit: string,
  limits: object,
): Promise<{ lineItem: string; creative: string }> {
  const lineItem = await create('LineItem', {
    campaignId: inventory.campaign,
    name,
    type: 'SPONSORSHIP',
    level: 1,
    sharePercent: 100,
    pricingModel: 'CPM',
    price: '10.00',
    status: 'ACTIVE',
    targeting: { test: { dimension: 'AD_UNIT', values: [adUnit] } },
    ...limits,
  });
  const creative = await create('Creative', {
    lineItemId: lineItem,
    name,
    width: 300,
    height: 250,
    clickUrl: 'https://www.budget-shop.example/landing',
    content: { image: { imageUrl: 'https://cdn.budget-shop.example/picture.png', alt: name } },
  });
  return { lineItem, creative };
}

/** Waits until every worker knows all changes so far: each learns of changes in their order, and this one is the last. */
async function reachWorkers(): Promise<void> {
  marker.round += 1;
  const alt = `marker ${marker.round} is here`;
  const query =
    'mutation ($id: ID!, $input: UpdateCreativeInput!) { updateCreative(id: $id, input: $input) { creative { id } } }';
  const image = { imageUrl: 'https://cdn.budget-shop.example/picture.png', alt };
  await graphql(query, { id: marker.creative, input: { content: { image } } });
  await until(async () => {
    const ads = await Promise.all(clients.map((client) => requestAd(client, 'budget/marker')));
    return ads.every((ad) => ad?.adm.includes(alt) === true);
  });
}

// Also after a failed test: its bookings would serve instead of the next test's.
afterEach(async () => {
  for (const lineItem of booked) if ((await readStatus(lineItem)) === 'ACTIVE') await end(lineItem);
  booked = [];
});

const PAUSE = 'mutation ($id: ID!) { updateLineItem(id: $id, input: { status: PAUSED }) { lineItem { id } } }';

async function pauseLineItem(id: string): Promise<void> {
  await graphql(PAUSE, { id });
}

async function end(lineItem: string): Promise<void> {
  await pauseLineItem(lineItem);
  await reachWorkers();
}

interface Figures {
  readonly status: string;
  readonly delivery: {
    readonly lifetime: { readonly impressions: number; readonly clicks: number; readonly spend: string };
  };
}

async function readFigures(id: string): Promise<Figures> {
  const query = 'query ($id: ID!) { lineItem(id: $id) { status delivery { lifetime { impressions clicks spend } } } }';
  return (await graphql<{ lineItem: Figures }>(query, { id })).lineItem;
}

const readStatus = async (id: string): Promise<string> => (await readFigures(id)).status;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** @throws Error when `accept` does not hold within {@link WAIT_MS} */
async function until(accept: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (!(await accept())) {
    if (performance.now() > deadline) throw new Error(`not so after ${WAIT_MS} ms: ${accept.toString()}`);
    await pause(50);
  }
}

let requests = 0;

interface Ad {
  readonly adm: string;
  readonly ext: { readonly ems_link: string };
}

/** Requests an ad for an ad unit; null on a no-fill. */
async function requestAd(client: Client, tagid: string): Promise<Ad | null> {
  requests += 1;
  const response = await client.send(`${placard.deliveryUrl}/1000/bid`, {
    json: {
      id: `budget-${requests}`,
      imp: [{ id: 'slot', tagid, banner: { format: [{ w: 300, h: 250 }] }, secure: 1 }],
      site: { id: 'budget', domain: 'budget.example', page: 'https://budget.example/' },
      user: { ext: { npa: false, ids: { lu: `visitor-${requests}` } } },
    },
    headers: BROWSER,
  });
  if (response.status !== 200) return null;
  return response.json<{ seatbid: { bid: Ad[] }[] }>().seatbid[0]?.bid[0] ?? null;
}

/** Asks for an ad; the link to fire when it is shown, or null. */
async function bid(client: Client): Promise<string | null> {
  const won = await requestAd(client, 'budget/unit');
  return won?.adm.includes('budget-shop.example') === true ? won.ext.ems_link : null;
}

/** The landing page of the ad behind an impression link. */
const clickLinkOf = (link: string): string => link.replace('/imp/', '/click/');

interface Reported {
  readonly impressions: string;
  readonly clicks: string;
  readonly revenue: string;
}

async function readReport(lineItem: string): Promise<Reported> {
  const member = (name: string): string => `campaign_overview.${name}`;
  const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);
  const dateRange = [dayOf(Date.now() - 86_400_000), dayOf(Date.now() + 86_400_000)];
  const response = await (clients[0] as Client).send(`${placard.coreUrl}/reports/1000/v1/load`, {
    headers: {
      'x-internal-auth-login': placard.demo.credentials.login,
      'x-internal-auth-token': placard.demo.credentials.token,
    },
    json: {
      query: {
        measures: ['impressions', 'clicks', 'revenue'].map(member),
        timeDimensions: [{ dimension: member('time'), dateRange }],
        filters: [{ member: member('line_item_id'), operator: 'equals', values: [lineItem] }],
      },
    },
  });
  const { data } = response.json<{ data?: Record<string, string>[] }>();
  const read = (name: string): string => data?.[0]?.[member(name)] ?? '';
  return { impressions: read('impressions'), clicks: read('clicks'), revenue: read('revenue') };
}

/** A report that has as many impressions and clicks as were counted: successors ship the events that killed workers left behind. */
async function readWholeReport(lineItem: string): Promise<Reported> {
  const { impressions, clicks } = (await readFigures(lineItem)).delivery.lifetime;
  await until(async () => {
    const report = await readReport(lineItem);
    return report.impressions === String(impressions) && report.clicks === String(clicks);
  });
  return readReport(lineItem);
}

const show = async (client: Client, link: string): Promise<void> =>
  void (await client.send(link, { headers: BROWSER }));

/** All clients send `each` requests at the same time; each served ad is shown with this probability. */
async function hammer(
  each: number,
  isShown: (index: number) => boolean,
): Promise<{ responses: number; kept: string[] }> {
  const kept: string[] = [];
  let responses = 0;
  await Promise.all(
    clients.map(async (client) => {
      for (let at = 0; at < each; at += 1) {
        const link = await bid(client).catch(() => null);
        if (link === null) continue;
        responses += 1;
        if (isShown(responses)) await show(client, link).catch(() => kept.push(link));
        else kept.push(link);
      }
    }),
  );
  return { responses, kept };
}

/** Sends requests until `units` ads came, for at most {@link WAIT_MS}, and then until no more come. */
async function exhaust(
  units: number,
  isShown: (index: number) => boolean,
): Promise<{ responses: number; kept: string[] }> {
  const all = { responses: 0, kept: [] as string[] };
  const deadline = performance.now() + WAIT_MS;
  for (let empty = 0; empty < 3 || (all.responses < units && performance.now() < deadline); ) {
    const { responses, kept } = await hammer(10, isShown);
    all.responses += responses;
    all.kept.push(...kept);
    empty = responses === 0 ? empty + 1 : 0;
    await pause(300);
  }
  return all;
}

/** Sends requests until none gets an ad for a while: one round without an ad may be that of a worker that is busy, and leases in hand last 5 s. */
async function untilNothingServes(): Promise<void> {
  let empty = 0;
  await until(async () => {
    await pause(500);
    const { responses } = await hammer(2, () => true);
    empty = responses === 0 ? empty + 1 : 0;
    return empty === 4;
  });
}

describe('hard limits on two workers', () => {
  test('impressions stop exactly at their cap when every ad is shown', async () => {
    const lineItem = await book('capped', { caps: { impressionsLifetime: 250 } });
    const { responses } = await exhaust(250, () => true);
    const { delivery } = await readFigures(lineItem);
    expect(responses).toBe(250);
    expect(delivery.lifetime.impressions).toBe(250);
  }, 300_000);

  test('money stops exactly at its budget', async () => {
    // 10.00 per thousand: 1.20 buys 120.
    const lineItem = await book('budget', { caps: { spendLifetime: '1.20' } });
    await exhaust(120, () => true);
    const { delivery } = await readFigures(lineItem);
    expect([delivery.lifetime.impressions, delivery.lifetime.spend]).toEqual([120, '1.2']);
  }, 300_000);

  test('clicks are billed up to the budget to the cent, and counted beyond', async () => {
    // 0.50 a click: 2.00 buys four.
    const lineItem = await book('clicks', { pricingModel: 'CPC', price: '0.50', caps: { spendLifetime: '2.00' } });
    const kept: string[] = [];
    // A busy worker leaves out a line item whose lease comes late.
    await until(async () => {
      kept.push(...(await hammer(2, () => false)).kept);
      return kept.length > 10;
    });
    const chosen = kept.slice(0, 10);
    await Promise.all(chosen.map((link, at) => show(clients[at % CLIENTS] as Client, link)));
    await Promise.all(chosen.map((link, at) => show(clients[at % CLIENTS] as Client, clickLinkOf(link))));
    // The redirect of a click may go out before its event is counted.
    await until(async () => (await readFigures(lineItem)).delivery.lifetime.clicks >= chosen.length);
    const { lifetime } = (await readFigures(lineItem)).delivery;
    expect([lifetime.clicks, lifetime.spend]).toEqual([10, '2']);
    await untilNothingServes();
    expect(await readWholeReport(lineItem)).toMatchObject({
      clicks: '10',
      revenue: expect.stringMatching(/^2(\.0+)?$/) as string,
    });
  }, 300_000);

  // Runs before workers are killed: for a minute, a dead worker holds its share of a goal.
  test('a line item that stops at its goal stops exactly there and becomes COMPLETED', async () => {
    const now = Date.now();
    const lineItem = await book('goal', {
      type: 'STANDARD',
      sharePercent: null,
      goal: { kind: 'IMPRESSIONS', amount: 60, period: 'LIFETIME' },
      pacing: 'ASAP',
      pauseAfterGoal: true,
      startsAt: new Date(now - 3_600_000).toISOString(),
      endsAt: new Date(now + 86_400_000).toISOString(),
    });
    const shown = async () => (await readFigures(lineItem)).delivery.lifetime.impressions;
    // The last units move between the workers as leases end: requests go on until they are used up, and a little longer.
    for (let round = 0, after = 0; round < 20 && after < 2; round += 1) {
      // A lost response would hold its unit, so it is an error here.
      const links = await Promise.all([...clients, ...clients].map((client) => bid(client)));
      // Ads are seen some seconds after their requests; workers tell each other of their responses within a second.
      await pause(2_500);
      const own = links.filter((link) => link !== null);
      await Promise.all(own.map((link, at) => show(clients[at % CLIENTS] as Client, link)));
      if ((await shown()) >= 60) after += 1;
    }
    expect(await shown()).toBe(60);
    await until(async () => (await readStatus(lineItem)) === 'COMPLETED');
    expect(await readStatus(lineItem)).toBe('COMPLETED');
  }, 300_000);

  test('a day of a FLAT line item earns its price once over both workers and their restarts', async () => {
    const lineItem = await book('flat', { pricingModel: 'FLAT', price: '7.00' });
    await hammer(3, () => true);
    expect((await readFigures(lineItem)).delivery.lifetime).toMatchObject({ spend: '7' });
    for (const pid of deliveryPids()) process.kill(pid, 'SIGKILL');
    await until(async () => (await bid(clients[0] as Client).catch(() => null)) !== null);
    await hammer(3, () => true);
    const { impressions, spend } = (await readFigures(lineItem)).delivery.lifetime;
    expect(impressions).toBeGreaterThan(CLIENTS);
    expect(spend).toBe('7');
    expect((await readWholeReport(lineItem)).revenue).toMatch(/^7(\.0+)?$/);
  }, 300_000);

  test('pending responses count as used, so that the cap holds whenever they are shown', async () => {
    const lineItem = await book('out', { caps: { impressionsLifetime: 100 } });
    const { responses, kept } = await exhaust(100, (index) => index % 2 === 0);
    expect(responses).toBe(100);
    expect((await readFigures(lineItem)).delivery.lifetime.impressions).toBe(100 - kept.length);
    await Promise.all(kept.map((link, at) => show(clients[at % CLIENTS] as Client, link)));
    expect((await readFigures(lineItem)).delivery.lifetime.impressions).toBe(100);
  }, 300_000);

  test('a kill -9 of workers under load exceeds no limit', async () => {
    const lineItem = await book('killed', { caps: { impressionsLifetime: 400 } });
    const running = hammer(60, (index) => index % 3 !== 0);
    await pause(150);
    for (const pid of deliveryPids()) process.kill(pid, 'SIGKILL');
    const first = await running;
    await until(
      async () =>
        (await (clients[0] as Client).send(`${placard.deliveryUrl}/readyz`).catch(() => null))?.status === 200,
    );
    const second = await hammer(60, () => true);
    await Promise.all([...first.kept, ...second.kept].map((link, at) => show(clients[at % CLIENTS] as Client, link)));
    // Each served ad was shown at least once, before the kill or now: it counts once.
    await until(
      async () => (await readFigures(lineItem)).delivery.lifetime.impressions >= first.responses + second.responses,
    );
    await readWholeReport(lineItem);
    const { impressions } = (await readFigures(lineItem)).delivery.lifetime;
    expect(impressions).toBe(first.responses + second.responses);
    expect(impressions).toBeLessThanOrEqual(400);
    // Budget that died with a worker (lost responses, and its leases) comes back when its links expire.
    expect(impressions).toBeGreaterThan(300);
  }, 300_000);
});

function deliveryPids(): number[] {
  const text = readFileSync(join(placard.dataDir, 'run', 'children.json'), 'utf8');
  const children = JSON.parse(text) as { name: string; pid: number }[];
  return children.filter(({ name }) => name.startsWith('delivery')).map(({ pid }) => pid);
}
