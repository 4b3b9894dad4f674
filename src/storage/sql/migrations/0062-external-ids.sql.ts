import { type Kysely, sql } from 'kysely';

/** Finds objects by the id that they have in the caller's own system. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const table of ['advertisers', 'campaigns', 'line_items', 'creatives']) {
    await sql`CREATE INDEX ${sql.ref(`${table}_by_external`)} ON ${sql.table(table)} (workspace_id, external_id)
      WHERE external_id IS NOT NULL`.execute(db);
  }
}
