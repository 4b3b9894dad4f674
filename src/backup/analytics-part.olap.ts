import { join } from 'node:path';
import { z } from 'zod';
import { migrateOlap, missingOlapMigrations } from '../storage/olap/migrate-olap.ts';
import type { Olap } from '../storage/olap/olap.ts';
import { quote } from '../storage/olap/statement.ts';
import { type CheckedBackup, findListed, readListed } from './backup-files.ts';
import { BackupError } from './manifest.ts';
import type { BackupPart, BackupSource, RestoreTarget } from './part.ts';

const SCHEMA_FILE = 'analytics/schema.json';
/** Tables by name: a restore makes them itself, by the migrations that the backup had. */
const schemaSchema = z.strictObject({
  migrations: z.array(z.string()),
  tables: z.array(z.strictObject({ name: z.string().regex(/^\w+$/), rows: z.int().nonnegative() })),
});
type Schema = z.infer<typeof schemaSchema>;
/** Names of the migrations that have run. A restore fills it itself. */
const MIGRATIONS_TABLE = 'placard_migrations';
/** Signs that the store would read as a pattern or an end of the path. */
const SPECIAL = /[*?{}'"\\]/;

interface Table {
  readonly name: string;
  readonly engine: string;
  /** Without those that the store computes. */
  readonly columns: readonly string[];
  readonly create: string;
}

/** Every table of the built-in analytics store. The store itself writes and reads the files, so that memory stays bounded. */
export const analyticsPart: BackupPart = {
  name: 'analytics',
  needsStillness: true,
  files: /^analytics\/(?:schema\.json|\w+\.native\.zst)$/,
  folders: null,
  async write({ olap, writer, olapMigrations }) {
    const schema: Schema = { migrations: await listFinished(olap, olapMigrations), tables: [] };
    for (const { name, engine } of await listTables(olap)) {
      if (!engine.endsWith('MergeTree') || name === MIGRATIONS_TABLE) continue;
      const rows = await countRows(name);
      if (rows > 0) await exportTable(name);
      schema.tables.push({ name, rows });
    }
    await writer.write(SCHEMA_FILE, JSON.stringify(schema, null, 2));

    async function countRows(name: string): Promise<number> {
      const [row] = await olap.query<{ rows: string }>({
        sql: `SELECT count() AS rows FROM ${name}`,
        timeoutMs: 60_000,
      });
      return Number(row?.rows ?? 0);
    }
    async function exportTable(name: string): Promise<void> {
      const path = fileOf(name);
      const location = requirePlain(await writer.locate(path));
      await olap.command(`INSERT INTO FUNCTION file(${quote(location)}, 'Native') SELECT * FROM ${name}`);
      await writer.record(path);
    }
  },
  restore: async () => undefined,
  verify: async (target) => void (await readSchema(target)),
  async fill(target, { olap }) {
    const schema = await readSchema(target);
    const made = await makeTables(olap, schema, target);
    // Rows go into tables before the views that would count them again.
    const views = made.filter(({ engine }) => engine.endsWith('View'));
    for (const { name } of views) await olap.command(`DROP VIEW ${name}`);
    for (const { name, rows } of schema.tables) {
      const table = made.find((one) => one.name === name && one.engine.endsWith('MergeTree'));
      if (table === undefined)
        throw new BackupError(
          `The file ${SCHEMA_FILE} of the backup names a table ${name}, which its migrations do not make.`,
        );
      if (rows === 0) continue;
      const location = requirePlain(join(target.folder, fileOf(name)));
      const columns = table.columns.join(', ');
      await olap.command(
        `INSERT INTO ${name} (${columns}) SELECT ${columns} FROM file(${quote(location)}, 'Native')`,
        undefined,
        { insert_deduplicate: 0 },
      );
    }
    for (const { create } of views) await olap.command(create);
  },
};

/** @throws BackupError when a migration has not run to its end: its tables may be half filled */
async function listFinished(olap: Olap, known: BackupSource['olapMigrations']): Promise<string[]> {
  const missing = await missingOlapMigrations(olap, known);
  if (missing.length > 0)
    throw new BackupError(
      `The analytics store lacks the migrations ${missing.join(', ')}: run \`placard migrate\`, and repeat the backup.`,
    );
  return known.map(({ id }) => id);
}

/** @throws BackupError when the file is of another form, or lists tables whose files the manifest does not list */
async function readSchema(target: CheckedBackup): Promise<Schema> {
  const parsed = schemaSchema.safeParse(JSON.parse((await readListed(target, SCHEMA_FILE)).toString('utf8')));
  if (!parsed.success)
    throw new BackupError(`The file ${SCHEMA_FILE} of the backup is damaged, or another program wrote it.`);
  for (const { name, rows } of parsed.data.tables) if (rows > 0) findListed(target.manifest, fileOf(name));
  return parsed.data;
}

/**
 * Makes the tables and views by the statements of this program's own migrations; none comes from the backup.
 * @throws BackupError when this program does not have all of the migrations
 */
async function makeTables(
  olap: Olap,
  schema: Schema,
  { olapMigrations, log }: RestoreTarget,
): Promise<readonly Table[]> {
  const missing = schema.migrations.filter((id) => olapMigrations.every((migration) => migration.id !== id));
  if (missing.length > 0)
    throw new BackupError(`The backup is of a newer program: this one does not have ${missing.join(', ')}.`);
  const migrations = olapMigrations.filter(({ id }) => schema.migrations.includes(id));
  await migrateOlap({ olap, migrations, log });
  return listTables(olap);
}

function listTables(olap: Olap): Promise<Table[]> {
  return olap.query<Table>({
    sql: `SELECT name, any(engine) AS engine, any(create_table_query) AS create, groupArray(c.name) AS columns
      FROM system.tables AS t INNER JOIN system.columns AS c ON c.table = t.name AND c.database = t.database
      WHERE t.database = currentDatabase() AND c.default_kind NOT IN ('MATERIALIZED', 'ALIAS', 'EPHEMERAL')
      GROUP BY t.name AS name ORDER BY name`,
  });
}

function fileOf(table: string): string {
  return `analytics/${table}.native.zst`;
}

/** @throws BackupError for a path that the store would read as a pattern */
export function requirePlain(path: string): string {
  if (SPECIAL.test(path))
    throw new BackupError(`A backup cannot be in ${path}: use a path without any of * ? { } ' " \\.`);
  return path;
}
