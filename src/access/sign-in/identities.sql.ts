import type { Kysely, Transaction } from 'kysely';
import { PlacardError } from '../../domain/errors.ts';
import { inNfc } from '../../domain/text/one-form.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { Role } from '../users/roles.ts';
import { type AuditActor, recordAudit } from '../audit/audit.sql.ts';
import { type IdentityProvider, networkOf } from './identity-providers.sql.ts';
import { markUsed } from '../users/links.sql.ts';
import { mayInvite } from '../users/revoke-links.sql.ts';
import { readMembershipRole } from '../permissions/sessions.sql.ts';
import { inTransaction } from '../audit/transaction.sql.ts';
import { createUser, findAccount, setMembership } from '../users/users.sql.ts';
import type { OidcRefusal } from './oidc-refusal.ts';

/** Most connections of one member. */
const IDENTITIES_MAX = 20;
/** Most open invitations of an address that are read. */
const INVITATIONS_MAX = 20;

/** The identity that a provider vouches for. */
export interface ProvedIdentity {
  readonly provider: IdentityProvider;
  readonly subject: string;
  /** In lower case; null unless the provider has verified it. */
  readonly verifiedEmail: string | null;
  /** Why there is no verified address; null when there is one. */
  readonly emailRefusal: OidcRefusal | null;
  readonly name: string;
  readonly remoteAddress: string;
}

interface IdentityStore {
  readonly sql: Kysely<Database>;
  /** Null: no mail is sent. */
  readonly mail: MailQueue | null;
}

/** The account of an identity, or the reason why it has none. */
export type ResolvedIdentity = { readonly userId: string } | { readonly userId: null; readonly refusal: OidcRefusal };

/** A connection as its owner's list shows it. */
export interface IdentityListing {
  readonly id: string;
  /** `installation`, or the id of a network. */
  readonly provider: string;
  readonly issuer: string;
  readonly email: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/**
 * The account that signs in with an identity, or why there is none. An account is found by its connection. Without one, a verified address
 * finds an account only for the installation's provider: an admin controls what the network's own provider says, so its members connect it
 * themselves. A new account needs an open invitation for the address.
 */
export async function resolveIdentity(
  { sql, mail }: IdentityStore,
  identity: ProvedIdentity,
  now: Date,
): Promise<ResolvedIdentity> {
  return inTransaction(sql, async (trx) => {
    const networkId = networkOf(identity.provider);
    const connectedId = await findConnected(trx, identity, now);
    const found = connectedId === null ? await connectFirst(trx, { ...identity, mail }, now) : { userId: connectedId };
    if (found.userId === null) return found;
    const isMember = networkId === null || (await readMembershipRole(trx, found.userId, networkId)) !== null;
    return isMember ? found : { userId: null, refusal: 'not_a_member' };
  });
}

/**
 * Connects an identity to the account of a signed-in member.
 *
 * @throws PlacardError `conflict` when it is connected to another account, or the account has too many; `not_found` when the
 * person is not a member of the provider's network
 */
export async function connectIdentity(
  sql: Kysely<Database>,
  input: { readonly userId: string; readonly identity: ProvedIdentity; readonly by: AuditActor },
  now: Date,
): Promise<void> {
  await inTransaction(sql, async (trx) => {
    const { identity, userId, by } = input;
    const connected = await findConnected(trx, identity, now);
    if (connected === userId) return;
    if (connected !== null) throw new PlacardError('conflict', 'This identity is connected to another account.');
    const networkId = networkOf(identity.provider);
    if (networkId !== null && (await readMembershipRole(trx, userId, networkId)) === null)
      throw new PlacardError('not_found', 'You are not a member of the network of this provider.');
    if ((await listIdentities(trx, userId)).length >= IDENTITIES_MAX)
      throw new PlacardError('conflict', `An account has at most ${IDENTITIES_MAX} connections; remove one first.`);
    await insertIdentity(trx, { userId, identity, by }, now);
  });
}

/** The connections of a member. */
export async function listIdentities(sql: Kysely<Database>, userId: string): Promise<IdentityListing[]> {
  const rows = await sql
    .selectFrom('identities')
    .selectAll()
    .where('user_id', '=', BigInt(userId))
    .orderBy('id', 'desc')
    .limit(IDENTITIES_MAX)
    .execute();
  return rows.map((row) => ({
    id: String(row.id),
    provider: row.provider,
    issuer: row.issuer,
    email: row.email,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

/** Removes a connection, and ends the sessions that its provider started. @throws PlacardError `not_found` */
export async function disconnectIdentity(
  sql: Kysely<Database>,
  input: { readonly userId: string; readonly id: string; readonly by: AuditActor },
  now: Date,
): Promise<void> {
  await inTransaction(sql, async (trx) => {
    const gone = isDecimalId(input.id)
      ? await trx
          .deleteFrom('identities')
          .where('user_id', '=', BigInt(input.userId))
          .where('id', '=', BigInt(input.id))
          .returning(['provider', 'issuer'])
          .executeTakeFirst()
      : undefined;
    if (gone === undefined) throw new PlacardError('not_found', 'This connection does not exist.');
    const networkId = networkOf({ id: gone.provider });
    await trx
      .deleteFrom('sessions')
      .where('user_id', '=', BigInt(input.userId))
      .where('method', '=', 'oidc')
      .where('network_id', networkId === null ? 'is' : '=', networkId === null ? null : BigInt(networkId))
      .execute();
    const entry = { by: input.by, action: 'user.identityRemove', objectKind: 'user', objectId: input.userId };
    await recordAudit(trx, { ...entry, before: gone }, now);
  });
}

async function findConnected(
  trx: Transaction<Database>,
  { provider, subject }: ProvedIdentity,
  now: Date,
): Promise<string | null> {
  const row = await trx
    .updateTable('identities')
    .set({ last_used_at: now })
    .where('provider', '=', provider.id)
    .where('issuer', '=', provider.issuer)
    .where('subject', '=', subject)
    .returning('user_id')
    .executeTakeFirst();
  return row === undefined ? null : String(row.user_id);
}

/** Connects a new identity when its verified address allows it. */
async function connectFirst(
  trx: Transaction<Database>,
  identity: ProvedIdentity & Pick<IdentityStore, 'mail'>,
  now: Date,
): Promise<ResolvedIdentity> {
  const { provider, verifiedEmail: email, remoteAddress } = identity;
  if (email === null) return { userId: null, refusal: identity.emailRefusal ?? 'email_missing' };
  const networkId = networkOf(provider);
  const by = { actor: `oidc:${provider.id} ${email}`, remoteAddress, networkId: '0', workspaceId: null };
  const account = await findAccount(trx, email);
  if (account !== null) {
    if (networkId !== null) return { userId: null, refusal: 'not_connected' };
    await insertIdentity(trx, { userId: account.id, identity, by }, now);
    return { userId: account.id };
  }
  const invitation = await acceptInvitation(trx, { email, networkId }, now);
  if (invitation === null) return { userId: null, refusal: 'no_account' };
  const name = inNfc(identity.name.trim()).replaceAll('\0', '').slice(0, 200) || email;
  const { id: userId } = await createUser(trx, { email, name, by }, now);
  const { networkId: joinedId, role, createdBy: grantedBy } = invitation;
  if (joinedId !== null)
    await setMembership(trx, { userId, networkId: joinedId, role, by, mail: identity.mail, grantedBy }, now);
  await insertIdentity(trx, { userId, identity, by }, now);
  return { userId };
}

interface AcceptedInvitation {
  readonly networkId: string | null;
  readonly role: Role | null;
  readonly createdBy: string;
}

/**
 * Uses up the newest open invitation of an address whose inviter may still invite; only one of the network when its provider proves the
 * address.
 */
async function acceptInvitation(
  trx: Transaction<Database>,
  { email, networkId }: { readonly email: string; readonly networkId: string | null },
  now: Date,
): Promise<AcceptedInvitation | null> {
  let query = trx
    .selectFrom('invitations')
    .select(['id', 'network_id', 'role', 'created_by'])
    .where('purpose', '=', 'join')
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now);
  if (networkId !== null) query = query.where('network_id', '=', BigInt(networkId));
  for (const row of await query.orderBy('id', 'desc').limit(INVITATIONS_MAX).execute()) {
    const invitedTo = row.network_id === null ? null : String(row.network_id);
    // The network is locked before the link, in the same order as when links are accepted or revoked.
    if (row.network_id !== null)
      await trx.selectFrom('networks').select('id').where('id', '=', row.network_id).forUpdate().execute();
    if (!(await mayInvite(trx, row.created_by, invitedTo))) continue;
    const isOpen = await holdOpenLink(trx, row.id);
    if (!isOpen) continue;
    await markUsed(trx, row.id, now);
    return { networkId: invitedTo, role: row.role, createdBy: row.created_by };
  }
  return null;
}

/** Locks a link until the transaction ends; false when it was used or revoked meanwhile. */
async function holdOpenLink(trx: Transaction<Database>, id: bigint): Promise<boolean> {
  const row = await trx
    .selectFrom('invitations')
    .select('id')
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

async function insertIdentity(
  trx: Transaction<Database>,
  { userId, identity, by }: { readonly userId: string; readonly identity: ProvedIdentity; readonly by: AuditActor },
  now: Date,
): Promise<void> {
  const { provider, subject, verifiedEmail } = identity;
  const values = { provider: provider.id, issuer: provider.issuer, subject, email: verifiedEmail ?? '' };
  await trx
    .insertInto('identities')
    .values({ ...values, user_id: userId, created_at: now, last_used_at: now })
    .execute();
  const entry = { by, action: 'user.identityAdd', objectKind: 'user', objectId: userId };
  await recordAudit(trx, { ...entry, after: values }, now);
}
