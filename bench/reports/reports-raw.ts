/**
 * `npm run bench:reports-raw`: reports over 20 million events beside the best SQL that we can write by hand for the same question on the same
 * tables, run raw in the same store in turn. Arguments: events (20,000,000), rounds (7), a folder of the store that is filled once and
 * kept. CPU time is the analytics process's, the lowest round counts.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../src/config/child-environment.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../src/events/shipping/events.olap.ts';
import { prepareLoad, READ_SETTINGS } from '../../src/reports/load/load-query.ts';
import { networkIndex } from '../../src/reports/model/own-members.olap.ts';
import { REPORT_OLAP_MIGRATIONS } from '../../src/reports/rollups/rollups.olap.ts';
import { createLog } from '../../src/runtime/log/log.ts';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import { migrateOlap } from '../../src/storage/olap/migrate-olap.ts';
import type { OlapQuery } from '../../src/storage/olap/olap.ts';
import { cpuMicros } from '../support/load.ts';
import { fillEvents, rawQuestions, REPORT_KEYS } from '../support/raw-questions.ts';
import { filledDays, waitForMerges } from '../support/report-rows.ts';

const EVENTS = Number(process.argv[2] ?? 20_000_000);
const ROUNDS = Number(process.argv[3] ?? 7);
const QUERIES_PER_ROUND = 5;
const MERGE_WAIT_MS = 120_000;
const WANTED = 1.2;

interface Cost {
  readonly cpuMs: number;
  readonly ms: number;
}

const log = createLog({ logLevel: 'error', logFormat: 'json' }, 'reports-raw');
const keptDir = process.argv[4];
const dir = keptDir ?? mkdtempSync(join(tmpdir(), 'placard-raw-'));
mkdirSync(dir, { recursive: true });
const child = fileURLToPath(new URL('../../test/support/stores/analytics-child.ts', import.meta.url));
const analytics = fork(child, [join(dir, 'olap')], { env: childEnvironment('analytics') });
const [started] = (await once(analytics, 'message')) as [{ url: string }];
const olap = openOlap({ url: started.url, log });
const days = filledDays(Date.now());
try {
  const filled = join(dir, 'filled.json');
  if (!existsSync(filled)) {
    await migrateOlap({ olap, migrations: [...EVENT_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS], log });
    await fillEvents(olap, EVENTS, days.firstMs);
    writeFileSync(filled, '{}');
  }
  await waitForMerges(olap, MERGE_WAIT_MS);
  await olap.command('SYSTEM STOP MERGES');
  console.log(`${await tableRows()}; load ${loadavg()[0]?.toFixed(1)}`);
  let isMet = true;
  for (const { name, query, sql } of rawQuestions(days))
    isMet = (await compare(name, query, { sql })) <= WANTED && isMet;
  process.exitCode = isMet ? 0 : 1;
} finally {
  await olap.close();
  analytics.disconnect();
  await once(analytics, 'exit');
  if (keptDir === undefined) rmSync(dir, { recursive: true, force: true });
}

async function compare(name: string, query: object, raw: OlapQuery): Promise<number> {
  const ours = compiled(query);
  const [oursRows, rawRows] = [await olap.query(ours), await olap.query(raw)];
  if (oursRows.length === 0 || oursRows.length !== rawRows.length)
    throw new Error(`${name}: ${oursRows.length} rows instead of ${rawRows.length}\n${ours.sql}`);
  const costs = { ours: [] as Cost[], raw: [] as Cost[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    costs.ours.push(await measure(ours));
    costs.raw.push(await measure({ ...raw, settings: READ_SETTINGS }));
  }
  const lowest = (all: readonly Cost[], of: keyof Cost): number => Math.min(...all.map((cost) => cost[of]));
  const ratio = lowest(costs.ours, 'cpuMs') / lowest(costs.raw, 'cpuMs');
  const text = (all: readonly Cost[]): string =>
    `${lowest(all, 'cpuMs').toFixed(1)} ms CPU, ${lowest(all, 'ms').toFixed(1)} ms`;
  console.log(`${name.padEnd(44)} report ${text(costs.ours)}; raw ${text(costs.raw)}; ${ratio.toFixed(2)} times`);
  return ratio;
}

/** As the Reports API runs it. */
function compiled(query: object): OlapQuery {
  const context = { tenant: { workspaceId: 1, networkId: '1' }, timezoneDefault: 'UTC', nowMs: Date.now() };
  const index = networkIndex({ keys: REPORT_KEYS, activities: [] });
  const [prepared] = prepareLoad(index, { query, isMulti: false }, context).queries;
  if (prepared === undefined) throw new Error('There is no query');
  const { sql, params, isNarrow } = prepared.compiled;
  return { sql, params, settings: { ...READ_SETTINGS, ...(isNarrow ? { max_threads: 1 } : {}) } };
}

async function measure(query: OlapQuery): Promise<Cost> {
  const before = cpuMicros(analytics.pid ?? 0);
  let ms = Number.POSITIVE_INFINITY;
  for (let run = 0; run < QUERIES_PER_ROUND; run += 1) {
    const startedMs = performance.now();
    await olap.query(query);
    ms = Math.min(ms, performance.now() - startedMs);
  }
  return { cpuMs: (cpuMicros(analytics.pid ?? 0) - before) / 1_000 / QUERIES_PER_ROUND, ms };
}

async function tableRows(): Promise<string> {
  const rows = await olap.query<{ table: string; n: string }>({
    sql: `SELECT table, sum(rows) AS n FROM system.parts WHERE active AND database = currentDatabase() AND (table = 'events' OR table LIKE 'delivery%')
      GROUP BY table ORDER BY table`,
  });
  return rows.map(({ table, n }) => `${table} ${n}`).join(', ');
}
