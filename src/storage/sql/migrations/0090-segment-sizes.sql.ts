import { type Kysely, sql } from 'kysely';

/** The size of each segment at the beginning of a day of its network, for a chart of the last months. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`CREATE TABLE segment_sizes (
    workspace_id int NOT NULL,
    segment_id bigint NOT NULL,
    day date NOT NULL,
    size bigint NOT NULL CHECK (size >= 0),
    PRIMARY KEY (workspace_id, segment_id, day),
    FOREIGN KEY (workspace_id, segment_id) REFERENCES segments (workspace_id, id) ON DELETE CASCADE)`.execute(db);
}
