import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../test/support/stores.ts';
import { startEmbeddedPostgres } from '../storage/sql/embedded-postgres.ts';
import { BackupWriter } from './backup-files.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import type { BackupSource, RestoreTarget } from './part.ts';
import { requireKnownPaths } from './parts.ts';
import { postgresPart } from './postgres-part.sql.ts';

const folder = createTestFolder();
const backup = join(folder.dir, 'backup');
/** Without syncing: the machine is not switched off. */
const settings = { fsync: 'off' };

afterAll(() => folder.remove());

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return rows;
}

function makeDataDir(name: string): string {
  const dir = join(folder.dir, name);
  mkdirSync(dir, { mode: 0o755 });
  return dir;
}

test('a restored cluster has the rows of the other, and none of its configuration', async () => {
  const dataDir = makeDataDir('data');
  const first = await startEmbeddedPostgres({ dataDir, log: silentLog, settings });
  await query(first.ownerUrl, 'CREATE TABLE one AS SELECT 1 AS one; CREATE UNLOGGED TABLE two (two int)');
  const [location] = (await query(first.ownerUrl, "SELECT current_setting('data_directory') AS dir")) as {
    dir: string;
  }[];
  const clusterDir = location?.dir ?? '';
  appendFileSync(join(clusterDir, 'postgresql.auto.conf'), "restore_command = 'touch /tmp/proof'\n");
  const writer = new BackupWriter(backup);
  await postgresPart.write({ postgresUrl: first.ownerUrl, writer } as unknown as BackupSource);
  await first.stop();

  const manifest: Manifest = parseManifest({
    format: 3,
    version: '1.0.0',
    platform: 'any',
    migration: 'none',
    parts: ['postgres'],
    cutAt: '2026-03-01T10:00:00.000Z',
    finishedAt: '2026-03-01T10:01:00.000Z',
    nodes: [],
    folders: writer.folders(),
    files: writer.files(),
  });
  requireKnownPaths(manifest);
  expect(manifest.files.filter(({ path }) => path.includes('.conf'))).toEqual([]);
  const other = makeDataDir('other');
  // The roles' passwords are in the cluster.
  mkdirSync(join(other, 'secrets'));
  for (const name of ['postgres-password', 'postgres-service-password'])
    appendFileSync(join(other, 'secrets', name), readFileSync(join(dataDir, 'secrets', name)));
  await postgresPart.restore({ folder: backup, manifest, dataDir: other, log: silentLog } as unknown as RestoreTarget);
  const second = await startEmbeddedPostgres({ dataDir: other, log: silentLog, settings });
  try {
    expect(await query(second.url, 'SELECT current_user AS me')).toEqual([{ me: 'placard_service' }]);
    expect(await query(second.ownerUrl, 'SELECT one, (SELECT count(*)::int FROM two) AS twos FROM one')).toEqual([
      { one: 1, twos: 0 },
    ]);
    const sql = "SELECT name, setting FROM pg_settings WHERE source = 'configuration file' AND name <> 'config_file'";
    expect(await query(second.ownerUrl, sql)).toEqual([]);
    expect(await query(second.ownerUrl, "SELECT current_setting('restore_command') AS command")).toEqual([
      { command: '' },
    ]);
  } finally {
    await second.stop();
  }
});
