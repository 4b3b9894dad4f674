import { fieldError, PlacardError } from '../../domain/errors.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { Transaction } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import { recordAudit } from '../audit/audit.sql.ts';
import { linkGone } from './invitations.sql.ts';
import { aboutLink, insertLink, LINK_MS, linkAddress, type LinkDeps, markUsed, readOpenLink } from './links.sql.ts';
import { endOtherSessions, type Session } from '../permissions/sessions.sql.ts';
import { inTransaction } from '../audit/transaction.sql.ts';

/** The user who changes an address, and their session. */
interface AddressChange {
  readonly session: Session;
  readonly remoteAddress: string;
}

/**
 * Mails a link to a new address, which proves that the signed-in user reads its mail. Does not reveal whether another account has the
 * address.
 *
 * @throws PlacardError `rate_limit_exceeded` (too many mails), `validation_failed` (the same address)
 */
export async function requestAddressChange(
  { sql, pepper, mail }: LinkDeps & { readonly mail: MailQueue },
  { session, newAddress, remoteAddress }: AddressChange & { readonly newAddress: string },
  now: Date,
): Promise<void> {
  if (newAddress === session.email) throw fieldError('email', 'same', 'the account already has this address');
  await inTransaction(sql, async (trx) => {
    const { userId } = session;
    const by = actorOf(session, remoteAddress);
    await dropOlder(trx, userId);
    const wish = { purpose: 'email', email: newAddress, networkId: null, role: null, userId, by } as const;
    const { id, token } = await insertLink({ sql: trx, pepper }, { ...wish, lifeMs: LINK_MS.email }, now);
    const content = { kind: 'addressProof', link: linkAddress(mail.publicUrl, 'email', token) } as const;
    await mail.queue(trx, { to: newAddress, networkId: null, about: aboutLink(id), content }, now);
    const entry = { by, action: 'user.emailRequest', objectKind: 'user', objectId: userId };
    await recordAudit(trx, { ...entry, after: { email: newAddress } }, now);
  });
}

/**
 * Sets a proven address as the address of the signed-in member's account. The old address is notified; other sessions and open links to
 * the account end.
 *
 * @throws PlacardError `gone` for a link that does not work, or is somebody else's; `conflict` when another account has the address
 */
export async function changeAddress(
  { sql, pepper, mail }: LinkDeps & { readonly mail: MailQueue | null },
  { token, session, remoteAddress }: AddressChange & { readonly token: string },
  now: Date,
): Promise<{ email: string }> {
  return inTransaction(sql, async (trx) => {
    const link = await readOpenLink({ sql: trx, pepper }, token, now, true);
    const { userId, email: oldAddress } = session;
    if (link === null || link.purpose !== 'email' || String(link.user_id) !== userId) throw linkGone();
    await markUsed(trx, link.id, now);
    await trx
      .updateTable('users')
      .set((eb) => ({ email: link.email, updated_at: now, version: eb('version', '+', 1) }))
      .where('id', '=', BigInt(userId))
      .execute()
      .catch((error: unknown) => {
        throw isDuplicate(error) ? taken() : error;
      });
    await endOtherSessions(trx, userId, session.id);
    const by = actorOf(session, remoteAddress);
    await trx
      .deleteFrom('invitations')
      .where('purpose', '=', 'password')
      .where('email', '=', oldAddress)
      .where('used_at', 'is', null)
      .execute();
    const entry = { by, action: 'user.email', objectKind: 'user', objectId: userId };
    await recordAudit(trx, { ...entry, before: { email: oldAddress }, after: { email: link.email } }, now);
    const content = { kind: 'addressChanged', newAddress: link.email, at: now.toISOString() } as const;
    await mail?.queueWithinLimits(trx, { to: oldAddress, networkId: null, content }, now);
    return { email: link.email };
  });
}

/** Whether a unique index refused a row (PostgreSQL's unique_violation). */
function isDuplicate(error: unknown): boolean {
  return (error as { code?: unknown }).code === '23505';
}

function taken(): PlacardError {
  return new PlacardError('conflict', 'Another account has this address.');
}

/** An account has one open change at a time. */
async function dropOlder(trx: Transaction<Database>, userId: string): Promise<void> {
  await trx
    .deleteFrom('invitations')
    .where('purpose', '=', 'email')
    .where('user_id', '=', BigInt(userId))
    .where('used_at', 'is', null)
    .execute();
}

function actorOf(session: Session, remoteAddress: string) {
  return { actor: `user:${session.userId} ${session.email}`, remoteAddress, networkId: '0', workspaceId: null };
}
