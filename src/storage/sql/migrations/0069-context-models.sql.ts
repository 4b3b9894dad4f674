import { type Kysely, sql } from 'kysely';

/** How the rates of creatives depend on where and when they are shown: what decisions use, and what training goes on with. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`CREATE TABLE context_models (
    workspace_id integer PRIMARY KEY REFERENCES workspaces (id),
    made_at timestamptz NOT NULL,
    trained_to timestamptz NOT NULL,
    weights jsonb NOT NULL,
    state bytea NOT NULL)`.execute(db);
}
