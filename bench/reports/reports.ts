/**
 * `npm run bench:reports`: the Reports API of one network over 21.6 million hourly rows (5,000 line items with two creatives, every
 * hour of 90 days) and as many of key-values (1,000 line items with ten sets of values), over HTTP with header credentials: cold (not
 * in the result cache), cached, at eight connections; and the bid endpoint's latency alone, beside heavy reports and beside an export. Arguments: cold runs (40), and a data folder that is filled
 * once and kept. CPU time is the analytics process's: on a machine that is busy otherwise it says more than the clock.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import { createClient, type HttpResponse } from '../../test/support/http-client.ts';
import { makeDataDir, startPlacard } from '../../test/support/placard-process.ts';
import { BENCH_NETWORK_ID, bookBenchNetwork } from '../support/bench-network.ts';
import { measureBidsBeside } from '../support/bids-beside.ts';
import { runExport, runHeavyReports } from '../support/heavy-reports.ts';
import { cpuMicros, type LoadResult, runLoad } from '../support/load.ts';
import { daysUntil, questionsUntil, type ReportQuery } from '../support/report-questions.ts';
import {
  filledDays,
  fillKeyValues,
  fillRollUps,
  joinClosedMonths,
  KEYS,
  waitForMerges,
} from '../support/report-rows.ts';

const COLD_RUNS = Number(process.argv[2] ?? 40);
const CACHED_RUNS = 1000;
const BID_LINE_ITEMS = 500;
const BID_SECONDS = 8;
const BID_ROUNDS = 5;
const MERGE_WAIT_MS = 60_000;
const LIMITS = {
  lineItemDays: 15,
  byHour: 15,
  byLineItem: 150,
  creativeDevice: 100,
  cached: 2,
  keyValues: 100,
  keyValuesLineItem: 25,
} as const;

interface Figure {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly limitMs: number;
  /** Of the analytics process, a query. */
  readonly cpuMs: number;
}

const keptDir = process.argv[3];
const dataDir = keptDir ?? makeDataDir();
mkdirSync(dataDir, { recursive: true });
chmodSync(dataDir, 0o755);
const server = await startPlacard({
  dataDir,
  demoHistory: 'whole',
  env: { PLACARD_TLS: 'loopback', PLACARD_WORKERS: '1', PLACARD_DEMO: 'true', PLACARD_LOG_LEVEL: 'warn' },
});
const endpoints = JSON.parse(readFileSync(join(dataDir, 'run', 'endpoints.json'), 'utf8')) as {
  postgresUrl: string;
  clickhouseUrl: string;
};
const olap = openOlap({ url: endpoints.clickhouseUrl, log: SILENT_LOG });
const client = createClient(null);
const loadUrl = `${server.coreUrl}/reports/${server.demo.networkId}/v1/load`;
const headers = {
  'x-internal-auth-login': server.demo.credentials.login,
  'x-internal-auth-token': server.demo.credentials.token,
  'content-type': 'application/json',
};
const days = filledDays(Date.now());
const questions = questionsUntil(days.lastMs);
const lastDays = (count: number): [string, string] => daysUntil(days.lastMs, count);
try {
  const rows = await fillOnce();
  const keyValueRows = await fillKeyValuesOnce();
  await joinClosedMonths(olap, days.lastMs);
  await waitForMerges(olap, MERGE_WAIT_MS);
  console.log(await tableSizes());
  const figures = [
    await measureCold('30 days by day, one line item, cold', LIMITS.lineItemDays, questions.lineItemByDay),
    await measureCold('90 days by hour, cold', LIMITS.byHour, questions.byHour),
    await measureCold('90 days by line item, cold', LIMITS.byLineItem, questions.byLineItem),
    await measureCold('7 days × creative × device, filtered, cold', LIMITS.creativeDevice, questions.creativeByDevice),
    await measureCold('30 days by key-value, cold', LIMITS.keyValues, questions.bySection),
    await measureCold('30 days by two key-values × line item, cold', LIMITS.keyValues, questions.bySectionAndLineItem),
    await measureCold(
      '30 days by day × key-value, one line item, cold',
      LIMITS.keyValuesLineItem,
      questions.lineItemBySection,
    ),
    await measureCached('30 days by day, one line item, cached', questions.lineItemByDay(0)),
    await measureCached('90 days by line item (100 rows), cached', { ...questions.byLineItem(0), limit: 100 }),
  ];
  const cachedLoad = await measureThroughput('cached, 8 connections', [
    questions.lineItemByDay(0),
    questions.lineItemByDay(1),
  ]);
  const coldLoad = await measureThroughput(
    'cold, 8 connections',
    Array.from({ length: 64 }, (_, run) => ({ ...questions.lineItemByDay(run), cache: 'no-cache' })),
  );
  const bid = await measureBidsBeside({
    url: `${server.deliveryUrl}/${BENCH_NETWORK_ID}/bid`,
    heavies: {
      'heavy reports': () => runHeavyReports({ loadUrl, headers, lastDays }),
      'an export': () => runExport({ loadUrl, headers, lastDays }),
    },
    rounds: BID_ROUNDS,
    seconds: BID_SECONDS,
  });
  save({ rows, keyValueRows, figures, cachedLoad, coldLoad, bid });
} finally {
  client.close();
  await olap.close();
  await server.stop();
  if (keptDir === undefined) rmSync(dataDir, { recursive: true, force: true });
}

async function fillOnce(): Promise<number> {
  const marker = join(dataDir, 'bench-rows');
  if (existsSync(marker)) return Number(readFileSync(marker, 'utf8'));
  await bookBenchNetwork(endpoints.postgresUrl, BID_LINE_ITEMS);
  const startedMs = performance.now();
  const rows = await fillRollUps(olap, await demoWorkspace(), days.firstMs);
  console.log(`${rows} hourly rows filled in ${Math.round((performance.now() - startedMs) / 1000)} s`);
  writeFileSync(marker, String(rows));
  return rows;
}

async function fillKeyValuesOnce(): Promise<number> {
  const marker = join(dataDir, 'bench-key-value-rows');
  if (existsSync(marker)) return Number(readFileSync(marker, 'utf8'));
  const workspaceId = await demoWorkspace();
  await withPostgres((db) =>
    db.query(
      `INSERT INTO key_values (workspace_id, id, key, name, reportable) SELECT $1, id, key, key, true
        FROM unnest($2::bigint[], $3::text[]) AS made (id, key) ON CONFLICT DO NOTHING`,
      [workspaceId, Object.values(KEYS), Object.keys(KEYS).map((key) => `bench_${key}`)],
    ),
  );
  const startedMs = performance.now();
  const rows = await fillKeyValues(olap, workspaceId, days.firstMs);
  console.log(`${rows} hourly rows of key-values filled in ${Math.round((performance.now() - startedMs) / 1000)} s`);
  writeFileSync(marker, String(rows));
  return rows;
}

function send(query: ReportQuery): Promise<HttpResponse> {
  return client.send(loadUrl, { method: 'POST', headers, body: JSON.stringify({ query }) });
}

async function ask(query: ReportQuery): Promise<number> {
  const startedMs = performance.now();
  const response = await send(query);
  if (response.status !== 200) throw new Error(`The Reports API responded with ${response.status}: ${response.text}`);
  if (!response.text.includes('"data":[{')) throw new Error('The Reports API found no rows');
  return performance.now() - startedMs;
}

async function measureCold(name: string, limitMs: number, make: (run: number) => ReportQuery): Promise<Figure> {
  await ask({ ...make(COLD_RUNS), cache: 'no-cache' });
  const times: number[] = [];
  const before = cpuMicros(analyticsPid());
  for (let run = 0; run < COLD_RUNS; run += 1) times.push(await ask({ ...make(run), cache: 'no-cache' }));
  const cpuMs = (cpuMicros(analyticsPid()) - before) / 1000 / COLD_RUNS;
  return tell({ name, limitMs, cpuMs, ...percentiles(times) });
}

async function measureCached(name: string, query: ReportQuery): Promise<Figure> {
  for (let run = 0; run < 20; run += 1) await ask(query);
  const times: number[] = [];
  for (let run = 0; run < CACHED_RUNS; run += 1) times.push(await ask(query));
  return tell({ name, limitMs: LIMITS.cached, cpuMs: 0, ...percentiles(times) });
}

async function measureThroughput(name: string, queries: readonly ReportQuery[]): Promise<LoadResult> {
  const bodies = queries.map((query) => JSON.stringify({ query }));
  const result = await runLoad({ url: loadUrl, bodies, headers, connections: 8, seconds: 5 });
  console.log(
    `${name.padEnd(46)} ${result.requestsPerSecond.toFixed(0)} req/s  p50 ${result.p50Ms.toFixed(1)} ms  p99 ${result.p99Ms.toFixed(1)} ms  ${result.errors} errors (${result.generator})`,
  );
  return result;
}

async function demoWorkspace(): Promise<number> {
  const { rows } = await withPostgres((db) =>
    db.query<{ id: number }>(`SELECT id FROM workspaces WHERE network_id = $1 AND environment = 'production'`, [
      server.demo.networkId,
    ]),
  );
  return rows[0]?.id ?? 0;
}

async function withPostgres<T>(work: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({ connectionString: endpoints.postgresUrl });
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

async function tableSizes(): Promise<string> {
  const rows = await olap.query<{ table: string; n: string; mb: number; parts: string }>({
    sql: `SELECT table, sum(rows) AS n, round(sum(bytes_on_disk) / 1e6) AS mb, count() AS parts FROM system.parts
      WHERE active AND database = currentDatabase() AND table LIKE 'delivery%' GROUP BY table ORDER BY table`,
  });
  return rows.map(({ table, n, mb, parts }) => `${table}: ${n} rows, ${mb} MB, ${parts} parts`).join('; ');
}

function analyticsPid(): number {
  const children = JSON.parse(readFileSync(join(dataDir, 'run', 'children.json'), 'utf8')) as {
    readonly name: string;
    readonly pid: number;
  }[];
  return children.find(({ name }) => name.startsWith('analytics'))?.pid ?? 0;
}

function percentiles(times: readonly number[]): { p50Ms: number; p99Ms: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

function tell(figure: Figure): Figure {
  const { name, p50Ms, p99Ms, limitMs, cpuMs } = figure;
  console.log(
    `${name.padEnd(46)} p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms  (limit ${limitMs} ms)  ${cpuMs.toFixed(1)} ms CPU`,
  );
  return figure;
}

function save(measured: object): void {
  const dir = new URL('../results/', import.meta.url).pathname;
  mkdirSync(dir, { recursive: true });
  const file = join(dir, 'reports.json');
  const machine = { at: new Date().toISOString(), node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
  writeFileSync(file, `${JSON.stringify({ ...machine, ...measured }, null, 2)}\n`);
  console.log(`written to ${file}`);
}
