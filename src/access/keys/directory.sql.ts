import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { ApiKeysTable, Database, HeaderCredentialsTable } from '../../storage/sql/schema.ts';
import { type DirectoryData, effectiveLimits, type KeyRecord, type PairRecord } from './directory-data.ts';
import { keyReach } from './buyer-key.ts';
import type { Wanted } from './directory-lookup.ts';

/** Expired keys and pairs stay known for 30 days, so that the audit log can name their owner. */
const DEAD_DAYS = 30;

/** Reads every workspace, key and pair in one consistent snapshot of the database. */
export async function readDirectory(db: Kysely<Database>): Promise<DirectoryData> {
  return inSnapshot(db, async (trx, asOf) => {
    const deadBefore = new Date(asOf.getTime() - DEAD_DAYS * 86_400_000);
    const workspaces = await selectWorkspaces(trx).execute();
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
      workspaces: workspaces.map(workspaceRecord),
      keys: keys.map(keyRecord),
      pairs: pairs.map(pairRecord),
    };
  });
}

/** Reads the keys, pairs and networks of these names, with their workspaces. */
export async function readDirectoryPart(db: Kysely<Database>, wanted: Wanted): Promise<DirectoryData> {
  return inSnapshot(db, async (trx, asOf) => {
    const digests = wanted.digests.map((digest) => Buffer.from(digest, 'hex'));
    const keys =
      digests.length === 0 ? [] : await trx.selectFrom('api_keys').selectAll().where('digest', 'in', digests).execute();
    const pairs =
      wanted.logins.length === 0
        ? []
        : await trx.selectFrom('header_credentials').selectAll().where('login', 'in', wanted.logins).execute();
    const ids = [...new Set([...keys, ...pairs].map((row) => row.workspace_id))];
    const networkIds = wanted.networkIds.map(BigInt);
    const workspaces =
      ids.length + networkIds.length === 0
        ? []
        : await selectWorkspaces(trx)
            .where((eb) => eb.or([eb('workspaces.id', 'in', [0, ...ids]), eb('network_id', 'in', [0n, ...networkIds])]))
            .execute();
    return {
      asOfMs: asOf.getTime(),
      workspaces: workspaces.map(workspaceRecord),
      keys: keys.map(keyRecord),
      pairs: pairs.map(pairRecord),
    };
  });
}

async function inSnapshot<T>(
  db: Kysely<Database>,
  read: (trx: Transaction<Database>, asOf: Date) => Promise<T>,
): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const clock = await sql<{ at: Date }>`SELECT now() AS at`.execute(trx);
      return read(trx, clock.rows[0]?.at ?? new Date(0));
    });
}

function selectWorkspaces(trx: Transaction<Database>) {
  return trx
    .selectFrom('workspaces')
    .innerJoin('networks', 'networks.id', 'workspaces.network_id')
    .select(['workspaces.id', 'network_id', 'environment', 'status', 'closed_at', 'settings', 'limit_ceilings']);
}

type WorkspaceRow = Awaited<ReturnType<ReturnType<typeof selectWorkspaces>['execute']>>[number];

function workspaceRecord(row: WorkspaceRow): DirectoryData['workspaces'][number] {
  return {
    workspaceId: row.id,
    networkId: String(row.network_id),
    environment: row.environment,
    status: row.status,
    ...(row.closed_at === null ? {} : { isClosed: true as const }),
    limits: effectiveLimits(row.settings, row.limit_ceilings),
  };
}

function keyRecord(row: Selectable<ApiKeysTable>): KeyRecord {
  return {
    id: String(row.id),
    workspaceId: row.workspace_id,
    name: row.name,
    digest: row.digest.toString('hex'),
    prefix: row.prefix,
    permission: row.permission,
    ...keyReach(row),
    ipAllowlist: row.ip_allowlist,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    revokedAtMs: row.revoked_at?.getTime() ?? null,
  };
}

function pairRecord(row: Selectable<HeaderCredentialsTable>): PairRecord {
  return {
    id: String(row.id),
    workspaceId: row.workspace_id,
    name: row.name,
    login: row.login,
    digest: row.token_digest.toString('hex'),
    disabledAtMs: row.disabled_at?.getTime() ?? null,
  };
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
