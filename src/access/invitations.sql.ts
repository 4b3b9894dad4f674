import type { Kysely, Selectable } from 'kysely';
import { fieldError, PlacardError } from '../domain/errors.ts';
import { isDecimalId } from '../domain/ids.ts';
import type { InvitationsTable } from '../storage/sql/access-schema.ts';
import type { Database } from '../storage/sql/schema.ts';
import { type AuditActor, recordAudit } from './audit.sql.ts';
import { checkPasswordRules, hashPassword } from './password.ts';
import { digestSecret, randomBase62 } from './secret-text.ts';
import { endOtherSessions } from './sessions.sql.ts';
import { inTransaction } from './transaction.sql.ts';
import { createUser, findUser, installation, normalizeEmail, type Role, ROLES, setMembership } from './users.sql.ts';

/** A one-time link works so long. */
const LINK_MS = 7 * 86_400_000;
const PASSWORD_LINK_MS = 86_400_000;
const TOKEN_SHAPE = /^[0-9A-Za-z]{43}$/;

/** An open invitation as listings show it; its link was shown once. */
export interface InvitationListing {
  readonly id: string;
  readonly email: string;
  readonly role: Role | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What an invitation is for, as the page shows it before it is accepted. */
export interface OpenInvitation {
  readonly purpose: 'join' | 'password';
  readonly email: string;
  readonly networkName: string | null;
  readonly role: Role | null;
  /** True when the address has an account: accepting then needs its password, and adds the membership. */
  readonly hasAccount: boolean;
}

/** Where invitations are kept, and under which secret their tokens are digested. */
export interface InvitationDeps {
  readonly sql: Kysely<Database>;
  readonly pepper: Buffer;
}

/**
 * Invites an address into a network with a role, or (no network) to an account of the installation's own. The token is part
 * of a one-time link that works for 7 days; it is returned here and never again.
 *
 * @throws PlacardError `validation_failed`, `unknown_network`
 */
export async function inviteUser(
  { sql, pepper }: InvitationDeps,
  input: { email: string; networkId: string | null; role: Role | null; by: AuditActor },
  now: Date,
): Promise<{ id: string; token: string }> {
  const email = normalizeEmail(input.email);
  const { networkId, role } = input;
  if (networkId !== null && (role === null || !ROLES.includes(role))) {
    throw fieldError('role', 'unknown_role', `one of ${ROLES.join(', ')}`);
  }
  if (networkId !== null && !isDecimalId(networkId)) throw new PlacardError('unknown_network');
  return inTransaction(sql, async (trx) => {
    if (networkId !== null) await requireNetworkName(trx, networkId);
    const made = await insertLink({ sql: trx, pepper }, { purpose: 'join', email, networkId, role, by: input.by }, now);
    const by = networkId === null ? installation(input.by) : { ...input.by, networkId };
    const entry = { by, action: 'invitation.create', objectKind: 'invitation', objectId: made.id };
    await recordAudit(trx, { ...entry, after: { email, role } }, now);
    return made;
  });
}

/** A one-time link with which a user sets a new password, for a day. @throws PlacardError `not_found` */
export async function createPasswordLink(
  { sql, pepper }: InvitationDeps,
  input: { userId: string; by: AuditActor },
  now: Date,
): Promise<{ id: string; token: string }> {
  return inTransaction(sql, async (trx) => {
    const user = await findUser(trx, input.userId);
    if (user === null) throw new PlacardError('not_found', 'There is no such user.');
    const link = { purpose: 'password', email: user.email, networkId: null, role: null, by: input.by } as const;
    const made = await insertLink({ sql: trx, pepper }, link, now);
    const entry = { by: installation(input.by), action: 'user.passwordLink', objectKind: 'user', objectId: user.id };
    await recordAudit(trx, entry, now);
    return made;
  });
}

/** What an invitation's token opens; null when it is unknown, used or expired. */
export async function findInvitation(deps: InvitationDeps, token: string, now: Date): Promise<OpenInvitation | null> {
  const row = await readOpen(deps, token, now);
  if (row === null) return null;
  const networkName = row.network_id === null ? null : await requireNetworkName(deps.sql, String(row.network_id));
  const account = await deps.sql.selectFrom('users').select('id').where('email', '=', row.email).executeTakeFirst();
  return { purpose: row.purpose, email: row.email, networkName, role: row.role, hasAccount: account !== undefined };
}

/**
 * Accepts an invitation: makes the account, or sets its password, or adds the membership to an account that there is.
 * `signedInUserId` is who accepts with an existing account.
 *
 * @throws PlacardError `gone` for a token that is unknown, used or expired; `validation_failed`; `authentication_required`
 * when the address has an account and its owner is not signed in.
 */
export async function acceptInvitation(
  { sql, pepper }: InvitationDeps,
  input: { token: string; name: string; password: string; signedInUserId: string | null; remoteAddress: string },
  now: Date,
): Promise<{ userId: string }> {
  return inTransaction(sql, async (trx) => {
    const row = await readOpen({ sql: trx, pepper }, input.token, now);
    if (row === null) throw new PlacardError('gone', 'This link is used up or has expired; ask for a new one.');
    await trx.updateTable('invitations').set({ used_at: now }).where('id', '=', row.id).execute();
    const { remoteAddress } = input;
    const by = { actor: `invited:${row.email}`, remoteAddress, networkId: '0', workspaceId: null };
    const account = await trx
      .selectFrom('users')
      .select(['id', 'disabled_at'])
      .where('email', '=', row.email)
      .executeTakeFirst();
    if (account !== undefined && account.disabled_at !== null)
      throw new PlacardError('gone', 'The account is disabled.');
    if (row.purpose === 'password') {
      if (account === undefined) throw new PlacardError('gone', 'The account no longer exists.');
      await writePassword(trx, { userId: String(account.id), email: row.email, password: input.password, by }, now);
      return { userId: String(account.id) };
    }
    let userId = account === undefined ? null : String(account.id);
    if (userId === null) {
      const { name, password } = input;
      userId = (await createUser(trx, { email: row.email, name, password, by }, now)).id;
    } else if (input.signedInUserId !== userId) {
      throw new PlacardError(
        'authentication_required',
        'This address has an account; sign in to it, then open the link again.',
      );
    }
    if (row.network_id !== null) {
      await setMembership(trx, { userId, networkId: String(row.network_id), role: row.role, by }, now);
    }
    return { userId };
  });
}

/** Sets a password; ends the user's other sessions, and every link that could set yet another one. @throws PlacardError `validation_failed` */
export async function writePassword(
  sql: Kysely<Database>,
  input: { userId: string; email: string; password: string; by: AuditActor; keptSessionId?: string },
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
  });
}

/** Open invitations into a network, newest first; at most 1,000. */
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
    .limit(1_000)
    .execute();
  return rows.map((row) => ({
    id: String(row.id),
    email: row.email,
    role: row.role,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }));
}

/** Takes an invitation back. @throws PlacardError `not_found` */
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
    if (gone === undefined) throw new PlacardError('not_found', 'There is no such open invitation.');
    const by = { ...input.by, networkId: input.networkId };
    const entry = { by, action: 'invitation.revoke', objectKind: 'invitation', objectId: input.id };
    await recordAudit(trx, { ...entry, before: { email: gone.email } }, now);
  });
}

interface NewLink {
  readonly purpose: 'join' | 'password';
  readonly email: string;
  readonly networkId: string | null;
  readonly role: Role | null;
  readonly by: AuditActor;
}

async function insertLink(
  { sql, pepper }: InvitationDeps,
  link: NewLink,
  now: Date,
): Promise<{ id: string; token: string }> {
  const token = randomBase62(43);
  const row = await sql
    .insertInto('invitations')
    .values({
      digest: digestSecret(pepper, 'invitation', token),
      purpose: link.purpose,
      email: link.email,
      network_id: link.networkId,
      role: link.role,
      created_by: link.by.actor,
      created_at: now,
      expires_at: new Date(now.getTime() + (link.purpose === 'join' ? LINK_MS : PASSWORD_LINK_MS)),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id: String(row.id), token };
}

async function readOpen(
  { sql, pepper }: InvitationDeps,
  token: string,
  now: Date,
): Promise<Selectable<InvitationsTable> | null> {
  if (!TOKEN_SHAPE.test(token)) return null;
  let query = sql
    .selectFrom('invitations')
    .selectAll()
    .where('digest', '=', digestSecret(pepper, 'invitation', token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now);
  if (sql.isTransaction) query = query.forUpdate();
  return (await query.executeTakeFirst()) ?? null;
}

async function requireNetworkName(sql: Kysely<Database>, networkId: string): Promise<string> {
  const row = await sql.selectFrom('networks').select('name').where('id', '=', BigInt(networkId)).executeTakeFirst();
  if (row === undefined) throw new PlacardError('unknown_network');
  return row.name;
}
