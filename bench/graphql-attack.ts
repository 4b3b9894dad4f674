/**
 * The effect of the most expensive accepted GraphQL documents on other callers: `/healthz` and an ordinary query, alone and beside each
 * attack, in one run.
 *
 *   npm run bench:graphql-attack [seconds a phase, default 8]
 *
 * Starts a whole server of its own and removes it afterwards. The ordinary caller belongs to the network that is attacked: the
 * caller that is hit hardest.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getIntrospectionQuery } from 'graphql';
import pg from 'pg';
import { createClient } from '../test/support/http-client.ts';
import { makeDataDir, removeDataDir, startPlacard } from '../test/support/placard-process.ts';

const seconds = Number(process.argv[2] ?? 8);
/** Requests of an attack that are under way at once. */
const ATTACKERS = 4;
const PROBE_EVERY_MS = 20;

const LISTS = `{ campaigns(first: 100) { ...A } } fragment A on CampaignConnection { nodes { lineItems(first: 80) { ...B } } }
fragment B on LineItemConnection { nodes { id name status type price level version createdAt } }`;
const LINKS = `{ lineItems(first: 100) { nodes { id campaign { id advertiser { id campaigns(first: 85) { nodes {
  id name advertiser { id name } } } } } } } }`;
const TOOLS = getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true, specifiedByUrl: true });
const BULK = `mutation ($inputs: [CreateAdvertiserInput!]!) {
  createAdvertisers(inputs: $inputs, validateOnly: true) { results { index code problems { path code message } } } }`;

interface Attack {
  readonly name: string;
  readonly query: string;
  readonly variables?: unknown;
}

const ATTACKS: readonly (Attack | null)[] = [
  null,
  { name: 'lists in lists behind fragments', query: LISTS },
  { name: 'links and lists through loaders', query: LINKS },
  { name: "the tools' introspection", query: TOOLS },
  {
    name: 'bulk of 500, only validated',
    query: BULK,
    variables: { inputs: Array.from({ length: 500 }, (_, index) => ({ name: `n${index}`, domains: ['a.example'] })) },
  },
];

const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1).padStart(8);

async function book(postgresUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  const { rows } = await client.query<{ id: number }>(
    `SELECT id FROM workspaces WHERE network_id = 1000 AND environment = 'production'`,
  );
  const workspace = rows[0]?.id;
  for (const statement of [
    `INSERT INTO advertisers (workspace_id, id, name) SELECT $1, 700000 + n, 'Bench ' || n FROM generate_series(1, 50) n`,
    `INSERT INTO campaigns (workspace_id, id, advertiser_id, name) SELECT $1, 700000 + n, 700001 + n % 50, 'Bench ' || n FROM generate_series(1, 5000) n`,
    `INSERT INTO line_items (workspace_id, id, campaign_id, name, type) SELECT $1, 700000 + n, 700001 + n % 120, 'Bench ' || n, 'HOUSE' FROM generate_series(1, 12000) n`,
  ])
    await client.query(statement, [workspace]);
  await client.end();
}

const dataDir = makeDataDir();
const server = await startPlacard({ dataDir, env: { PLACARD_WORKERS: '1', PLACARD_LOG_LEVEL: 'warn' } });
const client = createClient(server.ca);
try {
  const { postgresUrl } = JSON.parse(readFileSync(join(dataDir, 'run', 'endpoints.json'), 'utf8')) as {
    postgresUrl: string;
  };
  await book(postgresUrl);
  const { keys } = server.demo;
  const ask = (query: string, key: string, variables?: unknown) =>
    client.send(`${server.coreUrl}/graphql`, {
      headers: { authorization: `Bearer ${key}` },
      json: { query, variables },
    });

  /** Sends again and again until the end of the phase; `pauseMs` apart. Returns the times in milliseconds, sorted, and the statuses. */
  const repeat = async (endMs: number, pauseMs: number, send: () => Promise<{ status: number }>) => {
    const times: number[] = [];
    const statuses = new Map<number, number>();
    while (performance.now() < endMs) {
      const startedMs = performance.now();
      const { status } = await send();
      times.push(performance.now() - startedMs);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    return { times: times.sort((left, right) => left - right), statuses };
  };

  console.log(
    `phase                                     healthz p50      p99      max   caller p50      p99   attacks by status`,
  );
  for (const attack of ATTACKS) {
    const endMs = performance.now() + seconds * 1_000;
    const ordinary = '{ campaigns(first: 25) { nodes { id name status } } }';
    const [health, caller, ...attackers] = await Promise.all([
      repeat(endMs, PROBE_EVERY_MS, () => client.send(`${server.coreUrl}/healthz`)),
      repeat(endMs, PROBE_EVERY_MS, () => ask(ordinary, keys.readOnly)),
      ...(attack === null ? [] : Array.from({ length: ATTACKERS })).map(() =>
        repeat(endMs, 0, () => ask(attack?.query ?? '', keys.readWrite, attack?.variables)),
      ),
    ]);
    const statuses: Record<string, number> = {};
    for (const one of attackers)
      for (const [status, count] of one.statuses) statuses[status] = (statuses[status] ?? 0) + count;
    console.log(
      `${(attack?.name ?? 'nothing else (baseline)').padEnd(42)}${at(health.times, 0.5)} ${at(health.times, 0.99)} ${at(health.times, 1)}     ${at(caller.times, 0.5)} ${at(caller.times, 0.99)}   ${JSON.stringify(statuses)}`,
    );
    // The network regains its points before the next phase.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  }
} finally {
  client.close();
  await server.stop();
  await removeDataDir(dataDir);
}
