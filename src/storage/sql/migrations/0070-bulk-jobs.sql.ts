import { type Kysely, sql } from 'kysely';

/** Jobs that upsert many objects in the background: one row a job, and its input and results in portions. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `CREATE TABLE bulk_jobs (
    workspace_id int NOT NULL REFERENCES workspaces (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    network_id bigint NOT NULL REFERENCES networks (id),
    resource text NOT NULL,
    validate_only boolean NOT NULL,
    state text NOT NULL CHECK (state IN ('receiving', 'waiting', 'running', 'completed', 'failed', 'cancelled')),
    caller jsonb NOT NULL,
    rows int NOT NULL DEFAULT 0,
    portions int NOT NULL DEFAULT 0,
    processed_portions int NOT NULL DEFAULT 0,
    succeeded int NOT NULL DEFAULT 0,
    failed int NOT NULL DEFAULT 0,
    stored_bytes bigint NOT NULL DEFAULT 0,
    tries int NOT NULL DEFAULT 0,
    error_code text,
    error_message text,
    leased_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    received_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    finished_at timestamptz,
    PRIMARY KEY (workspace_id, id))`,
  `CREATE UNIQUE INDEX bulk_jobs_running ON bulk_jobs (network_id) WHERE state = 'running'`,
  `CREATE INDEX bulk_jobs_due ON bulk_jobs (network_id, id) WHERE state IN ('waiting', 'running')`,
  `CREATE TABLE bulk_job_portions (
    workspace_id int NOT NULL,
    job_id bigint NOT NULL,
    number int NOT NULL,
    first_line int NOT NULL,
    input bytea,
    results text,
    PRIMARY KEY (workspace_id, job_id, number),
    FOREIGN KEY (workspace_id, job_id) REFERENCES bulk_jobs (workspace_id, id) ON DELETE CASCADE)`,
];
