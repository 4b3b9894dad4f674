import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

/** Throws when PostgreSQL does not respond. */
export async function pingPostgres(db: Kysely<Database>): Promise<void> {
  await sql`SELECT 1`.execute(db);
}
