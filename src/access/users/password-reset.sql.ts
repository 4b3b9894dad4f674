import type { Kysely } from 'kysely';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { recordAudit } from '../audit/audit.sql.ts';
import { insertLink, LINK_MS, linkAddress, type LinkDeps } from './links.sql.ts';
import { inTransaction } from '../audit/transaction.sql.ts';
import { findAccount } from './users.sql.ts';

/**
 * Queues the mail with a link to a new password. Whether the address has an account is looked up when the mail is sent, not here: the same
 * rows are read and written for every address.
 */
export async function requestPasswordReset(
  { sql, mail }: { readonly sql: Kysely<Database>; readonly mail: MailQueue },
  { email, remoteAddress }: { readonly email: string; readonly remoteAddress: string },
  now: Date,
): Promise<void> {
  const content = { kind: 'passwordReset', link: null, remoteAddress } as const;
  await inTransaction(sql, (trx) => mail.queueWithinLimits(trx, { to: email, networkId: null, content }, now));
}

/** The link of such a mail, for an hour; null when the address has no enabled account. */
export async function makePasswordLink(
  { sql, pepper, publicUrl }: LinkDeps & { readonly publicUrl: string },
  email: string,
  now: Date,
): Promise<string | null> {
  return inTransaction(sql, async (trx) => {
    const account = await findAccount(trx, email);
    if (account === null || account.disabledAt !== null) return null;
    const by = { actor: `user:${account.id} ${email}`, remoteAddress: '', networkId: '0', workspaceId: null };
    const wish = {
      purpose: 'password',
      email,
      networkId: null,
      role: null,
      lifeMs: LINK_MS.mailedPassword,
      by,
    } as const;
    const { token } = await insertLink({ sql: trx, pepper }, wish, now);
    const entry = { by, action: 'user.passwordReset', objectKind: 'user', objectId: account.id };
    await recordAudit(trx, entry, now);
    return linkAddress(publicUrl, 'password', token);
  });
}
