import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../conformance/support/run-cli.ts';
import { eventually } from '../conformance/support/eventually.ts';
import { type Client, createClient } from '../support/http-client.ts';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const USER = 'user-to-be-erased';
const BYSTANDER = 'somebody-else';

let server: LeanPlacard;
let client: Client;
beforeAll(async () => {
  server = await startLeanPlacard({ PLACARD_DEMO: 'true' });
  client = createClient(server.ca);
}, 300_000);
afterAll(async () => {
  client.close();
  await server.remove();
});

const bearer = () => ({ authorization: `Bearer ${server.demo.keys.admin}` });
let sent = 0;

/** Requests an ad, shows it and clicks it. */
async function visit(lu: string): Promise<void> {
  sent += 1;
  const json = {
    id: `visit-${sent}`,
    imp: [{ id: 'i', tagid: sent % 2 === 0 ? 'home/sidebar' : 'home/top', secure: 1, banner: {} }],
    site: { id: 'magazine', domain: 'magazine.example' },
    regs: { gdpr: 0 },
    user: { ext: { ids: { lu } } },
  };
  const headers = { 'user-agent': BROWSER };
  const response = await client.send(`${server.deliveryUrl}/1000/bid`, { headers, json });
  const link = response.json<{ seatbid: { bid: { ext: { ems_link: string } }[] }[] }>().seatbid[0]?.bid[0]?.ext
    .ems_link;
  await client.send(link ?? '', { headers });
  await client.send(link?.replace('/imp/', '/click/') ?? '', { headers });
}

async function upload(ids: readonly string[]): Promise<void> {
  const create = 'mutation { createSegment(input: {name: "Erasure"}) { segment { id } } }';
  const made = await client.send(`${server.coreUrl}/graphql`, { headers: bearer(), json: { query: create } });
  const { id } = made.json<{ data: { createSegment: { segment: { id: string } } } }>().data.createSegment.segment;
  const body = ids.map((member) => JSON.stringify({ id: member })).join('\n');
  const headers = { ...bearer(), 'content-type': 'application/x-ndjson' };
  const response = await client.send(`${server.coreUrl}/segments/${id}/members?mode=ADD&ids=lu`, { headers, body });
  expect(response.status).toBe(200);
}

interface Erased {
  readonly environment: string;
  readonly frequencyCounters: number;
  readonly segmentLists: number;
  readonly touchLists: number;
  readonly activityIntervals: number;
  readonly events: number;
}

const erase = async (lu: string): Promise<Erased | undefined> => {
  const rows = await runCli<Erased[]>(server.dataDir, ['privacy', 'erase', '-n', '1000', '--lu', lu]);
  expect(rows.map(({ environment }) => environment)).toEqual(['production', 'staging']);
  return rows[0];
};

type Totals = readonly Readonly<Record<string, unknown>>[];

const DAY_MS = 86_400_000;
const days = [-DAY_MS, DAY_MS].map((offset) => new Date(Date.now() + offset).toISOString().slice(0, 10));
const MEASURES = ['impressions', 'clicks', 'activities', 'revenue'].map((name) => `campaign_overview.${name}`);

/** All counted events by whether they were personalised, from sums or from single events (only these have the minute). */
async function totals(granularity?: 'minute'): Promise<Totals> {
  const query = {
    measures: MEASURES,
    dimensions: ['campaign_overview.npa'],
    timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: days, ...(granularity && { granularity }) }],
  };
  const response = await client.send(`${server.coreUrl}/reports/1000/v1/load`, { headers: bearer(), json: { query } });
  return response.json<{ data: Totals }>().data;
}

/** Impressions, clicks and activities. */
const countsOf = (rows: Totals): number[] =>
  MEASURES.slice(0, 3).map((measure) => rows.reduce((sum, row) => sum + Number(row[measure]), 0));

test('a user is erased from every store, and other users and the totals stay', async () => {
  const atFirst = countsOf(await totals());
  await upload([USER, BYSTANDER]);
  for (let visits = 0; visits < 12; visits += 1) await visit(USER);
  await visit(BYSTANDER);
  const activity = {
    network: '1000',
    actgid: server.demo.activity.actgid,
    event: 'purchased',
    ord: 'secret-order',
    lu: USER,
  };
  await client.send(`${server.deliveryUrl}/api/v1/events`, { headers: bearer(), json: activity });
  const added = [13, 13, 1];
  const before = await eventually(
    () => totals(),
    (rows) => countsOf(rows).every((count, at) => count === (atFirst[at] ?? 0) + (added[at] ?? 0)),
  );
  const eventsBefore = await totals('minute');
  // Of the user: 12 impressions, 12 clicks, an activity, and the touches that the models of attribution credit.
  const erased = await erase(USER);
  expect(erased).toMatchObject({ segmentLists: 1, touchLists: expect.any(Number) });
  expect(erased?.events).toBeGreaterThan(25);
  expect(erased?.events).toBeLessThanOrEqual(25 + 16);
  expect(erased?.frequencyCounters).toBeGreaterThan(0);
  expect(erased?.touchLists).toBeGreaterThanOrEqual(2);
  expect(await totals()).toEqual(before);
  expect(await totals('minute')).toEqual(eventsBefore);
  const again = { frequencyCounters: 0, segmentLists: 0, touchLists: 0, activityIntervals: 0, events: 0 };
  expect(await erase(USER)).toMatchObject(again);
  expect(await erase(BYSTANDER)).toMatchObject({ segmentLists: 1, touchLists: 2, events: 2 });
  const log = ['audit', 'list', '-n', '1000', '--action', 'reader.erase'];
  const told = JSON.stringify(await runCli<unknown>(server.dataDir, log));
  expect(told).toContain('reader.erase');
  expect(told).not.toMatch(new RegExp(`${USER}|${BYSTANDER}`));
}, 300_000);

test('the command requires the user and the network', async () => {
  const run = (...args: string[]) => runCli(server.dataDir, ['privacy', 'erase', ...args]);
  await expect(run('-n', '1000')).rejects.toThrow(/--lu <id>, --aid <id>/);
  await expect(run('-n', '999999', '--aid', 'x')).rejects.toThrow(/no network 999999/);
});
