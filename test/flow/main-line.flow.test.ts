import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpResponse, type Client, createClient, type Sending } from '../support/http-client.ts';
import { makeDataDir, type PlacardProcess, removeDataDir, startPlacard } from '../support/placard-process.ts';

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
/** Bounds a wait for something that comes within seconds on a quiet machine. */
const WAIT_MS = 100_000;
const dataDir = makeDataDir();
let placard: PlacardProcess;
let client: Client;

beforeAll(async () => {
  placard = await startPlacard({ dataDir, env: { PLACARD_WORKERS: '2' }, demoHistory: 'none' });
  client = createClient(placard.ca);
}, 300_000);

afterAll(async () => {
  client.close();
  await placard.stop();
  await removeDataDir(dataDir);
});

const send = (url: string, sending?: Sending): Promise<HttpResponse> => client.send(url, sending);

async function graphql<T>(query: string, variables: unknown): Promise<T> {
  const response = await send(`${placard.coreUrl}/graphql`, {
    headers: { authorization: `Bearer ${placard.demo.keys.admin}` },
    json: { query, variables },
  });
  const body = response.json<{ data?: T; errors?: unknown }>();
  if (body.data === undefined || body.errors !== undefined)
    throw new Error(`GraphQL returned ${response.status}: ${response.text}`);
  return body.data;
}

const create = async (resource: string, input: unknown): Promise<string> => {
  const name = resource[0]?.toLowerCase() + resource.slice(1);
  const data = await graphql<Record<string, Record<string, { id: string }>>>(
    `mutation ($input: Create${resource}Input!) { made: create${resource}(input: $input) { ${name} { id } } }`,
    { input },
  );
  return data['made']?.[name]?.id ?? '';
};

/** A site and ad unit of their own, and a line item that alone may serve there. */
const booked = { site: '', lineItem: '', creative: '' };

const campaignTree = (advertiserId: string, adUnitId: string): unknown => ({
  advertiserId,
  name: 'Flow campaign',
  status: 'ACTIVE',
  lineItems: [
    {
      key: 'lineItem',
      name: 'Flow line item',
      type: 'SPONSORSHIP',
      level: 1,
      sharePercent: 100,
      pricingModel: 'CPM',
      price: '12.50',
      status: 'ACTIVE',
      targeting: { test: { dimension: 'AD_UNIT', values: [adUnitId] } },
      creatives: [
        {
          key: 'creative',
          name: 'Flow creative',
          width: 300,
          height: 250,
          clickUrl: 'https://www.flow-shop.example/landing?a=1&b=2',
          content: { image: { imageUrl: 'https://cdn.flow-shop.example/picture.png', alt: 'Flow' } },
        },
      ],
    },
  ],
});

interface Bid {
  readonly crid: string;
  readonly price: number;
  readonly adm: string;
  readonly ext: { readonly ems_link: string };
}

const bidBody = (id: string): unknown => ({
  id,
  imp: [{ id: 'slot', tagid: 'flow/unit', banner: { format: [{ w: 300, h: 250 }] }, secure: 1 }],
  site: { id: 'flow', domain: 'flow.example', page: 'https://flow.example/' },
  user: { ext: { npa: false, ids: { lu: 'flow-visitor' } } },
});

async function bid(id: string): Promise<{ status: number; bid: Bid | undefined }> {
  const response = await send(`${placard.deliveryUrl}/1000/bid`, { json: bidBody(id), headers: BROWSER });
  return {
    status: response.status,
    bid: response.status === 200 ? response.json<{ seatbid: { bid: Bid[] }[] }>().seatbid[0]?.bid[0] : undefined,
  };
}

/** @returns the result of `ask` as soon as `accept` holds, or the last one after {@link WAIT_MS} */
async function until<T>(ask: () => Promise<T>, accept: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + WAIT_MS;
  let value = await ask();
  while (!accept(value) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    value = await ask();
  }
  return value;
}

interface Counts {
  readonly impressions: number;
  readonly clicks: number;
  readonly activities: number;
  readonly revenue: string;
}

async function counts(): Promise<Counts> {
  const member = (name: string): string => `campaign_overview.${name}`;
  const response = await send(`${placard.coreUrl}/reports/1000/v1/load`, {
    headers: {
      'x-internal-auth-login': placard.demo.credentials.login,
      'x-internal-auth-token': placard.demo.credentials.token,
    },
    json: {
      query: {
        measures: ['impressions', 'clicks', 'activities', 'revenue'].map(member),
        timeDimensions: [{ dimension: member('time'), dateRange: 'today' }],
        filters: [{ member: member('line_item_id'), operator: 'equals', values: [booked.lineItem] }],
      },
    },
  });
  const row = response.json<{ data: Record<string, string | null>[] }>().data[0] ?? {};
  const read = (name: string): string => row[member(name)] ?? '0';
  return {
    impressions: Number(read('impressions')),
    clicks: Number(read('clicks')),
    activities: Number(read('activities')),
    revenue: read('revenue'),
  };
}

const expectCounts = async (wanted: Counts): Promise<void> => {
  const got = await until(counts, (value) => JSON.stringify(value) === JSON.stringify(wanted)).catch(() => null);
  expect(
    got ??
      (await until(
        () => counts().catch(() => null),
        (value) => value !== null,
      )),
  ).toEqual(wanted);
};

function childPids(name: string): number[] {
  const children = JSON.parse(readFileSync(join(dataDir, 'run', 'children.json'), 'utf8')) as {
    name: string;
    pid: number;
  }[];
  return children.filter((child) => child.name.startsWith(name)).map((child) => child.pid);
}

async function readyAgain(): Promise<void> {
  for (const url of [placard.coreUrl, placard.deliveryUrl]) {
    const status = await until(
      () =>
        send(`${url}/readyz`).then(
          (response) => response.status,
          () => 0,
        ),
      (value) => value === 200,
    );
    expect(status).toBe(200);
  }
}

describe('the main line, end to end', () => {
  test('a campaign that one call of GraphQL saves serves on every worker', async () => {
    booked.site = await create('Site', { code: 'flow', name: 'Flow', domain: 'flow.example' });
    const adUnitId = await create('AdUnit', {
      siteId: booked.site,
      name: 'flow/unit',
      sizes: [{ width: 300, height: 250 }],
      mediaTypes: ['BANNER'],
    });
    const advertiserId = await create('Advertiser', {
      name: 'Flow Ltd',
      domains: ['flow-shop.example'],
      dsaBehalf: 'Flow Ltd',
      dsaPaid: 'Flow Ltd',
    });
    const { saved } = await graphql<{ saved: { objects: { key: string | null; id: string }[] } }>(
      'mutation ($input: SaveCampaignInput!) { saved: saveCampaign(input: $input) { objects { key id } } }',
      { input: campaignTree(advertiserId, adUnitId) },
    );
    for (const { key, id } of saved.objects) if (key !== null) Object.assign(booked, { [key]: id });
    const served = await until(
      () => bidOnAllWorkers(booked.creative),
      (all) => all,
    );
    expect(served).toBe(true);
  });

  test('an impression, a click and a conversion are counted exactly once and appear in the report', async () => {
    const { bid: post } = await bid('flow-1');
    const data = encodeURIComponent(JSON.stringify(bidBody('flow-2')));
    const get = (await send(`${placard.deliveryUrl}/1000/bid?data=${data}`, { headers: BROWSER })).json<{
      seatbid: { bid: Bid[] }[];
    }>().seatbid[0]?.bid[0];
    expect([post?.crid, get?.crid]).toEqual([booked.creative, booked.creative]);
    expect(post?.price).toBe(12.5);
    for (const one of [post, get, post])
      expect((await send(one?.ext.ems_link ?? '', { headers: BROWSER })).status).toBe(200);
    const clickUrl = /href="([^"]*\/click\/[^"]*)"/.exec(post?.adm ?? '')?.[1] ?? '';
    const click = await send(clickUrl, { headers: BROWSER });
    expect([click.status, click.headers.location]).toEqual([302, 'https://www.flow-shop.example/landing?a=1&b=2']);
    expect((await send(clickUrl, { headers: BROWSER })).status).toBe(302);
    const conversion = {
      network: '1000',
      actgid: placard.demo.activity.actgid,
      event: 'purchased',
      cost: '49.90',
      ord: 'flow-order-1',
      lu: 'flow-visitor',
    };
    expect(await sendEvent(conversion)).toEqual([202, 'accepted']);
    expect(await sendEvent(conversion)).toEqual([200, 'duplicate']);
    await expectCounts({ impressions: 2, clicks: 1, activities: 1, revenue: '0.025' });
  });

  // Conformance: P4
  test('a kill -9 of every worker right after a response loses nothing', async () => {
    const { bid: shown } = await bid('flow-3');
    expect((await send(shown?.ext.ems_link ?? '', { headers: BROWSER })).status).toBe(200);
    for (const pid of childPids('delivery')) process.kill(pid, 'SIGKILL');
    await readyAgain();
    await expectCounts({ impressions: 3, clicks: 1, activities: 1, revenue: '0.0375' });
  });

  // Conformance: P4
  test('a kill -9 of the core loses nothing, and ads are served meanwhile', async () => {
    const [core] = childPids('core');
    process.kill(core ?? 0, 'SIGKILL');
    const { status, bid: shown } = await bid('flow-4');
    expect(status).toBe(200);
    expect((await send(shown?.ext.ems_link ?? '', { headers: BROWSER })).status).toBe(200);
    await readyAgain();
    await expectCounts({ impressions: 4, clicks: 1, activities: 1, revenue: '0.05' });
  });

  test('a paused line item stops on every worker', async () => {
    await graphql(
      'mutation ($id: ID!) { updateLineItem(id: $id, input: { status: PAUSED }) { lineItem { status } } }',
      { id: booked.lineItem },
    );
    const stopped = await until(
      () => bidOnAllWorkers(booked.creative).then((all) => !all),
      (value) => value,
    );
    expect(stopped).toBe(true);
    for (let again = 0; again < 20; again += 1)
      expect((await bid(`flow-paused-${again}`)).bid?.crid).not.toBe(booked.creative);
  });

  test('a kill -9 of the supervisor and the next start leave nothing behind, and leave the counts the same', async () => {
    const before = [
      ...childPids('delivery'),
      ...childPids('core'),
      ...childPids('analytics'),
      ...childPids('postgres'),
    ];
    await placard.kill();
    client.close();
    placard = await startPlacard({ dataDir, env: { PLACARD_WORKERS: '2' }, demoHistory: 'none' });
    client = createClient(placard.ca);
    const alive = before.filter((pid) => isAlive(pid));
    expect(alive).toEqual([]);
    await readyAgain();
    await expectCounts({ impressions: 4, clicks: 1, activities: 1, revenue: '0.05' });
  });

  test('SIGTERM stops everything in order with exit code 0', async () => {
    const pids = [...childPids('delivery'), ...childPids('core'), ...childPids('analytics'), ...childPids('postgres')];
    expect(pids.length).toBeGreaterThanOrEqual(5);
    expect(await placard.stop()).toBe(0);
    expect(pids.filter((pid) => isAlive(pid))).toEqual([]);
    placard = await startPlacard({ dataDir, env: { PLACARD_WORKERS: '1' } });
  });
});

/** Both workers share a port: enough requests on new connections meet each of them. */
async function bidOnAllWorkers(creative: string): Promise<boolean> {
  const responses = await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      const fresh = createClient(placard.ca);
      const response = await fresh.send(`${placard.deliveryUrl}/1000/bid`, {
        json: bidBody(`probe-${performance.now()}-${index}`),
        headers: BROWSER,
      });
      fresh.close();
      return response.status === 200 && response.text.includes(`"crid":"${creative}"`);
    }),
  );
  return responses.every(Boolean);
}

async function sendEvent(json: unknown): Promise<[number, string]> {
  const response = await send(`${placard.deliveryUrl}/api/v1/events`, {
    headers: { authorization: `Bearer ${placard.demo.keys.audience}` },
    json,
  });
  return [response.status, response.json<{ status: string }>().status];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
