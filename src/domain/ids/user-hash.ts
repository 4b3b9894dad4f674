import { hmacSha256 } from './keyed-hash.ts';

/** Which identifier: the caller's first-party cookie (`lu`) or a hashed account id (`aid`) of a user, or of a household (`hh`). */
export const USER_ID_KINDS = ['lu', 'aid', 'hh'] as const;
export type UserIdKind = (typeof USER_ID_KINDS)[number];

/**
 * The keyed hash under which a user's state is kept: 16 hex digits. Differs between workspaces, so that nothing can be
 * joined across tenants or environments. Callers use `lu` when present, else `aid`.
 */
export function hashUser(secret: Buffer, workspaceId: number, kind: UserIdKind, id: string): string {
  return hmacSha256(secret, `${workspaceId}/${kind}/${id}`, 'hex').slice(0, 16);
}
