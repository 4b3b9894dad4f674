import { type Kysely, sql } from 'kysely';

/** Entries of the audit log that are parts of one change of many objects are found by its name. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`CREATE INDEX audit_log_by_change_set ON audit_log (network_id, (details->>'changeSet'), sequence)
    WHERE (details->>'changeSet') IS NOT NULL`.execute(db);
}
