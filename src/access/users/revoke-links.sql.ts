import type { Kysely, Transaction } from 'kysely';
import { dropMails } from '../../mail/mails.sql.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { AuditActor, AuditEntry } from '../audit/audit.sql.ts';
import { aboutLink } from './links.sql.ts';

/** Which open links to revoke. At least one of `email` and `madeBy` is set. */
export interface RevokedLinks {
  /** Null: of every network and of the installation. */
  readonly networkId: string | null;
  /** Those to this address. */
  readonly email?: string;
  /** Those that this actor made: `user:<id>` or `key:<id>`, as the audit log names it. */
  readonly madeBy?: string;
  readonly by: AuditActor;
}

/**
 * Revokes open links, with the queued mails about them. Returns entries that the caller writes to the audit log together with its own,
 * because only one call locks the chains of several networks in a fixed order.
 */
export async function revokeLinks(trx: Transaction<Database>, wish: RevokedLinks, now: Date): Promise<AuditEntry[]> {
  const { networkId, email, madeBy } = wish;
  const gone = await trx
    .deleteFrom('invitations')
    .where('used_at', 'is', null)
    .where((eb) =>
      eb.or([
        ...(email === undefined ? [] : [eb('email', '=', email)]),
        // The id ends at the space: user:1 is not user:12.
        ...(madeBy === undefined ? [] : [eb('created_by', 'like', `${madeBy} %`)]),
      ]),
    )
    .$if(networkId !== null, (query) => query.where('network_id', '=', BigInt(networkId ?? 0)))
    .returning(['id', 'email', 'network_id', 'purpose'])
    .execute();
  for (const { id } of gone) await dropMails(trx, aboutLink(id), now);
  return gone.map((link) => ({
    by:
      link.network_id === null
        ? { ...wish.by, networkId: '0', workspaceId: null }
        : { ...wish.by, networkId: String(link.network_id) },
    action: link.purpose === 'join' ? 'invitation.revoke' : 'link.revoke',
    objectKind: 'invitation',
    objectId: String(link.id),
    before: { email: link.email },
  }));
}

const USER_ACTOR = /^user:(\d{1,19}) /;

/** The user that an actor of the audit log is; null for keys, operators and jobs. */
export function userOfActor(actor: string): string | null {
  return USER_ACTOR.exec(actor)?.[1] ?? null;
}

/**
 * Whether the maker of an invitation may still invite: a user must be an enabled admin of the network (or an operator); any other actor
 * always may. An invitation has only the present rights of its maker.
 */
export async function mayInvite(sql: Kysely<Database>, actor: string, networkId: string | null): Promise<boolean> {
  const userId = userOfActor(actor);
  if (userId === null) return true;
  const row = await sql
    .selectFrom('users')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.user_id', '=', 'users.id').on('memberships.network_id', '=', BigInt(networkId ?? 0)),
    )
    .select(['users.operator', 'users.disabled_at', 'memberships.role'])
    .where('users.id', '=', BigInt(userId))
    .executeTakeFirst();
  return row !== undefined && row.disabled_at === null && (row.operator || row.role === 'admin');
}
