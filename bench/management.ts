/**
 * The cost of the management API: CPU µs a request, the time of lists over 10,000 line items, and how fast oversized documents are
 * refused.
 *
 *   npm run bench:management -- [requests per shape, default 400] [words of the only shapes to measure, such as "one"]
 *
 * Starts a PostgreSQL of its own and empties it afterwards. CPU is this process's own (the API without TLS and sockets, the client
 * apart); beside each shape stands the same document's cost on a bare yoga schema that returns constants.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSchema, createYoga } from 'graphql-yoga';
import { sql } from 'kysely';
import { SILENT_LOG } from '../src/domain/log/log.ts';
import { QUOTA_NAMES, type QuotaName } from '../src/domain/tenancy/quota.ts';
import type { AuthenticatedPrincipal } from '../src/access/permissions/permissions.ts';
import { createContext, type ManagementStores } from '../src/management/kernel/context.ts';
import { ADMISSION_LIMITS, CostAdmission } from '../src/management/schema/cost-admission.ts';
import { createEngine } from '../src/management/schema/engine.ts';
import { managementSchema } from '../src/management/schema/schema.ts';
import { openLedger } from '../src/storage/ledger/ledger-store.ts';
import { startEmbeddedPostgres } from '../src/storage/sql/embedded-postgres.ts';
import { migrate } from '../src/storage/sql/migrate.ts';
import { openPostgres, type Sql } from '../src/storage/sql/postgres.ts';
import { OVERSIZED_DOCUMENTS } from '../test/support/oversized-documents.ts';

const LINE_ITEMS = 10_000;
const WARM_UP = 50;
/** Clients that change objects of one network at once, and for how long. */
const CLIENTS = 16;
const CLIENT_SECONDS = 5;
const requests = Number(process.argv[2] ?? 400);
const only = process.argv[3] ?? null;
const log = SILENT_LOG;

const SHAPES = {
  'network{}': '{ network(id: 1000) { id name status } }',
  '25 line items with delivery':
    '{ lineItems(first: 25) { nodes { id name status type price delivery { lifetime { impressions clicks spend } progress { pacingPercent } } } } }',
  '50 line items with their campaigns':
    '{ lineItems(first: 50) { nodes { id name status type price campaign { id name status } } } }',
  'one update': 'mutation { updateAdvertiser(id: 1, input: {name: "N%"}) { advertiser { id version } } }',
  'one creation': 'mutation { createAdvertiser(input: {name: "N%"}) { advertiser { id version } } }',
} as const;

const LISTS = {
  'first page by id': '{ lineItems(first: 25) { nodes { id name } } }',
  'page in the middle, by name':
    '{ lineItems(first: 25, sort: {field: NAME}, after: "%CURSOR%") { nodes { id name } } }',
  'by last change, descending, with total':
    '{ lineItems(first: 25, sort: {field: UPDATED_AT, direction: DESC}) { totalCount nodes { id } } }',
  'one campaign': '{ lineItems(first: 25, filter: {campaignIds: [7]}) { totalCount nodes { id } } }',
  'status and type':
    '{ lineItems(first: 25, filter: {statuses: [PAUSED], types: [HOUSE]}) { totalCount nodes { id } } }',
  'search in names': '{ lineItems(first: 25, filter: {search: "item 4242"}) { totalCount nodes { id } } }',
  'search that finds nothing': '{ lineItems(first: 25, filter: {search: "zebra"}) { totalCount nodes { id } } }',
} as const;

async function seed(postgres: Sql): Promise<void> {
  const { db } = postgres;
  await sql`INSERT INTO networks (id, name) VALUES (1000, 'Bench')`.execute(db);
  await sql`INSERT INTO workspaces (id, network_id, environment) VALUES (1, 1000, 'production')`.execute(db);
  await sql`INSERT INTO advertisers (workspace_id, id, name) VALUES (1, 1, 'A')`.execute(db);
  await sql`INSERT INTO campaigns (workspace_id, id, advertiser_id, name) SELECT 1, i, 1, 'campaign ' || i FROM generate_series(1, 100) AS i`.execute(
    db,
  );
  await sql`INSERT INTO line_items (workspace_id, id, campaign_id, name, type, status, goal, ends_at)
    SELECT 1, i, 1 + i % 100, 'line item ' || i, (ARRAY['HOUSE', 'STANDARD', 'PRICE'])[1 + i % 3], (ARRAY['ACTIVE', 'PAUSED'])[1 + i % 2],
      '{"kind": "IMPRESSIONS", "amount": 100000, "period": "LIFETIME"}', now() + interval '30 days'
    FROM generate_series(1, ${LINE_ITEMS}::int) AS i`.execute(db);
  // New advertisers get ids behind the one above.
  await sql`SELECT setval('ids_of_1', 1001)`.execute(db);
  await sql`ANALYZE`.execute(db);
}

const bareSchema = createSchema({
  typeDefs: `type Query { network(id: ID): Network lineItems(first: Int): Items } type Mutation { updateAdvertiser(id: ID, input: In): Pay createAdvertiser(input: In): Pay } input In { name: String }
    type Network { id: ID name: String status: String } type Items { nodes: [Item] } type Item { id: ID name: String status: String type: String price: String delivery: Delivery campaign: Campaign } type Campaign { id: ID name: String status: String }
    type Delivery { lifetime: Figures progress: Progress } type Figures { impressions: Int clicks: Int spend: String } type Progress { pacingPercent: Float }
    type Pay { advertiser: Advertiser } type Advertiser { id: ID version: Int }`,
  resolvers: {
    Query: {
      network: () => ({ id: '1000', name: 'Bench', status: 'ACTIVE' }),
      lineItems: (_root: unknown, { first }: { first: number }) => ({
        nodes: Array.from({ length: first }, (_, id) => ({
          id,
          name: 'n',
          status: 'ACTIVE',
          type: 'HOUSE',
          price: '0',
          campaign: { id: '1', name: 'c', status: 'ACTIVE' },
          delivery: { lifetime: { impressions: 0, clicks: 0, spend: '0' }, progress: { pacingPercent: 1 } },
        })),
      }),
    },
    Mutation: {
      updateAdvertiser: () => ({ advertiser: { id: '1', version: 1 } }),
      createAdvertiser: () => ({ advertiser: { id: '1', version: 1 } }),
    },
  },
});

interface Cost {
  readonly cpuUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function measure(count: number, ask: (run: number) => Promise<void>): Promise<Cost> {
  for (let run = 0; run < WARM_UP; run += 1) await ask(run);
  const times: number[] = [];
  const cpuBefore = process.cpuUsage();
  for (let run = 0; run < count; run += 1) {
    const startedMs = performance.now();
    await ask(WARM_UP + run);
    times.push(performance.now() - startedMs);
  }
  const cpu = process.cpuUsage(cpuBefore);
  times.sort((left, right) => left - right);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { cpuUs: (cpu.user + cpu.system) / count, p50Ms: at(0.5), p99Ms: at(0.99) };
}

type Ask = (query: string) => Promise<unknown>;

function askEngine(stores: ManagementStores, isRefused = false): Ask {
  // The share of the process that one network may use would bound the rate, and leave the processor's caches cold between two queries.
  const admission = new CostAdmission({ ...ADMISSION_LIMITS, pointsMax: 1e12, pointsPerSecond: 1e12 });
  const engine = createEngine(managementSchema(), admission);
  const own = {
    workspaceId: 1,
    networkId: '1000',
    environment: 'production',
    permission: 'admin',
    modules: null,
  } as const;
  const principal: AuthenticatedPrincipal = { kind: 'apiKey', actor: 'bench', id: '1', remoteAddress: '', ...own };
  return async (query) => {
    const management = createContext(stores, principal, 'bench');
    const response = await engine.run({ management, body: { query }, idempotencyKey: null });
    const body = JSON.parse(response.body) as { errors?: unknown };
    if ((body.errors !== undefined) !== isRefused || (response.status === 400) !== isRefused)
      throw new Error(JSON.stringify(body));
    return body;
  };
}

function askBare(): Ask {
  const yoga = createYoga({ schema: bareSchema, logging: false, graphiql: false });
  return async (query) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) };
    return (await yoga.fetch('http://bench.invalid/graphql', init)).json();
  };
}

async function run(stores: ManagementStores): Promise<void> {
  const ours = askEngine(stores);
  const bare = askBare();
  console.log('shape                                     CPU µs  bare yoga    p50 ms   p99 ms');
  for (const [name, query] of Object.entries(SHAPES)) {
    if (only !== null && !name.includes(only)) continue;
    // A changing literal would be a new document each time; a variable-free one is parsed once, as a client's fixed query is.
    const here = await measure(requests, async (index) => void (await ours(query.replace('%', String(index % 2)))));
    const there = await measure(requests, async (index) => void (await bare(query.replace('%', String(index % 2)))));
    console.log(
      `${name.padEnd(40)} ${here.cpuUs.toFixed(0).padStart(7)} ${there.cpuUs.toFixed(0).padStart(10)} ${here.p50Ms.toFixed(2).padStart(9)} ${here.p99Ms.toFixed(2).padStart(8)}`,
    );
  }
  if (only !== null) return;
  const middle = (await ours('{ lineItems(first: 100, sort: {field: NAME}) { pageInfo { endCursor } } }')) as {
    data: { lineItems: { pageInfo: { endCursor: string } } };
  };
  console.log(`\nlists over ${LINE_ITEMS} line items                p50 ms   p99 ms`);
  for (const [name, query] of Object.entries(LISTS)) {
    const document = query.replace('%CURSOR%', middle.data.lineItems.pageInfo.endCursor);
    const { p50Ms, p99Ms } = await measure(Math.min(requests, 100), async () => void (await ours(document)));
    console.log(`${name.padEnd(40)} ${p50Ms.toFixed(2).padStart(8)} ${p99Ms.toFixed(2).padStart(8)}`);
  }
  await measureClients(ours);
  await measureRefusals(stores);
}

/** Changes of one network share its audit chain. */
async function measureClients(ours: Ask): Promise<void> {
  const endMs = performance.now() + CLIENT_SECONDS * 1_000;
  let changes = 0;
  const client = async (id: number): Promise<void> => {
    while (performance.now() < endMs) {
      await ours(
        `mutation { updateCampaign(id: ${id + 1}, input: {name: "N${changes % 2} ${id}"}) { campaign { id } } }`,
      );
      changes += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, id) => client(id)));
  console.log(`\n${CLIENTS} clients of one network: ${(changes / CLIENT_SECONDS).toFixed(0)} changes/s`);
}

async function measureRefusals(stores: ManagementStores): Promise<void> {
  const refuse = askEngine(stores, true);
  console.log(`\noversized documents, refused with 400     p50 ms   p99 ms`);
  for (const [name, { query }] of Object.entries(OVERSIZED_DOCUMENTS)) {
    const { p50Ms, p99Ms } = await measure(Math.min(requests, 100), async () => void (await refuse(query)));
    console.log(`${name.padEnd(40)} ${p50Ms.toFixed(2).padStart(8)} ${p99Ms.toFixed(2).padStart(8)}`);
  }
}

const quotas = Object.fromEntries(QUOTA_NAMES.map((name) => [name, 1e9])) as Record<QuotaName, number>;
const dir = mkdtempSync(join(tmpdir(), 'placard-bench-'));
const server = await startEmbeddedPostgres({ dataDir: dir, log });
const postgres = openPostgres({ url: server.ownerUrl, log, poolMax: 12, statementTimeoutMs: 30_000 });
const hot = openLedger({ dir: join(dir, 'hot'), nowMs: Date.now, log } as never);
try {
  await migrate({ db: postgres.db, log });
  await seed(postgres);
  await run({ sql: postgres.db, hot, secrets: { pepper: Buffer.alloc(32) }, quotas, nowMs: Date.now, log });
} finally {
  await postgres.close();
  await hot.close();
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}
