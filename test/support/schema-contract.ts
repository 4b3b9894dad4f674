import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/storage/sql/schema.ts';

/** A column as a program relies on it. */
export interface ColumnContract {
  readonly type: string;
  readonly nullable: boolean;
  /** A row may be inserted without it. */
  readonly optional: boolean;
}

/** A table of a schema. */
export interface TableContract {
  readonly columns: Readonly<Record<string, ColumnContract>>;
  /** Definitions of constraints, unique indexes and triggers, by name. */
  readonly rules: Readonly<Record<string, string>>;
}

/** What a version of the program reads and writes. */
export interface SchemaContract {
  readonly level: number;
  readonly tables: Readonly<Record<string, TableContract>>;
}

interface Row {
  readonly table: string;
  readonly name: string;
}

/** The present schema of a database, without the tables of the migrator. */
export async function readSchemaContract(db: Kysely<Database>, level: number): Promise<SchemaContract> {
  const columns = await sql<Row & ColumnContract>`
    SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
      NOT a.attnotnull AS nullable,
      NOT a.attnotnull OR a.atthasdef OR a.attidentity <> '' AS optional
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND a.attnum > 0 AND NOT a.attisdropped AND c.relname NOT LIKE 'kysely%'
    ORDER BY 1, a.attname`.execute(db);
  const rules = await sql<Row & { definition: string }>`
    SELECT * FROM (
      SELECT c.relname AS "table", k.conname AS name, pg_get_constraintdef(k.oid) AS definition
      FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND k.contype IN ('c', 'f', 'p', 'u', 'x')
      UNION ALL
      SELECT c.relname, i.relname, pg_get_indexdef(x.indexrelid)
      FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND x.indisunique
        AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = x.indexrelid)
      UNION ALL
      SELECT c.relname, t.tgname, pg_get_triggerdef(t.oid)
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal
    ) AS rules WHERE "table" NOT LIKE 'kysely%' ORDER BY 1, 2`.execute(db);
  const tables: Record<string, { columns: Record<string, ColumnContract>; rules: Record<string, string> }> = {};
  for (const { table, name, type, nullable, optional } of columns.rows)
    (tables[table] ??= { columns: {}, rules: {} }).columns[name] = { type, nullable, optional };
  for (const { table, name, definition } of rules.rows) {
    const own = tables[table];
    if (own !== undefined) own.rules[name] = definition.replaceAll(/\b\w+\.(?=\w+ (USING|FOR EACH|EXECUTE))/g, '');
  }
  return { level, tables };
}

/**
 * Everything in which a program of the version before would fail on the present schema.
 * @param loosened rules (`table.rule`) that were replaced by ones that allow more
 */
export function compareContracts(
  before: SchemaContract,
  present: SchemaContract,
  loosened: readonly string[] = [],
): string[] {
  return Object.entries(before.tables).flatMap(([name, table]) => {
    const now = present.tables[name];
    if (now === undefined) return [`the table ${name} is gone`];
    return [...compareColumns(name, table, now), ...compareRules(name, table, now, loosened)];
  });
}

function compareColumns(table: string, before: TableContract, now: TableContract): string[] {
  const problems: string[] = [];
  for (const [column, was] of Object.entries(before.columns)) {
    const is = now.columns[column];
    const name = `${table}.${column}`;
    if (is === undefined) problems.push(`the column ${name} is gone`);
    else if (is.type !== was.type) problems.push(`the column ${name} was ${was.type} and is ${is.type}`);
    else if (was.optional && !is.optional) problems.push(`the column ${name} was optional and is required`);
    else if (!was.nullable && is.nullable) problems.push(`the column ${name} was never null and may be null`);
  }
  for (const [column, is] of Object.entries(now.columns))
    if (before.columns[column] === undefined && !is.optional)
      problems.push(`the new column ${table}.${column} is required`);
  return problems;
}

function compareRules(table: string, before: TableContract, now: TableContract, loosened: readonly string[]): string[] {
  return Object.entries(now.rules).flatMap(([rule, definition]) => {
    if (loosened.includes(`${table}.${rule}`) || before.rules[rule] === definition) return [];
    const isOnNewColumns = Object.keys(before.columns).every(
      (column) => !new RegExp(`\\b${column}\\b`).test(definition),
    );
    return isOnNewColumns ? [] : [`the rule ${table}.${rule} is new or changed: ${definition}`];
  });
}
