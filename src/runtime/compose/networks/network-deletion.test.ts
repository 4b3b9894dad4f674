import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestDatabase,
  createTestFolder,
  createTestOlapDatabase,
  silentLog,
  type TestDatabase,
  type TestOlapDatabase,
} from '../../../../test/support/stores.ts';
import { closeNetwork, planDeletion, reopenNetwork } from '../../../access/networks/closing.sql.ts';
import { listDeletions } from '../../../access/networks/deletions.sql.ts';
import { NetworkDeletionJob, type NetworkDeletionJobDeps } from '../../../access/networks/network-deletion-job.ts';
import { listTenantTables as listAnalyticsTables } from '../../../access/networks/tenant-rows.olap.ts';
import { listTenantTables } from '../../../access/networks/tenant-rows.sql.ts';
import { createNetwork, listNetworks, setNetworkStatus } from '../../../access/permissions/networks.sql.ts';
import { DELIVERY_OLAP_MIGRATIONS } from '../../../delivery/insight/diagnosis/decision-reasons.olap.ts';
import { seedDemo } from '../../../demo/seed-demo.ts';
import { dayCounterKey, lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import { segmentDayKey, segmentUserPrefixes } from '../../../domain/targeting/segment-membership.ts';
import { frequencyUserPrefix } from '../../../domain/frequency/frequency-key.ts';
import { repeatKey } from '../../../events/activities/repeat-interval.ts';
import { clickIdKey, userTouchKey } from '../../../events/tracking/touch.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../../events/shipping/events.olap.ts';
import { COUNTED_TABLES, REPORT_OLAP_MIGRATIONS } from '../../../reports/rollups/rollups.olap.ts';
import { type AssetStore, openAssetStore } from '../../../storage/assets.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import { openLedger } from '../../../storage/ledger/ledger-store.ts';
import { migrateOlap } from '../../../storage/olap/migrate-olap.ts';
import { loadSecrets } from '../../../storage/secrets.ts';

const BY = { actor: 'operator:test', remoteAddress: '', networkId: '0', workspaceId: null };
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const LEAVING = '1000';
const STAYING = '2000';

const folder = createTestFolder();
const clock = { nowMs: Date.now() };
let database: TestDatabase;
let store: TestOlapDatabase;
let hot: HotStore;
let assets: AssetStore;
/** The workspaces of the network that stays, and of the one that leaves. */
let stays: number[];
let leaves: number[];
/** The paths of uploaded files, by their content. */
const files = new Map<string, string>();

/** The job, which a test runs as often as it likes. */
class TestJob extends NetworkDeletionJob {
  failures: unknown[] = [];

  protected override logFailure(error: unknown): void {
    this.failures.push(error);
  }
}

const deps = (): NetworkDeletionJobDeps => ({
  sql: database.db,
  olap: store.olap,
  hot,
  assets,
  exported: null,
  nowMs: () => clock.nowMs,
  log: silentLog,
});

beforeAll(async () => {
  [database, store] = await Promise.all([createTestDatabase(), createTestOlapDatabase()]);
  hot = openLedger({ dir: join(folder.dir, 'hot'), nowMs: () => clock.nowMs, log: silentLog });
  assets = openAssetStore(folder.dir);
  const migrations = [...EVENT_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS, ...DELIVERY_OLAP_MIGRATIONS];
  await migrateOlap({ olap: store.olap, migrations, log: silentLog });
  await seedDemo({
    sql: database.db,
    olap: store.olap,
    assets,
    secrets: loadSecrets(folder.dir),
    dataDir: folder.dir,
    urls: { core: 'https://core.example', delivery: 'https://ads.example' },
    caFile: null,
    countedTables: COUNTED_TABLES,
    nowMs: clock.nowMs,
    onProgress: () => undefined,
  });
  const made = await createNetwork(database.db, {
    name: 'Staying',
    id: STAYING,
    timezone: 'UTC',
    currency: 'EUR',
    by: BY,
  });
  stays = Object.values(made.workspaceIds);
  leaves = await workspacesOf(LEAVING);
  await upload('shared', leaves);
  await copyBookings();
  for (const content of ['one', 'two', 'three', 'four']) await upload(content, leaves);
  for (const workspaceId of [...leaves, ...stays]) {
    await storeEvents(workspaceId, 3);
    await writeHot(workspaceId);
  }
});
afterAll(async () => {
  await hot.close();
  await Promise.all([database.close(), store.close()]);
  folder.remove();
});

async function workspacesOf(networkId: string): Promise<number[]> {
  const rows = await database.db
    .selectFrom('workspaces')
    .select('id')
    .where('network_id', '=', BigInt(networkId))
    .execute();
  return rows.map(({ id }) => id);
}

/** The staying network gets the same objects, with the same ids: only the workspace tells them apart. */
async function copyBookings(): Promise<void> {
  const unique = new Set(['api_keys', 'header_credentials', 'workspaces', 'webhooks']);
  const tables = (await listTenantTables(database.db)).filter(
    ({ column, name }) => column === 'workspace_id' && !unique.has(name),
  );
  for (const { name } of tables.toReversed()) {
    const { rows } = await sql<{ column: string }>`SELECT column_name AS column FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = ${name} AND column_name <> 'workspace_id'`.execute(
      database.db,
    );
    const columns = sql.join(rows.map(({ column }) => sql.id(column)));
    await sql`INSERT INTO ${sql.table(name)} (workspace_id, ${columns})
      SELECT ${stays[0]}, ${columns} FROM ${sql.table(name)} WHERE workspace_id = ${leaves[0]}`.execute(database.db);
  }
}

async function upload(content: string, workspaceIds: readonly number[]): Promise<void> {
  const path = await assets.put(Buffer.from(content), 'png');
  const name = path.replace('/assets/', '');
  files.set(content, join(folder.dir, path));
  for (const workspace_id of workspaceIds)
    await database.db
      .insertInto('assets')
      .values({ workspace_id, name, size_bytes: content.length, uploaded_at: new Date() })
      .execute();
}

async function storeEvents(workspaceId: number, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => ({
    event_id: `${workspaceId}-${at}-${clock.nowMs}`,
    workspace_id: workspaceId,
    kind: 'impression',
    time: new Date(clock.nowMs).toISOString().replace('T', ' ').replace('Z', ''),
    line_item_id: '1001',
  }));
  const body = Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'));
  await store.olap.insertRaw({ table: 'events_intake', body, token: `events-${workspaceId}-${clock.nowMs}` });
}

const USER = 'abc';
const counterKeys = (workspaceId: number): string[] => {
  const subject = { workspaceId, scope: 'li', id: '1001', kind: 'imp' } as const;
  return [
    lifetimeCounterKey(subject),
    dayCounterKey(subject, '2026-11-30'),
    `${frequencyUserPrefix(workspaceId, USER)}li/1`,
  ];
};
const listKeys = (workspaceId: number): string[] => [
  userTouchKey('click', workspaceId, USER),
  userTouchKey('view', workspaceId, USER),
  clickIdKey(workspaceId, 'imp-1'),
];
const valueKeys = (workspaceId: number): string[] => [
  ...segmentUserPrefixes(workspaceId, USER).map((prefix) => `${prefix.replace(/\/$/, '')}/x`),
  segmentDayKey(workspaceId, { id: '7', generation: 1 }, 20_000),
  repeatKey(workspaceId, '1', '', USER),
  `q/${workspaceId}/ads`,
];

async function writeHot(workspaceId: number): Promise<void> {
  const ttlMs = 90 * DAY_MS;
  await hot.addToCounters(counterKeys(workspaceId).map((key) => ({ key, by: 5n, ttlMs })));
  for (const key of valueKeys(workspaceId)) await hot.set(key, 'here', ttlMs);
  for (const key of listKeys(workspaceId))
    await hot.applyOnce({
      key: `e/${key}`,
      value: '',
      ttlMs,
      pushes: [{ key, value: 'touch', max: 8, ttlMs }],
    });
}

async function readHot(workspaceId: number): Promise<number> {
  const counters = await hot.readCounters(counterKeys(workspaceId));
  const values = await hot.readValues(valueKeys(workspaceId));
  const lists = await Promise.all(listKeys(workspaceId).map((key) => hot.readList(key)));
  return (
    counters.filter((one) => one > 0n).length +
    values.filter((one) => one !== null).length +
    lists.filter((one) => one.length > 0).length
  );
}

/** The rows of a network in each table of PostgreSQL that has any. */
async function rowsOf(networkId: string, workspaceIds: readonly number[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, column } of await listTenantTables(database.db)) {
    const where =
      column === 'workspace_id'
        ? sql`workspace_id = ANY(${workspaceIds}::int[])`
        : sql`network_id = ${networkId}::bigint`;
    const { rows } = await sql<{
      count: string;
    }>`SELECT count(*) AS count FROM ${sql.table(name)} WHERE ${where}`.execute(database.db);
    if (Number(rows[0]?.count) > 0) counts[name] = Number(rows[0]?.count);
  }
  return counts;
}

async function eventsOf(workspaceIds: readonly number[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await listAnalyticsTables(store.olap)) {
    const [row] = await store.olap.query<{ total: string }>({
      // Rows of a day merge into one in the background.
      sql: `SELECT ${table === 'delivery_versions' ? 'uniqExact(workspace_id, day)' : 'count()'} AS total FROM ${table} WHERE workspace_id IN {workspaceIds: Array(UInt32)}`,
      params: { workspaceIds: [...workspaceIds] },
    });
    if (Number(row?.total) > 0) counts[table] = Number(row?.total);
  }
  return counts;
}

const everythingThatStays = async () => ({
  rows: await rowsOf(STAYING, stays),
  events: await eventsOf(stays),
  hot: await Promise.all(stays.map(readHot)),
});

describe('closing a network', () => {
  beforeEach(async () => {
    await reopenNetwork(database.db, { id: LEAVING, by: BY }).catch(() => undefined);
  });

  test('a closed network is suspended, and reopens with the status that it had', async () => {
    await setNetworkStatus(database.db, { id: LEAVING, status: 'PAUSED', by: BY });
    await closeNetwork(database.db, { id: LEAVING, by: BY });
    const listed = (await listNetworks(database.db)).find(({ id }) => id === LEAVING);
    expect(listed).toMatchObject({ status: 'SUSPENDED', closedAt: expect.any(Date), deleteAt: null });
    await expect(setNetworkStatus(database.db, { id: LEAVING, status: 'ACTIVE', by: BY })).rejects.toThrow(
      /placard networks reopen 1000/,
    );
    expect(await reopenNetwork(database.db, { id: LEAVING, by: BY })).toMatchObject({ status: 'PAUSED' });
    await expect(reopenNetwork(database.db, { id: LEAVING, by: BY })).rejects.toThrow('Network 1000 is not closed.');
    await setNetworkStatus(database.db, { id: LEAVING, status: 'ACTIVE', by: BY });
  });

  test('only a closed network can be deleted, and only by its name', async () => {
    const plan = (more: object) =>
      planDeletion(database.db, { id: LEAVING, by: BY, confirm: 'Demo', days: 30, ...more });
    await expect(plan({})).rejects.toThrow(/Close it first: placard networks close 1000/);
    const { name } = await closeNetwork(database.db, { id: LEAVING, by: BY });
    await expect(plan({ confirm: 'another' })).rejects.toMatchObject({ fields: [{ path: 'confirm' }] });
    await expect(plan({ confirm: name, days: 3_651 })).rejects.toMatchObject({ fields: [{ path: 'days' }] });
    await expect(plan({ id: '4711' })).rejects.toMatchObject({ code: 'unknown_network' });
    const now = new Date(clock.nowMs);
    const planned = await planDeletion(database.db, { id: LEAVING, by: BY, confirm: name, days: 2 }, now);
    expect(planned.deleteAt).toEqual(new Date(clock.nowMs + 2 * DAY_MS));
    expect(await reopenNetwork(database.db, { id: LEAVING, by: BY })).toMatchObject({ status: 'ACTIVE' });
    expect((await listNetworks(database.db)).find(({ id }) => id === LEAVING)).toMatchObject({ deleteAt: null });
  });
});

describe('deleting a network', () => {
  test('every table that refers to rows of tenants has the column of a tenant', async () => {
    const tables = new Set((await listTenantTables(database.db)).map(({ name }) => name));
    const { rows } = await sql<{ child: string; parent: string }>`
      SELECT c.relname::text AS child, p.relname::text AS parent FROM pg_constraint k
      JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class p ON p.oid = k.confrelid WHERE k.contype = 'f'`.execute(
      database.db,
    );
    expect(
      rows.filter(({ child, parent }) => (tables.has(parent) || parent === 'networks') && !tables.has(child)),
    ).toEqual([]);
    expect(tables.size).toBeGreaterThan(40);
  });

  test('it goes on after a kill at any step, deletes all that the network had, and leaves the other network as it was', async () => {
    const before = await everythingThatStays();
    expect(before.hot.every((keys) => keys === 12)).toBe(true);
    const { name } = await closeNetwork(database.db, { id: LEAVING, by: BY });
    await planDeletion(database.db, { id: LEAVING, by: BY, confirm: name, days: 1 }, new Date(clock.nowMs));
    await new TestJob(deps()).run();
    expect(await listDeletions(database.db)).toEqual([]);
    clock.nowMs += DAY_MS;

    // Each run meets a store that fails at one step more.
    const broken = (what: string) => () => Promise.reject(new Error(`${what} is down`));
    await expect(
      new TestJob({ ...deps(), olap: { ...store.olap, dialect: store.olap.dialect, query: broken('olap') } }).run(),
    ).rejects.toThrow('olap is down');
    await expect(
      new TestJob({ ...deps(), hot: { deletePrefixes: broken('hot'), flushed: () => hot.flushed() } }).run(),
    ).rejects.toThrow('hot is down');
    await expect(reopenNetwork(database.db, { id: LEAVING, by: BY })).rejects.toThrow(
      'The deletion of network 1000 began',
    );
    let removed = 0;
    const removeSome = { remove: (asset: string) => (++removed > 3 ? broken('disk')() : assets.remove(asset)) };
    await expect(new TestJob({ ...deps(), assets: removeSome }).run()).rejects.toThrow('disk is down');
    const stopped = new TestJob({
      ...deps(),
      assets: {
        remove: (asset) => {
          void stopped.stop();
          return assets.remove(asset);
        },
      },
    });
    await stopped.run();
    expect((await listDeletions(database.db))[0]).toMatchObject({
      networkId: LEAVING,
      endedAt: null,
      rowsGoneAt: null,
    });

    await new TestJob(deps()).run();
    expect(await rowsOf(LEAVING, leaves)).toEqual({});
    // An event that was on its way.
    await storeEvents(leaves[0] ?? 0, 2);
    await new TestJob(deps()).run();
    expect(await listDeletions(database.db, { onlyOpen: true })).toHaveLength(1);
    clock.nowMs += HOUR_MS;
    await new TestJob(deps()).run();

    expect(await eventsOf(leaves)).toEqual({});
    expect(await Promise.all(leaves.map(readHot))).toEqual([0, 0]);
    expect(await everythingThatStays()).toEqual(before);
    const [deletion] = await listDeletions(database.db);
    expect(deletion).toMatchObject({ networkId: LEAVING, name, endedAt: new Date(clock.nowMs) });
    expect(Object.keys(deletion?.done ?? {}).sort()).toEqual([
      'counters',
      'events',
      'exports',
      'files',
      'late',
      'rows',
    ]);
    await new TestJob(deps()).run();
    expect(await listDeletions(database.db)).toEqual([deletion]);
  });

  test('the audit log stays, tells of the deletion, and the id is never given again', async () => {
    const { rows } = await sql<{ network_id: string; action: string }>`SELECT network_id, action FROM audit_log
      WHERE action = 'network.delete' ORDER BY network_id`.execute(database.db);
    expect(rows.map(({ network_id }) => String(network_id))).toEqual(['0', LEAVING]);
    const wish = { name: 'Again', timezone: 'UTC', currency: 'EUR', by: BY };
    await expect(createNetwork(database.db, { ...wish, id: LEAVING })).rejects.toThrow('network 1000 was deleted');
    await database.db
      .insertInto('network_deletions')
      .values({ network_id: 9_000n, name: 'X', workspace_ids: [], begun_at: new Date() })
      .execute();
    expect(await createNetwork(database.db, wish)).toMatchObject({ id: '9001' });
  });

  test('its files are deleted, but for those that another network has', () => {
    expect([...files].filter(([, path]) => existsSync(path)).map(([content]) => content)).toEqual(['shared']);
  });
});
