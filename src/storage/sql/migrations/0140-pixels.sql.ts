import { type Kysely, sql } from 'kysely';

/** Activities whose events pages may send without a key. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw('ALTER TABLE activities ADD COLUMN accepts_pixel boolean NOT NULL DEFAULT false').execute(db);
}
