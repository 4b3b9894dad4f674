import { type Kysely, sql } from 'kysely';

/** Line items that are meant for a part of the traffic only have its habits. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(
      `ALTER TABLE traffic_curves
        DROP CONSTRAINT traffic_curves_place_check,
        ADD CONSTRAINT traffic_curves_place_check CHECK (place IN ('site', 'area', 'adUnit', 'lineItem'))`,
    )
    .execute(db);
}
