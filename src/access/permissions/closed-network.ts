import { PlacardError } from '../../domain/errors.ts';
import type { Permission } from '../../domain/tenancy/workspace.ts';
import type { OperationRule } from './permissions.ts';

/**
 * Lets only admins into a closed network. Ad requests pass: they get no ad, as while it is suspended.
 *
 * @throws PlacardError `network_suspended`
 */
export function checkOpen(
  { isClosed }: { readonly isClosed?: true },
  { permission }: { readonly permission: Permission },
  { limit }: Pick<OperationRule, 'limit'>,
): void {
  if (isClosed !== true || permission === 'admin' || limit === 'ads' || limit === 'events') return;
  throw new PlacardError('network_suspended', 'The network is closed: only its admins can read it.');
}
