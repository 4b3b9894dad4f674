import { type Kysely, sql } from 'kysely';

/** Sites have habits of their own: one curve a site; site 0 is the whole network. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(
      `ALTER TABLE traffic_curves
        ADD COLUMN site_id bigint NOT NULL DEFAULT 0,
        ADD COLUMN requests_per_hour double precision NOT NULL DEFAULT 0,
        DROP CONSTRAINT traffic_curves_pkey,
        ADD PRIMARY KEY (workspace_id, site_id)`,
    )
    .execute(db);
}
