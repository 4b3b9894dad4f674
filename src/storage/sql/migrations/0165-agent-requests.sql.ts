import { type Kysely, sql } from 'kysely';

/** What buyers' agents asked for, and the responses. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `CREATE TABLE agent_requests (
    workspace_id int NOT NULL REFERENCES workspaces (id),
    id bigint NOT NULL DEFAULT 0,
    caller text NOT NULL,
    agent text NOT NULL,
    tool text NOT NULL,
    advertiser_id bigint,
    campaign_id bigint,
    idempotency_key text NOT NULL,
    digest text NOT NULL,
    state text NOT NULL CHECK (state IN ('RUNNING', 'SUBMITTED', 'COMPLETED', 'REJECTED', 'FAILED')),
    request jsonb NOT NULL,
    response jsonb,
    terms jsonb,
    reason text,
    decided_by text,
    decided_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, caller, idempotency_key),
    FOREIGN KEY (workspace_id, advertiser_id) REFERENCES advertisers (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns (workspace_id, id) ON DELETE CASCADE)`,
  `CREATE INDEX agent_requests_of_campaign ON agent_requests (workspace_id, campaign_id, id) WHERE campaign_id IS NOT NULL`,
  `CREATE INDEX agent_requests_of_advertiser ON agent_requests (workspace_id, advertiser_id, id)`,
  `CREATE INDEX agent_requests_waiting ON agent_requests (workspace_id, id) WHERE state = 'SUBMITTED'`,
  `CREATE INDEX agent_requests_old ON agent_requests (workspace_id, created_at) WHERE campaign_id IS NULL`,
  `CREATE TRIGGER agent_requests_own_ids BEFORE INSERT ON agent_requests
    FOR EACH ROW EXECUTE FUNCTION placard_set_id('ids_of_')`,
];
