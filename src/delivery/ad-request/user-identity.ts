import { hashUser } from '../../domain/ids/user-hash.ts';
import type { UserIdKind } from '../../domain/ids/user-hash.ts';
import type { UserIds } from '../openrtb/bid-request.ts';
import { RecentCache } from '../../storage/recent-cache.ts';

const USERS_REMEMBERED = 20_000;

/** Hashes under one secret: users return within minutes, and a cache is cheaper than hashing. Never stored. */
interface KnownUsers {
  readonly secret: Buffer;
  readonly hashes: RecentCache<string, string>;
}

let known: KnownUsers | null = null;

/** The hash under which the user's state is kept: of `lu`, else of `aid`; '' without either. Never call it under npa. */
export function hashUserIds(ids: UserIds, workspaceId: number, secret: Buffer): string {
  if (ids.lu !== '') return hashKnown(secret, workspaceId, 'lu', ids.lu);
  return ids.aid === '' ? '' : hashKnown(secret, workspaceId, 'aid', ids.aid);
}

/** The hash under which the caps of the user's household are counted; '' without. Never call it under npa. */
export function hashHousehold({ hh }: UserIds, workspaceId: number, secret: Buffer): string {
  return hh === '' ? '' : hashKnown(secret, workspaceId, 'hh', hh);
}

function hashKnown(secret: Buffer, workspaceId: number, kind: UserIdKind, id: string): string {
  if (known?.secret !== secret) known = { secret, hashes: new RecentCache(USERS_REMEMBERED) };
  const key = `${kind}${workspaceId}/${id}`;
  const before = known.hashes.get(key);
  if (before !== undefined) return before;
  const hash = hashUser(secret, workspaceId, kind, id);
  known.hashes.set(key, hash);
  return hash;
}
