/**
 * `npm run bench:backlog-beside-bids`: bids alone and while a backlog of events goes to the embedded analytics store, in short slices in turn,
 * so that what else the machine does falls on both alike. The times of all slices of a kind count together. Beside the time of bids: the CPU
 * time of the worker's main thread, and how long it waited for a core. Arguments: bids a second (300), rounds (4), seconds of a slice
 * (4), rows of a backlog (600,000), rows of a file (2,000).
 */
import { linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { EVENTS_TABLE } from '../../src/events/shipping/events.olap.ts';
import { newSpoolFileName, spoolFilePath } from '../../src/events/spool/spool-files.ts';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import { makeDataDir, removeDataDir, startPlacard } from '../../test/support/placard-process.ts';
import { BENCH_NETWORK_ID, bookBenchNetwork } from '../support/bench-network.ts';
import { BID_HEADERS, bidBodies } from '../support/bid-traffic.ts';
import { runOpenLoop } from '../support/open-loop.ts';
import { spoolLineOf } from '../support/spool-rows.ts';

const [perSecond = 300, rounds = 4, seconds = 4, rows = 600_000, rowsPerFile = 2_000] = process.argv
  .slice(2)
  .map(Number);
const CONNECTIONS = 32;
const LINE_ITEMS = 500;
const LEAD_SECONDS = 1;

interface Slices {
  readonly timesMs: number[];
  cpuNanos: number;
  waitNanos: number;
  rows: number;
}

const dataDir = makeDataDir();
const env = { PLACARD_TLS: 'loopback', PLACARD_WORKERS: '1', PLACARD_DEMO: 'false', PLACARD_LOG_LEVEL: 'warn' };
const server = await startPlacard({ dataDir, env });
const { postgresUrl, clickhouseUrl } = JSON.parse(readFileSync(join(dataDir, 'run', 'endpoints.json'), 'utf8')) as {
  readonly postgresUrl: string;
  readonly clickhouseUrl: string;
};
const olap = openOlap({ url: clickhouseUrl, log: SILENT_LOG });
const templates = join(dataDir, 'templates');
const slices = new Map<string, Slices>();
try {
  await bookBenchNetwork(postgresUrl, LINE_ITEMS);
  const sizes = writeTemplates();
  // The first round is not counted: the worker's code is cold.
  for (let round = 0; round <= rounds; round += 1) {
    if (round === 1) slices.clear();
    for (const name of ['alone', 'beside a backlog']) {
      const before = await countRows();
      if (name !== 'alone') addBacklog(sizes);
      await measureSlice(name);
      const known = slices.get(name);
      if (known !== undefined) known.rows += (await countRows()) - before;
      await drain();
    }
  }
  console.log(`${perSecond} bids a second, load ${loadavg()[0]?.toFixed(1)}`);
  for (const [name, all] of slices) tell(name, all);
} finally {
  await olap.close();
  await server.stop();
  await removeDataDir(dataDir);
}

/** Files that every backlog links to: the shipper removes its own names alone. */
function writeTemplates(): readonly number[] {
  mkdirSync(templates);
  return Array.from({ length: Math.ceil(rows / rowsPerFile) }, (_none, file) => {
    const lines = Array.from({ length: rowsPerFile }, (_row, at) => spoolLineOf(file * rowsPerFile + at));
    const bytes = Buffer.concat(lines);
    writeFileSync(join(templates, String(file)), bytes);
    return bytes.length;
  });
}

function addBacklog(sizes: readonly number[]): void {
  let name: string | null = null;
  for (const [file, bytes] of sizes.entries()) {
    name = newSpoolFileName(Date.now() - 3_600_000, name);
    linkSync(join(templates, String(file)), spoolFilePath(join(dataDir, 'spool', 'w0'), name, 'settled', bytes));
  }
}

async function countRows(): Promise<number> {
  const [row] = await olap.query<{ rows: string }>({ sql: `SELECT count() AS rows FROM ${EVENTS_TABLE}` });
  return Number(row?.rows ?? 0);
}

/** Waits until no file of the backlog is left. */
async function drain(): Promise<void> {
  const left = (): number =>
    readdirSync(join(dataDir, 'spool', 'batches')).length +
    readdirSync(join(dataDir, 'spool', 'w0')).filter((name) => name.endsWith('.settled')).length;
  while (left() > 0) await sleep(100);
}

async function measureSlice(name: string): Promise<void> {
  const bids = {
    url: `${server.deliveryUrl}/${BENCH_NETWORK_ID}/bid`,
    bodies: bidBodies(),
    headers: BID_HEADERS,
    connections: CONNECTIONS,
    perSecond,
  };
  await runOpenLoop({ ...bids, seconds: LEAD_SECONDS });
  const before = mainThread();
  const { timesMs } = await runOpenLoop({ ...bids, seconds });
  const after = mainThread();
  const known = slices.get(name) ?? { timesMs: [], cpuNanos: 0, waitNanos: 0, rows: 0 };
  slices.set(name, known);
  const [cpuNanos = 0, waitNanos = 0] = after.map((value, at) => value - (before[at] ?? 0));
  known.timesMs.push(...timesMs);
  known.cpuNanos += cpuNanos;
  known.waitNanos += waitNanos;
}

function tell(name: string, { timesMs, cpuNanos, waitNanos, rows: stored }: Slices): void {
  const sorted = timesMs.toSorted((left, right) => left - right);
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(2);
  const storedPerSecond = Math.round(stored / rounds / (seconds + LEAD_SECONDS));
  console.log(
    `${name.padEnd(16)} ${sorted.length} bids, p50 ${at(0.5)} p90 ${at(0.9)} p99 ${at(0.99)} ms; main thread ${(cpuNanos / 1e3 / sorted.length).toFixed(0)} µs CPU a bid, waits ${(waitNanos / cpuNanos).toFixed(2)} of it; ${storedPerSecond} rows a second stored`,
  );
}

/** CPU time and time that it waited for a core, nanoseconds. */
function mainThread(): readonly number[] {
  const children = JSON.parse(readFileSync(join(dataDir, 'run', 'children.json'), 'utf8')) as {
    readonly name: string;
    readonly pid: number;
  }[];
  const pid = children.find(({ name }) => name.startsWith('delivery'))?.pid ?? 0;
  return readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').slice(0, 2).map(Number);
}
