import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { quote } from '../storage/olap/statement.ts';
import { BackupError } from './manifest.ts';
import type { BackupPart } from './part.ts';

const SCHEMA_FILE = 'analytics/schema.json';
const schemaSchema = z.array(z.object({ name: z.string().regex(/^\w+$/), create: z.string(), rows: z.number() }));
/** Signs that the store would read as a pattern or an end of the path. */
const SPECIAL = /[*?{}'"\\]/;

interface Table {
  readonly name: string;
  readonly engine: string;
  readonly create: string;
}

/** Every table of the built-in analytics store. The store itself writes and reads the files, so that memory stays bounded. */
export const analyticsPart: BackupPart = {
  name: 'analytics',
  needsStillness: true,
  async write({ olap, writer }) {
    // Tables first: a view needs the tables that it reads and fills.
    const tables = await olap.query<Table>({
      sql: `SELECT name, engine, create_table_query AS create FROM system.tables WHERE database = currentDatabase()
        ORDER BY engine LIKE '%View', name`,
    });
    const schema: z.infer<typeof schemaSchema> = [];
    for (const { name, engine, create } of tables) {
      const rows = engine.endsWith('MergeTree') ? await countRows(name) : 0;
      if (rows > 0) await exportTable(name);
      schema.push({ name, create, rows });
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
  async fill({ folder }, { olap }) {
    const schema = schemaSchema.parse(JSON.parse(await readFile(join(folder, SCHEMA_FILE), 'utf8')));
    // Rows go into tables before the views that would count them again.
    for (const { name, create, rows } of schema) {
      await olap.command(create);
      if (rows === 0) continue;
      const location = requirePlain(join(folder, fileOf(name)));
      await olap.command(`INSERT INTO ${name} SELECT * FROM file(${quote(location)}, 'Native')`, undefined, {
        insert_deduplicate: 0,
      });
    }
  },
};

function fileOf(table: string): string {
  return `analytics/${table}.native.zst`;
}

/** @throws BackupError for a path that the store would read as a pattern */
export function requirePlain(path: string): string {
  if (SPECIAL.test(path))
    throw new BackupError(`A backup cannot be in ${path}: use a path without any of * ? { } ' " \\.`);
  return path;
}
