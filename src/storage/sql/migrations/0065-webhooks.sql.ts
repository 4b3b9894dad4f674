import { type Kysely, sql } from 'kysely';

/** Addresses that are told of changes, and the messages to them. The changes themselves stay in the audit log. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `CREATE TABLE webhooks (
    workspace_id int NOT NULL REFERENCES workspaces (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL,
    url text NOT NULL,
    types text[] NOT NULL,
    status text NOT NULL CHECK (status IN ('ACTIVE', 'PAUSED')),
    salt text NOT NULL,
    position bigint NOT NULL,
    leased_until timestamptz,
    failing_since timestamptz,
    created_by text NOT NULL,
    version int NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id))`,
  `CREATE TABLE webhook_deliveries (
    workspace_id int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    webhook_id bigint NOT NULL,
    sequence bigint,
    type text NOT NULL,
    status text NOT NULL CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED')),
    attempts int NOT NULL DEFAULT 0,
    next_at timestamptz,
    error text,
    created_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, webhook_id, sequence),
    FOREIGN KEY (workspace_id, webhook_id) REFERENCES webhooks (workspace_id, id) ON DELETE CASCADE)`,
  'CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (workspace_id, webhook_id, id)',
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (workspace_id, webhook_id, next_at) WHERE status = 'PENDING'`,
];
