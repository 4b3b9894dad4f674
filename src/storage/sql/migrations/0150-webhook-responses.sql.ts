import { type Kysely, sql } from 'kysely';

/** What the receiver of a webhook responded to the last try of a message, and when. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw('ALTER TABLE webhook_deliveries ADD COLUMN response_status integer, ADD COLUMN tried_at timestamptz')
    .execute(db);
}
