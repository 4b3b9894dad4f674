import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { partUnlessAll } from '../../../test/support/longer-runs.ts';
import { openExportBucket } from '../../storage/export/export-bucket.ts';
import { openExportFolder } from '../../storage/export/export-folder.ts';
import type { ExportTarget, StagedFile } from '../../storage/export/export-target.ts';
import { startSignedBucket } from '../../storage/fixtures/signed-bucket.ts';
import { createExportWorld, HOUR_MS, START_MS, type TestEvent } from '../fixtures/export-world.ts';
import { deleteEventsBefore } from '../retention/retention.olap.ts';
import { anonymiseEvents } from '../retention/user-erasure.olap.ts';
import { EXPORT_COLUMNS, readStoreClock } from './export-events.olap.ts';
import { tryExportLock } from './export-lock.sql.ts';

const HOUR = 'production/1000/events/date=2026-11-01/hour=10';
const ALL = { fromMs: START_MS, untilMs: START_MS + 24 * HOUR_MS };
let world: Awaited<ReturnType<typeof createExportWorld>>;

beforeAll(async () => {
  world = await createExportWorld();
});
beforeEach(async () => {
  await world.olap.command('TRUNCATE TABLE events');
  for (const name of ['production', 'staging']) rmSync(join(world.dir, name), { recursive: true, force: true });
  world.clock.storedMs = START_MS + HOUR_MS;
  world.clock.completeMs = START_MS + 24 * HOUR_MS;
});
afterAll(() => world.close());

const events = (ids: readonly string[], change: Partial<TestEvent> = {}): TestEvent[] =>
  ids.map((event_id, at) => ({ event_id, afterMs: at, ...change }));

/** Every file below the folder, by its path. */
const filesOn = (pattern: string): string[] => globSync(pattern, { cwd: world.dir }).sort();

/** Ids of all rows of all Parquet files, as a reading program finds them. */
async function exportedIds(): Promise<string[]> {
  const found = await Promise.all(
    filesOn('**/*.parquet').map((path) => idsOf(readFileSync(join(world.dir, path)), path)),
  );
  return found.flat().sort();
}

async function idsOf(bytes: Buffer, path: string): Promise<string[]> {
  const copy = join(world.dir, `copy-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`);
  writeFileSync(copy, bytes);
  const rows = await world.olap.query<{ event_id: string }>({ sql: `SELECT event_id FROM file('${copy}', 'Parquet')` });
  rmSync(copy);
  return rows.map(({ event_id }) => event_id);
}

describe('the export of events', () => {
  test('a complete hour becomes a file with every column, and a manifest with its rows, size and hash', async () => {
    await world.store([
      {
        event_id: 'e1',
        kind: 'activity',
        afterMs: 1,
        line_item_id: '31',
        user_hash: '255',
        npa: false,
        value_micros: '-5',
        revenue_nanos: '9007199254740993',
        quantity: 1,
        order_reference: 'order "1"',
        key_values: { section: 'sports' },
      },
    ]);
    expect(await world.open().run(ALL)).toEqual({
      untilMs: START_MS + HOUR_MS,
      hours: 1,
      files: 1,
      rows: 1,
      bytes: expect.any(Number) as number,
    });
    const path = join(world.dir, HOUR, 'events-00000.parquet');
    const bytes = readFileSync(path);
    expect(await world.readParquet(bytes, '*')).toEqual([
      expect.objectContaining({
        event_id: 'e1',
        network_id: '1000',
        environment: 'production',
        kind: 'activity',
        time: '2026-11-01 10:00:00.001',
        stored_at: '2026-11-01 10:00:00.100',
        line_item_id: '31',
        user_hash: '00000000000000ff',
        npa: false,
        value_micros: '-5',
        revenue_nanos: '9007199254740993',
        quantity: '1',
        order_reference: 'order "1"',
        key_values: { section: 'sports' },
      }),
    ]);
    expect(world.manifest(HOUR)).toEqual({
      schemaVersion: 1,
      kind: 'events',
      environment: 'production',
      networkId: '1000',
      from: '2026-11-01T10:00:00.000Z',
      until: '2026-11-01T11:00:00.000Z',
      revision: 1,
      rows: 1,
      bytes: bytes.length,
      uniqueBy: 'event_id',
      columns: EXPORT_COLUMNS.map(({ name, type }) => ({ name, type })),
      files: [
        {
          name: 'events-00000.parquet',
          rows: 1,
          bytes: bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
          revision: 1,
          storedFrom: 0,
          storedUntil: world.clock.storedMs,
          slice: 0,
          slices: 1,
        },
      ],
    });
    const complete = readFileSync(join(world.dir, 'production/1000/events/_complete.json'), 'utf8');
    expect(JSON.parse(complete)).toEqual({ completeUntil: '2026-11-01T11:00:00.000Z' });
  });

  test('the types of columns in Parquet are those that the page names', async () => {
    await world.store(events(['e1']));
    await world.open().run(ALL);
    const path = join(world.dir, HOUR, 'events-00000.parquet');
    const described = await world.olap.query<{ name: string; type: string }>({
      sql: `DESCRIBE TABLE file('${path}', 'Parquet')`,
    });
    const types: Record<string, string> = {
      String: 'string',
      Bool: 'bool',
      Int64: 'int64',
      "DateTime64(3, 'UTC')": 'timestamp (ms, UTC)',
      'Map(String, String)': 'map<string, string>',
    };
    // The last two are those of the path.
    expect(described.map(({ name, type }) => ({ name, type: types[type] ?? type }))).toEqual([
      ...EXPORT_COLUMNS.map(({ name, type }) => ({ name, type })),
      { name: 'date', type: 'Date' },
      { name: 'hour', type: 'int64' },
    ]);
  });

  test('each hour of each environment of each network has a folder of its own', async () => {
    await world.store([
      ...events(['a', 'b']),
      ...events(['c'], { workspace_id: 11 }),
      ...events(['d'], { workspace_id: 2, afterMs: HOUR_MS }),
    ]);
    world.clock.storedMs = START_MS + 2 * HOUR_MS;
    await world.open().run(ALL);
    expect(filesOn('**/*.parquet')).toEqual([
      `${HOUR}/events-00000.parquet`,
      'production/2000/events/date=2026-11-01/hour=11/events-00000.parquet',
      'staging/1000/events/date=2026-11-01/hour=10/events-00000.parquet',
    ]);
    expect(await exportedIds()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('an hour that may still get events waits', async () => {
    await world.store(events(['a']));
    world.clock.completeMs = START_MS + HOUR_MS + 59_000;
    expect(await world.open().run(ALL)).toMatchObject({ untilMs: START_MS, hours: 0 });
    world.clock.completeMs = START_MS + HOUR_MS + 60_000;
    expect(await world.open().run(ALL)).toMatchObject({ untilMs: START_MS + HOUR_MS, hours: 1 });
    await expect(world.open(undefined, { completeUntil: () => Promise.resolve(null) }).run(ALL)).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  test('a second run writes nothing, and a run after lost files writes the same bytes under the same names', async () => {
    await world.store(events(['a', 'b', 'c']));
    await world.open().run(ALL);
    const before = filesOn('**/*.*').map((path) => [path, readFileSync(join(world.dir, path), 'utf8')]);
    expect(await world.open().run(ALL)).toMatchObject({ hours: 1, files: 0, rows: 0 });
    rmSync(join(world.dir, 'production'), { recursive: true });
    await world.open().run(ALL);
    expect(filesOn('**/*.*').map((path) => [path, readFileSync(join(world.dir, path), 'utf8')])).toEqual(before);
  });

  test('an hour whose manifest was deleted is exported again without the files of before', async () => {
    await world.store(events(['a']));
    await world.open().run(ALL);
    await world.store(events(['late'], { storedAfterMs: 2 * HOUR_MS }));
    world.clock.storedMs = START_MS + 3 * HOUR_MS;
    await world.open().run(ALL);
    rmSync(join(world.dir, HOUR, '_manifest.json'));
    await world.open().run(ALL);
    expect(filesOn('**/*.parquet')).toEqual([`${HOUR}/events-00000.parquet`]);
    expect(await exportedIds()).toEqual(['a', 'late']);
  });

  test('late events go into a further file, and the first one stays as it is', async () => {
    await world.store(events(['a', 'b']));
    const exports = world.open();
    await exports.run(ALL);
    const first = readFileSync(join(world.dir, HOUR, 'events-00000.parquet'));
    await world.store(events(['late'], { storedAfterMs: 5 * HOUR_MS }));
    world.clock.storedMs = START_MS + 6 * HOUR_MS;
    expect(await exports.run(ALL)).toMatchObject({ files: 1, rows: 1 });
    expect(readFileSync(join(world.dir, HOUR, 'events-00000.parquet')).equals(first)).toBe(true);
    expect(await idsOf(readFileSync(join(world.dir, HOUR, 'events-00001.parquet')), 'late')).toEqual(['late']);
    expect(world.manifest(HOUR)).toMatchObject({ revision: 2, rows: 3, files: [{ revision: 1 }, { revision: 1 }] });
    expect(await exportedIds()).toEqual(['a', 'b', 'late']);
  });

  test('an event that the store received before, and showed after, an export is added to its file', async () => {
    await world.store(events(['a']));
    await world.open().run(ALL);
    await world.store(events(['slow']));
    expect(await world.open().run(ALL)).toMatchObject({ files: 1, rows: 1 });
    expect(world.manifest(HOUR)).toMatchObject({ revision: 2, rows: 2, files: [{ revision: 2, rows: 2 }] });
    expect(await exportedIds()).toEqual(['a', 'slow']);
  });

  test('a large hour is cut into files that hold each event once', async () => {
    const ids = Array.from({ length: 1_000 }, (_none, at) => `e${at}`);
    await world.store(events(ids));
    await world.open(undefined, { fileRowsMax: 100 }).run(ALL);
    expect(filesOn('**/*.parquet')).toHaveLength(10);
    expect(await exportedIds()).toEqual(ids.toSorted());
  });

  test('events that retention deleted from the store stay in the files', async () => {
    await world.store(events(['a', 'b']));
    await world.open().run(ALL);
    await world.olap.command('ALTER TABLE events DELETE WHERE 1 SETTINGS mutations_sync = 2');
    await world.store(events(['late'], { storedAfterMs: 5 * HOUR_MS }));
    world.clock.storedMs = START_MS + 6 * HOUR_MS;
    await world.open().run(ALL);
    expect(await exportedIds()).toEqual(expect.arrayContaining(['a', 'b']));
  });
});

describe('an interrupted export', () => {
  /** Fails at the nth step that changes the target; steps before it are done. */
  function failing(target: ExportTarget, atStep: number): ExportTarget {
    let steps = 0;
    const step = async (work: () => Promise<void>): Promise<void> => {
      steps += 1;
      if (steps > atStep) throw new Error('killed');
      await work();
    };
    return {
      ...target,
      write: (name, content) => step(() => target.write(name, content)),
      remove: (name) => step(() => target.remove(name)),
      stage: async (name, chunks): Promise<StagedFile> => {
        const staged = await target.stage(name, chunks);
        return { ...staged, commit: () => step(() => staged.commit()), discard: () => Promise.resolve() };
      },
    };
  }

  test.each(partUnlessAll([0, 1, 2, 3, 4, 5, 6, 7, 8], 4))(
    'an export that is cut off before its step %i is completed by the next run, each event once',
    async (atStep) => {
      const ids = Array.from({ length: 40 }, (_none, at) => `e${at}`);
      await world.store(events(ids));
      const folder = openExportFolder(world.dir);
      const options = { fileRowsMax: 10 };
      const cut = world.open(failing(folder, atStep), options).run(ALL);
      const wasCut = await cut.then(
        () => false,
        () => true,
      );
      expect(wasCut).toBe(atStep < 6);
      // An event that comes in between is in one of the files as well, and the files are those that the manifest names.
      await world.store(events(['between'], { storedAfterMs: 2 * HOUR_MS }));
      world.clock.storedMs = START_MS + 3 * HOUR_MS;
      await world.open(folder, options).run(ALL);
      expect(await exportedIds()).toEqual(['between', ...ids].sort());
      expect(world.manifest(HOUR).rows).toBe(41);
      for (const { name, sha256 } of world.manifest(HOUR).files) {
        const bytes = readFileSync(join(world.dir, HOUR, name));
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
      }
    },
  );

  test('an export leaves no file under its name when the store fails half-way', async () => {
    await world.store(events(['a']));
    const olap = {
      dialect: world.olap.dialect,
      query: world.olap.query.bind(world.olap),
      async *stream() {
        yield Buffer.from('PAR1 and then');
        yield Buffer.from(' Code: 241. DB::Exception');
      },
    } as unknown as typeof world.olap;
    await expect(world.open(undefined, { olap }).run(ALL)).rejects.toMatchObject({ code: 'unavailable' });
    expect(filesOn('**/*').filter((path) => /parquet|json/.test(path))).toEqual([]);
  });
});

describe('one export at a time', () => {
  test('a run that finds another one waits for its next turn', async () => {
    await world.store(events(['a']));
    await tryExportLock(world.database.db, async () => {
      await expect(world.open().run(ALL)).rejects.toThrow('Another process writes exported files');
    });
    expect(await world.open().run(ALL)).toMatchObject({ files: 1 });
  });
});

describe('privacy in exported files', () => {
  const ANN = '11111111111111111111';
  const rowsOf = (): Promise<unknown[]> =>
    world.readParquet(
      readFileSync(join(world.dir, HOUR, 'events-00000.parquet')),
      'event_id, user_hash, order_reference, products',
    );

  test('a row under npa has no user', async () => {
    await world.store([{ event_id: 'a', npa: true, user_hash: ANN }]);
    await world.open().run(ALL);
    expect(await rowsOf()).toEqual([{ event_id: 'a', user_hash: '', order_reference: '', products: '' }]);
  });

  test('an erasure writes the files again that hold the user, and no others', async () => {
    await world.store([
      { event_id: 'a', user_hash: ANN, order_reference: 'o', products: 'p' },
      { event_id: 'b', user_hash: '5', order_reference: 'o', products: 'p' },
      { event_id: 'c', user_hash: '5', afterMs: HOUR_MS },
    ]);
    world.clock.storedMs = START_MS + 2 * HOUR_MS;
    const exports = world.open();
    await exports.run(ALL);
    const erase = (): Promise<number> => anonymiseEvents(world.olap, 1, ANN);
    expect(await exports.erase(1, ANN, erase)).toEqual({ files: 1, stored: 1 });
    expect(await rowsOf()).toEqual([
      { event_id: 'a', user_hash: '', order_reference: '', products: '' },
      { event_id: 'b', user_hash: '0000000000000005', order_reference: 'o', products: 'p' },
    ]);
    expect(world.manifest(HOUR)).toMatchObject({ revision: 2, rows: 2, files: [{ revision: 2 }] });
    expect(world.manifest(HOUR.replace('hour=10', 'hour=11'))).toMatchObject({ revision: 1 });
    expect(await exports.erase(1, ANN, erase)).toEqual({ files: 0, stored: 0 });
    expect(await exports.run(ALL)).toMatchObject({ files: 0 });
  });

  test('an erasure that is cut off before the store is erased finds the user again', async () => {
    await world.store([{ event_id: 'a', user_hash: ANN }]);
    const exports = world.open();
    await exports.run(ALL);
    await expect(exports.erase(1, ANN, () => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
    expect(await rowsOf()).toMatchObject([{ user_hash: '' }]);
    expect(await exports.erase(1, ANN, () => anonymiseEvents(world.olap, 1, ANN))).toMatchObject({ stored: 1 });
    expect(await rowsOf()).toMatchObject([{ user_hash: '' }]);
  });

  test('files go with the events that retention deletes', async () => {
    await world.store([...events(['old']), ...events(['young'], { afterMs: HOUR_MS })]);
    world.clock.storedMs = START_MS + 2 * HOUR_MS;
    await world.open().run(ALL);
    const deleteStored = (): Promise<void> => deleteEventsBefore(world.olap, 1, START_MS + HOUR_MS);
    expect(await world.open().removeBefore(1, START_MS + HOUR_MS, deleteStored)).toBe(1);
    expect(await exportedIds()).toEqual(['young']);
    expect(filesOn(`${HOUR}/*`)).toEqual([]);
    expect(await world.open().run(ALL)).toMatchObject({ hours: 1, files: 0 });
  });
});

test('events are exported into a bucket as into a folder', async () => {
  const keys = { accessKeyId: 'AKIAEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG', region: 'eu-central-1' };
  const bucket = await startSignedBucket(keys);
  try {
    const target = openExportBucket({ ...keys, url: bucket.url, stagingFile: join(world.dir, 'staging', 'file') });
    await world.store(events(['a', 'b']));
    await world.open(target).run(ALL);
    const file = bucket.objects.get(`/placard/files/${HOUR}/events-00000.parquet`);
    expect(await idsOf(file?.bytes ?? Buffer.alloc(0), 'bucket')).toEqual(['a', 'b']);
    expect(await world.open(target).run(ALL)).toMatchObject({ hours: 1, files: 0 });
    bucket.failures.push(403);
    await expect(world.open(target).run(ALL)).rejects.toMatchObject({ code: 'unavailable' });
    expect(globSync('staging/*', { cwd: world.dir })).toEqual([]);
  } finally {
    bucket.close();
  }
});

test('the store tells when it received an event, also through the intake table', async () => {
  const beforeMs = await readStoreClock(world.olap);
  const body = Buffer.from(
    JSON.stringify({ event_id: 'x', workspace_id: 1, kind: 'click', time: '2026-11-01 10:00:00' }),
  );
  for (let tries = 0; tries < 2; tries += 1)
    await world.olap.insertRaw({ table: 'events_intake', body, token: 'received' });
  const rows = await world.olap.query<{ ms: string }>({
    sql: 'SELECT toUnixTimestamp64Milli(stored_at) AS ms FROM events',
  });
  expect(rows).toHaveLength(1);
  expect(Number(rows[0]?.ms)).toBeGreaterThanOrEqual(beforeMs);
});
