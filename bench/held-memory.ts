/**
 * The memory that clients make the core hold: uploads at their last byte, and large responses that nobody reads. Prints, for each phase, the most that the
 * resident memory of the core grew, and the statuses.
 *
 *   npm run bench:held-memory [clients of a phase, default 24]
 *
 * Starts a whole server of its own and removes it afterwards. One network makes all requests. Memory that the collector gives back
 * meanwhile hides growth: the figures before tell how much that may be.
 *
 * 2026-11-29, two AMD EPYC cores beside other work, 24 clients of one network: uploads +0 MiB (two to six are held, the others get 503);
 * GraphQL of 14 MB +212 and +242 MiB (11 and 12 get it); reports of 50,000 rows +216 MiB (6); CSV +1 and +10 MiB (5); MCP +131 MiB (24 responses).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { createClient } from '../test/support/http-client.ts';
import { makeDataDir, removeDataDir, startPlacard } from '../test/support/placard-process.ts';

const CLIENTS = Number(process.argv[2] ?? 24);
const HOLD_MS = 8_000;
/** How long clients wait for the beginning of their responses at most: reports of a network wait for each other. */
const BEGIN_MS = 60_000;
const SAMPLE_MS = 100;
const MIB = 1024 ** 2;
const UPLOAD_BYTES = 32 * MIB - 1_000;
/** Creatives with markup, whose page is a response of 14 million characters. */
const CREATIVES = 75;
const MARKUP = `<p>${'x'.repeat(190_000)}</p>`;
const PAGE = '{ creatives(first: 100) { nodes { content { ... on HtmlContent { html } } } } }';

const dataDir = makeDataDir();
const env = { PLACARD_WORKERS: '1', PLACARD_LOG_LEVEL: 'error' };
const server = await startPlacard({ dataDir, env, demoHistory: 'recent' });
const client = createClient(server.ca);
const { hostname, port } = new URL(server.coreUrl);
const { demo } = server;
const key = { authorization: `Bearer ${demo.keys.admin}` };

/** The process id of the core. */
function corePid(): number {
  const children = JSON.parse(readFileSync(join(dataDir, 'run', 'children.json'), 'utf8')) as unknown;
  const found = /"core"[^{}]*?"pid":\s*(\d+)|"pid":\s*(\d+)[^{}]*?"core"/.exec(JSON.stringify(children));
  return Number(found?.[1] ?? found?.[2]);
}

function residentMib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Request {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** All but the last byte of the body is sent. */
  readonly keepsLastByte?: boolean;
}

/** Sends a request on a connection of its own, and reads no more than the beginning of the response. */
async function begin({
  path,
  headers,
  body,
  keepsLastByte = false,
}: Request): Promise<{ socket: TLSSocket; status: () => string }> {
  const socket = connect({ host: hostname, port: Number(port), ca: server.ca, servername: 'localhost' });
  let status = 'none yet';
  socket.on('error', () => {});
  socket.once('data', (chunk: Buffer) => {
    status = chunk.toString('latin1').slice(9, 12);
    socket.pause();
  });
  const lines = Object.entries({ host: hostname, 'content-length': String(body.length), ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  socket.write(keepsLastByte ? body.subarray(0, -1) : body);
  return { socket, status: () => status };
}

async function measure(name: string, request: Request): Promise<void> {
  const pid = corePid();
  const before = residentMib(pid);
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, residentMib(pid));
  }, SAMPLE_MS);
  const open = await Promise.all(Array.from({ length: CLIENTS }, () => begin(request)));
  const endsAt = performance.now() + (request.keepsLastByte === true ? HOLD_MS : BEGIN_MS);
  while (performance.now() < endsAt && open.some(({ status }) => status() === 'none yet')) await wait(SAMPLE_MS);
  await wait(HOLD_MS);
  clearInterval(sampling);
  const statuses: Record<string, number> = {};
  for (const { socket, status } of open) {
    statuses[status()] = (statuses[status()] ?? 0) + 1;
    socket.destroy();
  }
  console.log(
    `${name.padEnd(40)} ${before.toFixed(0).padStart(6)} MiB before  +${(most - before).toFixed(0).padStart(5)} MiB   ${JSON.stringify(statuses)}`,
  );
  await wait(HOLD_MS);
}

const json = (body: unknown): Buffer => Buffer.from(JSON.stringify(body));
const graphql = (query: string, variables: unknown = {}) =>
  client.send(`${server.coreUrl}/graphql`, { headers: key, json: { query, variables } });

async function book(): Promise<void> {
  const lineItem = await graphql('{ lineItems(first: 1) { nodes { id } } }');
  const lineItemId = lineItem.json<{ data: { lineItems: { nodes: { id: string }[] } } }>().data.lineItems.nodes[0]?.id;
  const create =
    'mutation ($input: CreateCreativeInput!) { createCreative(input: $input) { creative { id } userErrors { message } } }';
  for (let at = 0; at < CREATIVES; at += 1) {
    const content = { html: { html: MARKUP } };
    const input = { lineItemId, name: `Held ${at}`, width: 300, height: 250, clickUrl: 'https://a.example/', content };
    const response = await graphql(create, { input });
    if (!response.text.includes('"userErrors":[]')) throw new Error(response.text.slice(0, 500));
  }
}

const form = { 'content-type': 'application/json' };
const rpc = (method: string, params: object) => json({ jsonrpc: '2.0', id: 1, method, params });
const report = {
  measures: ['campaign_overview.impressions'],
  dimensions: [
    'campaign_overview.line_item_name',
    'campaign_overview.country',
    'campaign_overview.ad_unit_name',
    'campaign_overview.creative_name',
  ],
  timeDimensions: [{ dimension: 'campaign_overview.time', granularity: 'hour', dateRange: 'last 30 days' }],
  limit: 50_000,
};

try {
  await book();
  await wait(HOLD_MS);
  const upload = { 'content-type': 'image/png', ...key };
  await measure('uploads at their last byte', {
    path: '/assets',
    headers: upload,
    body: Buffer.alloc(UPLOAD_BYTES),
    keepsLastByte: true,
  });
  await measure('GraphQL, 14 MB, not read', {
    path: '/graphql',
    headers: { ...form, ...key },
    body: json({ query: PAGE }),
  });
  await measure('report of 50,000 rows, not read', {
    path: `/reports/${demo.networkId}/v1/load`,
    headers: { ...form, ...key },
    body: json({ query: report }),
  });
  await measure('export as CSV, not read', {
    path: `/reports/${demo.networkId}/v1/load`,
    headers: { ...form, ...key, accept: 'text/csv' },
    body: json({ query: report }),
  });
  const call = rpc('tools/call', { name: 'query_graphql', arguments: { query: PAGE } });
  await measure('MCP, the same query, not read', {
    path: '/mcp',
    headers: { ...form, ...key, accept: 'application/json, text/event-stream' },
    body: call,
  });
} finally {
  client.close();
  await server.stop();
  await removeDataDir(dataDir);
}
