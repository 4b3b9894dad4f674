import { type Kysely, sql } from 'kysely';

/** Ends the links to reports of accounts that are disabled and of keys that are revoked, as disabling and revoking do from now on. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`UPDATE report_shares SET revoked_at = now() FROM users
    WHERE report_shares.revoked_at IS NULL AND users.id = report_shares.owner_id AND users.disabled_at IS NOT NULL`.execute(
    db,
  );
  await sql`UPDATE report_shares SET revoked_at = now() FROM api_keys
    WHERE report_shares.revoked_at IS NULL AND api_keys.revoked_at IS NOT NULL
      AND api_keys.workspace_id = report_shares.workspace_id
      AND report_shares.created_by LIKE 'key:' || api_keys.id || ' %'
      AND (report_shares.owner_id IS NULL OR api_keys.created_by LIKE 'user:' || report_shares.owner_id || ' %')`.execute(
    db,
  );
}
