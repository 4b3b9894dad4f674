import { type Kysely, sql } from 'kysely';

/** The money that goals have at stake, which line items members put off, and to whom they handed them. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `ALTER TABLE line_item_standings
    ADD COLUMN missing_nanos numeric(38, 0) NOT NULL DEFAULT 0,
    ADD COLUMN left_nanos numeric(38, 0) NOT NULL DEFAULT 0`,
  `CREATE TABLE attention_snoozes (
    workspace_id int NOT NULL,
    user_id bigint NOT NULL REFERENCES users (id),
    line_item_id bigint NOT NULL,
    reason text NOT NULL,
    snoozed_until timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, user_id, line_item_id),
    FOREIGN KEY (workspace_id, line_item_id) REFERENCES line_items (workspace_id, id) ON DELETE CASCADE)`,
  `CREATE TABLE attention_handovers (
    workspace_id int NOT NULL,
    line_item_id bigint NOT NULL,
    reason text NOT NULL,
    to_user_id bigint NOT NULL REFERENCES users (id),
    by_user_id bigint NOT NULL REFERENCES users (id),
    handed_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, line_item_id),
    FOREIGN KEY (workspace_id, line_item_id) REFERENCES line_items (workspace_id, id) ON DELETE CASCADE)`,
];
