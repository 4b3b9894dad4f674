/**
 * The first parts of keys in the hot store whose second part is a workspace: delivery counters, frequency caps, segments, contacts, intervals of
 * activities, billed orders, reservations, quotas. Keys of single events (`e/`, `rc/`) name no workspace, and expire by themselves.
 */
export const WORKSPACE_KEY_FAMILIES = [
  'ar',
  'd',
  'f',
  'g',
  'gd',
  'gm',
  'gp',
  'ob',
  'q',
  'r',
  'tc',
  'ti',
  'tv',
  'x',
] as const;

/** What every key of a workspace in the hot store begins with. */
export function workspaceKeyPrefixes(workspaceId: number): string[] {
  return WORKSPACE_KEY_FAMILIES.map((family) => `${family}/${workspaceId}/`);
}
