import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ask, findRedisServer, startRedis, type TestRedis } from '../../../test/support/stores/redis-servers.ts';
import {
  createTestDatabase,
  createTestFolder,
  createTestOlapDatabase,
  silentLog,
  type TestDatabase,
  type TestOlapDatabase,
} from '../../../test/support/stores.ts';
import { lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import { openRedisSpoolCopies } from '../../storage/copies/redis-spool-copies.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { createTestCatalog, makeServedAd } from '../fixtures/catalog.ts';
import { type SharedMachine, startSharedMachine } from '../fixtures/shared-machine.ts';
import { EVENT_OLAP_MIGRATIONS } from '../shipping/events.olap.ts';

const binary = findRedisServer();
const NEVER_MS = 3_600_000;

describe.skipIf(binary === null)('copies of events (need redis-server or valkey-server on the PATH)', () => {
  let database: TestDatabase;
  let olap: TestOlapDatabase;
  let redis: TestRedis;
  const folder = createTestFolder();
  const machines = new Map<string, SharedMachine>();
  const acknowledged = new Set<string>();

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    redis = await startRedis(binary ?? '');
    olap = await createTestOlapDatabase();
    await migrateOlap({ olap: olap.olap, migrations: EVENT_OLAP_MIGRATIONS, log: silentLog });
  });
  afterEach(async () => {
    for (const name of machines.keys()) await stop(name);
    await olap.close();
    await redis.end();
    acknowledged.clear();
    for (const table of ['hot_recovery', 'hot_recovery_machines'] as const)
      await database.db.deleteFrom(table).execute();
  });
  afterAll(async () => {
    await database.close();
    folder.remove();
  });

  const dirOf = (name: string): string => join(folder.dir, name);

  async function start(name: string, lostAfterMs: number): Promise<SharedMachine> {
    const machine = await startSharedMachine({
      dataDir: dirOf(name),
      redisUrl: redis.url,
      keyPrefix: 'copies',
      sql: database.db,
      olap: olap.olap,
      readSums: async () => [],
      catalog: createTestCatalog(),
      lostAfterMs,
    });
    machines.set(name, machine);
    await expect.poll(() => machine.recovery.mayShip()).toBe(true);
    return machine;
  }

  async function stop(name: string): Promise<void> {
    await machines.get(name)?.stop();
    machines.delete(name);
  }

  /** Impressions that are not acknowledged do not count as shown. */
  async function show(machine: SharedMachine, count: number): Promise<void> {
    const ads = Array.from({ length: count }, () => makeServedAd(Date.now()));
    await Promise.all(
      ads.map((ad) =>
        machine.events.impression(ad, '').then(
          () => acknowledged.add(`${ad.impressionId}:imp`),
          () => undefined,
        ),
      ),
    );
  }

  async function storedIds(): Promise<readonly string[]> {
    const rows = await olap.olap.query<{ event_id: string }>({ sql: 'SELECT event_id FROM events ORDER BY event_id' });
    return rows.map(({ event_id }) => event_id);
  }

  async function counted(): Promise<number> {
    const [machine] = machines.values();
    const key = lifetimeCounterKey({ workspaceId: 1, scope: 'li', id: '21', kind: 'imp' });
    const [value = 0n] = (await machine?.hot.readCounters([key])) ?? [];
    return Number(value);
  }

  /** The acknowledged events are in the event table and in the counters, each once. */
  async function expectExact(): Promise<void> {
    await expect.poll(storedIds).toEqual([...acknowledged].sort());
    expect(await counted()).toBe(acknowledged.size);
  }

  const copyKeys = (): Promise<readonly string[]> => ask(redis.port, (client) => client.keys('copies{f*'));

  test('events of a machine whose folder is deleted are counted and shipped by another one, and copies of shipped files go', async () => {
    const [first, second] = [await start('kept', 300), await start('deleted', NEVER_MS)];
    await show(first, 20);
    await show(second, 20);
    await expect.poll(async () => (await storedIds()).length).toBe(40);
    await expect.poll(async () => (await copyKeys()).length).toBe(0);
    await show(second, 30);
    await stop('deleted');
    rmSync(dirOf('deleted'), { recursive: true });
    await expectExact();
  });

  test('a machine that comes back with its folder after others took its files over doubles nothing', async () => {
    await start('stays', 300);
    const gone = await start('gone', NEVER_MS);
    await show(gone, 30);
    await stop('gone');
    await expectExact();
    const back = await start('gone', NEVER_MS);
    await show(back, 10);
    await expect.poll(() => back.backlog().files).toBe(0);
    await expectExact();
  });

  test('machines that take each other for lost while they run lose and double nothing', async () => {
    const both = [await start('one', 0), await start('two', 0)];
    const refusedBefore = both.map(({ spool }) => spool.stats().failedAppends);
    for (let round = 0; round < 60; round += 1) {
      await Promise.all(both.map((machine) => show(machine, 5)));
      await pause(10);
    }
    for (const machine of both) await expect.poll(() => machine.backlog().files).toBe(0);
    expect(both.some(({ spool }, at) => spool.stats().failedAppends > (refusedBefore[at] ?? 0))).toBe(true);
    // A refused event may be stored: its copy was made.
    await expect.poll(async () => acknowledged.isSubsetOf(new Set(await storedIds()))).toBe(true);
    const stored = await storedIds();
    expect([new Set(stored).size, await counted()]).toEqual([stored.length, stored.length]);
  });

  test('a file that was taken over and back gets no further part: its writer begins another one', async () => {
    const open = (machine: string) =>
      openRedisSpoolCopies({ url: redis.url, log: silentLog, machine, replicas: 0, keyPrefix: 'parts' });
    const [one, two] = [open('one'), open('two')];
    const file = '0/1796000000000-0123456b';
    const part = (number: number) => one.append({ file, part: number, offset: number * 4, bytes: Buffer.from('line') });
    expect(await part(0)).toBe(true);
    expect([await two.acquire('one', [file]), await one.acquire('two', [file])]).toEqual([1, 1]);
    expect(await part(1)).toBe(false);
    expect((await one.readTaken(file))?.bytes.toString()).toBe('line');
    await one.close();
    await two.close();
  });

  test('an event is refused while its copy cannot be made, and recorded when Redis is back', async () => {
    const machine = await start('refusing', NEVER_MS);
    await redis.end();
    await show(machine, 3);
    expect([acknowledged.size, machine.spool.stats().copyFailing, machine.spool.stats().failing]).toEqual([
      0,
      true,
      false,
    ]);
    redis = await startRedis(binary ?? '', [], redis.port);
    await expect.poll(async () => (await show(machine, 1), acknowledged.size)).toBeGreaterThan(0);
    await expect.poll(async () => acknowledged.isSubsetOf(new Set(await storedIds()))).toBe(true);
  });
});
