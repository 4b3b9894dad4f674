import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withDatabase } from '../../test/support/global-setup.ts';
import {
  createTestDatabase,
  createTestFolder,
  createTestOlapDatabase,
  silentLog,
  type TestDatabase,
  type TestOlapDatabase,
} from '../../test/support/stores.ts';
import { seedNetwork } from '../../test/worlds/seed.sql.ts';
import { EVENT_OLAP_MIGRATIONS } from '../events/shipping/events.olap.ts';
import { migrateOlap } from '../storage/olap/migrate-olap.ts';
import { makeBackup } from './make-backup.ts';
import { type Manifest, parseManifest, renderManifest } from './manifest.ts';
import type { RestoredStores } from './part.ts';
import { partsFor } from './parts.ts';
import { restoreBackup, verifyBackup } from './restore-backup.ts';
import { Passphrase } from './seal.ts';

const PASSPHRASE = new Passphrase('correct horse battery staple', 1_024);
const SPOOL_FILE = 'spool/w0/1760000000000-0123abcdb.8.sealed';
const folder = createTestFolder();
const original = join(folder.dir, 'original');
const restored = `restored_${randomBytes(6).toString('hex')}`;
let database: TestDatabase;
let analytics: TestOlapDatabase;
let target: TestOlapDatabase;
let copies = 0;

beforeAll(async () => {
  [database, analytics, target] = await Promise.all([
    createTestDatabase(),
    createTestOlapDatabase(),
    createTestOlapDatabase(),
  ]);
  await seedNetwork(database.db);
  await administer(`CREATE DATABASE ${restored}`);
  await migrateOlap({ olap: analytics.olap, migrations: EVENT_OLAP_MIGRATIONS, log: silentLog });
  await analytics.olap.command("INSERT INTO events (workspace_id, kind, event_id) VALUES (1, 'impression', 'one')");
  const dataDir = join(folder.dir, 'data');
  const files = {
    'assets/logo.png': 'picture',
    'secrets/pepper': 'pepper',
    'node-id': 'node',
    [SPOOL_FILE]: 'a line\n\n',
  };
  for (const [path, content] of Object.entries(files)) write(join(dataDir, path), content);
  await makeBackup({
    folder: original,
    dataDir,
    postgresUrl: database.ownerUrl,
    olap: analytics.olap,
    olapMigrations: EVENT_OLAP_MIGRATIONS,
    clickhouseTarget: null,
    parts: partsFor({ postgres: 'rows', analytics: 'tables' }),
    passphrase: PASSPHRASE,
    isOffline: true,
    version: '1.0.0',
    platform: 'any',
    migration: 'none',
    nowMs: Date.now,
    progress: () => undefined,
    cluster: { db: database.db, listNodes: async () => [], nowMs: Date.now, progress: () => undefined },
  });
});

afterAll(async () => {
  await administer(`DROP DATABASE IF EXISTS ${restored} WITH (FORCE)`);
  await Promise.all([database.close(), analytics.close(), target.close()]);
  folder.remove();
});

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function copyOriginal(): string {
  copies += 1;
  const copy = join(folder.dir, `copy-${copies}`);
  cpSync(original, copy, { recursive: true });
  return copy;
}

/** A copy in which the first byte of a file is another one. */
function changeFile(path: string): string {
  const changed = copyOriginal();
  const bytes = readFileSync(join(changed, path));
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  writeFileSync(join(changed, path), bytes);
  return changed;
}

async function restore(
  from: string,
  into: string,
  withStores: (dataDir: string, work: (stores: RestoredStores) => Promise<void>) => Promise<void>,
): Promise<Manifest> {
  return restoreBackup({
    folder: from,
    dataDir: into,
    olapMigrations: EVENT_OLAP_MIGRATIONS,
    clickhouseTarget: null,
    passphrase: PASSPHRASE,
    external: { postgres: true, clickhouse: false },
    redisKeys: null,
    program: { version: '1.0.0', platform: 'any' },
    log: silentLog,
    progress: () => undefined,
    withStores,
  });
}

/** The same refusal by both commands, with nothing written and no store asked. */
async function expectRefusal(backup: string, problem: string | RegExp): Promise<void> {
  await expect(verifyBackup(backup, PASSPHRASE)).rejects.toThrow(problem);
  const into = join(folder.dir, 'never');
  await expect(restore(backup, into, () => Promise.reject(new Error('stores were started')))).rejects.toThrow(problem);
  expect(existsSync(into)).toBe(false);
}

const readManifestOf = (backup: string): Manifest =>
  parseManifest(JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')));

/** Changes that a person can make who has the backup, and not its passphrase. */
function relist(backup: string, path: string): void {
  const content = readFileSync(join(backup, path));
  const file = { path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
  const manifest = readManifestOf(backup);
  const files = [...manifest.files.filter((one) => one.path !== path), file];
  writeFileSync(join(backup, 'manifest.json'), JSON.stringify({ ...manifest, files }));
}

/** A manifest by somebody who has the passphrase. */
async function sign(backup: string, manifest: Manifest): Promise<void> {
  const texts = await renderManifest(manifest, PASSPHRASE);
  writeFileSync(join(backup, 'manifest.json'), texts.manifest);
  writeFileSync(join(backup, 'manifest.mac'), texts.mac);
}

test('an unchanged backup passes, and brings back files, rows and events', async () => {
  await verifyBackup(original, PASSPHRASE);
  const into = join(folder.dir, 'into');
  await restore(original, into, (_dataDir, work) =>
    work({
      olap: target.olap,
      postgresUrl: withDatabase(database.url, restored),
      postgresOwnerUrl: withDatabase(database.ownerUrl, restored),
    }),
  );
  expect(readFileSync(join(into, 'assets/logo.png'), 'utf8')).toBe('picture');
  expect(readFileSync(join(into, 'secrets/pepper'), 'utf8')).toBe('pepper');
  const sql = "SELECT event_id FROM events WHERE kind = 'impression'";
  expect(await target.olap.query({ sql })).toEqual([{ event_id: 'one' }]);
  const schema = (olap: TestOlapDatabase): Promise<unknown[]> =>
    olap.olap.query({
      sql: "SELECT name, replaceAll(create_table_query, currentDatabase(), '') AS made FROM system.tables WHERE database = currentDatabase() ORDER BY name",
    });
  expect(await schema(target)).toEqual(await schema(analytics));
});

describe('tampering', () => {
  test('both commands refuse a backup with a changed file, and write nothing', async () => {
    await expectRefusal(changeFile(SPOOL_FILE), `The file ${SPOOL_FILE} of the backup was changed`);
  });

  test.each([
    'analytics/schema.json',
    'analytics/events.native.zst',
    'rows/schema.json',
    'rows/users.gz',
    'files/assets/logo.png',
    'secrets.sealed',
  ])('a backup is refused with its file %s changed', async (path) => {
    const changed = changeFile(path);
    await expect(verifyBackup(changed, PASSPHRASE)).rejects.toThrow(`The file ${path} of the backup was changed`);
  });

  test('a backup is refused with a file changed and listed again', async () => {
    const changed = changeFile('secrets.sealed');
    relist(changed, 'secrets.sealed');
    await expect(verifyBackup(changed, PASSPHRASE)).rejects.toThrow('The file manifest.json of the backup was changed');
  });

  test.each([SPOOL_FILE, 'secrets.sealed'])('a backup is refused without its file %s', async (path) => {
    const missing = copyOriginal();
    rmSync(join(missing, path));
    await expect(verifyBackup(missing, PASSPHRASE)).rejects.toThrow(`The file ${path} of the backup is missing`);
  });

  test.each(['postgres/postgresql.auto.conf', 'rows/more.gz'])(
    'a backup is refused with the file %s added, whether it is listed or not',
    async (path) => {
      const backup = copyOriginal();
      write(join(backup, path), "restore_command = 'touch /tmp/proof'\n");
      await expect(verifyBackup(backup, PASSPHRASE)).rejects.toThrow(`The file ${path} was added to the backup`);
      relist(backup, path);
      await expect(verifyBackup(backup, PASSPHRASE)).rejects.toThrow(
        'The file manifest.json of the backup was changed',
      );
    },
  );

  test('a backup is refused with two of its files swapped', async () => {
    const backup = copyOriginal();
    const [one, other] = ['rows/users.gz', 'rows/networks.gz'].map((path) => join(backup, path)) as [string, string];
    renameSync(one, `${one}.aside`);
    renameSync(other, one);
    renameSync(`${one}.aside`, other);
    await expect(verifyBackup(backup, PASSPHRASE)).rejects.toThrow(
      /The file rows\/(?:users|networks)\.gz of the backup was changed/,
    );
  });

  test('a backup is refused with a file replaced by a link to the same bytes', async () => {
    const backup = copyOriginal();
    const path = join(backup, 'files/assets/logo.png');
    rmSync(path);
    symlinkSync(join(original, 'files/assets/logo.png'), path);
    await expectRefusal(backup, 'files/assets/logo.png of the backup was changed: it is a link');
  });

  test('a backup is refused without the proof of its manifest, or with that of another backup', async () => {
    const backup = copyOriginal();
    rmSync(join(backup, 'manifest.mac'));
    await expectRefusal(backup, 'manifest.mac of the backup is missing');
    const texts = await renderManifest({ ...readManifestOf(original), version: '0.9.0' }, PASSPHRASE);
    writeFileSync(join(backup, 'manifest.mac'), texts.mac);
    await expectRefusal(backup, 'manifest.json of the backup was changed');
  });

  test.each(['postgres/postgresql.auto.conf', 'postgres/recovery.signal', 'files/secrets/pepper'])(
    'a backup is refused whose signed manifest lists %s, which no part has',
    async (path) => {
      const backup = copyOriginal();
      write(join(backup, path), 'x');
      relist(backup, path);
      const problem = `lists the file ${path}, which no part of it has`;
      const manifest = readManifestOf(backup);
      await sign(backup, { ...manifest, parts: [...manifest.parts, 'postgres'] });
      await expect(verifyBackup(backup, PASSPHRASE)).rejects.toThrow(problem);
    },
  );

  test('both commands refuse a backup whose signed manifest lists a file of a part that it does not name', async () => {
    const backup = copyOriginal();
    const path = 'postgres/postgresql.auto.conf';
    write(join(backup, path), 'x');
    relist(backup, path);
    await sign(backup, readManifestOf(backup));
    await expectRefusal(backup, `lists the file ${path}, which no part of it has`);
  });

  test('a backup is refused whose signed schema.json of the analytics store has a statement or a table of its own', async () => {
    const backup = copyOriginal();
    const path = 'analytics/schema.json';
    const schema = JSON.parse(readFileSync(join(backup, path), 'utf8')) as { tables: object[] };
    const change = async (tables: object[]): Promise<void> => {
      write(join(backup, path), JSON.stringify({ ...schema, tables }));
      relist(backup, path);
      await sign(backup, readManifestOf(backup));
    };
    await change(schema.tables.map((table) => ({ ...table, create: "CREATE TABLE x ENGINE = Executable('sh')" })));
    await expectRefusal(backup, 'analytics/schema.json of the backup is damaged');
    await change([...schema.tables, { name: 'stranger', rows: 0 }]);
    const stores = { olap: target.olap } as unknown as RestoredStores;
    const into = join(folder.dir, 'stranger');
    await target.olap.command('DROP TABLE IF EXISTS stranger');
    await expect(restore(backup, into, (_dataDir, work) => work(stores))).rejects.toThrow(
      'a table stranger, which its migrations do not make',
    );
    expect(readdirSync(into)).toEqual([]);
  });
});
