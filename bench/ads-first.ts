/**
 * `npm run bench:ads-first`: bids alone, beside heavy reports and beside an export, in short slices in turn, so that whatever else the machine
 * does falls on all of them alike. The times of all slices of a kind count together. Beside the time of bids: how long the worker's
 * main thread waited for a core, for each second that it had one, and how late the generator itself was. The generator and the program that
 * receives the reports represent other machines: the one runs ahead of the service and the other behind it, where the system allows that.
 * Arguments: bids a second (300), rounds (6), seconds of a slice (3), days of 240,000 rows (10), `PLACARD_REPORTS_YIELD` (on).
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { SILENT_LOG } from '../src/domain/log/log.ts';
import { lowerPriority } from '../src/runtime/supervisor/process-priority.ts';
import { openOlap } from '../src/storage/olap/clickhouse.ts';
import { makeDataDir, removeDataDir, startPlacard } from '../test/support/placard-process.ts';
import { BENCH_NETWORK_ID, bookBenchNetwork } from './support/bench-network.ts';
import { BID_HEADERS, bidBodies } from './support/bid-traffic.ts';
import { runExport, runHeavyReports } from './support/heavy-reports.ts';
import { cpuMicros } from './support/load.ts';
import { type OpenLoopPlan, runOpenLoop } from './support/open-loop.ts';
import { filledDays, fillRollUps, waitForMerges } from './support/report-rows.ts';

const [perSecond = 300, rounds = 6, seconds = 3, days = 10] = process.argv.slice(2, 6).map(Number);
const setting = process.argv[6] ?? 'on';
const CONNECTIONS = 32;
const LINE_ITEMS = 500;
const LEAD_SECONDS = 2;
/** The code of a worker is compiled meanwhile, and it explains more of its decisions at first. */
const WARM_SECONDS = 60;
/** Nice levels of this process, which reads the reports. The generator can run ahead all the same: root may raise priorities. */
const BEHIND = 10;
const MERGE_WAIT_MS = 120_000;
const DAY_MS = 86_400_000;

interface Slices {
  readonly timesMs: number[];
  readonly sentLateMs: number[];
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
  await runOpenLoop({ ...bidPlan(), seconds: WARM_SECONDS });
  if (process.getuid?.() === 0) lowerPriority(BEHIND, SILENT_LOG);
  const kinds = Object.entries(HEAVIES);
  // Each round begins with another kind: what happens every ten seconds would else fall on the same one each time.
  for (let round = 0; round < rounds; round += 1)
    for (const at of kinds.keys())
      await measureSlice(...(kinds[(round + at) % kinds.length] as (typeof kinds)[number]));
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

function bidPlan(): OpenLoopPlan {
  const url = `${server.deliveryUrl}/${BENCH_NETWORK_ID}/bid`;
  const requests = { url, bodies: bidBodies(), headers: BID_HEADERS, connections: CONNECTIONS };
  return { ...requests, perSecond, seconds, isAhead: true };
}

async function measureSlice(name: string, heavy: () => () => Promise<number>): Promise<void> {
  const end = heavy();
  const read = (): number[] => [...mainThread(), cpuMicros(pidOf('analytics'))];
  let before: readonly number[] = [];
  const { timesMs, sentLateMs } = await runOpenLoop({ ...bidPlan(), leadSeconds: LEAD_SECONDS }, () => {
    before = read();
  });
  const after = read();
  const megabytes = await end();
  const none = { timesMs: [], sentLateMs: [], cpuNanos: 0, waitNanos: 0, analyticsMicros: 0, megabytes: 0 };
  const known = slices.get(name) ?? none;
  slices.set(name, known);
  known.sentLateMs.push(...sentLateMs);
  const [cpuNanos = 0, waitNanos = 0, analyticsMicros = 0] = after.map((value, at) => value - (before[at] ?? 0));
  known.timesMs.push(...timesMs);
  known.cpuNanos += cpuNanos;
  known.waitNanos += waitNanos;
  known.analyticsMicros += analyticsMicros;
  known.megabytes += megabytes;
}

function tell(name: string, { timesMs, sentLateMs, cpuNanos, waitNanos, analyticsMicros, megabytes }: Slices): void {
  const at = percentilesOf(timesMs);
  const bids = timesMs.length;
  console.log(
    `${name.padEnd(14)} ${bids} bids, p50 ${at(0.5)} p90 ${at(0.9)} p99 ${at(0.99)} ms (generator late: p99 ${percentilesOf(sentLateMs)(0.99)}); worker ${(cpuNanos / 1e3 / bids).toFixed(0)} µs CPU, waits ${(waitNanos / cpuNanos).toFixed(2)} of it; analytics ${(analyticsMicros / 1e6 / seconds / rounds).toFixed(2)} cores, ${megabytes.toFixed(1)} MB`,
  );
}

function percentilesOf(values: readonly number[]): (part: number) => string {
  const sorted = values.toSorted((left, right) => left - right);
  return (part) => (sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(2);
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
