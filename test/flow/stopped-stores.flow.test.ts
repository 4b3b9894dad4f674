/**
 * Responses while a store is stopped, which is worse than dead: PostgreSQL and the analytics store. Requests
 * that need the store are 503 `unavailable` within a bound; known keys work for those that do not.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readChildren } from '../../src/runtime/supervisor/run-files.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/storage/sql/embedded-postgres.ts';
import { type Client, createClient, type HttpResponse } from '../support/http-client.ts';
import { makeDataDir, type PlacardProcess, removeDataDir, startPlacard } from '../support/placard-process.ts';
import { silentLog } from '../support/stores.ts';

/** The bound of the first requests: 2 s of silence and one probe of 5 s, at worst two, and the delay of a loaded machine. */
const FIRST_MS_MAX = 45_000;
/** Later ones, while the probes fail, and those that need no PostgreSQL: some 10 ms each, but on a loaded machine. */
const LATER_MS_MAX = 30_000;
/** The diagnosis gives its statement 10 s, and the client 2 s more; a report asks for the version of its data first. */
const ANALYTICS_MS_MAX = 45_000;

let postgres: EmbeddedPostgres;
let postgresDir: string;
let dataDir: string;
let server: PlacardProcess;
let client: Client;
let segmentId: string;
let lineItemId: string;

beforeAll(async () => {
  postgresDir = makeDataDir();
  postgres = await startEmbeddedPostgres({ dataDir: postgresDir, log: silentLog });
  dataDir = makeDataDir();
  server = await startPlacard({
    dataDir,
    env: {
      PLACARD_POSTGRES_URL: postgres.url,
      PLACARD_POSTGRES_OWNER_URL: postgres.ownerUrl,
      PLACARD_DEMO: 'true',
      PLACARD_WORKERS: '1',
    },
    demoHistory: 'none',
  });
  client = createClient(server.ca);
  const made = await graphql('mutation { createSegment(input: { name: "Outage" }) { segment { id } } }');
  segmentId = made.json<{ data: { createSegment: { segment: { id: string } } } }>().data.createSegment.segment.id;
  const read = await graphql('{ lineItems(first: 1) { nodes { id } } }');
  lineItemId = read.json<{ data: { lineItems: { nodes: { id: string }[] } } }>().data.lineItems.nodes[0]?.id ?? '';
}, 300_000);

afterAll(async () => {
  if (isPostgresUp) signalPostgres('SIGCONT');
  client?.close();
  await server?.stop();
  await postgres?.stop();
  await removeDataDir(dataDir);
  await removeDataDir(postgresDir);
}, 120_000);

let isPostgresUp = true;

/** Signals the server and the process of each of its connections. */
function signalPostgres(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/status`, 'utf8').includes(`\nPPid:\t${postgres.pid}\n`);
    } catch {
      return false;
    }
  });
  for (const pid of [postgres.pid, ...children.map(Number)]) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // A process of a connection may end in between.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const graphql = (query: string, variables: Record<string, unknown> = {}) =>
  client.send(`${server.coreUrl}/graphql`, { headers: bearer(server.demo.keys.admin), json: { query, variables } });

const QUERY = {
  measures: ['campaign_overview.impressions'],
  timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'last 7 days' }],
};
const loadReport = () =>
  client.send(`${server.coreUrl}/reports/1000/v1/load`, {
    headers: bearer(server.demo.keys.reports),
    json: { query: QUERY },
  });

const SCHEDULE = { name: 'Outage', cron: '0 6 * * 1', query: QUERY };
const CREATE_SCHEDULE =
  'mutation ($input: CreateReportScheduleInput!) { createReportSchedule(input: $input) { webhookSecret } }';

/** Everything that needs PostgreSQL, by name. */
const NEEDS_POSTGRES: Readonly<Record<string, () => Promise<HttpResponse>>> = {
  'create an advertiser': () =>
    graphql('mutation { createAdvertiser(input: { name: "Outage" }) { advertiser { id } } }'),
  'create a site': () =>
    graphql(
      'mutation { createSite(input: { name: "Outage", code: "outage", domain: "outage.example" }) { site { id } } }',
    ),
  'change the network': () => graphql('mutation { updateNetwork(input: { floor: "0.5" }) { id } }'),
  'create a key': () => graphql('mutation { createApiKey(input: { name: "o", permission: ADMIN }) { value } }'),
  'invite a member': () => graphql('mutation { inviteUser(email: "o@example.com", role: VIEWER) { id } }'),
  'create a report schedule': () => graphql(CREATE_SCHEDULE, { input: SCHEDULE }),
  'read campaigns': () => graphql('{ campaigns(first: 5) { nodes { id } } }'),
  'upload segment members': () =>
    client.send(`${server.coreUrl}/segments/${segmentId}/members?mode=ADD&ids=lu`, {
      headers: { ...bearer(server.demo.keys.admin), 'content-type': 'application/x-ndjson' },
      body: '{"id":"u1"}\n',
    }),
  'upload an asset': () =>
    client.send(`${server.coreUrl}/assets`, {
      headers: { ...bearer(server.demo.keys.admin), 'content-type': 'image/gif' },
      body: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
    }),
  'sign in': () => client.send(`${server.coreUrl}/auth/sign-in`, { json: server.demo.account }),
};

/** Requests that known keys make without PostgreSQL. */
const NEEDS_NO_POSTGRES: Readonly<Record<string, () => Promise<HttpResponse>>> = {
  'ad request': () =>
    client.send(`${server.deliveryUrl}/api/v1/ads`, {
      headers: bearer(server.demo.keys.delivery),
      json: { network: '1000', adUnit: 'home/sidebar' },
    }),
  'report members': () =>
    client.send(`${server.coreUrl}/reports/1000/v1/meta`, { headers: bearer(server.demo.keys.reports) }),
  report: loadReport,
  'GraphQL type': () => graphql('{ __typename }'),
};

/** The HTTP status and the code of an error, those of GraphQL included. */
function outcomeOf(response: HttpResponse): readonly [status: number, code: string | null] {
  const body = response.json<{ error?: string; code?: string; errors?: { extensions: { code: string } }[] }>();
  return [response.status, body.code ?? body.error ?? body.errors?.[0]?.extensions.code ?? null];
}

/** Sends all at once; returns their outcomes, and the time of the slowest. */
async function sendAll(
  requests: Readonly<Record<string, () => Promise<HttpResponse>>>,
): Promise<{ readonly outcomes: Readonly<Record<string, unknown>>; readonly slowestMs: number }> {
  const startedAtMs = performance.now();
  const outcomes = await Promise.all(
    Object.entries(requests).map(async ([name, send]) => [name, outcomeOf(await send())] as const),
  );
  return { outcomes: Object.fromEntries(outcomes), slowestMs: performance.now() - startedAtMs };
}

/** A query that began has the code beside `data: null`, as GraphQL over HTTP has it; everything else is 503. */
function expectUnavailable(outcomes: Readonly<Record<string, unknown>>): void {
  const wanted = Object.keys(outcomes).map((name) => [name, [name === 'read campaigns' ? 200 : 503, 'unavailable']]);
  expect(outcomes).toEqual(Object.fromEntries(wanted));
}

function expectSuccess(outcomes: Readonly<Record<string, unknown>>): void {
  expect(outcomes).toEqual(Object.fromEntries(Object.keys(outcomes).map((name) => [name, [200, null]])));
}

describe('analytics store that is stopped', () => {
  test('reports get 503 unavailable, and a diagnosis does without its sample', async () => {
    const pids = readChildren(dataDir).filter(({ name }) => name.startsWith('analytics'));
    expect(pids).toHaveLength(1);
    for (const { pid } of pids) process.kill(pid, 'SIGSTOP');
    const { outcomes, slowestMs } = await sendAll({
      diagnosis: () =>
        graphql('query ($id: ID!) { lineItem(id: $id) { deliveryDiagnosis { code } } }', {
          id: lineItemId,
        }),
      report: loadReport,
    });
    for (const { pid } of pids) process.kill(pid, 'SIGCONT');
    expect(outcomes).toEqual({ diagnosis: [200, null], report: [503, 'unavailable'] });
    expect(slowestMs).toBeLessThan(ANALYTICS_MS_MAX);
  });
});

describe('PostgreSQL', () => {
  test('known keys work while PostgreSQL is stopped, and operations that need it get 503 unavailable', async () => {
    // The analytics store works again.
    await expect.poll(async () => outcomeOf(await loadReport())).toEqual([200, null]);
    expectSuccess((await sendAll(NEEDS_NO_POSTGRES)).outcomes);
    signalPostgres('SIGSTOP');
    const [first, known] = await Promise.all([sendAll(NEEDS_POSTGRES), sendAll(NEEDS_NO_POSTGRES)]);
    const [later, knownLater] = await Promise.all([sendAll(NEEDS_POSTGRES), sendAll(NEEDS_NO_POSTGRES)]);
    signalPostgres('SIGCONT');
    expectUnavailable(first.outcomes);
    expect(first.slowestMs).toBeLessThan(FIRST_MS_MAX);
    expectUnavailable(later.outcomes);
    expect(later.slowestMs).toBeLessThan(LATER_MS_MAX);
    for (const { outcomes, slowestMs } of [known, knownLater]) {
      expectSuccess(outcomes);
      expect(slowestMs).toBeLessThan(LATER_MS_MAX);
    }
    await expect
      .poll(async () => outcomeOf(await graphql('mutation { updateNetwork(input: { floor: "0.5" }) { id } }')))
      .toEqual([200, null]);
  });

  test('known keys work after PostgreSQL was killed, and operations that need it get 503 unavailable', async () => {
    isPostgresUp = false;
    signalPostgres('SIGKILL');
    await postgres.exited;
    // Reports are left out: a core that connected again a moment before reads the network's own report members first.
    const { report: _report, 'report members': _members, ...known } = NEEDS_NO_POSTGRES;
    const [first, others] = await Promise.all([sendAll(NEEDS_POSTGRES), sendAll(known)]);
    expectUnavailable(first.outcomes);
    expect(first.slowestMs).toBeLessThan(FIRST_MS_MAX);
    expectSuccess(others.outcomes);
    expect(others.slowestMs).toBeLessThan(LATER_MS_MAX);
  });
});
