import { type Kysely, sql } from 'kysely';

/** Saved queries that run by a rule, and their runs. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `CREATE TABLE report_schedules (
    workspace_id int NOT NULL REFERENCES workspaces (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL,
    query jsonb NOT NULL,
    cron text NOT NULL,
    status text NOT NULL CHECK (status IN ('ACTIVE', 'PAUSED')),
    webhook_url text,
    webhook_salt text NOT NULL,
    next_run_at timestamptz,
    created_by text NOT NULL,
    version int NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id))`,
  `CREATE INDEX report_schedules_due ON report_schedules (next_run_at) WHERE status = 'ACTIVE'`,
  `CREATE TABLE report_runs (
    workspace_id int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    schedule_id bigint NOT NULL,
    task_id int NOT NULL,
    scheduled_for timestamptz NOT NULL,
    delivery_status text NOT NULL CHECK (delivery_status IN ('NONE', 'PENDING', 'DELIVERED', 'FAILED')),
    delivery_attempts int NOT NULL DEFAULT 0,
    delivery_error text,
    delivery_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, schedule_id, scheduled_for),
    FOREIGN KEY (workspace_id, schedule_id) REFERENCES report_schedules (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, task_id) REFERENCES report_tasks (workspace_id, id) ON DELETE CASCADE)`,
  `CREATE INDEX report_runs_to_deliver ON report_runs (delivery_at) WHERE delivery_status = 'PENDING'`,
  'CREATE INDEX report_runs_by_task ON report_runs (workspace_id, task_id)',
];
