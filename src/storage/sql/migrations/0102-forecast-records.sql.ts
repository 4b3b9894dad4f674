import { type Kysely, sql } from 'kysely';

/** What was forecast of each line item, and how far its delivery came from it. Figures are null where no forecast was made. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`CREATE TABLE forecast_records (
    workspace_id int NOT NULL,
    line_item_id bigint NOT NULL,
    made_at timestamptz NOT NULL,
    terms text NOT NULL,
    model int NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    goal jsonb,
    sampled_hours real,
    matched bigint,
    available bigint,
    impressions bigint,
    likely_low bigint,
    likely_high bigint,
    possible_low bigint,
    possible_high bigint,
    revenue_micros bigint,
    displaced_micros bigint,
    counted_before bigint,
    state text NOT NULL CHECK (state IN ('OPEN', 'SKIPPED', 'SCORED', 'NOT_SCORED')),
    reason text,
    delivered bigint,
    error double precision,
    inside_likely boolean,
    inside_possible boolean,
    closed_at timestamptz,
    PRIMARY KEY (workspace_id, line_item_id, made_at),
    FOREIGN KEY (workspace_id, line_item_id) REFERENCES line_items (workspace_id, id) ON DELETE CASCADE)`.execute(db);
  await sql`CREATE UNIQUE INDEX forecast_records_open ON forecast_records (workspace_id, line_item_id)
    WHERE state = 'OPEN'`.execute(db);
  await sql`CREATE INDEX forecast_records_ended ON forecast_records (workspace_id, ends_at)
    WHERE state IN ('SCORED', 'NOT_SCORED')`.execute(db);
  await sql`CREATE INDEX forecast_records_due ON forecast_records (ends_at) WHERE state = 'OPEN'`.execute(db);
}
