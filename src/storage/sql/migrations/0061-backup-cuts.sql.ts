import { type Kysely, sql } from 'kysely';

/** The cut of a backup through all nodes: one at a time, and how far each node is. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`CREATE TABLE backup_cut (
    id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    cut_id text NOT NULL,
    phase text NOT NULL CHECK (phase IN ('drain', 'hold', 'release')),
    held_until timestamptz NOT NULL)`.execute(db);
  await sql`CREATE TABLE backup_cut_nodes (
    node_id text PRIMARY KEY,
    cut_id text NOT NULL,
    step text NOT NULL CHECK (step IN ('none', 'draining', 'drained', 'held', 'released', 'failed')),
    detail text NOT NULL DEFAULT '',
    seen_at timestamptz)`.execute(db);
}
