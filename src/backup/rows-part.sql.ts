import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { Client } from 'pg';
import { z } from 'zod';
import { migrate } from '../storage/sql/migrate.ts';
import { linesOf } from '../domain/text/lines.ts';
import { MIGRATIONS } from '../storage/sql/migrations/list.ts';
import { openPostgres } from '../storage/sql/postgres.ts';
import { roleOf } from '../storage/sql/service-role.sql.ts';
import { findListed, readListed, requireChecksum } from './backup-files.ts';
import { BackupError } from './manifest.ts';
import type { BackupPart, RestoredStores, RestoreTarget } from './part.ts';

const PREFIX = 'rows/';
const SCHEMA_FILE = `${PREFIX}schema.json`;
const NAME = z.string().regex(/^\w+$/);
const schemaSchema = z.object({
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: NAME, columns: z.array(NAME).min(1), rows: z.int() })),
  /** The last value of each sequence that was used. */
  sequences: z.array(z.object({ name: NAME, value: z.string().regex(/^-?\d+$/) })),
});
type Schema = z.infer<typeof schemaSchema>;
type Table = Schema['tables'][number];

/** Rows that are read and written at once; fewer where a row may hold a whole uploaded file. */
const ROWS_AT_ONCE = 500;
const LARGE_ROWS_AT_ONCE = 8;
/** Sequences that are read and set at once. */
const SEQUENCES_AT_ONCE = 500;
const CHARACTERS_AT_ONCE = 4_000_000;
/** Texts of values are the same whatever the server's settings are. */
const PLAIN_TEXTS =
  "SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET timezone = 'UTC'; SET bytea_output = 'hex'; SET extra_float_digits = 1; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0";

/**
 * Every row of a PostgreSQL that is reached by address, in one snapshot, as text: fits every system and newer version of PostgreSQL. A
 * restore makes the schema by the migrations that the backup had, in an empty database; the first start runs those that are newer.
 */
export const rowsPart: BackupPart = {
  name: 'rows',
  needsStillness: false,
  files: /^rows\/(?:schema\.json|\w+\.gz)$/,
  folders: null,
  async write({ postgresUrl, writer }) {
    await withClient(postgresUrl, async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const { rows: done } = await client.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name');
      const tables: Table[] = [];
      for (const { name, columns, is_large: isLarge } of await listTables(client)) {
        const count = { rows: 0 };
        const lines = readRows(client, { name, columns, atOnce: isLarge ? LARGE_ROWS_AT_ONCE : ROWS_AT_ONCE, count });
        await writer.writeStream(fileOf(name), through(Readable.from(lines), createGzip({ level: 1 })));
        tables.push({ name, columns, rows: count.rows });
      }
      await client.query('COMMIT');
      // Sequences are outside of the snapshot: read last, they are behind every row.
      const sequences = await readSequences(client);
      const schema: Schema = { migrations: done.map(({ name }) => name), tables, sequences };
      await writer.write(SCHEMA_FILE, JSON.stringify(schema, null, 1));
    });
  },
  restore: async () => undefined,
  async fill(target, stores) {
    const schema = schemaSchema.parse(JSON.parse((await readListed(target, SCHEMA_FILE)).toString('utf8')));
    const ownerUrl = stores.postgresOwnerUrl ?? stores.postgresUrl;
    await withClient(ownerUrl, requireEmptyDatabase);
    await makeSchema(schema, stores, target.log);
    await withClient(ownerUrl, async (client) => {
      await loadSequences(client, schema);
      await load(client, target, schema);
    });
  },
};

/** What a transform makes of a source. It fails when either of them does. */
function through(source: Readable, transform: Transform): Readable {
  return pipeline(source, transform, () => undefined);
}

const fileOf = (table: string): string => `${PREFIX}${table}.gz`;

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A connection that ends fails the statement in hand, and each one after it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(PLAIN_TEXTS);
    return await work(client);
  } finally {
    await client.end();
  }
}

async function listTables(client: Client): Promise<{ name: string; columns: string[]; is_large: boolean }[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; is_large: boolean }>(
    `SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns,
        bool_or(a.atttypid = 'bytea'::regtype) AS is_large
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
        AND c.relname NOT IN ('kysely_migration', 'kysely_migration_lock')
      GROUP BY c.relname ORDER BY c.relname`,
  );
  return rows;
}

/** One line for each row: the text of its values as a JSON string. */
async function* readRows(
  client: Client,
  of: {
    readonly name: string;
    readonly columns: readonly string[];
    readonly atOnce: number;
    readonly count: { rows: number };
  },
): AsyncGenerator<string> {
  const columns = of.columns.map(quoteName).join(', ');
  await client.query(`DECLARE backup_rows CURSOR FOR SELECT ROW(${columns})::text AS row FROM ${quoteName(of.name)}`);
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`FETCH ${of.atOnce} FROM backup_rows`);
    if (rows.length === 0) break;
    of.count.rows += rows.length;
    yield rows.map(({ row }) => `${JSON.stringify(row)}\n`).join('');
  }
  await client.query('CLOSE backup_rows');
}

/** @throws BackupError when there is any table */
async function requireEmptyDatabase(client: Client): Promise<void> {
  const { rows } = await client.query(
    "SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') LIMIT 1",
  );
  if (rows.length > 0)
    throw new BackupError('The database of PLACARD_POSTGRES_URL is not empty: name a new one, or drop its tables.');
}

/** Runs the migrations that the backup had. @throws BackupError when this program does not have all of them */
async function makeSchema({ migrations }: Schema, stores: RestoredStores, log: RestoreTarget['log']): Promise<void> {
  const known = new Map(Object.entries(MIGRATIONS));
  const missing = migrations.filter((name) => !known.has(name));
  if (missing.length > 0)
    throw new BackupError(`The backup is of a newer program: this one does not have ${missing.join(', ')}.`);
  const wanted = Object.fromEntries(migrations.flatMap((name) => [[name, known.get(name)]]).filter(([, one]) => one));
  const url = stores.postgresOwnerUrl ?? stores.postgresUrl;
  const sql = openPostgres({ url, log, poolMax: 1, statementTimeoutMs: 0 });
  try {
    const serviceRole = stores.postgresOwnerUrl === null ? null : roleOf(stores.postgresUrl);
    await migrate({ db: sql.db, log, migrations: wanted as typeof MIGRATIONS, serviceRole });
  } finally {
    await sql.close();
  }
}

interface ForeignKey {
  readonly owner: string;
  readonly name: string;
  readonly definition: string;
}

/** All rows, or none. Triggers and foreign keys rest meanwhile: rows come in the order of their tables' names. */
async function load(client: Client, target: RestoreTarget, schema: Schema): Promise<void> {
  const made = new Map((await listTables(client)).map(({ name, columns }) => [name, columns]));
  await client.query('BEGIN');
  const { rows: keys } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS owner, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
      FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conparentid = 0`,
  );
  for (const { owner, name } of keys) await client.query(`ALTER TABLE ${owner} DROP CONSTRAINT ${name}`);
  for (const table of made.keys()) await client.query(`ALTER TABLE ${quoteName(table)} DISABLE TRIGGER USER`);
  // Migrations add rows of their own.
  await client.query(`TRUNCATE ${[...made.keys()].map(quoteName).join(', ')}`);
  for (const table of schema.tables) {
    const columns = made.get(table.name) ?? [];
    if (columns.join() !== table.columns.join())
      throw new BackupError(`The table ${table.name} of the backup has other columns than its migrations make.`);
    await loadTable(client, readTable(target, table.name), table);
  }
  for (const table of made.keys()) await client.query(`ALTER TABLE ${quoteName(table)} ENABLE TRIGGER USER`);
  for (const { owner, name, definition } of keys)
    await client.query(`ALTER TABLE ${owner} ADD CONSTRAINT ${name} ${definition}`);
  await client.query('COMMIT');
}

/** The last value of each sequence that was used. */
async function readSequences(client: Client): Promise<Schema['sequences']> {
  const { rows: names } = await client.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace ORDER BY 1`,
  );
  const found: Schema['sequences'] = [];
  for (const batch of batchesOf(names)) {
    const { rows } = await client.query<Schema['sequences'][number]>(
      `SELECT name, value::text FROM (SELECT name, pg_sequence_last_value(quote_ident(name)::regclass) AS value
        FROM unnest($1::text[]) WITH ORDINALITY AS listed (name, at) ORDER BY at) AS read WHERE value IS NOT NULL`,
      [batch.map(({ name }) => name)],
    );
    found.push(...rows);
  }
  return found;
}

/** Sets the sequences, and makes those of workspaces before: they begin above what others say. */
async function loadSequences(client: Client, { sequences }: Schema): Promise<void> {
  const workspaceOf = (name: string): number => Number(/^(?:report_task_)?ids_of_(\d+)$/.exec(name)?.[1] ?? 0);
  const [own, shared] = [true, false].map((isOwn) => sequences.filter(({ name }) => workspaceOf(name) > 0 === isOwn));
  for (const batch of [...batchesOf(shared ?? []), ...batchesOf(own ?? [])]) {
    const workspaces = new Set(batch.map(({ name }) => workspaceOf(name)).filter((workspace) => workspace > 0));
    if (workspaces.size > 0)
      await client.query('SELECT placard_make_ids(one) FROM unnest($1::int[]) AS made (one)', [[...workspaces]]);
    await client.query(
      'SELECT setval(quote_ident(name)::regclass, value) FROM unnest($1::text[], $2::bigint[]) AS read (name, value)',
      [batch.map(({ name }) => name), batch.map(({ value }) => value)],
    );
  }
}

/** One transaction can lock some thousand sequences and no more. */
function* batchesOf<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += SEQUENCES_AT_ONCE) yield list.slice(at, at + SEQUENCES_AT_ONCE);
}

/** The rows of a table, decompressed; fails at the end when the file was changed since it was checked. */
function readTable({ folder, manifest }: RestoreTarget, name: string): Readable {
  const path = fileOf(name);
  const checked = through(createReadStream(join(folder, path)), requireChecksum(findListed(manifest, path)));
  return through(checked, createGunzip());
}

async function loadTable(client: Client, from: Readable, { name, columns, rows }: Table): Promise<void> {
  const list = columns.map(quoteName).join(', ');
  const into = quoteName(name);
  await client.query(`CREATE TEMP TABLE backup_row AS SELECT ${list} FROM ${into} WITH NO DATA`);
  const insert = `INSERT INTO ${into} (${list}) OVERRIDING SYSTEM VALUE SELECT * FROM unnest($1::text[]::backup_row[])`;
  let loaded = 0;
  for await (const batch of readBatches(name, from)) {
    await client.query(insert, [batch]);
    loaded += batch.length;
  }
  if (loaded !== rows) throw new BackupError(`The backup has ${loaded} rows of ${name} instead of ${rows}.`);
  await client.query('DROP TABLE backup_row');
}

async function* readBatches(table: string, input: Readable): AsyncGenerator<string[]> {
  let batch: string[] = [];
  let characters = 0;
  input.setEncoding('utf8');
  for await (const line of linesOf(input)) {
    const row: unknown = JSON.parse(line);
    if (typeof row !== 'string') throw new BackupError(`The file ${fileOf(table)} of the backup is damaged.`);
    batch.push(row);
    characters += row.length;
    if (batch.length < ROWS_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
