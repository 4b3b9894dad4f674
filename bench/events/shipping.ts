/**
 * `npm run bench:shipping`: how fast a backlog of spool files goes to the embedded analytics store with all of its roll-ups, beside bare
 * inserts of the same rows in the same run, as JSON and as binary rows. Arguments: rows (200,000), rows of a file (400: what a worker records
 * in a second), runs (2).
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLog } from '../../src/runtime/log/log.ts';
import { childEnvironment } from '../../src/config/child-environment.ts';
import { BINARY_FORMAT, BinaryRows } from '../../src/events/shipping/binary-rows.ts';
import { EVENT_OLAP_MIGRATIONS, EVENTS_INTAKE_TABLE, EVENTS_TABLE } from '../../src/events/shipping/events.olap.ts';
import { createShipper } from '../../src/events/shipping/shipper.ts';
import { copyRows } from '../../src/events/spool/spool-line.ts';
import { ROW_COLUMNS } from '../../src/events/spool/spool-row.ts';
import { newSpoolFileName, spoolFilePath } from '../../src/events/spool/spool-files.ts';
import { REPORT_OLAP_MIGRATIONS } from '../../src/reports/rollups/rollups.olap.ts';
import { openLedger } from '../../src/storage/ledger/ledger-store.ts';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import { migrateOlap } from '../../src/storage/olap/migrate-olap.ts';
import { cpuMicros } from '../support/load.ts';
import { spoolLineOf } from '../support/spool-rows.ts';

const ROWS = Number(process.argv[2] ?? 200_000);
const ROWS_PER_FILE = Number(process.argv[3] ?? 400);
/** As many as a full batch of the shipper has. */
const ROWS_PER_INSERT = 100_000;
/** As the shipper has. */
const INSERTS_AT_ONCE = 2;
const RUNS = Number(process.argv[4] ?? 2);
const WANTED_PER_SECOND = 200_000;

const log = createLog({ logLevel: 'error', logFormat: 'json' }, 'shipping');
const dir = mkdtempSync(join(tmpdir(), 'placard-shipping-'));
const analytics = fork(
  fileURLToPath(new URL('../../test/support/stores/analytics-child.ts', import.meta.url)),
  [join(dir, 'olap')],
  {
    env: childEnvironment('analytics'),
  },
);
const [started] = (await once(analytics, 'message')) as [{ url: string }];
const olap = openOlap({ url: started.url, log });
const hot = openLedger({ dir: join(dir, 'hot'), nowMs: Date.now, log });
try {
  await migrateOlap({ olap, migrations: [...EVENT_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS], log });
  console.log(`${ROWS} rows in files of ${ROWS_PER_FILE}; rows a second, the best of ${RUNS} runs in turn:`);
  const bareJson: Measured[] = [];
  const bare: Measured[] = [];
  const shipped: Measured[] = [];
  const alone: Measured[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    bareJson.push(await measureBare(run, 'JSON'));
    bare.push(await measureBare(run, 'binary'));
    shipped.push(await measureBacklog(run, 'settled', ROWS));
    alone.push(await measureBacklog(run, 'sealed', ROWS / 4));
  }
  const cpu = (all: readonly Measured[]): string => {
    const total = all.reduce(
      (sum, one) => ({ rows: sum.rows + one.rows, own: sum.own + one.own, store: sum.store + one.store }),
      { rows: 0, own: 0, store: 0 },
    );
    const per = (micros: number): string => (micros / 10 / total.rows).toFixed(2);
    return `CPU seconds for 100,000 rows: ${per(total.own)} of the shipper, ${per(total.store)} of the store`;
  };
  const best = (all: readonly Measured[]): number => Math.round(Math.max(...all.map(({ perSecond }) => perSecond)));
  console.log(`bare inserts of ${ROWS_PER_INSERT} rows as JSON: ${best(bareJson)}; ${cpu(bareJson)}`);
  console.log(`bare inserts of ${ROWS_PER_INSERT} binary rows: ${best(bare)}; ${cpu(bare)}`);
  console.log(
    `backlog of files that are ready to ship: ${best(shipped)}, ${Math.round((best(shipped) / best(bare)) * 100)} % of it; ${cpu(shipped)}`,
  );
  console.log(`backlog of files whose events must be counted first: ${best(alone)}; ${cpu(alone)}`);
  const [counted] = await olap.query<{ rows: string; ids: string }>({
    sql: `SELECT count() AS rows, uniqExact(event_id) AS ids FROM ${EVENTS_TABLE}`,
  });
  console.log(`${counted?.rows} rows in the store, ${counted?.ids} different`);
  process.exitCode = best(shipped) >= WANTED_PER_SECOND && counted?.rows === counted?.ids ? 0 : 1;
} finally {
  await hot.close();
  await olap.close();
  analytics.disconnect();
  await once(analytics, 'exit');
  rmSync(dir, { recursive: true, force: true });
}

interface Measured {
  readonly rows: number;
  readonly perSecond: number;
  /** CPU time in microseconds: on a machine that is busy otherwise it says more than the clock. */
  readonly own: number;
  readonly store: number;
}

async function measure(rows: number, work: () => Promise<void>): Promise<Measured> {
  const own = process.cpuUsage();
  const storeBefore = cpuMicros(analytics.pid ?? 0);
  const startedMs = performance.now();
  await work();
  const perSecond = rows / ((performance.now() - startedMs) / 1_000);
  const { user, system } = process.cpuUsage(own);
  return { rows, perSecond, own: user + system, store: cpuMicros(analytics.pid ?? 0) - storeBefore };
}

/** The bodies are made before: this is what the store alone costs. */
async function measureBare(run: number, form: 'JSON' | 'binary'): Promise<Measured> {
  const bodies = Array.from({ length: Math.ceil(ROWS / ROWS_PER_INSERT) }, (_none, insert) => {
    const rows = Math.min(ROWS_PER_INSERT, ROWS - insert * ROWS_PER_INSERT);
    const lines = Array.from({ length: rows }, (_row, at) => spoolLineOf(insert * ROWS_PER_INSERT + at));
    return bodyOf(Buffer.concat(lines), form);
  });
  const format = form === 'JSON' ? 'JSONCompactEachRow' : BINARY_FORMAT;
  return measure(ROWS, async () => {
    const inserts = bodies.map((body, at) => ({ body, token: `bare/${form}/${run}/${at}` }));
    for (let at = 0; at < inserts.length; at += INSERTS_AT_ONCE)
      await Promise.all(
        inserts
          .slice(at, at + INSERTS_AT_ONCE)
          .map((insert) => olap.insertRaw({ table: EVENTS_INTAKE_TABLE, columns: ROW_COLUMNS, format, ...insert })),
      );
  });
}

function bodyOf(file: Buffer, form: 'JSON' | 'binary'): Buffer {
  if (form === 'JSON') {
    const body = Buffer.allocUnsafe(file.length);
    return body.subarray(0, copyRows(file, { bytes: body, at: 0 })?.end ?? 0);
  }
  const binary = new BinaryRows(file.length);
  if (binary.add(file, 0, Number.POSITIVE_INFINITY) === null) throw new Error('The rows cannot be converted');
  return binary.body();
}

async function measureBacklog(run: number, state: 'sealed' | 'settled', rows: number): Promise<Measured> {
  const spoolDir = join(dir, `spool-${state}-${run}`);
  const spoolFolder = join(spoolDir, 'w0');
  mkdirSync(spoolFolder, { recursive: true });
  let name: string | null = null;
  for (let start = 0; start < rows; start += ROWS_PER_FILE) {
    const lines = Array.from({ length: ROWS_PER_FILE }, (_none, at) => spoolLineOf(start + at));
    const bytes = Buffer.concat(lines);
    name = newSpoolFileName(Date.now() - 600_000, name);
    writeFileSync(spoolFilePath(spoolFolder, name, state, bytes.length), bytes);
  }
  // All is there at the start: without this, the rest behind the last full batch would wait for two seconds.
  const pace = state === 'settled' ? { pace: { everyMs: 0, joinMs: 0 } } : {};
  const shipper = createShipper({ spoolDir, workerIndex: 0, workers: 1, hot, olap, log, ...pace });
  const measured = await measure(rows, async () => {
    shipper.start();
    while (shipper.stats().shippedRows < rows) await new Promise((resolve) => setTimeout(resolve, 5));
  });
  await shipper.stop(10_000);
  return measured;
}
