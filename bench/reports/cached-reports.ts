/**
 * `npm run bench:cached-reports`: CPU time and rate of a cached report, and of a 304, at eight connections, beside a bare node:http server that parses
 * the same body and sends as many bytes. Rounds alternate; medians count. Arguments: rounds (5), seconds of one (4).
 */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../../test/support/http-client.ts';
import { makeDataDir, runPlacard, startPlacard } from '../../test/support/placard-process.ts';
import { cpuMicros, runLoad } from '../support/load.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = Number(process.argv[3] ?? 4);
const CONNECTIONS = 8;

interface Target {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Sends the entity tag of the response at this moment: the demo's history may still arrive. */
  readonly isConditional?: boolean;
}

interface Figure {
  readonly cpuUs: number;
  readonly perSecond: number;
  readonly p99Ms: number;
}

const member = (name: string): string => `campaign_overview.${name}`;
const query = {
  measures: ['impressions', 'clicks', 'ctr', 'revenue'].map(member),
  timeDimensions: [{ dimension: member('time'), granularity: 'day', dateRange: 'last 30 days' }],
};
const body = JSON.stringify({ query });
const dataDir = makeDataDir();
const server = await startPlacard({
  dataDir,
  demoHistory: 'whole',
  env: { PLACARD_TLS: 'loopback', PLACARD_WORKERS: '1', PLACARD_DEMO: 'true', PLACARD_LOG_LEVEL: 'warn' },
});
// The default limit of a day would last for half a minute.
const limited = ['limits', 'set', server.demo.networkId, 'reports', '1000000000'];
const { code, err } = await runPlacard(limited, { PLACARD_DATA: dataDir });
if (code !== 0) throw new Error(err);
const client = createClient(null);
const bare = { child: null as ReturnType<typeof spawn> | null };
try {
  const url = `${server.coreUrl}/reports/${server.demo.networkId}/v1/load`;
  const headers = {
    'x-internal-auth-login': server.demo.credentials.login,
    'x-internal-auth-token': server.demo.credentials.token,
    'content-type': 'application/json',
  };
  const first = await client.send(url, { method: 'POST', headers, body });
  if (first.status !== 200) throw new Error(`The Reports API responded with ${first.status}`);
  const floor = await startFloor(first.text.length);
  const core = childPid('core');
  const targets: Target[] = [
    { name: 'cached report', url, pid: core, headers },
    { name: 'bare node:http, same bytes', url: `http://127.0.0.1:${floor.port}/`, pid: floor.pid, headers },
    { name: 'not modified (304)', url, pid: core, headers, isConditional: true },
  ];
  console.log(`${first.text.length} bytes, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s; core ${core}`);
  for (const target of targets) await measure(target);
  const figures = new Map<string, Figure[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const target of targets)
      figures.set(target.name, [...(figures.get(target.name) ?? []), await measure(target)]);
  }
  for (const [name, all] of figures) {
    const [cpuUs, perSecond, p99Ms] = (['cpuUs', 'perSecond', 'p99Ms'] as const).map((key) => middle(all, key));
    console.log(
      `${name.padEnd(30)} ${cpuUs?.toFixed(0)} µs CPU  ${perSecond?.toFixed(0)} requests/s  p99 ${p99Ms?.toFixed(1)} ms`,
    );
  }
} finally {
  client.close();
  bare.child?.kill();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(target: Target, triesLeft = 5): Promise<Figure> {
  const { url, pid, headers: own, name, isConditional = false } = target;
  const headers = isConditional ? { ...own, 'if-none-match': await readEtag(url, own) } : own;
  const before = cpuMicros(pid);
  const load = await runLoad({ url, bodies: [body], headers, connections: CONNECTIONS, seconds: SECONDS });
  // Data that arrives changes the tag.
  if (load.errors > 0 && isConditional && triesLeft > 0) return measure(target, triesLeft - 1);
  if (load.errors > 0) throw new Error(`${load.errors} requests failed: ${name}`);
  return { cpuUs: (cpuMicros(pid) - before) / load.requests, perSecond: load.requestsPerSecond, p99Ms: load.p99Ms };
}

async function readEtag(url: string, headers: Target['headers']): Promise<string> {
  const response = await client.send(url, { method: 'POST', headers, body });
  const { etag } = response.headers;
  if (typeof etag !== 'string') throw new Error(`No entity tag in ${response.status}: ${response.text.slice(0, 500)}`);
  return etag;
}

function middle(figures: readonly Figure[], key: keyof Figure): number {
  const sorted = figures.map((figure) => figure[key]).toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function startFloor(bytes: number): Promise<{ readonly pid: number; readonly port: number }> {
  const script = new URL('../support/floor-server.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, String(bytes), '4'], { stdio: ['ignore', 'pipe', 'inherit'] });
  bare.child = child;
  const port = await new Promise<number>((resolve) => child.stdout.once('data', (text) => resolve(Number(text))));
  return { pid: child.pid ?? 0, port };
}

function childPid(name: string): number {
  const children = JSON.parse(readFileSync(join(dataDir, 'run', 'children.json'), 'utf8')) as {
    readonly name: string;
    readonly pid: number;
  }[];
  return children.find((child) => child.name === name)?.pid ?? 0;
}
