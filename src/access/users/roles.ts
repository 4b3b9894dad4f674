import type { Permission } from '../../domain/tenancy/workspace.ts';

/** The rights of a member in one network. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;
/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number];

/** The permission of a role. */
export const ROLE_PERMISSION: Readonly<Record<Role, Permission>> = {
  viewer: 'read-only',
  editor: 'read-write',
  admin: 'admin',
};
