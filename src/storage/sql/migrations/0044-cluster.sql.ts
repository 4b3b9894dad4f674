import { type Kysely, sql } from 'kysely';

/** The cluster: its secrets, sealed under a key that is not in the database; its nodes; tokens to join; uploaded files without a bucket. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `CREATE TABLE cluster (
    id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    cluster_id text NOT NULL,
    key_mark text NOT NULL,
    previous_key_mark text,
    next_key bytea,
    next_key_until timestamptz,
    pepper_key bytea,
    facts jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE TABLE cluster_secrets (
    name text PRIMARY KEY,
    revision integer NOT NULL,
    sealed bytea,
    marks jsonb NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE TABLE cluster_nodes (
    node_id text NOT NULL,
    part text NOT NULL CHECK (part IN ('core', 'delivery')),
    host text NOT NULL,
    facts jsonb NOT NULL,
    marks jsonb NOT NULL,
    problems jsonb NOT NULL,
    started_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now(),
    stopped_at timestamptz,
    PRIMARY KEY (node_id, part))`,
  `CREATE TABLE cluster_join_tokens (
    id text PRIMARY KEY,
    digest bytea NOT NULL,
    sealed bytea,
    uses_left integer NOT NULL CHECK (uses_left >= 0),
    created_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz)`,
  `CREATE TABLE asset_files (
    name text PRIMARY KEY,
    content bytea NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now())`,
  // Pictures and videos are compressed already.
  `ALTER TABLE asset_files ALTER COLUMN content SET STORAGE EXTERNAL`,
];
