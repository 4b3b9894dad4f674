import { type Kysely, sql } from 'kysely';

/** The form in which a schedule gives its files. Older programs write none: theirs is CSV. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE report_schedules ADD COLUMN file_format text NOT NULL DEFAULT 'CSV'
    CHECK (file_format IN ('CSV', 'CSV_BOM', 'XLSX'))`.execute(db);
}
