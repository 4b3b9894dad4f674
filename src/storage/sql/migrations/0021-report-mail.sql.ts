import { type Kysely, sql } from 'kysely';

/** Members who get a scheduled report by mail, and whether the mails of a run are queued. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `ALTER TABLE report_schedules ADD COLUMN mail_user_ids bigint[] NOT NULL DEFAULT '{}'`,
  `ALTER TABLE report_runs ADD COLUMN mail_status text NOT NULL DEFAULT 'NONE'
    CHECK (mail_status IN ('NONE', 'PENDING', 'QUEUED'))`,
  `CREATE INDEX report_runs_to_mail ON report_runs (workspace_id, id) WHERE mail_status = 'PENDING'`,
];
