import { type Kysely, sql, type Transaction } from 'kysely';
import { inNfcExcept } from '../../../domain/text/one-form.ts';

/** Columns whose texts are compared or looked up, in whichever table with ids has them. Addresses, markup and ids of other systems are not among them. */
const COLUMNS = [
  // Texts.
  'name',
  'description',
  'notes',
  'code',
  // Lists of texts.
  'labels',
  'exclusion_labels',
  'values',
  'choices',
  // JSON.
  'targeting',
  'rule',
  'custom_fields',
  'frequency_caps',
  'counted_activities',
];
/** Rows that are read at once. */
const BATCH_ROWS = 500;
/** How SQLSTATEs of a broken rule begin: a unique text, a check, a reference. */
const INTEGRITY = '23';

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: 'text' | 'ARRAY' | 'jsonb';
}

interface Row {
  /** Where it is in the table; rows are read in this order. */
  readonly at: string;
  readonly value: unknown;
}

/**
 * Brings texts that were stored before there was one form of texts into Unicode's NFC. A row stays as it is where another one has its text
 * already, such as the code of a site. A second run finds nothing but those.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`SELECT current_setting('server_encoding') AS encoding`.execute(db);
  // Other encodings hold no combining marks, and PostgreSQL knows no forms of their texts.
  if (rows[0]?.encoding !== 'UTF8') return;
  for (const column of await listColumns(db)) await formColumn(db as unknown as Transaction<never>, column);
}

async function listColumns(db: Kysely<never>): Promise<Column[]> {
  const { rows } = await sql<Column>`
    SELECT texts.table_name AS table, texts.column_name AS name, texts.data_type AS type
    FROM information_schema.columns AS texts
    JOIN information_schema.columns AS ids USING (table_schema, table_name)
    JOIN information_schema.tables AS tables USING (table_schema, table_name)
    WHERE table_schema = current_schema() AND ids.column_name = 'id' AND tables.table_type = 'BASE TABLE'
      AND texts.column_name = ANY(${COLUMNS}) AND texts.data_type IN ('text', 'ARRAY', 'jsonb')
    ORDER BY 1, 2`.execute(db);
  return rows;
}

async function formColumn(db: Transaction<never>, column: Column): Promise<void> {
  let after = '(0,0)';
  for (;;) {
    const rows = await listRows(db, column, after);
    for (const row of rows) await formRow(db, column, row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_ROWS) return;
    after = last.at;
  }
}

async function listRows(db: Transaction<never>, { table, name }: Column, after: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT ctid::text AS at, ${sql.ref(name)} AS value FROM ${sql.table(table)}
    WHERE ctid > ${after}::tid AND ${sql.ref(name)}::text IS NOT NFC NORMALIZED
    ORDER BY ctid LIMIT ${sql.lit(BATCH_ROWS)}`.execute(db);
  return rows;
}

async function formRow(db: Transaction<never>, { table, name, type }: Column, { at, value }: Row): Promise<void> {
  const formed = inForm(value);
  // The text of JSON has `n` where its value has the end of a line: with a mark behind it, that text alone is in another form.
  if (JSON.stringify(formed) === JSON.stringify(value)) return;
  const parameter = type === 'jsonb' ? JSON.stringify(formed) : formed;
  await sql`SAVEPOINT row`.execute(db);
  try {
    await sql`UPDATE ${sql.table(table)} SET ${sql.ref(name)} = ${parameter} WHERE ctid = ${at}::tid`.execute(db);
    await sql`RELEASE SAVEPOINT row`.execute(db);
  } catch (error) {
    // No row of a tenant keeps the program from its start.
    if (!(error as { code?: string }).code?.startsWith(INTEGRITY)) throw error;
    await sql`ROLLBACK TO SAVEPOINT row`.execute(db);
  }
}

/** The value with its texts in NFC. A list of texts holds each text once. */
function inForm(value: unknown): unknown {
  const formed = inNfcExcept(value, new Set());
  return isTexts(formed) ? [...new Set(formed)] : formed;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
