import { type Kysely, sql } from 'kysely';

/** Keys that reports tell apart, activities that belong to one advertiser, and looking after the files of failed reports. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  'ALTER TABLE key_values ADD COLUMN reportable boolean NOT NULL DEFAULT false',
  'CREATE INDEX key_values_reportable ON key_values (workspace_id, id) WHERE reportable',
  "CREATE TRIGGER key_values_notify AFTER INSERT OR UPDATE OR DELETE ON key_values FOR EACH ROW EXECUTE FUNCTION placard_notify('keyValue')",
  'ALTER TABLE activities ADD COLUMN advertiser_id bigint',
  `ALTER TABLE activities ADD CONSTRAINT activities_advertiser FOREIGN KEY (workspace_id, advertiser_id)
    REFERENCES advertisers (workspace_id, id)`,
  "CREATE INDEX report_tasks_failed ON report_tasks (ended_at) WHERE status = 'FAILED' AND files_deleted_at IS NULL",
];
