/**
 * How soon delivery acts on a change of the management API: `node bench/changes.ts [changes, default 200] [connections of load, default 4]`.
 *
 * A line item's price is changed over and over; after each change every one of eight connections (they fall on different workers) asks
 * for ads until it is bid the new price. Meanwhile other connections ask for ads of a network with 1,000 line items without pause.
 * Times are from sending the mutation, and from its response, to the last connection that saw it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { makeDataDir, removeDataDir, startPlacard } from '../test/support/placard-process.ts';
import { BENCH_NETWORK_ID, bookBenchNetwork } from './support/bench-network.ts';
import { FRESH_ID } from './support/fresh-id.ts';
import { runLoad } from './support/load.ts';

const CHANGES = Number(process.argv[2] ?? 200);
const LOAD_CONNECTIONS = Number(process.argv[3] ?? 4);
const WATCHERS = 8;
const GIVE_UP_MS = 10_000;
const ASK_EVERY_MS = 5;
const BROWSER = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const core = new Agent({ keepAlive: true });
let bids = 0;
const dataDir = makeDataDir();
const server = await startPlacard({
  dataDir,
  demoHistory: 'whole',
  env: { PLACARD_TLS: 'loopback', PLACARD_WORKERS: '2', PLACARD_LOG_LEVEL: 'warn' },
});
try {
  const endpoints = JSON.parse(readFileSync(join(dataDir, 'run', 'endpoints.json'), 'utf8')) as { postgresUrl: string };
  await bookBenchNetwork(endpoints.postgresUrl, 1_000);
  await run();
} finally {
  await server.stop();
  await removeDataDir(dataDir);
}

interface GraphqlResult {
  readonly status: number;
  readonly text: string;
}

function post(agent: Agent, url: string, body: unknown, headers: Record<string, string> = {}): Promise<GraphqlResult> {
  return new Promise((resolve, reject) => {
    const sending = request(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json', 'user-agent': BROWSER, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      },
    );
    sending.on('error', reject);
    sending.end(JSON.stringify(body));
  });
}

async function mutate(query: string, variables: unknown): Promise<Record<string, { object: { id: string } }>> {
  const authorization = `Bearer ${server.demo.keys.admin}`;
  const response = await post(core, `${server.coreUrl}/graphql`, { query, variables }, { authorization });
  const body = JSON.parse(response.text) as { data?: Record<string, { object: { id: string } }>; errors?: unknown };
  if (body.data === undefined || body.errors !== undefined) throw new Error(response.text);
  return body.data;
}

async function create(type: string, input: unknown): Promise<string> {
  const field = `${type[0]?.toLowerCase()}${type.slice(1)}`;
  const query = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { object: ${field} { id } } }`;
  return (await mutate(query, { input }))['made']?.object.id ?? '';
}

async function book(): Promise<string> {
  const siteId = await create('Site', { code: 'bench-changes', name: 'B', domain: 'b.example' });
  const advertiserId = await create('Advertiser', { name: 'B', domains: ['b.example'] });
  const campaignId = await create('Campaign', { advertiserId, name: 'B', status: 'ACTIVE' });
  const targeting = { test: { dimension: 'SITE', values: [siteId] } };
  const booked = { campaignId, name: 'B', type: 'PRICE', price: '1', status: 'ACTIVE', targeting };
  const lineItemId = await create('LineItem', booked);
  const content = { image: { imageUrl: 'https://b.example/b.png', alt: 'B' } };
  await create('Creative', { lineItemId, name: 'B', width: 468, height: 60, clickUrl: 'https://b.example', content });
  return lineItemId;
}

async function readPrice(agent: Agent): Promise<number> {
  bids += 1;
  const response = await post(agent, `${server.deliveryUrl}/${server.demo.networkId}/bid`, {
    id: `changes-${bids}`,
    imp: [{ id: '1', banner: { format: [{ w: 468, h: 60 }] } }],
    site: { id: 'bench-changes', domain: 'b.example' },
  });
  if (response.status !== 200) return 0;
  return (JSON.parse(response.text) as { seatbid: { bid: { price: number }[] }[] }).seatbid[0]?.bid[0]?.price ?? 0;
}

async function waitForPrice(agent: Agent, price: number): Promise<number> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (performance.now() < giveUpAt) {
    if ((await readPrice(agent)) === price) return performance.now();
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  throw new Error(`The price ${price} was not seen within ${GIVE_UP_MS} ms`);
}

async function run(): Promise<void> {
  const lineItemId = await book();
  const watchers = Array.from({ length: WATCHERS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  await Promise.all(watchers.map((agent) => waitForPrice(agent, 1)));
  const load = { stop: false, requests: 0, seconds: 0 };
  const loading = repeatLoad(load);
  const fromSending: number[] = [];
  const fromResponse: number[] = [];
  const update =
    'mutation ($id: ID!, $price: Decimal!) { updateLineItem(id: $id, input: {price: $price}) { lineItem { id } } }';
  for (let change = 1; change <= CHANGES; change += 1) {
    const price = Number((1 + change / 1_000).toFixed(3));
    const sentAt = performance.now();
    let respondedAt = 0;
    const responded = mutate(update, { id: lineItemId, price: String(price) }).then(() => {
      respondedAt = performance.now();
    });
    const seen = await Promise.all(watchers.map((agent) => waitForPrice(agent, price)));
    await responded;
    const lastAt = Math.max(...seen);
    fromSending.push(lastAt - sentAt);
    fromResponse.push(Math.max(0, lastAt - respondedAt));
  }
  load.stop = true;
  await loading;
  for (const agent of [core, ...watchers]) agent.destroy();
  report(fromSending, fromResponse, load.requests / Math.max(1, load.seconds));
}

async function repeatLoad(load: { stop: boolean; requests: number; seconds: number }): Promise<void> {
  const body = JSON.stringify({
    id: FRESH_ID,
    imp: [{ id: '1', tagid: 'unit-1', banner: { format: [{ w: 300, h: 250 }] } }],
    site: { id: 'site-1', domain: 'bench.example' },
  });
  const headers = { 'content-type': 'application/json', 'user-agent': BROWSER };
  const url = `${server.deliveryUrl}/${BENCH_NETWORK_ID}/bid`;
  while (!load.stop && LOAD_CONNECTIONS > 0) {
    const result = await runLoad({ url, bodies: [body], headers, connections: LOAD_CONNECTIONS, seconds: 2 });
    load.requests += result.requests;
    load.seconds += 2;
  }
}

function report(fromSending: readonly number[], fromResponse: readonly number[], loadPerSecond: number): void {
  const quantiles = (values: readonly number[]) => {
    const sorted = values.toSorted((left, right) => left - right);
    const at = (share: number) =>
      Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
    return { p50Ms: at(0.5), p90Ms: at(0.9), p99Ms: at(0.99), maxMs: at(1) };
  };
  const figures = { fromSending: quantiles(fromSending), fromResponse: quantiles(fromResponse) };
  console.log(
    `${CHANGES} changes, seen by ${WATCHERS} connections on 2 workers, ${Math.round(loadPerSecond)} bids/s beside`,
  );
  for (const [name, { p50Ms, p90Ms, p99Ms, maxMs }] of Object.entries(figures)) {
    console.log(`${name.padEnd(12)} p50 ${p50Ms} ms  p90 ${p90Ms} ms  p99 ${p99Ms} ms  max ${maxMs} ms`);
  }
  const dir = new URL('results/', import.meta.url).pathname;
  mkdirSync(dir, { recursive: true });
  const about = { at: new Date().toISOString(), node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
  writeFileSync(
    join(dir, 'changes.json'),
    `${JSON.stringify({ ...about, changes: CHANGES, watchers: WATCHERS, loadPerSecond, ...figures }, null, 2)}\n`,
  );
}
