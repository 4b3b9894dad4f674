import { type Kysely, sql } from 'kysely';
import type { Module } from '../domain/workspace.ts';
import type { Database } from '../storage/sql/schema.ts';
import { type DirectoryData, readLimits } from './directory-data.ts';

/** Dead keys and pairs are still known for 30 days, so that the audit log can say whose they were. */
const DEAD_DAYS = 30;

/** Reads every workspace, key and pair in one consistent snapshot of the database. */
export async function readDirectory(db: Kysely<Database>): Promise<DirectoryData> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const clock = await sql<{ at: Date }>`SELECT now() AS at`.execute(trx);
      const asOf = clock.rows[0]?.at ?? new Date(0);
      const deadBefore = new Date(asOf.getTime() - DEAD_DAYS * 86_400_000);
      const workspaces = await trx
        .selectFrom('workspaces')
        .innerJoin('networks', 'networks.id', 'workspaces.network_id')
        .select(['workspaces.id', 'network_id', 'environment', 'status', 'settings'])
        .execute();
      const keys = await trx
        .selectFrom('api_keys')
        .selectAll()
        .where((eb) => eb.or([eb('revoked_at', 'is', null), eb('revoked_at', '>', deadBefore)]))
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', deadBefore)]))
        .execute();
      const pairs = await trx
        .selectFrom('header_credentials')
        .selectAll()
        .where((eb) => eb.or([eb('disabled_at', 'is', null), eb('disabled_at', '>', deadBefore)]))
        .execute();
      return {
        asOfMs: asOf.getTime(),
        workspaces: workspaces.map((row) => ({
          workspaceId: row.id,
          networkId: String(row.network_id),
          environment: row.environment,
          status: row.status,
          limits: readLimits(row.settings),
        })),
        keys: keys.map((row) => ({
          id: String(row.id),
          workspaceId: row.workspace_id,
          name: row.name,
          digest: row.digest.toString('hex'),
          prefix: row.prefix,
          permission: row.permission,
          modules: row.modules as Module[] | null,
          ipAllowlist: row.ip_allowlist,
          expiresAtMs: row.expires_at?.getTime() ?? null,
          revokedAtMs: row.revoked_at?.getTime() ?? null,
        })),
        pairs: pairs.map((row) => ({
          id: String(row.id),
          workspaceId: row.workspace_id,
          name: row.name,
          login: row.login,
          digest: row.token_digest.toString('hex'),
          disabledAtMs: row.disabled_at?.getTime() ?? null,
        })),
      };
    });
}

/** When keys (or pairs) were last used: row id → epoch milliseconds. */
export type LastUsed = ReadonlyMap<string, { readonly workspaceId: number; readonly atMs: number }>;

/** Moves last-used instants forward, in one statement each; never backward. */
export async function writeLastUsed(db: Kysely<Database>, keys: LastUsed, pairs: LastUsed): Promise<void> {
  await updateLastUsed(db, 'api_keys', keys);
  await updateLastUsed(db, 'header_credentials', pairs);
}

async function updateLastUsed(
  db: Kysely<Database>,
  table: 'api_keys' | 'header_credentials',
  used: LastUsed,
): Promise<void> {
  if (used.size === 0) return;
  const rows = [...used].map(([id, { workspaceId, atMs }]) => ({ id, workspaceId, at: new Date(atMs).toISOString() }));
  await sql`
    UPDATE ${sql.table(table)} AS kept SET last_used_at = fresh.at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS fresh (id bigint, "workspaceId" int, at timestamptz)
    WHERE kept.workspace_id = fresh."workspaceId" AND kept.id = fresh.id
      AND (kept.last_used_at IS NULL OR kept.last_used_at < fresh.at)`.execute(db);
}
