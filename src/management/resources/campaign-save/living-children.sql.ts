import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';

/** The children of an object that are not archived, by id. */
export async function listLivingChildren(
  db: Kysely<Database>,
  workspaceId: number,
  children: { readonly table: string; readonly parentColumn: string; readonly parentId: bigint },
  limit: number,
): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM ${sql.table(children.table)}
    WHERE workspace_id = ${workspaceId} AND ${sql.ref(children.parentColumn)} = ${children.parentId} AND status <> 'ARCHIVED'
    ORDER BY id LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
