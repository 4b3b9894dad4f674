import { type Kysely, sql } from 'kysely';

/** Creatives of audio. */
export async function up(db: Kysely<never>): Promise<void> {
  const formats = sql.raw("('IMAGE', 'HTML', 'NATIVE', 'VIDEO', 'AUDIO')");
  for (const table of ['creatives', 'library_creatives']) {
    const check = sql.ref(`${table}_format_check`);
    await sql`ALTER TABLE ${sql.table(table)} DROP CONSTRAINT ${check},
      ADD CONSTRAINT ${check} CHECK (format IN ${formats})`.execute(db);
  }
}
