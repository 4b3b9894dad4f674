import type { Kysely } from 'kysely';
import type { AuditActor } from '../../../access/audit/audit.sql.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../../../access/keys/api-keys.sql.ts';
import { isProbe } from '../../../access/networks/probe-network.sql.ts';
import { createNetwork } from '../../../access/permissions/networks.sql.ts';
import { requireWorkspaceId } from '../../../access/permissions/workspaces.sql.ts';
import type { Database } from '../../../storage/sql/schema.ts';

const BY: AuditActor = { actor: 'system:probe', remoteAddress: '', networkId: '0', workspaceId: null };
/** Below the ids that are given in order: the first network of a publisher is 1001, whether the probe was first or not. */
const ID = '999';
const KEY_NAME = 'Probe';
/** A process that ends without a word leaves its key behind for so long. */
const KEY_MS = 2 * 86_400_000;

/** The network of the probe, made when it is missing. */
export async function findProbeNetwork(db: Kysely<Database>): Promise<string> {
  const found = await db.selectFrom('networks').select('id').where(isProbe).orderBy('id').executeTakeFirst();
  if (found !== undefined) return String(found.id);
  return db.transaction().execute(async (trx) => {
    const taken = await trx.selectFrom('networks').select('id').where('id', '=', BigInt(ID)).executeTakeFirst();
    const wish = { name: 'Probe', timezone: 'UTC', currency: 'EUR', by: BY };
    const { id } = await createNetwork(trx, taken === undefined ? { ...wish, id: ID } : wish);
    await trx
      .updateTable('networks')
      .set({ settings: JSON.stringify({ probe: true, retentionDays: 7 }) })
      .where('id', '=', BigInt(id))
      .execute();
    return id;
  });
}

/** A new key of the probe; the keys of former processes end. */
export async function renewProbeKey(
  db: Kysely<Database>,
  secrets: { readonly pepper: Buffer },
  networkId: string,
  now: Date,
): Promise<{ readonly value: string; readonly expiresAtMs: number }> {
  const workspaceId = await requireWorkspaceId(db, networkId, 'production');
  const by = { ...BY, networkId, workspaceId };
  const former = await listApiKeys(db, workspaceId, { now });
  const expiresAt = new Date(now.getTime() + KEY_MS);
  const key = { workspaceId, name: KEY_NAME, permission: 'admin', modules: null, expiresAt, by } as const;
  const { value } = await createApiKey(db, secrets, key, now);
  for (const { id, name } of former) if (name === KEY_NAME) await revokeApiKey(db, { workspaceId, id, by }, now);
  return { value, expiresAtMs: expiresAt.getTime() };
}
