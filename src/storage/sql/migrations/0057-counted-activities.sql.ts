import { type Kysely, sql } from 'kysely';

/** A line item names the activities whose conversions it counts and pays for; none = every one. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE line_items ADD COLUMN counted_activities jsonb NOT NULL DEFAULT '[]'`.execute(db);
}
