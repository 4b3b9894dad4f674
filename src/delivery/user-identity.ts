import { hashUser } from '../domain/user-hash.ts';

/** User ids as callers send them; '' = none. `lu`: the caller's first-party cookie; `aid`: a hashed account id. */
export interface UserIds {
  readonly lu: string;
  readonly aid: string;
}

/** The hash under which the user's state is kept: of `lu`, else of `aid`; '' without either. Never call it under npa. */
export function hashUserIds(ids: UserIds, workspaceId: number, secret: Buffer): string {
  if (ids.lu !== '') return hashUser(secret, workspaceId, 'lu', ids.lu);
  return ids.aid === '' ? '' : hashUser(secret, workspaceId, 'aid', ids.aid);
}
