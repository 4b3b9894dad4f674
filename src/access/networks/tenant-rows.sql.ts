import { type Kysely, type RawBuilder, sql } from 'kysely';
import { inTransaction } from '../audit/transaction.sql.ts';
import type { Database } from '../../storage/sql/schema.ts';

/** Rows of one statement. */
const PORTION = 5_000;
/** Tables that say of a network what must be known when it is gone. */
const KEPT: ReadonlySet<string> = new Set(['audit_log', 'audit_heads', 'network_deletions']);

/** A table with rows of tenants. */
export interface TenantTable {
  readonly name: string;
  /** The column that names the tenant. */
  readonly column: 'workspace_id' | 'network_id';
  /** Columns by which its rows refer to others of it, and the columns that they mean. */
  readonly ownReferences: readonly { readonly from: readonly string[]; readonly to: readonly string[] }[];
}

/** Whose rows. */
export interface Tenant {
  readonly networkId: string;
  readonly workspaceIds: readonly number[];
}

interface Reference {
  readonly child: string;
  readonly parent: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Every table with rows of tenants, as the schema itself says: those that refer to others come before them. */
export async function listTenantTables(db: Kysely<Database>): Promise<TenantTable[]> {
  const { rows: columns } = await sql<{ name: string; column: TenantTable['column'] }>`
    SELECT DISTINCT ON (table_name) table_name AS name, column_name AS column
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND column_name IN ('workspace_id', 'network_id')
    ORDER BY table_name, column_name DESC`.execute(db);
  const { rows: references } = await sql<Reference>`
    SELECT c.relname::text AS child, p.relname::text AS parent,
      ARRAY(SELECT attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u (num, at)
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.num ORDER BY at) AS "from",
      ARRAY(SELECT attname::text FROM unnest(k.confkey) WITH ORDINALITY AS u (num, at)
        JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.num ORDER BY at) AS "to"
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class p ON p.oid = k.confrelid
    WHERE k.contype = 'f' AND c.relnamespace = current_schema()::regnamespace`.execute(db);
  const tables = columns
    .filter(({ name }) => !KEPT.has(name))
    .map((one) => ({
      ...one,
      ownReferences: references.filter(({ child, parent }) => child === one.name && parent === one.name),
    }));
  return childrenFirst(tables, references);
}

function childrenFirst(tables: readonly TenantTable[], references: readonly Reference[]): TenantTable[] {
  const ordered: TenantTable[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const parents = new Set(
      references
        .filter(({ child, parent }) => child !== parent && waiting.some(({ name }) => name === child))
        .map(({ parent }) => parent),
    );
    const free = waiting.filter(({ name }) => !parents.has(name));
    if (free.length === 0) throw new Error('Tables of tenants refer to each other in a circle');
    ordered.push(...free);
    waiting = waiting.filter((one) => !free.includes(one));
  }
  return ordered;
}

/**
 * Deletes the rows of a tenant in every table, the network itself last, in transactions of some thousand rows. It may end at any point, and
 * goes on from there when it is called again.
 * @returns false when `isStopped` ended it
 */
export async function deleteTenantRows(
  db: Kysely<Database>,
  tenant: Tenant,
  { now, isStopped }: { readonly now: Date; readonly isStopped: () => boolean },
): Promise<boolean> {
  for (const table of await listTenantTables(db)) {
    let deleted: number;
    do {
      if (isStopped()) return false;
      deleted = await deletePortion(db, tenant, portionOf(table, tenant));
    } while (deleted > 0);
  }
  await inTransaction(db, async (trx) => {
    await deletePortion(trx, tenant, sql`DELETE FROM networks WHERE id = ${tenant.networkId}::bigint`);
    await trx
      .updateTable('network_deletions')
      .set({ rows_gone_at: sql<Date>`coalesce(rows_gone_at, ${now}::timestamptz)` })
      .where('network_id', '=', BigInt(tenant.networkId))
      .execute();
  });
  return true;
}

/** The rows that no other row of their table needs, at most {@link PORTION}. */
function portionOf({ name, column, ownReferences }: TenantTable, tenant: Tenant): RawBuilder<unknown> {
  const table = sql.table(name);
  const isOwn =
    column === 'workspace_id'
      ? sql`t.workspace_id = ANY(${tenant.workspaceIds}::int[])`
      : sql`t.network_id = ${tenant.networkId}::bigint`;
  const isFree = ownReferences.map(({ from, to }) => {
    const pairs = from.map((own, at) => sql`c.${sql.id(own)} = t.${sql.id(to[at] ?? own)}`);
    return sql` AND NOT EXISTS (SELECT FROM ${table} c WHERE ${sql.join(pairs, sql` AND `)})`;
  });
  return sql`DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
    SELECT t.ctid FROM ${table} t WHERE ${isOwn}${sql.join(isFree, sql``)} LIMIT ${sql.lit(PORTION)}))`;
}

async function deletePortion(
  db: Kysely<Database>,
  { networkId }: Tenant,
  statement: RawBuilder<unknown>,
): Promise<number> {
  return inTransaction(db, async (trx) => {
    const { numAffectedRows = 0n } = await statement.execute(trx);
    if (numAffectedRows > 0n)
      await trx
        .updateTable('network_deletions')
        .set((eb) => ({ rows_deleted: eb('rows_deleted', '+', numAffectedRows) }))
        .where('network_id', '=', BigInt(networkId))
        .execute();
    return Number(numAffectedRows);
  });
}
