import { type Kysely, sql } from 'kysely';

/** The status of each line item's goal as the feed of changes has told it, and as it was found last. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`CREATE TABLE line_item_goal_status (
    workspace_id int NOT NULL,
    line_item_id bigint NOT NULL,
    found text NOT NULL,
    told text NOT NULL,
    PRIMARY KEY (workspace_id, line_item_id),
    FOREIGN KEY (workspace_id, line_item_id) REFERENCES line_items (workspace_id, id) ON DELETE CASCADE)`.execute(db);
}
