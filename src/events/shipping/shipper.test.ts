import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestFolder, createTestOlapDatabase, silentLog } from '../../../test/support/stores.ts';
import type { TestOlapDatabase } from '../../../test/support/stores.ts';
import { formatEventTime } from '../../domain/events/event.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { OlapError } from '../../storage/olap/olap.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { DEAD_LETTERS_FOLDER, openDeadLetters, readDeadLetters } from '../spool/dead-letters.ts';
import type { KeptDeadLetter } from '../spool/dead-letters.ts';
import { EMPTY_EVENT_ROW } from '../recording/event-rows.ts';
import { EVENT_OLAP_MIGRATIONS } from './events.olap.ts';
import { countSpoolFile } from '../spool/count-spool-file.ts';
import { eventLineAt } from '../spool/event-lines.ts';
import { createShipper } from './shipper.ts';
import type { Shipper, ShipperOptions } from './shipper.ts';
import { encodeSpoolLine, rowText } from '../spool/spool-line.ts';
import type { Claim } from '../spool/spool-line.ts';
import { BATCHES_FOLDER, collectBatch, listBatchedFiles, listBatchNames } from './batch-folders.ts';
import { listSpoolFiles, openedAtMs } from '../spool/spool-files.ts';
import { openSpool } from '../spool/spool.ts';
import type { Spool, SpoolPosition } from '../spool/spool.ts';

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
  hot = openLedger({ dir: join(folder.dir, 'hot'), nowMs: Date.now, log: silentLog });
  spools = [];
});
afterEach(async () => {
  for (const spool of spools) await spool.close();
  await hot.close();
  folder.remove();
  await database.olap.command('TRUNCATE TABLE events');
});

function spoolOf(workerIndex: number): Spool {
  const spool = openSpool({
    dir: join(folder.dir, 'spool', `w${workerIndex}`),
    workerIndex,
    nowMs: Date.now,
    log: silentLog,
    sealAfterMs: 60_000,
  });
  spools.push(spool);
  return spool;
}

type Pause = Partial<Pick<ShipperOptions, 'pace' | 'elapsedMs'>>;

function shipperOf(workerIndex: number, olap: Olap = database.olap, pause: Pause = {}): Shipper {
  return createShipper({
    spoolDir: join(folder.dir, 'spool'),
    workerIndex,
    workers: 2,
    hot,
    olap,
    log: silentLog,
    backoffMsMin: 10,
    pace: { everyMs: 0, joinMs: 0 },
    pollMs: 20,
    ...pause,
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

async function append(spool: Spool, eventId: string, change?: Record<string, unknown>): Promise<SpoolPosition> {
  return spool.append(encodeSpoolLine(rowOf(eventId, change), claimOf(eventId)));
}

/** A line with this row, valid or not, and without a claim. */
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

function deadLetters(): KeptDeadLetter[] {
  return readDeadLetters(join(folder.dir, 'spool', DEAD_LETTERS_FOLDER));
}

/** Counts the next line of a file as the request path does. */
async function countOnArrival(id: string, { file, offset, end }: SpoolPosition): Promise<void> {
  await hot.countLines({ file, from: offset, to: end, lines: [eventLineAt(claimOf(id), offset)] });
}

/** Counts every sealed file of a worker. */
async function countAll(workerIndex: number): Promise<void> {
  const letters = openDeadLetters(join(folder.dir, 'spool', DEAD_LETTERS_FOLDER), silentLog);
  for (const file of listSpoolFiles(join(folder.dir, 'spool', `w${workerIndex}`)))
    if (file.state === 'sealed') await countSpoolFile(file, hot, letters);
}

/** The store with another way to insert. */
function inserting(insertRaw: Olap['insertRaw']): Olap {
  return Object.assign(Object.create(database.olap) as Olap, { insertRaw });
}

function spoolFiles(workerIndex: number): string[] {
  return readdirSync(join(folder.dir, 'spool', `w${workerIndex}`));
}

describe('the shipper', () => {
  test('the shipper ships sealed files to the store and then deletes them', async () => {
    const spool = spoolOf(0);
    for (const id of ['a', 'b', 'c']) await append(spool, id);
    await spool.append(encodeSpoolLine(rowOf('q', { kind: 'request', quantity: 7 }), null));
    await spool.seal();
    const shipper = shipperOf(0);
    shipper.start();
    await shipper.stop(60_000);
    expect(await shippedIds()).toEqual(['a', 'b', 'c', 'q']);
    expect(spoolFiles(0)).toEqual([]);
    expect(shipper.stats()).toMatchObject({ shippedRows: 4, duplicateRows: 0, rejectedRows: 0 });
    expect(shipper.backlog()).toEqual({ files: 0, bytes: 0, oldestMs: null });
  });

  test('the shipper counts an event once when two workers have it and the request path has counted it', async () => {
    const [first, second] = [spoolOf(0), spoolOf(1)];
    const position = await append(first, 'a');
    await countOnArrival('a', position);
    await append(second, 'a');
    await append(second, 'b');
    await first.seal();
    await second.seal();
    const shippers = [shipperOf(1), shipperOf(0)];
    for (const shipper of shippers) shipper.start();
    for (const shipper of shippers) await shipper.stop(60_000);
    expect(await shippedIds()).toEqual(['a', 'b']);
    expect(await counted()).toBe(2);
  });

  test('the rows of a line ship once, together with the first one, when two workers have the event', async () => {
    const lineWith = (id: string): Buffer =>
      encodeSpoolLine(
        rowOf(id),
        claimOf(id),
        [1, 2].map((at) => rowText(rowOf(`${id}/${at}-2`, { kind: 'touch' }))),
      );
    const [first, second] = [spoolOf(0), spoolOf(1)];
    await countOnArrival('a', await first.append(lineWith('a')));
    await second.append(lineWith('a'));
    await second.append(lineWith('b'));
    // A program before lines with several rows wrote each touch with a claim of its own.
    for (const id of ['c/1-1', 'c']) await append(second, id);
    await first.seal();
    await second.seal();
    const shippers = [shipperOf(1), shipperOf(0)];
    for (const shipper of shippers) shipper.start();
    for (const shipper of shippers) await shipper.stop(60_000);
    expect(await shippedIds()).toEqual(['a', 'a/1-2', 'a/2-2', 'b', 'b/1-2', 'b/2-2', 'c', 'c/1-1']);
    expect(await counted()).toBe(4);
    expect(shippers.reduce((sum, shipper) => sum + shipper.stats().shippedRows, 0)).toBe(8);
  });

  test('the shipper counts events that a worker put on disk before it was killed', async () => {
    await append(spoolOf(0), 'a');
    // The file was never sealed and its lines never claimed: the next worker of the same index finds it open.
    const next = spoolOf(0);
    const shipper = shipperOf(0);
    shipper.start();
    await shipper.stop(60_000);
    expect([await shippedIds(), await counted()]).toEqual([['a'], 1]);
    await next.close();
  });

  test('the shipper reaches the same result after it dies between the insert and the deletion, or during the deletion', async () => {
    const spool = spoolOf(0);
    for (const ids of [['a', 'b', 'a'], ['c'], ['d', 'b']]) {
      for (const id of ids) await append(spool, id);
      await spool.seal();
    }
    await countAll(0);
    const batches = join(folder.dir, 'spool', BATCHES_FOLDER);
    const died = join(folder.dir, 'died');
    const olap = inserting(async (insert) => {
      await database.olap.insertRaw(insert);
      cpSync(batches, died, { recursive: true });
    });
    const shipper = shipperOf(0, olap);
    shipper.start();
    await shipper.stop(60_000);
    expect(shipper.stats()).toMatchObject({ shippedBatches: 1, shippedRows: 4 });
    const [name = ''] = readdirSync(died);
    const [countedFile = ''] = readdirSync(join(died, name, 'w0'));
    const markShipped = (): void => renameSync(join(batches, name), join(batches, `${name}.shipped`));
    for (const [change, shipped] of [
      [() => {}, 1],
      [markShipped, 0],
      [
        () => {
          markShipped();
          rmSync(join(batches, `${name}.shipped`, 'w0', countedFile));
        },
        0,
      ],
    ] as const) {
      cpSync(died, batches, { recursive: true });
      change();
      const again = shipperOf(0);
      again.start();
      await expect.poll(() => readdirSync(batches)).toEqual([]);
      await again.stop(60_000);
      expect([await shippedIds(), await counted(), spoolFiles(0)]).toEqual([['a', 'b', 'c', 'd'], 4, []]);
      expect(again.stats().shippedBatches).toBe(shipped);
    }
  });

  test('the shipper joins waiting files into one insert with the same rows and token at every try', async () => {
    const inserts: { token: string; body: string }[] = [];
    let down = true;
    const olap = inserting(async (insert) => {
      inserts.push({ token: insert.token, body: insert.body.toString() });
      if (down) throw new OlapError('unreachable', 'down', { retryable: true });
      await database.olap.insertRaw(insert);
    });
    const spool = spoolOf(0);
    for (let at = 10; at < 50; at += 1) {
      await append(spool, `e${at}`);
      await spool.seal();
    }
    await countAll(0);
    const shipper = shipperOf(0, olap);
    shipper.start();
    await expect.poll(() => inserts.length).toBeGreaterThan(2);
    await shipper.stop(100);
    for (let at = 50; at < 60; at += 1) {
      await append(spool, `e${at}`);
      await spool.seal();
    }
    await countAll(0);
    down = false;
    const next = shipperOf(0, olap);
    next.start();
    await next.stop(60_000);
    expect(await shippedIds()).toEqual(Array.from({ length: 50 }, (_none, at) => `e${at + 10}`));
    const bodies = new Map(inserts.map(({ token, body }) => [token, body]));
    expect(inserts.every(({ token, body }) => bodies.get(token) === body)).toBe(true);
    expect(bodies.size).toBe(2);
  });

  test('the shipper deletes unfinished files that a killed process left', async () => {
    const dir = join(folder.dir, 'spool', 'w0');
    const spool = spoolOf(0);
    await append(spool, 'a');
    await spool.seal();
    await countAll(0);
    writeFileSync(join(dir, '1700000000000-0123abcdb.tmp'), 'half');
    const shipper = shipperOf(0);
    shipper.start();
    await shipper.stop(60_000);
    expect([await shippedIds(), spoolFiles(0)]).toEqual([['a'], []]);
  });

  test('the shipper makes at most three batches during an outage of any length', async () => {
    const olap = inserting(() => Promise.reject(new OlapError('unreachable', 'down', { retryable: true })));
    const spool = spoolOf(0);
    const shipper = shipperOf(0, olap);
    shipper.start();
    for (let at = 0; at < 12; at += 1) {
      await append(spool, `e${at}`);
      await spool.seal();
      shipper.wake();
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await shipper.stop(100);
    expect(listBatchNames(join(folder.dir, 'spool')).length).toBeLessThanOrEqual(3);
    const next = shipperOf(0);
    next.start();
    await next.stop(60_000);
    expect((await shippedIds()).length).toBe(12);
  });

  test('a batch holds rows with names beside rows that are arrays', async () => {
    const dir = join(folder.dir, 'spool', 'w0');
    const spool = spoolOf(0);
    await append(spool, 'new');
    await spool.seal();
    await countAll(0);
    const bytes = lineOf(JSON.stringify({ ...rowOf('old'), key_values: { 7: 'x' } }));
    writeFileSync(join(dir, `1700000000000-0123abcdb.${bytes.length}.settled`), bytes);
    const shipper = shipperOf(0);
    shipper.start();
    await shipper.stop(60_000);
    expect([await shippedIds(), shipper.stats().shippedBatches]).toEqual([['new', 'old'], 1]);
  });

  test('the shipper retries a failed insert and makes the next batch even when the clock is set back an hour', async () => {
    let failing = true;
    const olap = inserting(async (insert) => {
      if (failing) throw new OlapError('unreachable', 'down', { retryable: true });
      await database.olap.insertRaw(insert);
    });
    const spool = spoolOf(0);
    let skippedMs = 0;
    const shipper = shipperOf(0, olap, {
      pace: { everyMs: 60_000, joinMs: 60_000 },
      elapsedMs: () => performance.now() + skippedMs,
    });
    shipper.start();
    try {
      await append(spool, 'a');
      await spool.seal();
      shipper.wake();
      await expect.poll(() => shipper.stats().failures).toBeGreaterThan(0);
      const realNow = Date.now.bind(Date);
      vi.spyOn(Date, 'now').mockImplementation(() => realNow() - 3_600_000);
      failing = false;
      await expect.poll(shippedIds).toEqual(['a']);
      await append(spool, 'b');
      await spool.seal();
      skippedMs = 60_000;
      await expect.poll(shippedIds).toEqual(['a', 'b']);
    } finally {
      vi.restoreAllMocks();
      await shipper.stop(60_000);
    }
  });

  test('the shipper counts files while the analytics store is down, and ships their rows when it is back', async () => {
    let down = true;
    const olap: Olap = Object.assign(Object.create(database.olap) as Olap, {
      insertRaw: (insert: Parameters<Olap['insertRaw']>[0]) =>
        down
          ? Promise.reject(new OlapError('unreachable', 'down', { retryable: true }))
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
    await expect.poll(() => spoolFiles(0).some((name) => name.endsWith('.sealed'))).toBe(false);
    expect(shipper.backlog().files).toBe(2);
    down = false;
    await expect.poll(() => shipper.backlog().files).toBe(0);
    await shipper.stop(1_000);
    expect(await shippedIds()).toEqual(['a', 'b']);
  });

  test('the shipper ships later files while the store fails on an earlier one', async () => {
    let failing = true;
    const olap: Olap = Object.assign(Object.create(database.olap) as Olap, {
      insertRaw: (insert: Parameters<Olap['insertRaw']>[0]) =>
        failing && insert.body.includes('poison')
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
    await expect.poll(() => shipper.backlog().files).toBe(1);
    expect(await shippedIds()).toEqual(['a', 'b']);
    failing = false;
    await shipper.stop(60_000);
    expect([await shippedIds(), shipper.stats().rejectedRows]).toEqual([['a', 'b', 'poison'], 0]);
  });

  test('the name of a batch is later than its files even when the clock was set back', async () => {
    const spool = spoolOf(0);
    await append(spool, 'a');
    await spool.seal();
    const [file] = listSpoolFiles(join(folder.dir, 'spool', 'w0'));
    if (file === undefined) throw new Error('There is no spool file');
    const batch = await collectBatch(join(folder.dir, 'spool'), [file], Date.now() - 86_400_000);
    expect(openedAtMs(batch?.name ?? '')).toBeGreaterThan(openedAtMs(file.fileId));
  });

  test('the shipper makes a bounded number of batches while the store refuses its account, and ships all once it accepts it', async () => {
    let refusing = true;
    const olap: Olap = Object.assign(Object.create(database.olap) as Olap, {
      insertRaw: (insert: Parameters<Olap['insertRaw']>[0]) =>
        refusing
          ? Promise.reject(new OlapError('unauthorized', 'wrong password', { retryable: false, serverCode: 516 }))
          : database.olap.insertRaw(insert),
    });
    const spool = spoolOf(0);
    const shipper = shipperOf(0, olap);
    shipper.start();
    const batches = (): number => listBatchNames(join(folder.dir, 'spool')).length;
    for (let index = 100; index < 140; index += 1) {
      await append(spool, `e${index}`);
      await spool.seal();
      await expect.poll(() => spoolFiles(0).some((name) => name.endsWith('.sealed'))).toBe(false);
      const failures = shipper.stats().failures;
      if (batches() < 20) await expect.poll(() => shipper.stats().failures).toBeGreaterThan(failures);
    }
    // More than while the store is down; on a busy machine several files join one batch. One more may be in the hands of the shipper.
    expect(batches()).toBeGreaterThan(3);
    expect(batches()).toBeLessThanOrEqual(21);
    refusing = false;
    await shipper.stop(20_000);
    expect(await shippedIds()).toEqual(Array.from({ length: 40 }, (_none, at) => `e${100 + at}`));
  });

  test('a stopping shipper stops waiting for a store that stays down and leaves its files to the next start', async () => {
    const olap: Olap = Object.assign(Object.create(database.olap) as Olap, {
      insertRaw: () => Promise.reject(new OlapError('unreachable', 'down', { retryable: true })),
    });
    const spool = spoolOf(0);
    await append(spool, 'a');
    await spool.seal();
    const shipper = shipperOf(0, olap);
    shipper.start();
    await shipper.stop(300);
    const next = shipperOf(0);
    next.start();
    await next.stop(60_000);
    expect(await shippedIds()).toEqual(['a']);
  });

  test('only the rows that the store refuses become dead letters', async () => {
    const spool = spoolOf(0);
    for (let index = 10; index < 30; index += 1)
      await append(spool, `e${index}`, index === 17 ? { quantity: 'many' } : {});
    const parts = [rowOf('f/1'), rowOf('f/2', { quantity: 'many' })].map(rowText);
    await spool.append(encodeSpoolLine(rowOf('f'), claimOf('f'), parts));
    await spool.seal();
    const shipper = shipperOf(0);
    shipper.start();
    await shipper.stop(60_000);
    const ids = await shippedIds();
    expect(ids).toHaveLength(21);
    expect(ids).not.toContain('e17');
    expect(ids).toContain('f/1');
    expect(deadLetters()).toMatchObject(
      ['"e17"', '"f/2"'].map((id) => ({ reason: 'refused', text: expect.stringContaining(id) })),
    );
    expect(shipper.stats().rejectedRows).toBe(2);
  });

  test.each([
    ['text that is not Unicode', (row: string) => row.replace('"region":""', String.raw`"region":"\ud800"`)],
    ['a row that ends early', (row: string) => row.slice(0, -2)],
  ])('a row with %s becomes a dead letter, since no retry can repair it', async (_name, damage) => {
    const spool = spoolOf(0);
    await append(spool, 'a');
    await spool.append(lineOf(damage(JSON.stringify(rowOf('bad')))));
    await append(spool, 'b');
    await spool.seal();
    const shipper = shipperOf(0);
    shipper.start();
    await shipper.stop(60_000);
    expect(await shippedIds()).toEqual(['a', 'b']);
    expect(shipper.stats()).toMatchObject({ rejectedRows: 1, shippedRows: 2 });
  });

  test('lines that can never be counted become dead letters, and the others ship', async () => {
    const spool = spoolOf(0);
    const tooLong = { ...claimOf('far'), increments: [{ key: 'counted', by: 1n, ttlMs: 30 * 366 * 86_400_000 }] };
    await append(spool, 'a');
    await spool.append(encodeSpoolLine(rowOf('far'), tooLong));
    await spool.append(lineOf('{}', '["e/odd"]'));
    await append(spool, 'b');
    await spool.seal();
    const shipper = shipperOf(0);
    shipper.start();
    await shipper.stop(60_000);
    expect([await shippedIds(), await counted()]).toEqual([['a', 'b'], 2]);
    expect(shipper.stats().rejectedRows).toBe(2);
    expect(deadLetters().map(({ reason }) => reason)).toEqual(['uncountable', 'damaged']);
  });

  test.each(['sealed', 'settled'] as const)(
    'damaged lines of a %s file become dead letters, with their positions, and the others ship',
    async (state) => {
      const spool = spoolOf(0);
      const ids = ['a', 'b', 'c', 'd', 'e'];
      for (const id of ids) {
        const position = await append(spool, id);
        await countOnArrival(id, position);
      }
      await spool.seal();
      if (state === 'settled') {
        const counting = shipperOf(
          0,
          inserting(() => Promise.reject(new OlapError('unreachable', 'down', { retryable: true }))),
        );
        counting.start();
        await expect.poll(() => listBatchNames(join(folder.dir, 'spool'))).toHaveLength(1);
        await counting.stop(200);
      }
      const [found] =
        state === 'sealed'
          ? listSpoolFiles(join(folder.dir, 'spool', 'w0')).filter((one) => one.state === state)
          : listBatchedFiles(join(folder.dir, 'spool'), 'w0');
      if (found === undefined) throw new Error('There is no spool file');
      const { path, fileId } = found;
      const bytes = readFileSync(path);
      const second = bytes.indexOf(10) + 1;
      const third = bytes.indexOf(10, second) + 1;
      // The line feed between the second and the third line goes with the end of the second.
      bytes.fill(0, third - 20, third);
      // The end of the file is lost.
      writeFileSync(path, bytes.subarray(0, bytes.length - 10));
      const shipper = shipperOf(0);
      shipper.start();
      await shipper.stop(60_000);
      expect(await shippedIds()).toEqual(['a', 'c', 'd']);
      expect(await counted(), 'events that the request path counted stay counted').toBe(5);
      const file = `w0/${fileId}`;
      expect(deadLetters()).toMatchObject([
        { file, reason: 'damaged', offset: second, length: third - second },
        { file, reason: 'damaged', text: expect.stringContaining('"e"') },
        { file, reason: 'missing', offset: bytes.length - 10, length: 10 },
      ]);
      expect(shipper.backlog().files).toBe(0);
    },
  );

  test('the shipper of worker 0 adopts only the folders of workers that no longer run', async () => {
    for (const workerIndex of [1, 2, 3]) await append(spoolOf(workerIndex), `s${workerIndex}`);
    mkdirSync(join(folder.dir, 'spool', 'w0'), { recursive: true });
    const shipper = shipperOf(0);
    shipper.start();
    await shipper.stop(60_000);
    expect(await shippedIds()).toEqual(['s2', 's3']);
    expect(spoolFiles(1)).toHaveLength(1);
  });
});
