import { type Kysely, sql } from 'kysely';

/** What associations take over from their library creative. */
const FOLLOWED = [
  'name',
  'review_state',
  'review_reason',
  'format',
  'width',
  'height',
  'content',
  'click_url',
  'trackers',
  'secure',
  'attributes',
  'language',
  'status',
] as const;

/** Notes, an owner, a team, labels and custom fields for library creatives. A note on one does not change its associations. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE library_creatives
    ADD COLUMN notes text NOT NULL DEFAULT '',
    ADD COLUMN owner text,
    ADD COLUMN team_id bigint,
    ADD COLUMN labels text[] NOT NULL DEFAULT '{}',
    ADD COLUMN custom_fields jsonb NOT NULL DEFAULT '{}'`.execute(db);
  await sql`DROP TRIGGER library_creatives_follow ON library_creatives`.execute(db);
  const row = (name: string) => sql.raw(`(${FOLLOWED.map((column) => `${name}.${column}`).join(', ')})`);
  await sql`CREATE TRIGGER library_creatives_follow AFTER UPDATE ON library_creatives
    FOR EACH ROW WHEN (${row('OLD')} IS DISTINCT FROM ${row('NEW')}) EXECUTE FUNCTION placard_follow_library_creative()`.execute(
    db,
  );
}
