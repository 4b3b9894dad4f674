import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestFolder, createTestOlapDatabase, silentLog } from '../../test/support/stores.ts';
import type { TestOlapDatabase } from '../../test/support/stores.ts';
import { formatEventTime } from '../domain/event.ts';
import type { HotStore } from '../storage/hot/hot-store.ts';
import { openHotStore } from '../storage/hot/open-hot-store.ts';
import { migrateOlap } from '../storage/olap/migrate-olap.ts';
import { OlapError } from '../storage/olap/olap.ts';
import type { Olap } from '../storage/olap/olap.ts';
import { EMPTY_EVENT_ROW } from './event-rows.ts';
import { EVENT_OLAP_MIGRATIONS } from './events.olap.ts';
import { claimAt } from './settlement.ts';
import { createShipper } from './shipper.ts';
import type { Shipper } from './shipper.ts';
import { encodeSpoolLine } from './spool-line.ts';
import type { Claim } from './spool-line.ts';
import { openSpool } from './spool.ts';
import type { Spool } from './spool.ts';

let database: TestOlapDatabase;
let folder: ReturnType<typeof createTestFolder>;
let hot: HotStore;
let spools: Spool[];

beforeAll(async () => {
  database = await createTestOlapDatabase();
  await migrateOlap({ olap: database.olap, migrations: EVENT_OLAP_MIGRATIONS, log: silentLog });
});
afterAll(() => database.close());
beforeEach(() => {
  folder = createTestFolder();
  hot = openHotStore({ dir: join(folder.dir, 'hot'), nowMs: Date.now, log: silentLog });
  spools = [];
});
afterEach(async () => {
  for (const spool of spools) await spool.close();
  await hot.close();
  folder.remove();
  await database.olap.command('TRUNCATE TABLE events');
});

function spoolOf(slot: number): Spool {
  const spool = openSpool({
    dir: join(folder.dir, 'spool', `w${slot}`),
    slot,
    nowMs: Date.now,
    log: silentLog,
    sealAfterMs: 60_000,
  });
  spools.push(spool);
  return spool;
}

function shipperOf(slot: number, olap: Olap = database.olap, workers = 2): Shipper {
  return createShipper({
    spoolDir: join(folder.dir, 'spool'),
    slot,
    workers,
    hot,
    olap,
    log: silentLog,
    backoffMsMin: 10,
    pollMs: 20,
  });
}

function rowOf(eventId: string, change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...EMPTY_EVENT_ROW,
    event_id: eventId,
    workspace_id: 1,
    kind: 'impression',
    time: formatEventTime(Date.now()),
    ...change,
  };
}

function claimOf(eventId: string): Claim {
  return { key: `e/${eventId}`, ttlMs: 60_000, increments: [{ key: 'counted', by: 1n, ttlMs: 60_000 }], pushes: [] };
}

async function append(spool: Spool, eventId: string, change?: Record<string, unknown>): Promise<string> {
  return spool.append(encodeSpoolLine(rowOf(eventId, change), claimOf(eventId)));
}

/** A line with this row, whatever it says; without claim. */
function lineOf(row: string, claim = ''): Buffer {
  const text = ` ${claim}\t${row}`;
  return Buffer.from(`${crc32(text).toString(16).padStart(8, '0')}${text}\n`);
}

async function shippedIds(): Promise<string[]> {
  const rows = await database.olap.query<{ event_id: string }>({
    sql: 'SELECT event_id FROM events ORDER BY event_id',
  });
  return rows.map((row) => row.event_id);
}

async function counted(): Promise<number> {
  return Number((await hot.readCounters(['counted']))[0]);
}

function spoolFiles(slot: number): string[] {
  return readdirSync(join(folder.dir, 'spool', `w${slot}`));
}

describe('the shipper', () => {
  test('takes sealed segments to the store, and deletes them there-after', async () => {
    const spool = spoolOf(0);
    for (const id of ['a', 'b', 'c']) await append(spool, id);
    await spool.append(encodeSpoolLine(rowOf('q', { kind: 'request', quantity: 7 }), null));
    await spool.seal();
    const shipper = shipperOf(0);
    shipper.start();
    await shipper.stop(5_000);
    expect(await shippedIds()).toEqual(['a', 'b', 'c', 'q']);
    expect(spoolFiles(0)).toEqual([]);
    expect(shipper.stats()).toMatchObject({ shippedRows: 4, duplicateRows: 0, rejectedRows: 0 });
    expect(shipper.backlog()).toEqual({ segments: 0, bytes: 0 });
  });

  test('counts an event once that two workers have, and that the request path counted already', async () => {
    const [first, second] = [spoolOf(0), spoolOf(1)];
    const position = await append(first, 'a');
    await hot.applyOnce(claimAt(claimOf('a'), position));
    await append(second, 'a');
    await append(second, 'b');
    await first.seal();
    await second.seal();
    const shippers = [shipperOf(1), shipperOf(0)];
    for (const shipper of shippers) shipper.start();
    for (const shipper of shippers) await shipper.stop(5_000);
    expect(await shippedIds()).toEqual(['a', 'b']);
    expect(await counted()).toBe(2);
  });

  test('counts what a worker put on disk and was then killed', async () => {
    await append(spoolOf(0), 'a');
    // Nobody sealed, nobody claimed: the next worker of the slot finds the open segment.
    const next = spoolOf(0);
    const shipper = shipperOf(0);
    shipper.start();
    await shipper.stop(5_000);
    expect([await shippedIds(), await counted()]).toEqual([['a'], 1]);
    await next.close();
  });

  test('repeats to the same result when it dies between the insert and the deletion', async () => {
    const spool = spoolOf(0);
    for (const id of ['a', 'b']) await append(spool, id);
    await append(spool, 'a');
    await spool.seal();
    const [sealed = ''] = spoolFiles(0);
    const bytes = readFileSync(join(folder.dir, 'spool', 'w0', sealed));
    const shipper = shipperOf(0);
    shipper.start();
    await shipper.stop(5_000);
    writeFileSync(join(folder.dir, 'spool', 'w0', sealed), bytes);
    const again = shipperOf(0);
    again.start();
    await again.stop(5_000);
    expect([await shippedIds(), await counted(), spoolFiles(0)]).toEqual([['a', 'b'], 2, []]);
  });

  test('settles while the analytics store is away, holds the rows, and ships them when it is back', async () => {
    let away = true;
    const olap: Olap = Object.assign(Object.create(database.olap) as Olap, {
      insertRaw: (insert: Parameters<Olap['insertRaw']>[0]) =>
        away
          ? Promise.reject(new OlapError('unreachable', 'away', { retryable: true }))
          : database.olap.insertRaw(insert),
    });
    const spool = spoolOf(0);
    await append(spool, 'a');
    await spool.seal();
    const shipper = shipperOf(0, olap);
    shipper.start();
    await expect.poll(() => shipper.stats().failures).toBeGreaterThan(1);
    await append(spool, 'b');
    await spool.seal();
    await expect.poll(counted).toBe(2);
    await expect.poll(() => spoolFiles(0).every((name) => name.endsWith('.settled'))).toBe(true);
    expect(shipper.backlog().segments).toBe(2);
    away = false;
    await expect.poll(() => shipper.backlog().segments, { timeout: 5_000 }).toBe(0);
    await shipper.stop(1_000);
    expect(await shippedIds()).toEqual(['a', 'b']);
  });

  test('takes later segments there while the store fails on an earlier one, whatever the failure says', async () => {
    let failing = true;
    const olap: Olap = Object.assign(Object.create(database.olap) as Olap, {
      insertRaw: (insert: Parameters<Olap['insertRaw']>[0]) =>
        failing && insert.body.includes('"poison"')
          ? Promise.reject(new OlapError('failed', 'a failure of its own', { retryable: false, serverCode: 49 }))
          : database.olap.insertRaw(insert),
    });
    const spool = spoolOf(0);
    for (const id of ['poison', 'a', 'b']) {
      await append(spool, id);
      await spool.seal();
    }
    const shipper = shipperOf(0, olap);
    shipper.start();
    await expect.poll(() => shipper.backlog().segments, { timeout: 5_000 }).toBe(1);
    expect(await shippedIds()).toEqual(['a', 'b']);
    failing = false;
    await shipper.stop(5_000);
    expect([await shippedIds(), shipper.stats().rejectedRows]).toEqual([['a', 'b', 'poison'], 0]);
  });

  test('gives up waiting for a store that stays away, and leaves its segments to the next start', async () => {
    const olap: Olap = Object.assign(Object.create(database.olap) as Olap, {
      insertRaw: () => Promise.reject(new OlapError('unreachable', 'away', { retryable: true })),
    });
    const spool = spoolOf(0);
    await append(spool, 'a');
    await spool.seal();
    const shipper = shipperOf(0, olap);
    shipper.start();
    const startedMs = Date.now();
    await shipper.stop(300);
    expect(Date.now() - startedMs).toBeLessThan(2_000);
    const next = shipperOf(0);
    next.start();
    await next.stop(5_000);
    expect(await shippedIds()).toEqual(['a']);
  });

  test('sets aside only the rows that the store refuses', async () => {
    const spool = spoolOf(0);
    for (let index = 10; index < 30; index += 1)
      await append(spool, `e${index}`, index === 17 ? { quantity: 'many' } : {});
    await spool.seal();
    const shipper = shipperOf(0);
    shipper.start();
    await shipper.stop(10_000);
    const ids = await shippedIds();
    expect(ids).toHaveLength(19);
    expect(ids).not.toContain('e17');
    const [rejected = ''] = readdirSync(join(folder.dir, 'spool', 'rejected'));
    expect(readFileSync(join(folder.dir, 'spool', 'rejected', rejected), 'utf8')).toContain('e17');
    expect(shipper.stats().rejectedRows).toBe(1);
  });

  test.each([
    ['text that is no Unicode', (row: string) => row.replace('"region":""', String.raw`"region":"\ud800"`)],
    ['a row that ends early', (row: string) => row.slice(0, -2)],
  ])('sets aside a row with %s, which no repeat can mend', async (_name, damage) => {
    const spool = spoolOf(0);
    await append(spool, 'a');
    await spool.append(lineOf(damage(JSON.stringify(rowOf('bad')))));
    await append(spool, 'b');
    await spool.seal();
    const shipper = shipperOf(0);
    shipper.start();
    await shipper.stop(5_000);
    expect(await shippedIds()).toEqual(['a', 'b']);
    expect(shipper.stats()).toMatchObject({ rejectedRows: 1, shippedRows: 2 });
  });

  test('sets aside lines that can never be counted, and ships the others', async () => {
    const spool = spoolOf(0);
    const tooLong = { ...claimOf('far'), increments: [{ key: 'counted', by: 1n, ttlMs: 30 * 366 * 86_400_000 }] };
    await append(spool, 'a');
    await spool.append(encodeSpoolLine(rowOf('far'), tooLong));
    await spool.append(lineOf('{}', '["e/odd"]'));
    await append(spool, 'b');
    await spool.seal();
    const shipper = shipperOf(0);
    shipper.start();
    await shipper.stop(5_000);
    expect([await shippedIds(), await counted()]).toEqual([['a', 'b'], 2]);
    expect(shipper.stats().rejectedRows).toBe(2);
    const rejected = readdirSync(join(folder.dir, 'spool', 'rejected'));
    expect(rejected.map((name) => name.split('.')[1])).toEqual(expect.arrayContaining(['uncountable', 'unreadable']));
  });

  test('sets aside lines that rotted, and ships the others', async () => {
    const spool = spoolOf(0);
    for (const id of ['a', 'b', 'c']) await append(spool, id);
    await spool.seal();
    const [name = ''] = spoolFiles(0);
    const path = join(folder.dir, 'spool', 'w0', name);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"event_id":"b"', '"event_id":"B"'));
    const shipper = shipperOf(0);
    shipper.start();
    await shipper.stop(5_000);
    expect(await shippedIds()).toEqual(['a', 'c']);
    expect(shipper.stats().rejectedRows).toBe(1);
  });

  test('of slot 0 adopts slots that no worker has any more, and no others', async () => {
    for (const slot of [1, 2, 3]) await append(spoolOf(slot), `s${slot}`);
    mkdirSync(join(folder.dir, 'spool', 'w0'), { recursive: true });
    const shipper = shipperOf(0);
    shipper.start();
    await shipper.stop(5_000);
    expect(await shippedIds()).toEqual(['s2', 's3']);
    expect(spoolFiles(1)).toHaveLength(1);
  });
});
