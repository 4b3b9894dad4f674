import { type Kysely, sql } from 'kysely';

/** Which part of each line item's conversions has come. Older programs write none. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE context_models ADD COLUMN maturities jsonb NOT NULL DEFAULT '[]'`.execute(db);
}
