import { type Kysely, sql } from 'kysely';

/** Keys that one key may stand behind another: a key can make keys. */
const KEYS_MAX = 20;

/**
 * The member with whose membership a link to a report ends: who made it, or who made the key that made it. Links of keys whose makers
 * have left end now. Null: links of keys without such a member, and links of a program that does not know the column.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE report_shares ADD COLUMN owner_id bigint REFERENCES users (id) ON DELETE SET NULL`.execute(db);
  await sql`WITH RECURSIVE makers AS (
      SELECT workspace_id, id, created_by AS actor, 0 AS depth FROM report_shares
      UNION ALL
      SELECT makers.workspace_id, makers.id, api_keys.created_by, depth + 1 FROM makers
        JOIN api_keys ON api_keys.id = substring(makers.actor FROM '^key:(\\d{1,18}) ')::bigint
        WHERE depth < ${sql.lit(KEYS_MAX)})
    UPDATE report_shares SET owner_id = users.id FROM makers
      JOIN users ON users.id = substring(makers.actor FROM '^user:(\\d{1,18}) ')::bigint
      WHERE report_shares.workspace_id = makers.workspace_id AND report_shares.id = makers.id`.execute(db);
  await sql`UPDATE report_shares SET revoked_at = now()
    WHERE revoked_at IS NULL AND created_by LIKE 'key:%' AND owner_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM users WHERE users.id = owner_id AND users.operator)
      AND NOT EXISTS (SELECT FROM memberships JOIN workspaces ON workspaces.network_id = memberships.network_id
        WHERE memberships.user_id = owner_id AND workspaces.id = report_shares.workspace_id)`.execute(db);
}
