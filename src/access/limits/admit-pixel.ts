import type { WorkspaceRecord } from '../keys/directory-data.ts';
import type { RequestLimits } from './limits.ts';

/** Once this share of a network's limit is used, by whomever, events without a key are refused: a flood of them leaves the rest to servers. */
const SHARE = 0.5;

/**
 * Counts an event without a key against the events of its network. False: these are used up. While the store that counts does not respond,
 * the event is let in: a page does not send it again.
 */
export async function admitPixel(limits: RequestLimits, workspace: WorkspaceRecord | null): Promise<boolean> {
  if (workspace === null) return false;
  const look = await limits.look(workspace, 'events');
  if (look.isUnknown === true) return true;
  if (look.remaining <= look.limit * (1 - SHARE)) return false;
  const { admitted, isUnknown } = await limits.admit(workspace, 'events');
  return admitted || isUnknown === true;
}
