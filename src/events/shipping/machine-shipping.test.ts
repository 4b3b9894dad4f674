import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestFolder, createTestOlapDatabase, silentLog } from '../../../test/support/stores.ts';
import type { TestOlapDatabase } from '../../../test/support/stores.ts';
import { formatEventTime } from '../../domain/events/event.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import type { Olap, OlapInsert } from '../../storage/olap/olap.ts';
import { EMPTY_EVENT_ROW } from '../recording/event-rows.ts';
import { openDeadLetters } from '../spool/dead-letters.ts';
import { listSpoolFiles, spoolFilePath } from '../spool/spool-files.ts';
import type { SpoolFile } from '../spool/spool-files.ts';
import { encodeSpoolLine, rowText } from '../spool/spool-line.ts';
import { BATCHES_FOLDER, collectBatch, finishBatch, listBatchedFiles, listBatchFolders } from './batch-folders.ts';
import { isBatchDue } from './batch-pace.ts';
import { insertBatchRows, insertBody, readBatchBody, readBatchRows } from './batch-rows.ts';
import { EVENT_OLAP_MIGRATIONS } from './events.olap.ts';
import type { ShipBatch } from './ship-batch.ts';
import { createShipper } from './shipper.ts';
import type { Shipper, ShipperOptions } from './shipper.ts';
import { acquireShippingLease, openShippingLease } from './shipping-lease.ts';
import { prepareBatch } from './stored-rows.ts';

let database: TestOlapDatabase;
let folder: ReturnType<typeof createTestFolder>;
let hot: HotStore;
let files = 0;

beforeAll(async () => {
  database = await createTestOlapDatabase();
  await migrateOlap({ olap: database.olap, migrations: EVENT_OLAP_MIGRATIONS, log: silentLog });
});
afterAll(() => database.close());
beforeEach(() => {
  folder = createTestFolder();
  hot = openLedger({ dir: join(folder.dir, 'hot'), nowMs: Date.now, log: silentLog });
});
afterEach(async () => {
  await hot.close();
  folder.remove();
  await database.olap.command('TRUNCATE TABLE events');
});

const ALWAYS = { isHeld: () => true, release: () => undefined };

function spoolDir(): string {
  return join(folder.dir, 'spool');
}

function shipperOf(workerIndex: number, options: Partial<ShipperOptions> = {}): Shipper {
  return createShipper({
    spoolDir: spoolDir(),
    workerIndex,
    workers: 3,
    hot,
    olap: database.olap,
    log: silentLog,
    backoffMsMin: 10,
    pollMs: 10,
    pace: { everyMs: 0, joinMs: 0 },
    ...options,
  });
}

/** Writes a counted file of a worker with one line for each id; `+` joins the rows of a line. */
function writeCounted(workerIndex: number, ids: readonly string[]): SpoolFile {
  const dir = join(spoolDir(), `w${workerIndex}`);
  mkdirSync(dir, { recursive: true });
  const time = formatEventTime(Date.now());
  const row = { ...EMPTY_EVENT_ROW, workspace_id: 1, kind: 'impression', time };
  const bytes = Buffer.concat(
    ids.map((id) => {
      const [first, ...more] = id.split('+').map((one) => ({ ...row, event_id: one }));
      return encodeSpoolLine(first ?? row, null, more.map(rowText));
    }),
  );
  files += 1;
  const fileId = `${String(1_700_000_000_000 + files)}-0123abcdb`;
  writeFileSync(spoolFilePath(dir, fileId, 'settled', bytes.length), bytes);
  const file = listSpoolFiles(dir).find((one) => one.fileId === fileId);
  if (file === undefined) throw new Error('There is no spool file');
  return file;
}

async function shippedIds(): Promise<string[]> {
  const rows = await database.olap.query<{ event_id: string }>({
    sql: 'SELECT event_id FROM events ORDER BY event_id',
  });
  return rows.map((row) => row.event_id);
}

function inserting(insertRaw: Olap['insertRaw']): Olap {
  return Object.assign(Object.create(database.olap) as Olap, { insertRaw });
}

function left(): SpoolFile[] {
  return [0, 1, 2].flatMap((index) => [
    ...listSpoolFiles(join(spoolDir(), `w${index}`)),
    ...listBatchedFiles(spoolDir(), `w${index}`),
  ]);
}

/** The states in which a shipper can die, from the first file that it moves to the last one that it deletes. */
const STEPS = ['collecting', 'complete', 'inserted', 'shipped', 'deleting'] as const;

/** Brings a batch to a step by the moves that the shipper makes, without the rest of it. `moved`: files that the step reached. */
async function dieAt(step: (typeof STEPS)[number], all: readonly SpoolFile[], moved: number): Promise<void> {
  if (step === 'collecting') {
    const collecting = join(spoolDir(), BATCHES_FOLDER, '1800000000000-0123abcdb.collecting');
    for (const file of all.slice(0, moved)) {
      mkdirSync(join(collecting, file.folder), { recursive: true });
      renameSync(file.path, join(collecting, file.folder, basename(file.path)));
    }
    return;
  }
  const batch = await collectBatch(spoolDir(), all, Date.now());
  if (batch === null) throw new Error('There is no batch');
  if (step === 'complete') return;
  const body = await readBatchBody(batch, openDeadLetters(join(folder.dir, 'letters'), silentLog));
  await insertBody(database.olap, body, batch.token);
  if (step === 'inserted') return;
  renameSync(join(batch.dir, batch.name), join(batch.dir, `${batch.name}.shipped`));
  if (step === 'shipped') return;
  for (const file of batch.files.slice(0, moved))
    rmSync(join(batch.dir, `${batch.name}.shipped`, file.folder, basename(file.path)));
}

test('another worker ships every event exactly once after the owner died at any step', async () => {
  const plans = fc.record({
    step: fc.constantFrom(...STEPS),
    workers: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 6 }),
    moved: fc.nat({ max: 6 }),
    successor: fc.nat({ max: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(plans, async ({ step, workers, moved, successor }) => {
      rmSync(spoolDir(), { recursive: true, force: true });
      await database.olap.command('TRUNCATE TABLE events');
      const all = workers.map((worker, at) => writeCounted(worker, [`${at}-a`, `${at}-b`]));
      await dieAt(step, all, moved);
      const shipper = shipperOf(successor, { lease: ALWAYS });
      shipper.start();
      await expect.poll(() => left().length, { timeout: 60_000 }).toBe(0);
      await shipper.stop(20_000);
      expect(await shippedIds()).toEqual(workers.flatMap((_one, at) => [`${at}-a`, `${at}-b`]).sort());
      expect(listBatchFolders(spoolDir())).toEqual([]);
    }),
    // Each step once, and what chance adds.
    { numRuns: 10, examples: STEPS.map((step) => [{ step, workers: [0, 1, 2, 1], moved: 2, successor: 1 }]) },
  );
}, 120_000);

test('two owners at once ship every event exactly once', async () => {
  const ids = Array.from({ length: 60 }, (_none, at) => `e${100 + at}`);
  for (const [at, id] of ids.entries()) writeCounted(at % 3, [id]);
  const slow = inserting(async (insert) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await database.olap.insertRaw(insert);
  });
  const owners = [0, 1, 2].map((index) => shipperOf(index, { lease: ALWAYS, olap: slow }));
  for (const owner of owners) owner.start();
  for (const [at, id] of ids.entries()) {
    writeCounted(at % 3, [`late-${id}`]);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await expect.poll(() => left().length, { timeout: 60_000 }).toBe(0);
  for (const owner of owners) await owner.stop(20_000);
  expect(await shippedIds()).toEqual([...ids, ...ids.map((id) => `late-${id}`)].sort());
});

test('one worker ships the files of all workers in one insert', async () => {
  const inserts: OlapInsert[] = [];
  const olap = inserting(async (insert) => {
    inserts.push(insert);
    await database.olap.insertRaw(insert);
  });
  for (const index of [0, 1, 2]) writeCounted(index, [`of-${index}`]);
  const shippers = [0, 1, 2].map((index) => shipperOf(index, { olap }));
  for (const shipper of shippers) shipper.start();
  await expect.poll(() => left().length).toBe(0);
  for (const shipper of shippers) await shipper.stop(20_000);
  expect([await shippedIds(), inserts.length]).toEqual([['of-0', 'of-1', 'of-2'], 1]);
});

test('a worker without the lease waits at its stop until its events are in the store', async () => {
  const owner = shipperOf(0);
  owner.start();
  writeCounted(1, ['a']);
  const other = shipperOf(1);
  other.start();
  await owner.stop(20_000);
  await other.stop(20_000);
  expect([await shippedIds(), left()]).toEqual([['a'], []]);
});

test('the backlog of a worker holds its files that are in a batch of the machine', async () => {
  const down = inserting(() => Promise.reject(new Error('down')));
  for (const index of [0, 1]) writeCounted(index, [`of-${index}`]);
  const shippers = [
    shipperOf(0, { olap: down }),
    shipperOf(1, { olap: down, lease: { ...ALWAYS, isHeld: () => false } }),
  ];
  for (const shipper of shippers) shipper.start();
  await expect.poll(() => listBatchFolders(spoolDir()).length).toBe(1);
  expect(shippers.map((shipper) => shipper.backlog().files)).toEqual([1, 1]);
  for (const shipper of shippers) await shipper.stop(50);
});

test('a batch whose token the store no longer remembers is not inserted twice', async () => {
  await database.olap.command('ALTER TABLE events MODIFY SETTING non_replicated_deduplication_window = 1');
  try {
    const file = writeCounted(0, ['a+a1', 'b']);
    const batch = await collectBatch(spoolDir(), [file], 1_700_000_100_000);
    if (batch === null) throw new Error('There is no batch');
    const { rows } = await readBatchRows(batch, openDeadLetters(join(folder.dir, 'letters'), silentLog));
    // The insert broke off after the first row, and others have pushed the token out of the window since.
    await insertBatchRows(database.olap, rows.slice(0, 1), batch.token);
    for (const index of [1, 2, 3]) {
      const row = JSON.stringify({ ...EMPTY_EVENT_ROW, event_id: `x${index}`, workspace_id: 1, kind: 'impression' });
      const timed = row.replace('"time":""', `"time":"${formatEventTime(Date.now())}"`);
      await database.olap.insertRaw({ table: 'events', body: Buffer.from(timed), token: `x${index}` });
    }
    const shipper = shipperOf(0, { tokenWindow: { ageMs: 60_000, inserts: 3, ageMsMax: Number.POSITIVE_INFINITY } });
    shipper.start();
    await shipper.stop(20_000);
    expect(await shippedIds()).toEqual(['a', 'a1', 'b', 'x1', 'x2', 'x3']);
    expect(existsSync(join(batch.dir, batch.name))).toBe(false);
  } finally {
    await database.olap.command('ALTER TABLE events MODIFY SETTING non_replicated_deduplication_window = 100000');
  }
});

test('the lease has one owner, passes on when the owner is silent or leaves, and survives a clock that was set back', () => {
  mkdirSync(spoolDir(), { recursive: true });
  let nowMs = 1_000_000;
  const [first, second] = [1, 2].map(() => openShippingLease({ spoolDir: spoolDir(), nowMs: () => nowMs }));
  if (first === undefined || second === undefined) throw new Error('There is no lease');
  // A lease that was taken just now is not held yet.
  expect([first.isHeld(), second.isHeld()]).toEqual([false, false]);
  expect([first.isHeld(), second.isHeld()]).toEqual([true, false]);
  nowMs += 4_000;
  expect([first.isHeld(), second.isHeld()]).toEqual([true, false]);
  nowMs += 5_001;
  expect([second.isHeld(), first.isHeld()]).toEqual([false, false]);
  expect([second.isHeld(), first.isHeld()]).toEqual([true, false]);
  second.release();
  expect([first.isHeld(), second.isHeld()]).toEqual([false, false]);
  expect([first.isHeld(), second.isHeld()]).toEqual([true, false]);
  nowMs -= 3_600_000;
  expect([second.isHeld(), first.isHeld()]).toEqual([false, false]);
  expect([second.isHeld(), first.isHeld()]).toEqual([true, false]);
  writeFileSync(join(spoolDir(), 'shipping.lease'), '{"owner":');
  expect(first.isHeld()).toBe(false);
  expect(first.isHeld()).toBe(true);
});

test('only the last one of two workers that take the lease at the same instant holds it', () => {
  mkdirSync(spoolDir(), { recursive: true });
  const options = { spoolDir: spoolDir(), nowMs: () => 1_000_000 };
  const first = openShippingLease(options);
  first.isHeld();
  // It had read the file before the first one wrote it.
  const second = acquireShippingLease(options);
  expect([first.isHeld(), second.isHeld()]).toEqual([false, true]);
});

test.each([
  ['nothing', [], 60_000, 0, false],
  ['a few events, two seconds after the last batch', [[900, 1_000]], 2_000, 0, true],
  ['a few events, soon after the last batch', [[900, 1_000]], 1_900, 0, false],
  ['megabytes that have just come in', [[5_000_000, 1_000]], 2_000, 0, false],
  ['megabytes that have waited', [[5_000_000, 5_000]], 2_000, 0, true],
  ['megabytes, five seconds after the last batch', [[5_000_000, 1_000]], 5_000, 0, true],
  ['a full batch', [[128_000_000, 0]], 0, 1, true],
  ['a few events beside a batch', [[900, 9_000]], 9_000, 1, false],
  ['many events beside a batch', [[9_000_000, 9_000]], 9_000, 1, true],
] as const)('whether a batch is due: %s', (_name, waiting, sinceLastMs, inserting, isDue) => {
  const nowMs = 1_800_000_000_000;
  const pending = waiting.map(([bytes, ageMs]) => ({ bytes, fileId: `${nowMs - ageMs}-0123abcdb` }) as SpoolFile);
  const pace = { everyMs: 2_000, joinMs: 5_000 };
  expect(isBatchDue(pending, { pace, sinceLastMs, nowMs, inserting })).toBe(isDue);
});

test('a file that comes into a batch after its insert goes back to its worker and ships later', async () => {
  const batch = await collectBatch(spoolDir(), [writeCounted(0, ['a']), writeCounted(1, ['b'])], Date.now());
  if (batch === null) throw new Error('There is no batch');
  const body = await readBatchBody(batch, openDeadLetters(join(folder.dir, 'letters'), silentLog));
  await insertBody(database.olap, body, batch.token);
  const late = writeCounted(1, ['c']);
  renameSync(late.path, join(batch.dir, batch.name, late.folder, basename(late.path)));
  await finishBatch(batch);
  expect(left().map(({ fileId }) => fileId)).toEqual([late.fileId]);
  const shipper = shipperOf(1, { lease: ALWAYS });
  shipper.start();
  await expect.poll(shippedIds).toEqual(['a', 'b', 'c']);
  await shipper.stop(60_000);
  expect(left()).toEqual([]);
});

test('two shippers send the same rows, even if a last file came into the batch after one of them looked', async () => {
  const letters = openDeadLetters(join(folder.dir, 'letters'), silentLog);
  const insertFound = async (): Promise<{ readonly batch: ShipBatch; readonly rows: string }> => {
    const [found] = listBatchFolders(spoolDir());
    if (found === undefined) throw new Error('There is no batch');
    const batch = await prepareBatch(found, { olap: database.olap, log: silentLog, nowMs: Date.now });
    const body = await readBatchBody(batch, letters);
    await insertBody(database.olap, body, batch.token);
    return { batch, rows: body.body.toString('latin1') };
  };
  await collectBatch(spoolDir(), [writeCounted(0, ['a']), writeCounted(1, ['b'])], Date.now());
  const first = await insertFound();
  const last = writeCounted(1, ['c']);
  renameSync(last.path, join(first.batch.dir, first.batch.name, last.folder, basename(last.path)));
  const second = await insertFound();
  expect(second.rows).toBe(first.rows);
  await finishBatch(second.batch);
  await finishBatch(first.batch);
  const shipper = shipperOf(0, { lease: ALWAYS });
  shipper.start();
  await expect.poll(() => left().length).toBe(0);
  await shipper.stop(60_000);
  expect(await shippedIds()).toEqual(['a', 'b', 'c']);
});

test('a file that came into a batch late is not deleted with what another shipper left of it', async () => {
  await collectBatch(spoolDir(), [writeCounted(0, ['a'])], Date.now());
  const [found] = listBatchFolders(spoolDir());
  if (found === undefined) throw new Error('There is no batch');
  const batch = await prepareBatch(found, { olap: database.olap, log: silentLog, nowMs: Date.now });
  const body = await readBatchBody(batch, openDeadLetters(join(folder.dir, 'letters'), silentLog));
  await insertBody(database.olap, body, batch.token);
  const last = writeCounted(0, ['b']);
  renameSync(last.path, join(batch.dir, batch.name, last.folder, basename(last.path)));
  renameSync(join(batch.dir, batch.name), join(batch.dir, `${batch.name}.shipped`));
  const shipper = shipperOf(0, { lease: ALWAYS });
  shipper.start();
  await expect.poll(shippedIds).toEqual(['a', 'b']);
  await shipper.stop(60_000);
  expect([left(), existsSync(join(batch.dir, `${batch.name}.shipped`))]).toEqual([[], false]);
});

test('a batch whose list cannot be read is compared with the store and gets a new token', async () => {
  await collectBatch(spoolDir(), [writeCounted(0, ['a']), writeCounted(1, ['b'])], Date.now());
  const [found] = listBatchFolders(spoolDir());
  if (found === undefined) throw new Error('There is no batch');
  const batch = await prepareBatch(found, { olap: database.olap, log: silentLog, nowMs: Date.now });
  const { rows } = await readBatchRows(batch, openDeadLetters(join(folder.dir, 'letters'), silentLog));
  await insertBatchRows(database.olap, rows.slice(0, 1), batch.token);
  writeFileSync(join(batch.dir, batch.name, 'files.json'), '["w0/17');
  const shipper = shipperOf(0, { lease: ALWAYS });
  shipper.start();
  await expect.poll(() => left().length).toBe(0);
  await shipper.stop(60_000);
  expect([await shippedIds(), existsSync(join(batch.dir, batch.name))]).toEqual([['a', 'b'], false]);
});

test('a shipper that died while it wrote the list of a batch leaves no folder behind', async () => {
  const batch = await collectBatch(spoolDir(), [writeCounted(0, ['a'])], Date.now());
  if (batch === null) throw new Error('There is no batch');
  writeFileSync(join(batch.dir, batch.name, 'a0000000-0000-4000-8000-000000000000.tmp'), '["w0/');
  const shipper = shipperOf(0, { lease: ALWAYS });
  shipper.start();
  await expect.poll(() => readdirSync(join(spoolDir(), BATCHES_FOLDER))).toEqual([]);
  await shipper.stop(60_000);
  expect(await shippedIds()).toEqual(['a']);
});

test('a large batch ships once after its shipper was stopped in the middle of it', async () => {
  const ids = Array.from({ length: 90 }, (_none, at) => `${100 + at}${'x'.repeat(100_000)}`);
  writeCounted(0, ids);
  writeCounted(1, ['b']);
  const first = shipperOf(0, { lease: ALWAYS, olap: inserting(() => new Promise(() => undefined)) });
  first.start();
  await expect.poll(() => listBatchFolders(spoolDir()).length).toBe(1);
  await first.stop(0);
  const second = shipperOf(1, { lease: ALWAYS });
  second.start();
  await expect.poll(() => left().length, { timeout: 20_000 }).toBe(0);
  await second.stop(20_000);
  expect(await shippedIds()).toEqual([...ids, 'b']);
});
