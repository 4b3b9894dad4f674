import { type Kysely, sql } from 'kysely';

/** What the analytics store is known to hold: one row. `rows` is null while rows are being deleted. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`CREATE TABLE analytics_marks (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    store_id text NOT NULL,
    number bigint NOT NULL,
    rows bigint,
    rows_unknown_until timestamptz,
    marked_at timestamptz NOT NULL DEFAULT now(),
    lost_reason text,
    lost_at timestamptz)`.execute(db);
}
