import { type Kysely, sql } from 'kysely';

/** Networks that are closed, and what is left of deleted ones: their ids are never given again. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `ALTER TABLE networks
    ADD COLUMN closed_at timestamptz,
    ADD COLUMN status_before_close text,
    ADD COLUMN delete_at timestamptz`,
  `CREATE TABLE network_deletions (
    network_id bigint PRIMARY KEY,
    name text NOT NULL,
    workspace_ids int[] NOT NULL,
    begun_at timestamptz NOT NULL,
    done jsonb NOT NULL DEFAULT '{}',
    rows_deleted bigint NOT NULL DEFAULT 0,
    rows_gone_at timestamptz,
    ended_at timestamptz)`,
];
