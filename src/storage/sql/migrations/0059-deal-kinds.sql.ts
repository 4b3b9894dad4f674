import { type Kysely, sql } from 'kysely';

/** A deal may be programmatic guaranteed. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE deals ADD COLUMN kind text NOT NULL DEFAULT 'PRIVATE'
    CHECK (kind IN ('PRIVATE', 'PROGRAMMATIC_GUARANTEED'))`.execute(db);
}
