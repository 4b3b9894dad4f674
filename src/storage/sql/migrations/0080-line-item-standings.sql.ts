import { type Kysely, sql } from 'kysely';

/** How each serving line item comes along, as it was found last: for lists that are sorted and filtered by it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`CREATE TABLE line_item_standings (
    workspace_id int NOT NULL,
    line_item_id bigint NOT NULL,
    goal_status text,
    pacing_percent int,
    impressions bigint NOT NULL,
    spend_nanos numeric(38, 0) NOT NULL,
    moved_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, line_item_id),
    FOREIGN KEY (workspace_id, line_item_id) REFERENCES line_items (workspace_id, id) ON DELETE CASCADE)`.execute(db);
}
