import type { Kysely } from 'kysely';
import { fieldError, PlacardError } from '../../domain/errors.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import { dropMails, readMailStates } from '../../mail/mails.sql.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { type AuditActor, recordAudit } from '../audit/audit.sql.ts';
import {
  aboutLink,
  insertLink,
  LINK_MS,
  linkAddress,
  type LinkDeps,
  type LinkRow,
  markUsed,
  readOpenLink,
  renewToken,
} from './links.sql.ts';
import { checkPasswordRules, hashPassword, verifyPassword } from '../secrets/password.ts';
import { mayInvite } from './revoke-links.sql.ts';
import { endOtherSessions } from '../permissions/sessions.sql.ts';
import { inTransaction } from '../audit/transaction.sql.ts';
import { createUser, findUser, installation, normalizeEmail, setMembership } from './users.sql.ts';
import { type Role, ROLES } from './roles.ts';

/** Open invitations of one network: the listing shows them all. */
export const OPEN_MAX = 500;

/** The state of the mail with a link: OPERATOR when no mail is sent here and the operator delivers the link. */
export const INVITATION_DELIVERIES = ['QUEUED', 'SENT', 'FAILED', 'OPERATOR'] as const;
export type InvitationDelivery = (typeof INVITATION_DELIVERIES)[number];

/** An open invitation as listings show it; only the invited person sees its link. */
export interface InvitationListing {
  readonly id: string;
  readonly email: string;
  readonly role: Role | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly delivery: InvitationDelivery;
  /** Why the mail was given up, or why its last attempt failed. */
  readonly deliveryError: string | null;
}

/** The content of an invitation, as the page shows it before it is accepted. */
export interface OpenInvitation {
  readonly purpose: 'join' | 'password' | 'email';
  readonly email: string;
  readonly networkName: string | null;
  readonly role: Role | null;
}

/** The store of invitations, and how they are mailed. */
export interface InvitationDeps extends LinkDeps {
  /** Null: no mail is sent; the operator delivers links. */
  readonly mail: MailQueue | null;
}

/**
 * Invites an address into a network with a role, or (no network) to an account of the installation's own. It replaces an
 * open invitation of the same address. The link, which works once for 7 days, is mailed; without mail, only the operator's command line
 * makes one. The result does not reveal whether the address has an account.
 *
 * @throws PlacardError `validation_failed` (also for a member), `unknown_network`, `insufficient_permissions` (the inviter is not an admin
 * any more), `rate_limit_exceeded` (too many mails), `conflict` (too many open invitations)
 */
export async function inviteUser(
  { sql, pepper, mail }: InvitationDeps,
  input: { email: string; networkId: string | null; role: Role | null; by: AuditActor },
  now: Date,
): Promise<{ id: string; delivery: InvitationDelivery }> {
  const email = normalizeEmail(input.email);
  const { networkId, role } = input;
  if (networkId !== null && (role === null || !ROLES.includes(role))) {
    throw fieldError('role', 'unknown_role', `one of ${ROLES.join(', ')}`);
  }
  if (networkId !== null && !isDecimalId(networkId)) throw new PlacardError('unknown_network');
  return inTransaction(sql, async (trx) => {
    // Roles of a network change one at a time under this lock: an admin who is demoted meanwhile cannot invite.
    const networkName = networkId === null ? null : await requireNetworkName(trx, networkId, true);
    if (!(await mayInvite(trx, input.by.actor, networkId))) throw new PlacardError('insufficient_permissions');
    if (networkId !== null && (await isMember(trx, email, networkId))) {
      throw fieldError('email', 'is_member', 'this person is a member already; change the role in the list');
    }
    const wish = { purpose: 'join', email, networkId, role, lifeMs: LINK_MS.join, by: input.by } as const;
    const { id, token } = await insertLink({ sql: trx, pepper }, wish, now);
    if (networkId !== null) await requireFewOpen(trx, networkId, now);
    if (mail !== null) {
      const content = {
        kind: 'invitation',
        link: linkAddress(mail.publicUrl, 'join', token),
        network: networkId === null || networkName === null ? null : { id: networkId, name: networkName },
        role,
        expiresAt: new Date(now.getTime() + LINK_MS.join).toISOString(),
      } as const;
      await mail.queue(trx, { to: email, networkId, about: aboutLink(id), content }, now);
    }
    const by = networkId === null ? installation(input.by) : { ...input.by, networkId };
    const entry = { by, action: 'invitation.create', objectKind: 'invitation', objectId: id };
    await recordAudit(trx, { ...entry, after: { email, role } }, now);
    return { id, delivery: mail === null ? 'OPERATOR' : 'QUEUED' };
  });
}

/**
 * A new link for an open invitation, for the operator to deliver; the previous one stops working. For the command line only: the holder of
 * the link can make the account of that address.
 *
 * @throws PlacardError `not_found`
 */
export async function makeInvitationLink(
  { sql, pepper }: LinkDeps,
  input: { id: string; by: AuditActor },
  now: Date,
): Promise<{ email: string; token: string }> {
  return inTransaction(sql, async (trx) => {
    const made = isDecimalId(input.id) ? await renewToken({ sql: trx, pepper }, input.id, now) : null;
    if (made === null || made.link.purpose !== 'join') {
      throw new PlacardError('not_found', 'This invitation does not exist or is no longer open.');
    }
    const networkId = String(made.link.network_id ?? 0);
    const by = { ...input.by, networkId };
    const entry = { by, action: 'invitation.link', objectKind: 'invitation', objectId: input.id };
    await recordAudit(trx, { ...entry, after: { email: made.link.email } }, now);
    await dropMails(trx, aboutLink(input.id), now);
    return { email: made.link.email, token: made.token };
  });
}

/** A one-time link with which a user sets a new password, for a day. @throws PlacardError `not_found` */
export async function createPasswordLink(
  { sql, pepper }: LinkDeps,
  input: { userId: string; by: AuditActor },
  now: Date,
): Promise<{ id: string; token: string }> {
  return inTransaction(sql, async (trx) => {
    const user = await findUser(trx, input.userId);
    if (user === null) throw new PlacardError('not_found', 'There is no such user.');
    const link = { purpose: 'password', email: user.email, networkId: null, role: null, by: input.by } as const;
    const made = await insertLink({ sql: trx, pepper }, { ...link, lifeMs: LINK_MS.password }, now);
    const entry = { by: installation(input.by), action: 'user.passwordLink', objectKind: 'user', objectId: user.id };
    await recordAudit(trx, entry, now);
    return made;
  });
}

/**
 * The content of a link's token; null when it is unknown, used or expired, or its maker may not invite any more. Does not reveal whether
 * the address has an account.
 */
export async function findInvitation(deps: LinkDeps, token: string, now: Date): Promise<OpenInvitation | null> {
  const row = await readOpenLink(deps, token, now);
  if (row === null || row.purpose === 'email') return null;
  const networkId = row.network_id === null ? null : String(row.network_id);
  if (!(await isEntitled(deps.sql, row))) return null;
  const networkName = networkId === null ? null : await requireNetworkName(deps.sql, networkId);
  return { purpose: row.purpose, email: row.email, networkName, role: row.role };
}

/** The user who accepts a link, and their input. */
export interface Acceptance {
  readonly token: string;
  readonly name: string;
  readonly password: string;
  /** The existing account that accepts; null: not signed in. */
  readonly signedInUserId: string | null;
  readonly remoteAddress: string;
}

/**
 * Accepts an invitation: makes the account, or sets its password, or adds the membership to an existing account whose owner is signed in: a
 * link never opens an existing account.
 *
 * @throws PlacardError `gone` for a token that is unknown, used or expired; `validation_failed`; `authentication_required`
 * when the address has an account and its owner is not signed in.
 */
export async function acceptInvitation(
  { sql, pepper, mail }: InvitationDeps,
  input: Acceptance,
  now: Date,
): Promise<{ userId: string; isNewAccount: boolean }> {
  return inTransaction(sql, async (trx) => {
    const inner = { sql: trx, pepper };
    const seen = await readOpenLink(inner, input.token, now);
    const networkId = seen === null || seen.network_id === null ? null : String(seen.network_id);
    // The network is locked before the link, in the same order as when links are revoked.
    if (networkId !== null) await requireNetworkName(trx, networkId, true);
    const row = await readOpenLink(inner, input.token, now, true);
    if (row === null || row.purpose === 'email') throw linkGone();
    if (!(await isEntitled(trx, row))) throw linkGone();
    await markUsed(trx, row.id, now);
    const { remoteAddress, password } = input;
    const by = { actor: `invited:${row.email}`, remoteAddress, networkId: '0', workspaceId: null };
    const account = await trx
      .selectFrom('users')
      .select(['id', 'disabled_at'])
      .where('email', '=', row.email)
      .executeTakeFirst();
    const known = account === undefined || account.disabled_at !== null ? null : String(account.id);
    if (row.purpose === 'password') {
      if (known === null) throw linkGone();
      await writePassword(trx, { userId: known, email: row.email, password, by, mail }, now);
      return { userId: known, isNewAccount: false };
    }
    if (account !== undefined && known === null) throw linkGone();
    const userId = known ?? (await createUser(trx, { email: row.email, name: input.name, password, by }, now)).id;
    if (known !== null && input.signedInUserId !== known) {
      // Takes as long as making an account.
      await verifyPassword(password, null);
      const message = 'This address has an account; sign in to it, then open the link again.';
      throw new PlacardError('authentication_required', message);
    }
    const change = { userId, role: row.role, by, mail, grantedBy: row.created_by };
    if (networkId !== null) await setMembership(trx, { ...change, networkId }, now);
    return { userId, isNewAccount: known === null };
  });
}

/** The one response to every link that does not work. */
export function linkGone(): PlacardError {
  return new PlacardError('gone', 'This link was already used or has expired; ask for a new one.');
}

/** Sets a password; ends the user's other sessions, and every link that could set yet another one. @throws PlacardError `validation_failed` */
export async function writePassword(
  sql: Kysely<Database>,
  input: {
    userId: string;
    email: string;
    password: string;
    by: AuditActor;
    keptSessionId?: string;
    mail?: MailQueue | null;
  },
  now: Date,
): Promise<void> {
  checkPasswordRules(input.password, input.email);
  const password_hash = await hashPassword(input.password);
  await inTransaction(sql, async (trx) => {
    await trx
      .updateTable('users')
      .set((eb) => ({ password_hash, updated_at: now, version: eb('version', '+', 1) }))
      .where('id', '=', BigInt(input.userId))
      .execute();
    await endOtherSessions(trx, input.userId, input.keptSessionId ?? null);
    await trx
      .updateTable('invitations')
      .set({ used_at: now })
      .where('purpose', '=', 'password')
      .where('email', '=', input.email)
      .where('used_at', 'is', null)
      .execute();
    const entry = { by: installation(input.by), action: 'user.password', objectKind: 'user', objectId: input.userId };
    await recordAudit(trx, entry, now);
    const { remoteAddress } = input.by;
    const content = { kind: 'passwordChanged', at: now.toISOString(), remoteAddress } as const;
    await input.mail?.queueWithinLimits(trx, { to: input.email, networkId: null, content }, now);
  });
}

/** The network is locked: two concurrent invitations cannot both pass the limit. */
async function requireFewOpen(trx: Kysely<Database>, networkId: string, now: Date): Promise<void> {
  const { open } = await trx
    .selectFrom('invitations')
    .select((eb) => eb.fn.countAll<bigint>().as('open'))
    .where('network_id', '=', BigInt(networkId))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  if (Number(open) > OPEN_MAX)
    throw new PlacardError('conflict', `A network has at most ${OPEN_MAX} open invitations; take some back first.`);
}

/** Open invitations into a network, newest first. */
export async function listInvitations(
  sql: Kysely<Database>,
  networkId: string,
  now: Date,
): Promise<InvitationListing[]> {
  const rows = await sql
    .selectFrom('invitations')
    .selectAll()
    .where('network_id', '=', BigInt(networkId))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .limit(OPEN_MAX)
    .execute();
  const states = await readMailStates(
    sql,
    rows.map((row) => aboutLink(row.id)),
  );
  return rows.map((row) => {
    const state = states.get(aboutLink(row.id));
    const delivery = state === undefined || state.status === 'DROPPED' ? 'OPERATOR' : state.status;
    return {
      id: String(row.id),
      email: row.email,
      role: row.role,
      createdBy: row.created_by,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      delivery,
      deliveryError: state?.error ?? null,
    };
  });
}

/** Revokes an invitation. @throws PlacardError `not_found` */
export async function revokeInvitation(
  sql: Kysely<Database>,
  input: { networkId: string; id: string; by: AuditActor },
  now: Date,
): Promise<void> {
  await inTransaction(sql, async (trx) => {
    const gone = isDecimalId(input.id)
      ? await trx
          .deleteFrom('invitations')
          .where('network_id', '=', BigInt(input.networkId))
          .where('id', '=', BigInt(input.id))
          .where('used_at', 'is', null)
          .returning('email')
          .executeTakeFirst()
      : undefined;
    if (gone === undefined) throw new PlacardError('not_found', 'This invitation does not exist or is no longer open.');
    const by = { ...input.by, networkId: input.networkId };
    await dropMails(trx, aboutLink(input.id), now);
    const entry = { by, action: 'invitation.revoke', objectKind: 'invitation', objectId: input.id };
    await recordAudit(trx, { ...entry, before: { email: gone.email } }, now);
  });
}

/** An invitation has only the present rights of its maker; a link to one's own account needs no maker. */
async function isEntitled(sql: Kysely<Database>, row: LinkRow): Promise<boolean> {
  if (row.purpose !== 'join') return true;
  return mayInvite(sql, row.created_by, row.network_id === null ? null : String(row.network_id));
}

/** With `isLocked`, no role of the network changes until the transaction ends. */
async function requireNetworkName(sql: Kysely<Database>, networkId: string, isLocked = false): Promise<string> {
  let query = sql.selectFrom('networks').select('name').where('id', '=', BigInt(networkId));
  if (isLocked) query = query.forUpdate();
  const row = await query.executeTakeFirst();
  if (row === undefined) throw new PlacardError('unknown_network');
  return row.name;
}

async function isMember(sql: Kysely<Database>, email: string, networkId: string): Promise<boolean> {
  const row = await sql
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.id')
    .where('users.email', '=', email)
    .where('memberships.network_id', '=', BigInt(networkId))
    .executeTakeFirst();
  return row !== undefined;
}
