import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withDatabase } from '../../test/support/global-setup.ts';
import { createTestDatabase, createTestFolder, silentLog, type TestDatabase } from '../../test/support/stores.ts';
import { seedLineItem, seedNetwork } from '../../test/worlds/seed.sql.ts';
import type { Olap } from '../storage/olap/olap.ts';
import { BackupWriter } from './backup-files.ts';
import type { Manifest } from './manifest.ts';
import type { BackupSource, RestoreTarget } from './part.ts';
import { rowsPart } from './rows-part.sql.ts';

const folder = createTestFolder();
const backup = join(folder.dir, 'backup');
const made: string[] = [];
let source: TestDatabase;
let files: Manifest['files'];
/** Ids that the source has handed out, of an advertiser and a report task each. */
let handedOut: number[][];

/** Texts and bytes that lose their form wherever a step reads them as something else. */
const AWKWARD = 'a "quoted", (odd) text\\ with\nlines, \ttabs, {braces}, NULL, ü and 🦊';

beforeAll(async () => {
  source = await createTestDatabase();
  await seedNetwork(source.db);
  for (const id of [11n, 12n]) await seedLineItem(source.db, { id, cpm: 10n, content: { format: 'IMAGE' } });
  await sql`UPDATE line_items SET name = ${AWKWARD} WHERE id = 12`.execute(source.owner);
  await sql`INSERT INTO audit_log VALUES (1000, 1, now(), NULL, 'a', '', 'b', 'c', ${AWKWARD}, '{"null": null, "big": 12345678901234567890}',
    '\\x00ff', '\\x')`.execute(source.owner);
  // Tenants with sequences of their own; one that is deleted, and a tenant that has used none.
  await sql`SELECT setval('ids_of_1', 5001)`.execute(source.owner);
  await makeNetwork(source.ownerUrl, 2000);
  await makeNetwork(source.ownerUrl, 3000);
  handedOut = [await makeObjects(source.ownerUrl, 1), await makeObjects(source.ownerUrl, 3)];
  await sql`DELETE FROM advertisers WHERE name = 'made'`.execute(source.owner);
  await sql`DELETE FROM report_tasks`.execute(source.owner);
  // A value that came from a sequence.
  await sql`INSERT INTO users (email, name) VALUES ('a@b.example', 'A')`.execute(source.owner).catch(() => undefined);
  const writer = new BackupWriter(backup);
  await rowsPart.write({ postgresUrl: source.ownerUrl, writer } as unknown as BackupSource);
  files = writer.files();
});

afterAll(async () => {
  await withClient(source.ownerUrl, async (client) => {
    for (const name of made) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
  await source.close();
  folder.remove();
});

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A network with one more workspace. */
const makeNetwork = (url: string, id: number): Promise<number> =>
  withClient(url, async (client) => {
    await client.query('INSERT INTO networks (id, name) VALUES ($1, $2)', [id, 'N']);
    const made = "INSERT INTO workspaces (network_id, environment) SELECT $1, 'production' RETURNING id";
    // The first two were made with ids of their own.
    await client.query("SELECT setval(pg_get_serial_sequence('workspaces', 'id'), max(id)) FROM workspaces");
    const { rows } = await client.query<{ id: number }>(made, [id]);
    return rows[0]?.id ?? 0;
  });

/** Makes an advertiser and a report task of a workspace. Returns their ids. */
const makeObjects = (url: string, workspace: number): Promise<number[]> =>
  withClient(url, async (client) => {
    const texts = [
      `INSERT INTO advertisers (workspace_id, name) VALUES ($1, 'made') RETURNING id`,
      `INSERT INTO report_tasks (workspace_id, token, definition_name, name, plan, created_by)
        VALUES ($1, gen_random_uuid()::text, 'd', 'n', '{}', '') RETURNING id`,
    ];
    const ids: number[] = [];
    for (const text of texts) ids.push(Number((await client.query<{ id: string }>(text, [workspace])).rows[0]?.id));
    return ids;
  });

/** An empty database, as its owner and as the service's role. */
async function makeDatabase(): Promise<{ postgresUrl: string; postgresOwnerUrl: string }> {
  const name = `restored_${randomBytes(6).toString('hex')}`;
  made.push(name);
  await withClient(source.ownerUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  return { postgresUrl: withDatabase(source.url, name), postgresOwnerUrl: withDatabase(source.ownerUrl, name) };
}

const restoreInto = (
  urls: { postgresUrl: string; postgresOwnerUrl: string },
  listed: Manifest['files'] = files,
): Promise<void> | undefined =>
  rowsPart.fill?.({ folder: backup, manifest: { files: listed }, log: silentLog } as unknown as RestoreTarget, {
    olap: {} as Olap,
    ...urls,
  });

/** The list of files as a manifest has it after a file got another content. */
function listWith(path: string, content: string): Manifest['files'] {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return files.map((file) => (file.path === path ? { path, bytes: Buffer.byteLength(content), sha256 } : file));
}

async function readAll(url: string): Promise<Record<string, string[]>> {
  return withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'",
    );
    const all: Record<string, string[]> = {};
    for (const { name } of tables) {
      const timeless = name === 'kysely_migration' ? 'name' : 't::text';
      const { rows } = await client.query<{ row: string }>(`SELECT ${timeless} AS row FROM ${name} t ORDER BY 1`);
      all[name] = rows.map(({ row }) => row);
    }
    return all;
  });
}

/** Constraints, triggers, indexes, rights and values of sequences. */
async function readSchema(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(
      `SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS line FROM pg_constraint
          WHERE connamespace = 'public'::regnamespace
        UNION ALL SELECT tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
        UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
        UNION ALL SELECT relname || ' ' || coalesce(relacl::text, '') FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        UNION ALL SELECT sequencename || ' ' || last_value FROM pg_sequences WHERE last_value IS NOT NULL
        ORDER BY 1`,
    );
    return rows.map(({ line }) => line);
  });
}

test('an empty database gets every row, constraint, trigger, right and sequence of the other', async () => {
  const urls = await makeDatabase();
  await restoreInto(urls);
  const [before, after] = [await readAll(source.ownerUrl), await readAll(urls.postgresOwnerUrl)];
  expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
  for (const [name, rows] of Object.entries(before)) expect(after[name], name).toEqual(rows);
  expect(after['line_items']?.some((row) => row.includes('🦊'))).toBe(true);
  expect(await readSchema(urls.postgresOwnerUrl)).toEqual(await readSchema(source.ownerUrl));
});

test('a restored database hands out no id that the source handed out, and goes on in each workspace', async () => {
  const urls = await makeDatabase();
  await restoreInto(urls);
  const [first = [], other = []] = handedOut;
  // Workspace 4 has used none, and 5 comes after the restore.
  expect([first, other]).toEqual([
    [6_001, 1_001],
    [3, 3_001],
  ]);
  const { postgresOwnerUrl: url } = urls;
  expect(await makeObjects(urls.postgresUrl, 1)).toEqual(first.map((id, at) => id + (at === 0 ? 1_000 : 1)));
  expect(await makeObjects(urls.postgresUrl, 3)).toEqual(other.map((id, at) => id + (at === 0 ? 1_000 : 1)));
  expect(await makeObjects(urls.postgresUrl, 4)).toEqual([4, 4_001]);
  expect(await makeNetwork(url, 4000)).toBe(5);
  expect(await makeObjects(urls.postgresUrl, 5)).toEqual([5, 5_001]);
});

test('a database that holds a table is refused, and keeps it', async () => {
  const urls = await makeDatabase();
  await withClient(urls.postgresOwnerUrl, (client) => client.query('CREATE TABLE mine AS SELECT 1 AS one'));
  await expect(restoreInto(urls)).rejects.toThrow('is not empty');
  expect(await readAll(urls.postgresOwnerUrl)).toEqual({ mine: ['(1)'] });
});

test('a backup with migrations that this program does not have is refused before anything is made', async () => {
  const urls = await makeDatabase();
  const path = join(backup, 'rows', 'schema.json');
  const { readFileSync } = await import('node:fs');
  const text = readFileSync(path, 'utf8');
  const changed = text.replace('"migrations": [', '"migrations": ["9999-of-the-future",');
  writeFileSync(path, changed);
  try {
    await expect(restoreInto(urls)).rejects.toThrow('rows/schema.json of the backup was changed');
    await expect(restoreInto(urls, listWith('rows/schema.json', changed))).rejects.toThrow('9999-of-the-future');
  } finally {
    writeFileSync(path, text);
  }
  expect(await readAll(urls.postgresOwnerUrl)).toEqual({});
});

test('a PostgreSQL that is lost in the middle fails the backup, and nothing else', async () => {
  const writer = new BackupWriter(join(folder.dir, 'cut'));
  const { writeStream } = writer;
  writer.writeStream = async (path, content) => {
    await withClient(source.ownerUrl, (client) =>
      client.query(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'backup that is cut'",
      ),
    );
    await writeStream.call(writer, path, content);
  };
  const url = new URL(source.ownerUrl);
  url.searchParams.set('application_name', 'backup that is cut');
  const made = rowsPart.write({ postgresUrl: url.href, writer } as unknown as BackupSource);
  await expect(made).rejects.toThrow(/terminat|connection/i);
});

test('rows that are changed after the check of the backup fill nothing', async () => {
  const urls = await makeDatabase();
  const other = files.map((file) => (file.path === 'rows/users.gz' ? { ...file, sha256: 'a'.repeat(64) } : file));
  await expect(restoreInto(urls, other)).rejects.toThrow('rows/users.gz of the backup was changed');
  expect((await readAll(urls.postgresOwnerUrl))['line_items']).toEqual([]);
});
