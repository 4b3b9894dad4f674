import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import type { Columns, StoredRow } from './field.ts';
import type { Predicate } from './predicate.ts';
import { predicateSql } from './predicate.sql.ts';
import type { SortKey } from './sort-keys.ts';
import type { SelectedColumns } from './selection.ts';

/** One comparison of a list's filter; all of them must hold. */
export interface Condition {
  readonly column: string;
  readonly kind: 'anyOf' | 'equals' | 'since' | 'before' | 'overlaps' | 'after';
  readonly value: unknown;
}

/** A search in a list. */
export interface Search {
  readonly text: string;
  readonly columns: readonly string[];
  /** The text in the form of a column; absent: as it is. */
  readonly forms?: ReadonlyMap<string, string>;
}

/** Which page of a list to read. */
export interface PageRequest {
  /** Default: all. */
  readonly columns?: SelectedColumns;
  readonly conditions: readonly Condition[];
  readonly search: Search | null;
  /** What must hold besides. Default: nothing. */
  readonly where?: Predicate | null;
  readonly sort: SortKey;
  readonly descending: boolean;
  readonly after: PageKey | null;
  readonly before: PageKey | null;
  readonly limit: number;
  /** Reads from the end of the list; the rows still come in list order. */
  readonly fromEnd: boolean;
}

/** The position of a row in a sorted list: the text of its sort column, then its id. */
export interface PageKey {
  readonly value: string;
  readonly id: string;
}

export type ListedRow = StoredRow & { readonly sort_key: string };

/** Ids of rows, and the columns of them; default: all. */
export type WantedRows = readonly bigint[] | { readonly ids: readonly bigint[]; readonly columns: SelectedColumns };

/** The rows with these ids, in no particular order; absent and foreign ids are left out. At most 500 ids. */
export async function findRows(
  db: Kysely<Database>,
  workspaceId: number,
  table: string,
  wanted: WantedRows,
): Promise<StoredRow[]> {
  const { ids, columns } = 'ids' in wanted ? wanted : { ids: wanted, columns: null };
  const { rows } = await sql<StoredRow>`
    SELECT ${columnsSql(columns)} FROM ${sql.table(table)} WHERE workspace_id = ${workspaceId} AND id = ANY(${idArray(ids)}::bigint[])`.execute(
    db,
  );
  return rows;
}

/** One row, locked until the end of the transaction; undefined when absent or foreign. */
export async function lockRow(
  db: Kysely<Database>,
  workspaceId: number,
  table: string,
  id: bigint,
): Promise<StoredRow | undefined> {
  // With parameters, so that statements that are held back go out together with it.
  const { rows } = await sql<StoredRow>`
    SELECT * FROM ${sql.table(table)} WHERE workspace_id = ${workspaceId} AND id = ${id} FOR UPDATE`.execute(db);
  return rows[0];
}

/** Rows with these ids, locked in the order of their ids until the end of the transaction; absent and foreign ids are left out. */
export async function lockRows(
  db: Kysely<Database>,
  workspaceId: number,
  table: string,
  ids: readonly bigint[],
): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    SELECT * FROM ${sql.table(table)} WHERE workspace_id = ${workspaceId} AND id = ANY(${idArray(ids)}::bigint[])
    ORDER BY id FOR UPDATE`.execute(db);
  return rows;
}

/** Which of these ids exist, with their status where the table has one. */
export async function findStatuses(
  db: Kysely<Database>,
  workspaceId: number,
  table: string,
  ids: readonly bigint[],
): Promise<{ id: bigint; status: string }[]> {
  const { rows } = await sql<{ id: bigint; status: string }>`
    SELECT id, status FROM ${sql.table(table)} WHERE workspace_id = ${workspaceId} AND id = ANY(${idArray(ids)}::bigint[])`.execute(
    db,
  );
  return rows;
}

/** An object with an external id. */
export interface ExternalRow {
  readonly external_id: string;
  readonly id: bigint;
  readonly status: string;
}

/** The objects with these external ids: of each id at most two, living ones first, then the newest. */
export async function findExternal(
  db: Kysely<Database>,
  workspaceId: number,
  table: string,
  externalIds: readonly string[],
): Promise<ExternalRow[]> {
  const { rows } = await sql<ExternalRow>`
    SELECT wanted.external_id, found.id, found.status
    FROM unnest(${[...externalIds]}::text[]) AS wanted (external_id)
    CROSS JOIN LATERAL (
      SELECT id, status FROM ${sql.table(table)}
      WHERE workspace_id = ${workspaceId} AND external_id = wanted.external_id
      ORDER BY status = 'ARCHIVED', id DESC LIMIT 2) AS found`.execute(db);
  return rows;
}

/** Writes a new row and returns it as stored. */
export async function insertRow(
  db: Kysely<Database>,
  workspaceId: number,
  table: string,
  columns: Columns,
): Promise<StoredRow> {
  const names = ['workspace_id', ...Object.keys(columns)];
  const values = [workspaceId, ...Object.values(columns)];
  const { rows } = await sql<StoredRow>`
    INSERT INTO ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    VALUES (${sql.join(values)}) RETURNING *`.execute(db);
  return firstOf(rows);
}

/** What the database adds to a row that it stores. */
export type StoredMark = Pick<StoredRow, 'id' | 'updated_at'> & { readonly external_id: string };

/**
 * Writes new rows in one statement. All have the same columns, and each has an external id of its own.
 * @returns the mark of each row by its external id
 */
export async function insertRows(
  db: Kysely<Database>,
  workspaceId: number,
  table: string,
  rows: readonly Columns[],
): Promise<Map<unknown, StoredMark>> {
  const names = Object.keys(rows[0] ?? {}).map((name) => sql.ref(name));
  const { rows: marks } = await sql<StoredMark>`
    INSERT INTO ${sql.table(table)} (workspace_id, ${sql.join(names)})
    SELECT ${workspaceId}, ${sql.join(names)} FROM ${recordset(table, rows)} AS given
    RETURNING id, external_id, updated_at`.execute(db);
  return new Map(marks.map((mark) => [mark.external_id, mark]));
}

/** A row to change: its id, and the columns that change. */
export interface RowChange {
  readonly id: bigint;
  readonly columns: Columns;
}

/** Changes the same columns of several rows in one statement, and counts their versions up. @returns when */
export async function updateRows(
  db: Kysely<Database>,
  workspaceId: number,
  table: string,
  changes: readonly RowChange[],
): Promise<Date> {
  const names = Object.keys(changes[0]?.columns ?? {});
  const assignments = names.map((name) => sql`${sql.ref(name)} = given.${sql.ref(name)}`);
  const given = changes.map(({ id, columns }) => ({ ...columns, id }));
  const { rows } = await sql<{ updated_at: Date }>`
    UPDATE ${sql.table(table)} AS stored
    SET ${sql.join([...assignments, sql`version = stored.version + 1`, sql`updated_at = now()`])}
    FROM ${recordset(table, given)} AS given
    WHERE stored.workspace_id = ${workspaceId} AND stored.id = given.id RETURNING stored.updated_at`.execute(db);
  if (rows.length !== changes.length) throw new Error(`${rows.length} of ${changes.length} rows of ${table} changed.`);
  return rows[0]?.updated_at ?? new Date();
}

/** Rows as the database reads them from JSON: by the types of the table's own columns. */
function recordset(table: string, rows: readonly Columns[]): RawBuilder<unknown> {
  const json = JSON.stringify(rows, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return sql`jsonb_populate_recordset(NULL::${sql.table(table)}, ${json}::jsonb)`;
}

/** Changes some columns of a row, counts its version up, and returns it as stored. */
export async function updateRow(
  db: Kysely<Database>,
  row: { readonly workspaceId: number; readonly id: bigint },
  table: string,
  columns: Columns,
): Promise<StoredRow> {
  const assignments = Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const { rows } = await sql<StoredRow>`
    UPDATE ${sql.table(table)} SET ${sql.join([...assignments, sql`version = version + 1`, sql`updated_at = now()`])}
    WHERE workspace_id = ${row.workspaceId} AND id = ${row.id} RETURNING *`.execute(db);
  return firstOf(rows);
}

/** One page of a list, in list order; `limit` rows at most. */
export async function listRows(
  db: Kysely<Database>,
  workspaceId: number,
  table: string,
  page: PageRequest,
): Promise<ListedRow[]> {
  const { rows } = await pageSql(workspaceId, table, page, columnsSql(page.columns ?? null)).execute(db);
  return page.fromEnd ? rows.reverse() : rows;
}

/** The statement that reads one page: from its end in the opposite of the list's order. */
export function pageSql(
  workspaceId: number,
  table: string,
  page: PageRequest,
  columns: RawBuilder<unknown>,
): RawBuilder<ListedRow> {
  const direction = directionSql(page);
  return sql<ListedRow>`
    SELECT ${columns}, ${sortSql(page.sort)}::text AS sort_key FROM ${sql.table(table)}
    WHERE ${whereOf(workspaceId, table, page)}
    ORDER BY ${sortSql(page.sort)} ${direction}, id ${direction} LIMIT ${page.limit}`;
}

/** In which direction a page is read. */
export function directionSql(page: PageRequest): RawBuilder<unknown> {
  return sql.raw(page.descending !== page.fromEnd ? 'DESC' : 'ASC');
}

/** How many rows match a filter, over all pages. */
export async function countRows(
  db: Kysely<Database>,
  workspaceId: number,
  table: string,
  page: Pick<PageRequest, 'conditions' | 'search' | 'where'>,
): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`
    SELECT count(*) AS total FROM ${sql.table(table)}
    WHERE ${whereOf(workspaceId, table, { ...page, after: null, before: null })}`.execute(db);
  return Number(rows[0]?.total ?? 0);
}

/** The first rows of several parents at once, by id: `campaign.lineItems` of many campaigns costs one statement. */
export async function listChildren(
  db: Kysely<Database>,
  workspaceId: number,
  table: string,
  request: {
    readonly parentColumn: string;
    readonly parentIds: readonly bigint[];
    readonly conditions: readonly Condition[];
    readonly where?: Predicate | null;
    readonly limit: number;
    readonly columns?: SelectedColumns;
  },
): Promise<StoredRow[]> {
  const { conditions, where: filter = null } = request;
  const where = whereOf(workspaceId, table, { conditions, where: filter, search: null, after: null, before: null });
  const selected = request.columns ?? null;
  const columns = selected === null ? null : [...new Set([...selected, request.parentColumn])];
  const { rows } = await sql<StoredRow>`
    SELECT child.* FROM unnest(${idArray(request.parentIds)}::bigint[]) AS parent (parent_id)
    CROSS JOIN LATERAL (
      SELECT ${columnsSql(columns)} FROM ${sql.table(table)}
      WHERE ${where} AND ${sql.ref(request.parentColumn)} = parent.parent_id ORDER BY id LIMIT ${request.limit}) AS child`.execute(
    db,
  );
  return rows;
}

/** How many children each parent has. */
export async function countChildren(
  db: Kysely<Database>,
  workspaceId: number,
  table: string,
  request: {
    readonly parentColumn: string;
    readonly parentIds: readonly bigint[];
    readonly conditions: readonly Condition[];
    readonly where?: Predicate | null;
  },
): Promise<{ parent_id: bigint; total: bigint }[]> {
  const { conditions, where: filter = null } = request;
  const where = whereOf(workspaceId, table, { conditions, where: filter, search: null, after: null, before: null });
  const { rows } = await sql<{ parent_id: bigint; total: bigint }>`
    SELECT ${sql.ref(request.parentColumn)} AS parent_id, count(*) AS total FROM ${sql.table(table)}
    WHERE ${where} AND ${sql.ref(request.parentColumn)} = ANY(${idArray(request.parentIds)}::bigint[]) GROUP BY 1`.execute(
    db,
  );
  return rows;
}

/** The list of columns. Their names come from our own tables. */
export function columnsSql(columns: SelectedColumns): RawBuilder<unknown> {
  return sql.raw(columns === null ? '*' : columns.map((name) => `"${name}"`).join(', '));
}

function whereOf(
  workspaceId: number,
  table: string,
  page: Pick<PageRequest, 'conditions' | 'search' | 'after' | 'before'> & Partial<PageRequest>,
): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`workspace_id = ${workspaceId}`, ...page.conditions.map(conditionSql)];
  if (page.search !== null) parts.push(searchSql(page.search));
  if (page.where !== undefined && page.where !== null) parts.push(predicateSql(page.where, workspaceId, table));
  if (page.after !== null) parts.push(keySql(page, page.after, page.descending === true ? '<' : '>'));
  if (page.before !== null) parts.push(keySql(page, page.before, page.descending === true ? '>' : '<'));
  return sql.join(parts, sql` AND `);
}

/** What a page is sorted by; never NULL. */
export function sortSql({ column, sqlType, none, collation }: SortKey): RawBuilder<unknown> {
  const type = sql.raw(sqlType);
  const value = sql.ref(column);
  return collatedSql(
    none === null ? value : sql`coalesce(${value}::${type}, ${sql.lit(none)}::${type})`,
    collation ?? null,
  );
}

/** A text with its collation; null: that of the database. Equal texts are equal bytes in either case. */
export function collatedSql(text: RawBuilder<unknown>, collation: string | null): RawBuilder<unknown> {
  return collation === null ? text : sql`(${text} COLLATE ${sql.ref(collation)})`;
}

function keySql({ sort }: Partial<PageRequest>, key: PageKey, operator: '<' | '>'): RawBuilder<unknown> {
  if (sort === undefined) return sql`id ${sql.raw(operator)} ${key.id}::bigint`;
  return sql`(${sortSql(sort)}, id) ${sql.raw(operator)} (${key.value}::${sql.raw(sort.sqlType)}, ${key.id}::bigint)`;
}

function conditionSql(condition: Condition): RawBuilder<unknown> {
  const column = sql.ref(condition.column);
  switch (condition.kind) {
    case 'anyOf':
      return sql`${column} = ANY(${condition.value})`;
    case 'equals':
      return sql`${column} = ${condition.value}`;
    case 'since':
      return sql`${column} >= ${condition.value}`;
    case 'before':
      return sql`${column} < ${condition.value}`;
    case 'after':
      return sql`${column} > ${condition.value}`;
    case 'overlaps':
      return sql`${column} && ${condition.value}`;
  }
}

/** Case-insensitive "contains" on any of the columns, or the exact id. */
function searchSql(search: Search): RawBuilder<unknown> {
  const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  const tests = search.columns.map(
    (column) => sql`${sql.ref(column)} ILIKE ${patternOf(search.forms?.get(column) ?? search.text)}`,
  );
  if (/^[1-9]\d{0,17}$/.test(search.text)) tests.push(sql`id = ${search.text}::bigint`);
  return sql`(${sql.join(tests, sql` OR `)})`;
}

function idArray(ids: readonly bigint[]): string[] {
  return ids.map(String);
}

export function firstOf(rows: readonly StoredRow[]): StoredRow {
  const [row] = rows;
  if (row === undefined) throw new Error('The statement returned no row.');
  return row;
}
