/**
 * `npm run bench:year -- <data folder> [events, in millions (2)] [runs of each report (20)] [minutes (600)]`: a year of diverse events in the
 * embedded store. It inserts them as the shipper does (binary rows into the intake table) for so many minutes at most, and goes on where an
 * earlier run ended. Then it measures bytes of disk by table, merges, reports beside those of `bench:reports`, the deletion of the first
 * day by retention, and the start of the service.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { countEventsBefore, deleteEventsBefore } from '../../src/events/retention/retention.olap.ts';
import { BINARY_FORMAT, BinaryRows } from '../../src/events/shipping/binary-rows.ts';
import { EVENTS_INTAKE_TABLE } from '../../src/events/shipping/events.olap.ts';
import { ROW_COLUMNS } from '../../src/events/spool/spool-row.ts';
import { encodeSpoolLine } from '../../src/events/spool/spool-line.ts';
import type { Olap, OlapInsert } from '../../src/storage/olap/olap.ts';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import { createClient } from '../../test/support/http-client.ts';
import { type PlacardProcess, startPlacard } from '../../test/support/placard-process.ts';
import { cpuMicros } from '../support/load.ts';
import { questionsUntil, type ReportQuery } from '../support/report-questions.ts';
import { joinClosedMonths, KEYS, waitForMerges } from '../support/report-rows.ts';
import { YearEvents } from '../support/year-events.ts';

const DAY_MS = 86_400_000;
const DAYS = 365;
/** Each pass over the year fills another quarter of its days: a run that ends early leaves a whole year with fewer events. */
const INSERTS_A_DAY = 4;
const LENGTH_MS = DAY_MS / INSERTS_A_DAY;
const [dataDir = '', millions = '2', runs = '20', minutes = '600'] = process.argv.slice(2);
if (dataDir === '') throw new Error('The first argument is a data folder, which is kept');
const EVENTS = Number(millions) * 1e6;
const RUNS = Number(runs);
const FILL_MS_MAX = Number(minutes) * 60_000;
const INSERT_TRIES_MAX = 5;
const START_MS_MAX = 900_000;
const MERGE_WAIT_MS = 180_000;

mkdirSync(dataDir, { recursive: true });
chmodSync(dataDir, 0o755);
const client = createClient(null);
tell({ at: new Date().toISOString(), cpu: cpus()[0]?.model, cores: cpus().length, events: EVENTS });
let server = await start();
try {
  const olap = openStore();
  const year = await fill(olap);
  await olap.command('SYSTEM FLUSH LOGS').catch(() => undefined);
  await waitForMerges(olap, MERGE_WAIT_MS);
  tell({ disk: await readSizes(olap), when: 'as written' });
  const closed = await timed(async () => {
    await joinClosedMonths(olap, year.lastMs);
    await waitForMerges(olap, MERGE_WAIT_MS);
  });
  tell({ mergesOfClosedMonths: closed });
  tell({ disk: await readSizes(olap), when: 'closed months merged' });
  await measureReports(year.lastMs);
  await measureRetention(olap, year);
  await olap.close();
  for (let again = 0; again < 2; again += 1) {
    await server.stop();
    server = await start();
    tell({ readyAfterMs: Math.round(server.readyAfterMs), load: loadavg()[0] });
  }
} finally {
  client.close();
  await server.stop();
}

function start(): Promise<PlacardProcess> {
  return startPlacard({
    dataDir,
    demoHistory: 'none',
    startTimeoutMs: START_MS_MAX,
    env: { PLACARD_TLS: 'loopback', PLACARD_WORKERS: '1', PLACARD_DEMO: 'true', PLACARD_LOG_LEVEL: 'warn' },
  });
}

function endpoints(): { readonly postgresUrl: string; readonly clickhouseUrl: string } {
  return JSON.parse(readFileSync(join(dataDir, 'run', 'endpoints.json'), 'utf8')) as ReturnType<typeof endpoints>;
}

function openStore(): Olap {
  return openOlap({ url: endpoints().clickhouseUrl, log: SILENT_LOG });
}

interface Year {
  readonly workspaceId: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** Inserts that are done. */
  done: number;
}

async function fill(olap: Olap): Promise<Year> {
  const marker = join(dataDir, 'bench-year.json');
  const year: Year = existsSync(marker) ? (JSON.parse(readFileSync(marker, 'utf8')) as Year) : await bookYear();
  const events = new YearEvents(year.workspaceId, 7 + year.done);
  const rowsOfInsert = Math.ceil(EVENTS / DAYS / INSERTS_A_DAY);
  const before = { own: process.cpuUsage(), store: cpuMicros(analyticsPid()), done: year.done };
  const startedMs = performance.now();
  let pending: Promise<void> = Promise.resolve();
  for (; year.done < DAYS * INSERTS_A_DAY; year.done += 1) {
    if (performance.now() - startedMs > FILL_MS_MAX) break;
    const day = year.done % DAYS;
    const ms = year.firstMs + day * DAY_MS + Math.floor(year.done / DAYS) * LENGTH_MS;
    const lines = [...events.rowsOf(day, { ms, lengthMs: LENGTH_MS }, rowsOfInsert)].map((row) =>
      encodeSpoolLine(row, null),
    );
    const file = Buffer.concat(lines);
    const rows = new BinaryRows(file.length);
    if (rows.add(file, 0, Number.POSITIVE_INFINITY) === null) throw new Error('The rows cannot be converted');
    await pending;
    writeFileSync(marker, JSON.stringify(year));
    const token = `year/${year.done}`;
    pending = insert(olap, {
      table: EVENTS_INTAKE_TABLE,
      body: rows.body(),
      token,
      columns: ROW_COLUMNS,
      format: BINARY_FORMAT,
    });
    if (year.done % 40 === 0) tell({ inserts: year.done, seconds: seconds(startedMs), load: loadavg()[0] });
  }
  await pending;
  writeFileSync(marker, JSON.stringify(year));
  const { user, system } = process.cpuUsage(before.own);
  const storeSeconds = (cpuMicros(analyticsPid()) - before.store) / 1e6;
  if (year.done > before.done)
    tell({
      filled: year.done - before.done,
      seconds: seconds(startedMs),
      storeCpuSeconds: Math.round(storeSeconds),
      ownCpuSeconds: Math.round((user + system) / 1e6),
    });
  return year;
}

/** On a busy machine an insert may outlast its time limit: its token makes a repeat count once. */
async function insert(olap: Olap, batch: OlapInsert): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      return await olap.insertRaw(batch);
    } catch (error) {
      if (tries === INSERT_TRIES_MAX) throw error;
    }
}

async function bookYear(): Promise<Year> {
  const db = new pg.Client({ connectionString: endpoints().postgresUrl });
  await db.connect();
  try {
    const { rows } = await db.query<{ id: number }>(
      `SELECT id FROM workspaces WHERE network_id = $1 AND environment = 'production'`,
      [server.demo.networkId],
    );
    const workspaceId = rows[0]?.id ?? 0;
    await db.query(
      `INSERT INTO key_values (workspace_id, id, key, name, reportable) SELECT $1, id, key, key, true
        FROM unnest($2::bigint[], $3::text[]) AS made (id, key) ON CONFLICT DO NOTHING`,
      [workspaceId, Object.values(KEYS), Object.keys(KEYS).map((key) => `bench_${key}`)],
    );
    const lastMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - 2 * DAY_MS;
    return { workspaceId, lastMs, firstMs: lastMs - (DAYS - 1) * DAY_MS, done: 0 };
  } finally {
    await db.end();
  }
}

async function readSizes(olap: Olap): Promise<readonly object[]> {
  const [all] = await olap.query<{ rows: string }>({ sql: 'SELECT count() AS rows FROM events' });
  const rows = await olap.query<{ table: string; n: string; bytes: string; parts: string }>({
    sql: `SELECT table, sum(rows) AS n, sum(bytes_on_disk) AS bytes, count() AS parts FROM system.parts
      WHERE active AND database = currentDatabase() GROUP BY table ORDER BY bytes DESC`,
  });
  return rows
    .filter(({ bytes }) => Number(bytes) > 100_000)
    .map(({ table, n, bytes, parts }) => ({
      table,
      rows: Number(n),
      megabytes: Math.round(Number(bytes) / 1e6),
      bytesPerEvent: Math.round((Number(bytes) / Number(all?.rows ?? 1)) * 10) / 10,
      parts: Number(parts),
    }));
}

async function measureReports(lastMs: number): Promise<void> {
  const quarter = questionsUntil(lastMs);
  const yearAgo = questionsUntil(lastMs - 270 * DAY_MS);
  const asked: readonly (readonly [string, (run: number) => ReportQuery])[] = [
    ['30 days by day, one line item', quarter.lineItemByDay],
    ['90 days by hour', quarter.byHour],
    ['90 days by line item', quarter.byLineItem],
    ['7 days × creative × device, filtered', quarter.creativeByDevice],
    ['30 days by key-value', quarter.bySection],
    ['30 days by two key-values × line item', quarter.bySectionAndLineItem],
    ['30 days by day × key-value, one line item', quarter.lineItemBySection],
    ['90 days by hour, of a year ago', yearAgo.byHour],
    ['90 days by line item, of a year ago', yearAgo.byLineItem],
  ];
  for (const [name, make] of asked) tell({ report: name, ...(await measureReport(make)) });
}

async function measureReport(make: (run: number) => ReportQuery): Promise<object> {
  await ask(make(RUNS));
  const times: number[] = [];
  const before = cpuMicros(analyticsPid());
  for (let run = 0; run < RUNS; run += 1) times.push(await ask(make(run)));
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number): number => Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 10) / 10;
  return {
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuMs: Math.round((cpuMicros(analyticsPid()) - before) / 100 / RUNS) / 10,
    load: loadavg()[0],
  };
}

async function ask(query: ReportQuery): Promise<number> {
  const startedMs = performance.now();
  const { login, token } = server.demo.credentials;
  const response = await client.send(`${server.coreUrl}/reports/${server.demo.networkId}/v1/load`, {
    method: 'POST',
    headers: { 'x-internal-auth-login': login, 'x-internal-auth-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({ query: { ...query, cache: 'no-cache' } }),
  });
  if (response.status !== 200) throw new Error(`The Reports API responded with ${response.status}: ${response.text}`);
  return performance.now() - startedMs;
}

/** As the job does, of the first day that is left. */
async function measureRetention(olap: Olap, { workspaceId, firstMs }: Year): Promise<void> {
  const [first] = await olap.query<{ day: string }>({
    sql: `SELECT toUnixTimestamp(toStartOfDay(min(time))) AS day FROM events WHERE workspace_id = {workspaceId: UInt32}`,
    params: { workspaceId },
  });
  const beforeMs = Math.max(firstMs, Number(first?.day ?? 0) * 1000) + DAY_MS;
  const counted = await countEventsBefore(olap, workspaceId, beforeMs);
  const deleted = await timed(() => deleteEventsBefore(olap, workspaceId, beforeMs));
  tell({ retention: { events: counted, ...deleted, left: await countEventsBefore(olap, workspaceId, beforeMs) } });
}

async function timed(work: () => Promise<unknown>): Promise<{ seconds: number; storeCpuSeconds: number }> {
  const startedMs = performance.now();
  const before = cpuMicros(analyticsPid());
  await work();
  return { seconds: seconds(startedMs), storeCpuSeconds: Math.round((cpuMicros(analyticsPid()) - before) / 1e5) / 10 };
}

function seconds(sinceMs: number): number {
  return Math.round((performance.now() - sinceMs) / 100) / 10;
}

function analyticsPid(): number {
  const children = JSON.parse(readFileSync(join(dataDir, 'run', 'children.json'), 'utf8')) as {
    readonly name: string;
    readonly pid: number;
  }[];
  return children.find(({ name }) => name.startsWith('analytics'))?.pid ?? 0;
}

function tell(figures: object): void {
  console.log(JSON.stringify(figures));
}
