import { type Kysely, sql } from 'kysely';

/** Areas and ad units have traffic patterns of their own: one curve each. They are computed again each hour. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(
      `ALTER TABLE traffic_curves
        ADD COLUMN place text NOT NULL DEFAULT 'site' CHECK (place IN ('site', 'area', 'adUnit'))`,
    )
    .execute(db);
  await sql.raw('ALTER TABLE traffic_curves RENAME COLUMN site_id TO place_id').execute(db);
  await sql
    .raw(
      `ALTER TABLE traffic_curves
        DROP CONSTRAINT traffic_curves_pkey,
        ADD PRIMARY KEY (workspace_id, place, place_id)`,
    )
    .execute(db);
}
