import { readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, silentLog } from '../../../test/support/stores.ts';
import type { TestDatabase } from '../../../test/support/stores.ts';
import { openPostgres } from '../../storage/sql/postgres.ts';
import {
  archiveLineItems,
  draftLineItem,
  seedLineItem,
  seedNetwork,
  setLineItemStatus,
} from '../../../test/worlds/seed.sql.ts';
import { StoredRecords } from '../decision/index/stored-records.ts';
import { countInMemory } from './snapshot-disk.ts';
import { SnapshotFeed } from './snapshot-feed.ts';
import type { SnapshotFeedDeps } from './snapshot-feed-deps.ts';
import { readSnapshotFile, readSnapshotProgram, writeSnapshotFile } from './snapshot-file.ts';
import { COLUMNS_FILE } from './stored-snapshot.ts';

const content = { format: 'IMAGE', imageUrl: 'https://cdn.example/1.png', alt: '' };
let database: TestDatabase;
let folder: ReturnType<typeof createTestFolder>;
const running: SnapshotFeed[] = [];
let handlers: Parameters<SnapshotFeedDeps['watchChanges']>[0];

beforeAll(async () => {
  database = await createTestDatabase();
  folder = createTestFolder();
  await seedNetwork(database.db);
  for (let id = 1n; id <= 30n; id += 1n) await seedLineItem(database.db, { id, cpm: id, content });
});
afterEach(() => Promise.all(running.splice(0).map((feed) => feed.stop())));
afterAll(async () => {
  await database.close();
  folder.remove();
});

async function startFeed(options: Partial<SnapshotFeedDeps> = {}): Promise<SnapshotFeed> {
  const feed = new SnapshotFeed({
    sql: database.db,
    watchChanges: (options) => {
      handlers = options;
      return Promise.resolve({ close: () => Promise.resolve() });
    },
    dir: join(folder.dir, options.dir ?? 'snapshot'),
    writesFile: options.writesFile ?? false,
    startsFromFile: options.startsFromFile ?? false,
    log: options.log ?? silentLog,
    nowMs: Date.now,
    gatherMs: 1,
    ...(options.sql === undefined ? {} : { sql: options.sql }),
    ...(options.program === undefined ? {} : { program: options.program }),
    ...(options.recordsInMemoryMax === undefined ? {} : { recordsInMemoryMax: options.recordsInMemoryMax }),
    ...(options.moveEveryMs === undefined ? {} : { moveEveryMs: options.moveEveryMs }),
    ...(options.databaseReady === undefined ? {} : { databaseReady: options.databaseReady }),
  });
  running.push(feed);
  await feed.start();
  return feed;
}

const recordsOf = (feed: SnapshotFeed) => feed.current().find('1000', 'production')?.lineItems.length ?? -1;

/** All that a feed has read, as plain lists. */
function plainSnapshots(feed: SnapshotFeed) {
  return feed
    .current()
    .all()
    .map(({ snapshot }) => ({
      ...snapshot,
      lineItems: [...snapshot.lineItems],
      creatives: [...snapshot.creatives],
    }));
}

async function eventually(check: () => boolean, withinMs = 30_000): Promise<void> {
  const started = performance.now();
  while (!check()) {
    if (performance.now() - started > withinMs) throw new Error('It never came true');
    await sleep(10);
  }
}

test('a line item that is activated brings its creatives, which were created while it was a draft', async () => {
  await draftLineItem(database.db, 30n);
  const feed = await startFeed();
  expect(recordsOf(feed)).toBe(29);
  await setLineItemStatus(database.db, 30n, 'ACTIVE');
  handlers.onChange([{ workspaceId: 1, kind: 'lineItem', id: '30' }]);
  await eventually(() => recordsOf(feed) === 30);
});

test('a change of experiments brings the one that ends last, and compiles nothing', async () => {
  const feed = await startFeed();
  const before = feed.current().find('1000', 'production');
  const workspaceId = before?.snapshot.workspace.workspaceId ?? 0;
  const add = (id: bigint, startsAt: string, endsAt: string) =>
    database.db
      .insertInto('experiments')
      .values({
        workspace_id: workspaceId,
        id,
        name: 'N',
        rule: 'NO_LEARNING',
        share_percent: 5,
        starts_at: `${startsAt}T00:00:00Z`,
        ends_at: `${endsAt}T00:00:00Z`,
      })
      .execute();
  await add(1n, '2026-01-01', '2026-02-01');
  await add(2n, '2026-03-01', '2026-04-01');
  // Called off before it began.
  await add(3n, '2027-01-01', '2027-01-01');
  handlers.onChange([{ workspaceId, kind: 'experiment', id: '2' }]);
  const present = () => feed.current().find('1000', 'production');
  await eventually(() => present()?.snapshot.workspace.experiment !== undefined);
  expect(present()?.snapshot.workspace.experiment).toEqual({
    id: '2',
    rule: 'NO_LEARNING',
    sharePercent: 5,
    startsAtMs: Date.parse('2026-03-01'),
    endsAtMs: Date.parse('2026-04-01'),
  });
  expect(present()?.competition).toBe(before?.competition);
  await database.db.deleteFrom('experiments').execute();
});

test('a change of a network replaces its settings, and reads its line items again only with another time zone', async () => {
  await database.db.insertInto('networks').values({ id: 3000n, name: 'Other' }).execute();
  await database.db.insertInto('workspaces').values({ id: 31, network_id: 3000n, environment: 'production' }).execute();
  const feed = await startFeed();
  const before = [feed.current().find('1000', 'production'), feed.current().find('3000', 'production')];
  const notify = () => handlers.onChange([{ workspaceId: 0, kind: 'network', id: '1000' }]);
  const applyChange = async (): Promise<void> => {
    const from = feed.stats.readAtMs ?? 0;
    notify();
    await eventually(() => (feed.stats.readAtMs ?? 0) > from);
  };

  await database.db
    .updateTable('networks')
    .set({ settings: '{"limits":{"ads":77}}' })
    .where('id', '=', 1000n)
    .execute();
  await applyChange();
  expect(feed.current().find('1000', 'production')).toBe(before[0]);

  await database.db.updateTable('networks').set({ floor_micros: 5_000 }).where('id', '=', 1000n).execute();
  await applyChange();
  expect(feed.current().find('1000', 'production')?.snapshot.workspace.floorMicros).toBe(5_000);
  await database.db
    .updateTable('networks')
    .set({ settings: '{"exchangeRates":[{"currency":"USD","rate":"0.92","from":"2026-11-29"}]}' })
    .where('id', '=', 1000n)
    .execute();
  await applyChange();
  const rates = [{ currency: 'USD', rate: '0.92', from: '2026-11-29' }];
  expect(feed.current().find('1000', 'production')?.snapshot.workspace.exchangeRates).toEqual(rates);
  // The table of line items is the same one: nothing was read or compiled.
  expect(feed.current().find('1000', 'production')?.lineItems).toBe(before[0]?.lineItems);
  expect(feed.current().find('3000', 'production')).toBe(before[1]);

  await database.db.updateTable('networks').set({ timezone: 'Asia/Tokyo' }).where('id', '=', 1000n).execute();
  await applyChange();
  expect(feed.current().find('1000', 'production')?.lineItems.at(0).booked.timezone).toBe('Asia/Tokyo');

  await database.db.insertInto('workspaces').values({ id: 32, network_id: 3000n, environment: 'staging' }).execute();
  await applyChange();
  expect(feed.current().find('3000', 'staging')).toBeDefined();

  await database.db.deleteFrom('workspaces').where('network_id', '=', 3000n).execute();
  await applyChange();
  expect(feed.current().find('3000', 'production')).toBeUndefined();
  expect(feed.current().find('1000', 'production')?.lineItems).toHaveLength(30);
  await database.db
    .updateTable('networks')
    .set({ floor_micros: 0, timezone: 'Europe/Warsaw', settings: '{}' })
    .where('id', '=', 1000n)
    .execute();
});

test('a network whose goals compete by levels forgets what was remembered of bids', async () => {
  const feed = await startFeed();
  const present = () => feed.current().find('1000', 'production');
  const before = present();
  await database.db
    .updateTable('networks')
    .set({ settings: '{"goalCompetition":"LEVELS"}' })
    .where('id', '=', 1000n)
    .execute();
  handlers.onChange([{ workspaceId: 0, kind: 'network', id: '1000' }]);
  await eventually(() => present()?.snapshot.workspace.goalCompetition === 'LEVELS');
  expect(present()?.competition).not.toBe(before?.competition);
  await database.db.updateTable('networks').set({ settings: '{}' }).where('id', '=', 1000n).execute();
});

test('the file serves the last written snapshot while the database is unavailable', async () => {
  const first = await startFeed({ writesFile: true });
  await first.stop();
  const unavailable = openPostgres({
    url: 'postgresql://nobody@127.0.0.1:1/none',
    log: silentLog,
    poolMax: 1,
    statementTimeoutMs: 1_000,
  });
  const feed = await startFeed({ sql: unavailable.db });
  expect(feed.isReady).toBe(true);
  expect(feed.stats).toMatchObject({ fromFile: true, readAtMs: null });
  expect(plainSnapshots(feed)).toEqual(plainSnapshots(first));
  await feed.stop();
  await unavailable.close();
});

test('a worker that restarts serves from the file before it reads the database, and is current after its first connection', async () => {
  const first = await startFeed({ writesFile: true });
  await first.stop();
  await setLineItemStatus(database.db, 30n, 'PAUSED');
  const feed = await startFeed({ startsFromFile: true });
  expect(feed.stats).toMatchObject({ fromFile: true, readAtMs: null });
  const before = recordsOf(first);
  expect(recordsOf(feed)).toBe(before);
  handlers.onReconnect();
  await eventually(() => feed.stats.readAtMs !== null);
  expect(feed.stats.fromFile).toBe(false);
  expect(recordsOf(feed)).toBe(before - 1);
  await setLineItemStatus(database.db, 30n, 'ACTIVE');
});

test('a worker that restarts reads no line item, and keeps those on disk that the database has unchanged', async () => {
  const of = { dir: 'columns', program: '1.0.0/0001-first' };
  const first = await startFeed({ ...of, writesFile: true });
  await first.stop();
  const feed = await startFeed({ ...of, startsFromFile: true });
  const lineItemsOf = () => feed.current().find('1000', 'production')?.snapshot.lineItems;
  const stored = lineItemsOf();
  expect(stored).toBeInstanceOf(StoredRecords);
  expect(plainSnapshots(feed)).toEqual(plainSnapshots(first));
  handlers.onReconnect();
  await eventually(() => feed.stats.readAtMs !== null);
  expect(lineItemsOf()).toBe(stored);
  await setLineItemStatus(database.db, 30n, 'PAUSED');
  handlers.onChange([{ workspaceId: 1, kind: 'lineItem', id: '30' }]);
  await eventually(() => recordsOf(feed) === recordsOf(first) - 1);
  expect(lineItemsOf()).toBeInstanceOf(StoredRecords);
  await setLineItemStatus(database.db, 30n, 'ACTIVE');
});

test('line items that were read from the database move to the disk when a file has them, and changes go on', async () => {
  const feed = await startFeed({ dir: 'moved', writesFile: true, recordsInMemoryMax: 5, moveEveryMs: 20 });
  const lineItemsOf = () => feed.current().find('1000', 'production')?.snapshot.lineItems;
  const before = plainSnapshots(feed);
  await eventually(() => lineItemsOf() instanceof StoredRecords);
  expect(plainSnapshots(feed)).toEqual(before);
  await setLineItemStatus(database.db, 30n, 'PAUSED');
  handlers.onChange([{ workspaceId: 1, kind: 'lineItem', id: '30' }]);
  await eventually(() => recordsOf(feed) === 29);
  await setLineItemStatus(database.db, 30n, 'ACTIVE');
  handlers.onChange([{ workspaceId: 1, kind: 'lineItem', id: '30' }]);
  await eventually(() => recordsOf(feed) === 30);
  expect(lineItemsOf()).toBeInstanceOf(StoredRecords);
});

test('workers catch up with a newer file by the records that changed since theirs, and say the same as before', async () => {
  const of = { dir: 'caught-up', program: '1.0.0/0001-first', recordsInMemoryMax: 20, moveEveryMs: 20 };
  const first = await startFeed({ ...of, writesFile: true });
  await first.stop();
  const writer = await startFeed({ ...of, startsFromFile: true, writesFile: true });
  const ofWriter = handlers;
  const other = await startFeed({ ...of, startsFromFile: true });
  const changedIds = ['28', '29', '30'];
  const inMemory = (feed: SnapshotFeed) =>
    feed
      .current()
      .all()
      .reduce((sum, { snapshot }) => sum + countInMemory(snapshot), 0);
  for (const id of changedIds) await setLineItemStatus(database.db, BigInt(id), 'PAUSED');
  const changes = changedIds.map((id) => ({ workspaceId: 1, kind: 'lineItem', id }));
  for (const { onChange } of [ofWriter, handlers]) onChange(changes);
  await eventually(() => recordsOf(writer) === 27 && recordsOf(other) === 27);
  await eventually(() => inMemory(writer) === 0 && inMemory(other) === 0);
  expect(plainSnapshots(other)).toEqual(plainSnapshots(writer));
  for (const id of changedIds) await setLineItemStatus(database.db, BigInt(id), 'ACTIVE');
  for (const { onChange } of [ofWriter, handlers]) onChange(changes);
  await eventually(() => recordsOf(writer) === 30 && recordsOf(other) === 30);
});

test('a worker reads and compiles the snapshot where its columns are damaged, and says so', async () => {
  const of = { dir: 'damaged-columns', program: '1.0.0/0001-first' };
  const first = await startFeed({ ...of, writesFile: true });
  await first.stop();
  truncateSync(join(folder.dir, of.dir, COLUMNS_FILE), 100);
  const logged: string[] = [];
  const log: typeof silentLog = { ...silentLog, event: (code) => logged.push(code) };
  const feed = await startFeed({ ...of, startsFromFile: true, log });
  expect(feed.stats).toMatchObject({ fromFile: true, failures: 1 });
  expect(plainSnapshots(feed)).toEqual(plainSnapshots(first));
  expect(logged).toEqual(['snapshot.columns_unusable', 'snapshot.from_disk_first']);
});

test('a worker whose snapshot file is overwritten while it reads from it is whole again after its next full read', async () => {
  const of = { dir: 'overwritten', program: '1.0.0/0001-first' };
  const first = await startFeed({ ...of, writesFile: true });
  await first.stop();
  const feed = await startFeed({ ...of, startsFromFile: true });
  truncateSync(join(folder.dir, of.dir, 'last-good.ndjson'), 100);
  handlers.onReconnect();
  await eventually(() => feed.stats.readAtMs !== null, 5_000);
  expect(plainSnapshots(feed)).toEqual(plainSnapshots(first));
});

test('a worker that restarts without a file reads the database', async () => {
  const feed = await startFeed({ startsFromFile: true, dir: 'none' });
  expect(feed.stats.readAtMs).not.toBeNull();
});

test('the feed reports that it has nothing to serve when database and file are missing', async () => {
  const unavailable = openPostgres({
    url: 'postgresql://nobody@127.0.0.1:1/none',
    log: silentLog,
    poolMax: 1,
    statementTimeoutMs: 1_000,
  });
  const feed = await startFeed({ sql: unavailable.db, dir: 'empty' });
  expect(feed.isReady).toBe(false);
  await feed.stop();
  await unavailable.close();
});

test('a truncated file is not used', async () => {
  const feed = await startFeed();
  const dir = join(folder.dir, 'cut');
  await writeSnapshotFile(
    dir,
    feed
      .current()
      .all()
      .map(({ snapshot }) => snapshot),
  );
  const [name] = readdirSync(dir);
  const path = join(dir, name ?? '');
  expect((await readSnapshotFile(dir))?.snapshots).toHaveLength(2);
  const text = readFileSync(path, 'utf8');
  truncateSync(path, text.lastIndexOf('\n', text.length - 2) + 1);
  await expect(readSnapshotFile(dir)).rejects.toThrow('cut');
});

test('a file with one changed character is not used, and the error says so', async () => {
  const feed = await startFeed();
  const dir = join(folder.dir, 'changed');
  await writeSnapshotFile(
    dir,
    feed
      .current()
      .all()
      .map(({ snapshot }) => snapshot),
  );
  const path = join(dir, readdirSync(dir)[0] ?? '');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('"priceMicros":', '"priceMicros":9'));
  await expect(readSnapshotFile(dir)).rejects.toThrow('checksum');
  writeFileSync(path, text.replace('{', '('));
  await expect(readSnapshotFile(dir)).rejects.toThrow('line 1 is damaged');
  writeFileSync(path, text.replace(/,"checksum":"[0-9a-f]{8}"/, ''));
  expect((await readSnapshotFile(dir))?.snapshots, 'as an older program wrote it').toHaveLength(2);
});

test.each([
  ['a reconnection', () => Promise.resolve(handlers.onReconnect())],
  [
    'a change of its time zone',
    async () => {
      await database.db.updateTable('networks').set({ timezone: 'Asia/Tokyo' }).where('id', '=', 1000n).execute();
      handlers.onChange([{ workspaceId: 0, kind: 'network', id: '1000' }]);
    },
  ],
])(
  'after %s, a snapshot that lost more than half is used only when a second full read confirms it',
  async (_title, act) => {
    const feed = await startFeed();
    expect(recordsOf(feed)).toBe(30);
    await archiveLineItems(database.db, 3n);
    await act();
    await eventually(() => feed.stats.refused === 1);
    expect(recordsOf(feed)).toBe(30);
    await eventually(() => recordsOf(feed) === 3);
    expect(feed.stats.refused).toBe(1);
    await database.db.updateTable('line_items').set({ status: 'ACTIVE', updated_at: new Date() }).execute();
  },
);

test('a file of many chunks is read as it was written, and names the program that wrote it', async () => {
  const [some] = (await startFeed()).current().all();
  if (some === undefined) throw new Error('There is no workspace');
  const { snapshot } = some;
  // Longer than a chunk, with characters of several bytes across its edges.
  const alt = 'ą'.repeat(400_000);
  const creatives = [...snapshot.creatives].map((one) => ({ ...one, content: { ...content, alt } }) as typeof one);
  const dir = join(folder.dir, 'large');
  await writeSnapshotFile(dir, [{ ...snapshot, creatives }], '1.0.0/0001-first');
  const found = await readSnapshotFile(dir);
  expect(found?.snapshots[0]?.creatives).toEqual(creatives);
  expect(found?.program).toBe('1.0.0/0001-first');
  expect(await readSnapshotProgram(dir)).toBe('1.0.0/0001-first');
  expect(await readSnapshotProgram(join(folder.dir, 'none'))).toBeNull();
});

test('a feed waits for the database when another program wrote the file', async () => {
  const dir = 'other-program';
  const snapshots = (await startFeed())
    .current()
    .all()
    .map(({ snapshot }) => snapshot);
  await writeSnapshotFile(join(folder.dir, dir), snapshots, 'older');
  const waits: string[] = [];
  const start = (program: string) =>
    startFeed({ dir, startsFromFile: true, program, databaseReady: async () => void waits.push(program) });
  expect((await start('older')).stats.fromFile).toBe(true);
  expect((await start('newer')).stats.fromFile).toBe(false);
  expect(waits).toEqual(['newer']);
});

test('the stats of the feed say since when it may lack a change', async () => {
  const feed = await startFeed();
  handlers.onReconnect();
  await eventually(() => feed.stats.behindSinceMs === null);
  handlers.onLost();
  expect(feed.stats.behindSinceMs).not.toBeNull();
  handlers.onReconnect();
  await eventually(() => feed.stats.behindSinceMs === null);
});
