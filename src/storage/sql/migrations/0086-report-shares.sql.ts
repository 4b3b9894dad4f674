import { type Kysely, sql } from 'kysely';

/** Links by which somebody without an account reads the report of one campaign, until they expire or are revoked. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(
      `CREATE TABLE report_shares (
    workspace_id int NOT NULL REFERENCES workspaces (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    campaign_id bigint NOT NULL,
    token_hash bytea NOT NULL UNIQUE,
    name text NOT NULL,
    shows_spend boolean NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    opened int NOT NULL DEFAULT 0,
    last_opened_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns (workspace_id, id) ON DELETE CASCADE)`,
    )
    .execute(db);
  await sql.raw(`CREATE INDEX report_shares_of_campaign ON report_shares (workspace_id, campaign_id, id)`).execute(db);
}
