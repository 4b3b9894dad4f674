import { type Kysely, sql } from 'kysely';

/** A repeated request gets the first response, its fields in their order: jsonb sorts them, json keeps them as they were written. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw('ALTER TABLE idempotent_answers ALTER COLUMN answer TYPE json USING answer::text::json').execute(db);
}
