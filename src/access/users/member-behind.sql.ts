import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import { userOfActor } from './revoke-links.sql.ts';

/** Keys that are followed back to the member who made the first: a key can make keys. */
const KEYS_MAX = 20;
const KEY_ACTOR = /^key:(\d{1,18}) /;

/**
 * The id of the member behind an actor of a network: the user; for a key, the member who made it, or who made the key that made it. Null
 * for others, and where that member has left.
 */
export async function findMemberBehind(
  sql: Kysely<Database>,
  { actor, networkId }: { readonly actor: string; readonly networkId: string },
): Promise<string | null> {
  let maker = actor;
  for (let keys = 0; keys < KEYS_MAX; keys += 1) {
    const keyId = KEY_ACTOR.exec(maker)?.[1];
    if (keyId === undefined) break;
    const key = await sql
      .selectFrom('api_keys')
      .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
      .select('api_keys.created_by')
      .where('api_keys.id', '=', BigInt(keyId))
      .where('workspaces.network_id', '=', BigInt(networkId))
      .executeTakeFirst();
    if (key === undefined) return null;
    maker = key.created_by;
  }
  const userId = userOfActor(maker);
  if (userId === null || maker === actor) return userId;
  const membership = await sql
    .selectFrom('memberships')
    .select('user_id')
    .where('user_id', '=', BigInt(userId))
    .where('network_id', '=', BigInt(networkId))
    .executeTakeFirst();
  return membership === undefined ? null : userId;
}
