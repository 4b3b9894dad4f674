import type { Transaction } from 'kysely';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { Database } from '../../storage/sql/schema.ts';

/** Most admins of a network that are told: the first ones. */
const TOLD_MAX = 200;

/** A new admin, and who made them one. */
export interface NewAdmin {
  readonly mail: MailQueue;
  readonly network: { readonly id: string | bigint; readonly name: string };
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  /** A person who has just accepted an invitation is not told of it. */
  readonly isNewMember: boolean;
  /** As the audit log names it. */
  readonly actor: string;
}

/**
 * Queues a mail to every admin of a network about a new one: a person who takes over an account cannot silently add their own. A mail over a
 * limit is left out; the role is set all the same.
 */
export async function tellAdmins(trx: Transaction<Database>, added: NewAdmin, now: Date): Promise<void> {
  const { mail, user, actor } = added;
  const network = { id: String(added.network.id), name: added.network.name };
  const admins = await trx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.id', 'users.email'])
    .where('memberships.network_id', '=', BigInt(network.id))
    .where('memberships.role', '=', 'admin')
    .where('users.disabled_at', 'is', null)
    .orderBy('users.id')
    .limit(TOLD_MAX)
    .execute();
  const content = {
    kind: 'adminAdded',
    network,
    name: user.name,
    address: user.email,
    actor,
    at: now.toISOString(),
    link: `${mail.publicUrl}/settings/users?network=${network.id}`,
  } as const;
  for (const { id, email } of admins)
    if (!added.isNewMember || String(id) !== user.id)
      await mail.queueWithinLimits(trx, { to: email, networkId: network.id, content }, now);
}
