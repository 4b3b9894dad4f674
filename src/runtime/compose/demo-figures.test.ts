import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestFolder,
  createTestDatabase,
  createTestOlapDatabase,
  silentLog,
} from '../../../test/support/stores.ts';
import type { TestDatabase, TestOlapDatabase } from '../../../test/support/stores.ts';
import { completeHistory } from '../../demo/demo-history.ts';
import { readDemoFile } from '../../demo/demo-file.ts';
import { readDemoProgress, writeDemoProgress } from '../../demo/demo-progress.ts';
import { seedDemo } from '../../demo/seed-demo.ts';
import { countDemoSegments } from '../../demo/segments.sql.ts';
import type { Goal } from '../../domain/booking/line-item.ts';
import { type CounterKind, dayCounterKey, lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import { segmentDay, segmentDayKey } from '../../domain/targeting/segment-membership.ts';
import { localDay } from '../../domain/time/calendar.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../events/shipping/events.olap.ts';
import { readCountedSums } from '../../reports/rollups/counted-sums.olap.ts';
import { COUNTED_TABLES, REPORT_OLAP_MIGRATIONS } from '../../reports/rollups/rollups.olap.ts';
import { openAssetStore } from '../../storage/assets.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { loadSecrets } from '../../storage/secrets.ts';
import { parseSample } from '../../delivery/traffic/parse-sample.ts';
import {
  BUCKETS,
  OPPORTUNITY_SAMPLE_MIGRATION,
  OPPORTUNITY_SAMPLES_TABLE,
  readSampleFrame,
  streamSamples,
} from '../../delivery/traffic/opportunity-sample.olap.ts';
import { DEMO_SEGMENTS } from '../../demo/segments.ts';
import { countImported } from './history/count-imported.ts';
import { sampleImported } from './history/sample-imported.ts';

/** In the evening: today has figures. */
const NOW_MS = Date.parse('2026-11-25T19:30:00Z');
const HOURS = 21 * 24;
const DAY_MS = 86_400_000;
const FIGURES: readonly CounterKind[] = ['imp', 'view', 'clk', 'conv', 'cpl', 'spend'];

const folder = createTestFolder();
let sql: TestDatabase;
let store: TestOlapDatabase;
let hot: HotStore;

beforeAll(async () => {
  [sql, store] = await Promise.all([createTestDatabase(), createTestOlapDatabase()]);
  hot = openLedger({ dir: join(folder.dir, 'hot'), nowMs: () => NOW_MS, log: silentLog });
  const migrations = [...EVENT_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS, OPPORTUNITY_SAMPLE_MIGRATION];
  await migrateOlap({ olap: store.olap, migrations, log: silentLog });
  // The store's own clock deletes old samples, and the instant of this test grows older every day.
  await store.olap.command(`ALTER TABLE ${OPPORTUNITY_SAMPLES_TABLE} REMOVE TTL`);
  await seedDemo({
    sql: sql.db,
    olap: store.olap,
    assets: openAssetStore(folder.dir),
    secrets: loadSecrets(folder.dir),
    dataDir: folder.dir,
    urls: { core: 'https://core.example', delivery: 'https://ads.example' },
    caFile: null,
    countedTables: COUNTED_TABLES,
    nowMs: NOW_MS,
    onProgress: () => undefined,
  });
  await makeHistory();
});
afterAll(async () => {
  await hot.close();
  await store.close();
  await sql.close();
  folder.remove();
});

/** The last weeks of production are enough, and quick. */
async function makeHistory(): Promise<void> {
  const progress = readDemoProgress(folder.dir);
  if (progress?.step !== 'history') throw new Error('The demo planned no history');
  const plans = progress.plans.filter((plan) => plan.environment === 'production');
  writeDemoProgress(folder.dir, { ...progress, plans: plans.map((plan) => ({ ...plan, hours: HOURS })) });
  const count = async (history: { id: string; atMs: number | null }): Promise<void> => {
    const stores = { olap: store.olap, sql: sql.db, hot };
    await countImported(stores, history);
    // As after a kill: what was counted is not counted again.
    await countImported(stores, history);
    await countDemoSegments(stores, history);
    await countDemoSegments(stores, history);
    await sampleImported(stores, { id: history.id, atMs: NOW_MS });
    await sampleImported(stores, { id: history.id, atMs: NOW_MS });
  };
  await completeHistory({ olap: store.olap, dataDir: folder.dir, count, onProgress: () => undefined });
}

interface Booked {
  readonly id: bigint;
  readonly workspace_id: number;
  readonly name: string;
  readonly goal: Goal | null;
  readonly starts_at: Date | null;
  readonly ends_at: Date | null;
}

async function listLineItems(): Promise<Booked[]> {
  return sql.db
    .selectFrom('line_items')
    .innerJoin('workspaces', 'workspaces.id', 'line_items.workspace_id')
    .select(['line_items.id', 'workspace_id', 'name', 'goal', 'starts_at', 'ends_at'])
    .where('workspaces.environment', '=', 'production')
    .execute();
}

async function readCounters(of: Booked, day: string | null): Promise<Record<string, bigint>> {
  const subjects = FIGURES.map(
    (kind) => ({ workspaceId: of.workspace_id, scope: 'li', id: `${of.id}`, kind }) as const,
  );
  const keys = subjects.map((one) => (day === null ? lifetimeCounterKey(one) : dayCounterKey(one, day)));
  const counts = await hot.readCounters(keys);
  return Object.fromEntries(FIGURES.map((kind, at) => [kind, counts[at] ?? 0n]));
}

/** What reports say, from their roll-ups. */
async function readReported(timezone: string | null): Promise<Map<string, Record<string, bigint>>> {
  const reported = new Map<string, Record<string, bigint>>();
  for (const { lineItemId, day, counts } of await readCountedSums(store.olap)({ timezone, fromMs: 0 })) {
    const sums = reported.get(`${lineItemId} ${day}`) ?? {};
    for (const kind of FIGURES) sums[kind] = (sums[kind] ?? 0n) + counts[kind as 'imp'];
    reported.set(`${lineItemId} ${day}`, sums);
  }
  return reported;
}

const NOTHING = Object.fromEntries(FIGURES.map((kind) => [kind, 0n]));

test('reports and delivery counters of the demo say the same for every line item, in total and today', async () => {
  const lineItems = await listLineItems();
  expect(lineItems.length).toBeGreaterThan(30);
  const [lifetime, byDay] = [await readReported(null), await readReported('Europe/Warsaw')];
  const today = localDay(NOW_MS, 'Europe/Warsaw');
  let impressions = 0n;
  for (const one of lineItems) {
    const { name, id } = one;
    const total = await readCounters(one, null);
    expect([name, total]).toEqual([name, lifetime.get(`${id} `) ?? NOTHING]);
    expect([name, await readCounters(one, today)]).toEqual([name, byDay.get(`${id} ${today}`) ?? NOTHING]);
    impressions += total['imp'] ?? 0n;
  }
  expect(impressions).toBeGreaterThan(400_000n);
  expect(readDemoFile(folder.dir)?.historyCounted).toBe(true);
});

test('line items of the demo stand at the part of their plan that their story tells', async () => {
  const lineItems = await listLineItems();
  const shareOf = async (name: string): Promise<number> => {
    const one = lineItems.find((lineItem) => lineItem.name === name);
    if (one?.goal === null || one === undefined) throw new Error(`${name} has no goal`);
    const [from, to] = [one.starts_at?.getTime() ?? 0, one.ends_at?.getTime() ?? 0];
    const passed = Math.min(1, (NOW_MS - from) / (to - from));
    return Number((await readCounters(one, null))['imp'] ?? 0n) / (one.goal.amount * passed);
  };
  expect(await shareOf('Alder advent calendar')).toBeCloseTo(1, 1);
  expect(await shareOf('Kite & Crane launch, Sweden')).toBeCloseTo(0.21, 1);
  expect(await shareOf('Nordlicht early booking, France')).toBeCloseTo(0.8, 1);
  expect(await shareOf('Pinewood club members')).toBe(0);
  const ended = lineItems.find(({ name }) => name === 'Alder harvest weeks');
  expect(ended?.ends_at?.getTime()).toBeLessThan(NOW_MS - 19 * DAY_MS);
});

test('forecasts of the demo have a sample of the requests that reports show', async () => {
  const [lineItem] = await listLineItems();
  const workspaceId = lineItem?.workspace_id ?? 0;
  const [reported] = await store.olap.query<{ requests: string }>({
    sql: `SELECT toString(sum(quantity)) AS requests FROM events
      WHERE workspace_id = {workspace: UInt32} AND kind = 'request' AND time >= fromUnixTimestamp64Milli({from: Int64}, 'UTC')`,
    params: { workspace: workspaceId, from: NOW_MS - 14 * DAY_MS },
    isFinal: true,
  });
  const frame = await readSampleFrame(store.olap, workspaceId, NOW_MS);
  if (frame === null) throw new Error('There is no sample');
  expect(frame.met).toBe(Number(reported?.requests));
  const sample = parseSample(
    frame,
    Buffer.concat(await Array.fromAsync(streamSamples(store.olap, workspaceId, frame))),
  );
  expect((sample.entries.length * BUCKETS) / frame.share / frame.met).toBeCloseTo(1, 1);
  expect(sample.entries.length).toBeGreaterThan(10_000);
  const users = new Set(sample.entries.map(({ opportunity }) => opportunity.userHash));
  expect(users.size).toBeGreaterThan(500);
});

test('segments of the demo have sizes of 90 days, which lead to the present one', async () => {
  const segments = await sql.db.selectFrom('segments').selectAll().execute();
  expect(segments).toHaveLength(2 * DEMO_SEGMENTS.length);
  for (const { workspace_id, id, name, generation, membership_days, member_count, rule } of segments) {
    const today = segmentDay(NOW_MS);
    const keys = Array.from({ length: membership_days }, (_day, back) =>
      segmentDayKey(workspace_id, { id: String(id), generation }, today - back),
    );
    const counted = (await hot.readCounters(keys)).reduce((sum, one) => sum + one, 0n);
    const sizes = await sql.db
      .selectFrom('segment_sizes')
      .select(['day', 'size'])
      .where('workspace_id', '=', workspace_id)
      .where('segment_id', '=', id)
      .orderBy('day')
      .execute();
    expect([name, sizes.length, sizes.at(-1)?.day]).toEqual([name, 90, localDay(NOW_MS, 'Europe/Warsaw')]);
    expect([name, new Set(sizes.map(({ size }) => size)).size > 10]).toEqual([name, true]);
    // From the beginning of the day on, only the users of this day come in.
    const sinceMidnight = member_count + counted - (sizes.at(-1)?.size ?? 0n);
    const usersToday = (await hot.readCounters(keys.slice(0, 1)))[0] ?? 0n;
    expect([name, sinceMidnight]).toEqual([name, rule === null ? 0n : usersToday]);
    expect([name, rule === null || usersToday > 0n]).toEqual([name, true]);
  }
});
