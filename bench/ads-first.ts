/**
 * `npm run bench:ads-first`: bids alone, beside heavy reports and beside an export, in short slices in turn, so that whatever else the machine
 * does falls on all of them alike. The times of all slices of a kind count together. Beside the time of bids: how long the worker's
 * main thread waited for a core, for each second that it had one. Arguments: bids a second (300), rounds (6), seconds of a slice (3), days of
 * 240,000 rows (10), `PLACARD_REPORTS_YIELD` (on).
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { SILENT_LOG } from '../src/domain/log/log.ts';
import { openOlap } from '../src/storage/olap/clickhouse.ts';
import { makeDataDir, removeDataDir, startPlacard } from '../test/support/placard-process.ts';
import { BENCH_NETWORK_ID, bookBenchNetwork } from './bench-network.ts';
import { BID_HEADERS, bidBodies } from './bid-traffic.ts';
import { runExport, runHeavyReports } from './heavy-reports.ts';
import { cpuMicros } from './load.ts';
import { runOpenLoop } from './open-loop.ts';
import { filledDays, fillRollUps, waitForMerges } from './report-rows.ts';

const [perSecond = 300, rounds = 6, seconds = 3, days = 10] = process.argv.slice(2, 6).map(Number);
const setting = process.argv[6] ?? 'on';
const CONNECTIONS = 32;
const LINE_ITEMS = 500;
const LEAD_SECONDS = 2;
const MERGE_WAIT_MS = 120_000;
const DAY_MS = 86_400_000;

interface Slices {
  readonly timesMs: number[];
  cpuNanos: number;
  waitNanos: number;
  analyticsMicros: number;
  megabytes: number;
}

const dataDir = makeDataDir();
const server = await startPlacard({
  dataDir,
  env: {
    PLACARD_TLS: 'loopback',
    PLACARD_WORKERS: '1',
    PLACARD_DEMO: 'true',
    PLACARD_LOG_LEVEL: 'warn',
    PLACARD_REPORTS_YIELD: setting,
  },
});
const { lastMs } = filledDays(Date.now());
const iso = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);
const plan = {
  loadUrl: `${server.coreUrl}/reports/${server.demo.networkId}/v1/load`,
  headers: {
    'x-internal-auth-login': server.demo.credentials.login,
    'x-internal-auth-token': server.demo.credentials.token,
    'content-type': 'application/json',
  },
  lastDays: (count: number): [string, string] => [iso(lastMs - (count - 1) * DAY_MS), iso(lastMs)],
};
const HEAVIES: Readonly<Record<string, () => () => Promise<number>>> = {
  alone: () => () => Promise.resolve(0),
  'heavy reports': () => runHeavyReports(plan),
  'alone again': () => () => Promise.resolve(0),
  'an export': () => runExport(plan),
};
const slices = new Map<string, Slices>();
try {
  await fill();
  for (let round = 0; round < rounds; round += 1)
    for (const [name, heavy] of Object.entries(HEAVIES)) await measureSlice(name, heavy);
  console.log(`yield ${setting}, ${perSecond} bids a second, load ${loadavg()[0]?.toFixed(1)}`);
  for (const [name, all] of slices) tell(name, all);
} finally {
  await server.stop();
  await removeDataDir(dataDir);
}

async function fill(): Promise<void> {
  const { postgresUrl, clickhouseUrl } = JSON.parse(readFileSync(join(dataDir, 'run', 'endpoints.json'), 'utf8')) as {
    readonly postgresUrl: string;
    readonly clickhouseUrl: string;
  };
  await bookBenchNetwork(postgresUrl, LINE_ITEMS);
  const db = new pg.Client({ connectionString: postgresUrl });
  await db.connect();
  const { rows } = await db.query<{ id: number }>(
    `SELECT id FROM workspaces WHERE network_id = $1 AND environment = 'production'`,
    [server.demo.networkId],
  );
  await db.end();
  const olap = openOlap({ url: clickhouseUrl, log: SILENT_LOG });
  await fillRollUps(olap, rows[0]?.id ?? 0, lastMs - (days - 1) * DAY_MS, days);
  await waitForMerges(olap, MERGE_WAIT_MS);
  await olap.close();
}

async function measureSlice(name: string, heavy: () => () => Promise<number>): Promise<void> {
  const end = heavy();
  const bids = {
    url: `${server.deliveryUrl}/${BENCH_NETWORK_ID}/bid`,
    bodies: bidBodies(),
    headers: BID_HEADERS,
    connections: CONNECTIONS,
    perSecond,
  };
  await runOpenLoop({ ...bids, seconds: LEAD_SECONDS });
  const before = [...mainThread(), cpuMicros(pidOf('analytics'))];
  const { timesMs } = await runOpenLoop({ ...bids, seconds });
  const after = [...mainThread(), cpuMicros(pidOf('analytics'))];
  const megabytes = await end();
  const known = slices.get(name) ?? { timesMs: [], cpuNanos: 0, waitNanos: 0, analyticsMicros: 0, megabytes: 0 };
  slices.set(name, known);
  const [cpuNanos = 0, waitNanos = 0, analyticsMicros = 0] = after.map((value, at) => value - (before[at] ?? 0));
  known.timesMs.push(...timesMs);
  known.cpuNanos += cpuNanos;
  known.waitNanos += waitNanos;
  known.analyticsMicros += analyticsMicros;
  known.megabytes += megabytes;
}

function tell(name: string, { timesMs, cpuNanos, waitNanos, analyticsMicros, megabytes }: Slices): void {
  const sorted = timesMs.toSorted((left, right) => left - right);
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(2);
  console.log(
    `${name.padEnd(14)} ${sorted.length} bids, p50 ${at(0.5)} p90 ${at(0.9)} p99 ${at(0.99)} ms; worker ${(cpuNanos / 1e3 / sorted.length).toFixed(0)} µs CPU, waits ${(waitNanos / cpuNanos).toFixed(2)} of it; analytics ${(analyticsMicros / 1e6 / seconds / rounds).toFixed(2)} cores, ${megabytes.toFixed(1)} MB`,
  );
}

/** CPU time and time that it waited for a core, nanoseconds. */
function mainThread(): readonly number[] {
  const [cpuNanos = 0, waitNanos = 0] = readFileSync(`/proc/${pidOf('delivery')}/schedstat`, 'utf8')
    .split(' ')
    .map(Number);
  return [cpuNanos, waitNanos];
}

function pidOf(role: string): number {
  const children = JSON.parse(readFileSync(join(dataDir, 'run', 'children.json'), 'utf8')) as {
    readonly name: string;
    readonly pid: number;
  }[];
  return children.find(({ name }) => name.startsWith(role))?.pid ?? 0;
}
