import { type Kysely, sql } from 'kysely';

/** What a line item maximises besides reaching its goal; null = nothing. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE line_items ADD COLUMN optimisation_goal text
    CHECK (optimisation_goal IN ('CLICKS', 'CONVERSIONS', 'VIEWABLE_IMPRESSIONS', 'COMPLETED_VIEWS'))`.execute(db);
}
