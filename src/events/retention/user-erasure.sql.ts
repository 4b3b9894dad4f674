import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';

/** Ids of all activities of a workspace, archived ones too. */
export async function readActivityIds(sql: Kysely<Database>, workspaceId: number): Promise<string[]> {
  const rows = await sql.selectFrom('activities').select('id').where('workspace_id', '=', workspaceId).execute();
  return rows.map(({ id }) => String(id));
}
