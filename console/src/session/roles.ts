import type { NetworkMembership, Session } from '../api/account/auth.ts';

type User = Pick<Session['user'], 'operator'>;
type Membership = Pick<NetworkMembership, 'role'> | null;

/** Whether a member is an admin of a network. An operator is one of each. */
export function mayAdminister({ operator }: User, membership: Membership): boolean {
  return operator || membership?.role === 'admin';
}

/** Whether a member may change bookings of a network. */
export function mayEdit(user: User, membership: Membership): boolean {
  return mayAdminister(user, membership) || membership?.role === 'editor';
}
