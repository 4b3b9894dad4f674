import { type Kysely, sql } from 'kysely';

/** Jobs on a clock: which process runs each of them, and the processes that may; nodes that run nothing else; finished reports for every core. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `CREATE TABLE job_leases (
    name text PRIMARY KEY,
    runner_id text NOT NULL,
    node_id text NOT NULL,
    taken_at timestamptz NOT NULL DEFAULT now(),
    held_until timestamptz NOT NULL,
    ran_at timestamptz)`,
  `CREATE TABLE job_runners (
    runner_id text PRIMARY KEY,
    node_id text NOT NULL,
    part text NOT NULL CHECK (part IN ('core', 'jobs')),
    seen_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE TABLE report_files (
    name text NOT NULL,
    part integer NOT NULL,
    content bytea NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (name, part))`,
  `ALTER TABLE cluster_nodes DROP CONSTRAINT cluster_nodes_part_check`,
  `ALTER TABLE cluster_nodes ADD CONSTRAINT cluster_nodes_part_check CHECK (part IN ('core', 'delivery', 'jobs'))`,
];
