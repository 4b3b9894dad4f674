import { type Kysely, sql } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import type { StoredRow } from './field.ts';
import { columnsSql, directionSql, type ListedRow, type PageRequest, pageSql, sortSql } from './resource.sql.ts';
import type { SelectedLink, Selection } from './selection.ts';

/** The most links that one statement joins to a page. */
const JOINED_MAX = 2;
/** Columns that are short, so that a page may repeat them for each of its rows. Those that refer to other objects are, too. */
const SHORT_COLUMNS: ReadonlySet<string> = new Set(['id', 'name', 'status', 'version', 'created_at', 'updated_at']);

/** A link whose objects are read in one statement with the rows that refer to them. */
export interface JoinedLink extends SelectedLink {
  readonly columns: readonly string[];
}

/** A page, and the objects of each joined link that its rows refer to, each once. */
export interface LinkedPage {
  readonly rows: readonly ListedRow[];
  readonly linked: readonly (readonly StoredRow[])[];
}

/** The links of a selection that a statement can join: those that are sure to be read, and short. */
export function joinableLinks({ columns: own, links }: Selection): JoinedLink[] {
  if (own === null) return [];
  return links
    .flatMap((link) => {
      const { columns } = link.selection;
      return columns?.every((column) => isShort(link, column)) === true ? [{ ...link, columns }] : [];
    })
    .slice(0, JOINED_MAX);
}

function isShort({ resource }: SelectedLink, column: string): boolean {
  if (SHORT_COLUMNS.has(column)) return true;
  return resource.fields.some(({ columns, reference }) => reference !== undefined && columns.includes(column));
}

/** As `listRows`, with the objects that the rows refer to. */
export async function listLinkedRows(
  db: Kysely<Database>,
  workspaceId: number,
  table: string,
  page: PageRequest & { readonly links: readonly JoinedLink[] },
): Promise<LinkedPage> {
  const { links, columns = null } = page;
  const inner = pageSql(workspaceId, table, page, sql`${columnsSql(columns)}, ${sortSql(page.sort)} AS sort_value`);
  const own = [...(columns ?? []), 'sort_key'].map((name) => `page."${name}"`);
  const theirs = links.flatMap((link, at) =>
    link.columns.map((name) => `link_${at}."${name}" AS "${aliasOf(at, name)}"`),
  );
  const joins = links.map(({ resource, column }, at) => {
    const name = sql.raw(`link_${at}`);
    return sql`LEFT JOIN ${sql.table(resource.table)} AS ${name}
      ON ${name}.workspace_id = ${workspaceId} AND ${name}.id = page.${sql.ref(column)}`;
  });
  const direction = directionSql(page);
  const { rows } = await sql<ListedRow>`
    SELECT ${sql.raw([...own, ...theirs].join(', '))} FROM (${inner}) AS page ${sql.join(joins, sql` `)}
    ORDER BY page.sort_value ${direction}, page.id ${direction}`.execute(db);
  return { rows: page.fromEnd ? rows.reverse() : rows, linked: links.map((link, at) => pickLinked(rows, link, at)) };
}

function pickLinked(rows: readonly ListedRow[], { column, columns }: JoinedLink, at: number): StoredRow[] {
  const found = new Map<unknown, StoredRow>();
  const names = columns.map((name) => [name, aliasOf(at, name)] as const);
  for (const row of rows) {
    const id = row[column];
    if (found.has(id) || typeof row[aliasOf(at, 'id')] !== 'bigint') continue;
    found.set(id, Object.fromEntries(names.map(([name, alias]) => [name, row[alias]])) as unknown as StoredRow);
  }
  return [...found.values()];
}

function aliasOf(at: number, name: string): string {
  return `${at}/${name}`;
}
