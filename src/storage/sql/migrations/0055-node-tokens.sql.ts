import { type Kysely, sql } from 'kysely';

/** Tokens of nodes that reach only a core: one for each node. PostgreSQL holds a digest of node and token. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`CREATE TABLE cluster_node_tokens (
    node_id text PRIMARY KEY,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz)`.execute(db);
}
