import { type Kysely, sql } from 'kysely';

/** The operator's ceilings of each network's limits. A limit that stands above the service's own keeps its value as a ceiling. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw("ALTER TABLE networks ADD COLUMN limit_ceilings jsonb NOT NULL DEFAULT '{}'").execute(db);
  await sql
    .raw(
      `UPDATE networks SET limit_ceilings = coalesce((
        SELECT jsonb_object_agg(stated.key, stated.value)
        FROM jsonb_each(settings -> 'limits') AS stated
        JOIN (VALUES ('management', 500000), ('ads', 10000), ('events', 50000000), ('reports', 500000)) AS own (name, units)
          ON own.name = stated.key
        WHERE jsonb_typeof(stated.value) = 'number' AND (stated.value)::numeric > own.units), '{}')
      WHERE jsonb_typeof(settings -> 'limits') = 'object'`,
    )
    .execute(db);
}
