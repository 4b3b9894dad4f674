import { type Kysely, sql } from 'kysely';

/** The present allocation plan of each workspace, and how much of a goal is spread over all of its traffic evenly. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`CREATE TABLE allocation_plans (
    workspace_id integer PRIMARY KEY REFERENCES workspaces (id),
    made_at timestamptz NOT NULL,
    plan jsonb NOT NULL)`.execute(db);
  await sql`ALTER TABLE line_items ADD COLUMN representative_percent double precision
    CHECK (representative_percent >= 0 AND representative_percent <= 100)`.execute(db);
}
