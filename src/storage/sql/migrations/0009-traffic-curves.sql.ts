import { type Kysely, sql } from 'kysely';

/** How each network's traffic is spread over its week, for pacing. Owned by the delivery module. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(
      `CREATE TABLE traffic_curves (
        workspace_id int PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
        timezone text NOT NULL,
        weights double precision[] NOT NULL CHECK (array_length(weights, 1) = 168),
        computed_at timestamptz NOT NULL)`,
    )
    .execute(db);
}
