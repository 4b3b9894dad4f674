import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import type { DemoFile } from '../../../src/demo/demo-file.ts';
import { createClient, type HttpResponse, type Client } from '../../support/http-client.ts';
import { askFor } from '../../support/on-demand.ts';
import { makeDataDir, type PlacardProcess, removeDataDir, startPlacard } from '../../support/placard-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Socket of the run's global set-up, which makes the demo's data folder when it is first asked. */
    e2eSocket: string;
  }
}

const run = promisify(execFile);
/** One delivery worker serves a browser; no test of a page kills it. */
const SIZE = { PLACARD_WORKERS: '1', PLACARD_LOG_LEVEL: 'warn' };
/** A test takes a decision of its own apart. */
const LOGS_ALL = { PLACARD_DECISION_LOG_PER_SECOND: '1000' };

/** A whole Placard for a browser test. */
export interface PlacardServer {
  readonly coreUrl: string;
  readonly deliveryUrl: string;
  /** For the command line. */
  readonly dataDir: string;
  readonly demo: DemoFile;
  readonly client: Client;
  /** PEM with key and certificate, for the publisher's own server. */
  readonly certificate: string;
  /** The sum of a measure today, for one creative. */
  countToday(measure: string, filters: Readonly<Record<string, string>>): Promise<number>;
  graphql(query: string, variables?: unknown): Promise<HttpResponse>;
  close(): Promise<void>;
}

/** The server of the files of a suite, from the first that opens it on; null: none shares. */
let shared: { server: Promise<PlacardServer> | null } | null = null;

/** Files that this process runs from now on share a server, unless they ask for settings. Returns how to stop it. */
export function shareServer(): () => Promise<void> {
  const own: { server: Promise<PlacardServer> | null } = { server: null };
  shared = own;
  return async () => {
    shared = null;
    await (await own.server)?.close();
  };
}

/**
 * Starts a server on a copy of the run's demo, with further settings; or takes that of the suite, or the one that PLACARD_DEMO_FILE (with
 * _CORE_URL, _DELIVERY_URL) names.
 */
export async function openPlacard(env: Readonly<Record<string, string>> = {}): Promise<PlacardServer> {
  const named = openNamed();
  if (named !== null) return named;
  if (shared === null || Object.keys(env).length > 0) return startOnCopy(env);
  shared.server ??= startOnCopy({});
  return guestOf(await shared.server);
}

/** Events reach reports within two seconds of their responses. */
const SHIPPED_MS = 3_000;

/** A file's part in a shared server: when it ends, its last events are in the figures that the next file begins with. */
function guestOf(server: PlacardServer): PlacardServer {
  let hasCounted = false;
  return {
    ...server,
    countToday(measure, filters) {
      hasCounted = true;
      return server.countToday(measure, filters);
    },
    async close() {
      if (!hasCounted) return;
      let [before, now] = [-1, await server.countToday('gross_impressions', {})];
      while (now !== before) {
        await new Promise((resolve) => setTimeout(resolve, SHIPPED_MS));
        [before, now] = [now, await server.countToday('gross_impressions', {})];
      }
    },
  };
}

async function startOnCopy(env: Readonly<Record<string, string>>): Promise<PlacardServer> {
  const dataDir = makeDataDir();
  // As root, PostgreSQL's files belong to another account, which `cp -a` keeps.
  await run('cp', ['-a', `${await askFor<string>(inject('e2eSocket'), '/demo')}/.`, dataDir]);
  const server = await startPlacard({
    dataDir,
    env: { ...SIZE, ...LOGS_ALL, ...env },
  });
  return wrapOwn(server);
}

/** The same outside of a run of tests, as for a bench: on a demo of its own. */
export async function openOwnPlacard(): Promise<PlacardServer> {
  const named = openNamed();
  if (named !== null) return named;
  const dataDir = makeDataDir();
  const server = await startPlacard({ dataDir, env: SIZE, demoHistory: 'whole' });
  return wrapOwn(server);
}

/** Its end also deletes its data folder. */
function wrapOwn(server: PlacardProcess): PlacardServer {
  return wrap(server, async () => {
    await server.stop();
    await removeDataDir(server.dataDir);
  });
}

/** The server that the environment names; null: none. */
function openNamed(): PlacardServer | null {
  const { PLACARD_CORE_URL, PLACARD_DELIVERY_URL, PLACARD_DEMO_FILE } = process.env;
  if (PLACARD_CORE_URL === undefined || PLACARD_DELIVERY_URL === undefined || PLACARD_DEMO_FILE === undefined)
    return null;
  const demo = JSON.parse(readFileSync(PLACARD_DEMO_FILE, 'utf8')) as DemoFile;
  const dataDir = dirname(PLACARD_DEMO_FILE);
  return wrap({ coreUrl: PLACARD_CORE_URL, deliveryUrl: PLACARD_DELIVERY_URL, demo, dataDir }, async () => {});
}

interface Running {
  readonly coreUrl: string;
  readonly deliveryUrl: string;
  readonly demo: DemoFile;
  readonly dataDir: string;
}

function wrap({ coreUrl, deliveryUrl, demo, dataDir }: Running, stop: () => Promise<void>): PlacardServer {
  const client = createClient(demo.caFile === null ? null : readFileSync(demo.caFile, 'utf8'));
  return {
    coreUrl,
    deliveryUrl,
    dataDir,
    demo,
    client,
    certificate: readFileSync(join(dataDir, 'tls', 'server.pem'), 'utf8'),
    async countToday(measure, filters) {
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Warsaw' }).format(Date.now());
      const member = (name: string): string => `campaign_overview.${name}`;
      const query = {
        measures: [member(measure)],
        timeDimensions: [{ dimension: member('time'), dateRange: [day, day] }],
        filters: Object.entries(filters).map(([name, value]) => ({
          member: member(name),
          operator: 'equals',
          values: [value],
        })),
      };
      const { login, token } = demo.credentials;
      const headers = { 'x-internal-auth-login': login, 'x-internal-auth-token': token };
      const response = await client.send(`${demo.urls.reportsApi}/${demo.networkId}/v1/load`, {
        headers,
        // A report that took long is served again for as long: on a busy machine it would not show what was counted since.
        json: { query, cache: 'no-cache' },
      });
      if (response.status !== 200) throw new Error(`report ${response.status}: ${response.text}`);
      return Number(response.json<{ data: Record<string, string>[] }>().data[0]?.[member(measure)] ?? 0);
    },
    graphql: (query, variables) =>
      client.send(`${coreUrl}/graphql`, {
        headers: { authorization: `Bearer ${demo.keys.admin}` },
        json: { query, variables },
      }),
    async close() {
      client.close();
      await stop();
    },
  };
}

/** Repeats a query until `accept` holds, at most `timeoutMs`; returns the last value. */
export async function eventually<T>(
  ask: () => Promise<T>,
  accept: (value: T) => boolean,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let value = await ask();
  while (!accept(value) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 150));
    value = await ask();
  }
  return value;
}
