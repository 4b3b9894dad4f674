import type { Kysely } from 'kysely';
import type { Principal } from '../domain/tenancy/principal.ts';
import type { Database } from '../storage/sql/schema.ts';
import { keyReach } from './keys/buyer-key.ts';
import { compileAllowlist } from './keys/ip-allowlist.ts';
import { ROLE_PERMISSION } from './users/roles.ts';
import { readMembershipRole } from './permissions/sessions.sql.ts';

/**
 * A caller of an earlier request with the permissions that it has now; null when its key is revoked, has expired or no longer admits the
 * address, or when the user has been disabled or has left the network. The end of a user's session changes nothing.
 */
export function findPresentPrincipal(db: Kysely<Database>, earlier: Principal, now: Date): Promise<Principal | null> {
  if (earlier.kind === 'apiKey') return findKeyNow(db, earlier, now);
  return earlier.kind === 'session' ? findUserNow(db, earlier) : Promise.resolve(null);
}

async function findKeyNow(db: Kysely<Database>, earlier: Principal, now: Date): Promise<Principal | null> {
  const key = await db
    .selectFrom('api_keys')
    .select([
      'permission',
      'modules',
      'advertiser_ids',
      'spend_limit_micros',
      'ip_allowlist',
      'expires_at',
      'revoked_at',
    ])
    .where('workspace_id', '=', earlier.workspaceId)
    .where('id', '=', BigInt(earlier.id))
    .executeTakeFirst();
  if (key === undefined || key.revoked_at !== null) return null;
  if (key.expires_at !== null && key.expires_at <= now) return null;
  if (!compileAllowlist(key.ip_allowlist)(earlier.remoteAddress)) return null;
  const { buyer: _earlier, ...caller } = earlier;
  return { ...caller, permission: key.permission, ...keyReach(key) };
}

async function findUserNow(db: Kysely<Database>, earlier: Principal): Promise<Principal | null> {
  const user = await db
    .selectFrom('users')
    .select('operator')
    .where('id', '=', BigInt(earlier.id))
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (user === undefined) return null;
  const role = user.operator ? 'admin' : await readMembershipRole(db, earlier.id, earlier.networkId);
  return role === null ? null : { ...earlier, permission: ROLE_PERMISSION[role], modules: null };
}
