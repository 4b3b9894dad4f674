import type { Kysely, Selectable, Transaction } from 'kysely';
import { checkAll, fieldError, PlacardError } from '../../domain/errors.ts';
import { inNfc } from '../../domain/text/one-form.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import { type ListPage, WHOLE_LIST } from '../../domain/ids/list-page.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { Database, UsersTable } from '../../storage/sql/schema.ts';
import { isNoProbe } from '../networks/probe-network.sql.ts';
import { type AuditActor, type AuditEntry, recordAudit } from '../audit/audit.sql.ts';
import { checkPasswordRules, hashPassword } from '../secrets/password.ts';
import { endSharesOfMember } from './end-shares.sql.ts';
import { ROLES } from './roles.ts';
import type { Role } from './roles.ts';
import { revokeLinks } from './revoke-links.sql.ts';
import { tellAdmins } from './tell-admins.sql.ts';
import { inTransaction } from '../audit/transaction.sql.ts';

/** A person with an account. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Operators act as admin in every network. */
  readonly operator: boolean;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
}

/** A user's membership in one network. */
export interface Membership {
  readonly networkId: string;
  readonly role: Role;
}

/** The fields of a new account. Without a password, an invitation opens it. */
export interface NewUser {
  readonly email: string;
  /** 1…200 characters. */
  readonly name: string;
  readonly password?: string;
  readonly operator?: boolean;
  readonly memberships?: readonly Membership[];
  readonly by: AuditActor;
  /** As in `setMembership`; default: no mail. */
  readonly mail?: MailQueue | null;
}

/** No white space, control or format characters, and nothing that separates, quotes or comments addresses in a mail header. */
const EMAIL = /^[^\s@\p{Cc}\p{Cf}<>()[\]"\\,;:]{1,64}@[^\s@\p{Cc}\p{Cf}<>()[\]"\\,;:]+$/u;

/** `email` in the form in which it is stored and compared. @throws PlacardError `validation_failed` */
export function normalizeEmail(email: string, path = 'email'): string {
  const text = email.trim().normalize('NFC');
  if (text.length > 254 || !EMAIL.test(text)) {
    throw fieldError(path, 'not_an_email', 'write an e-mail address, such as ann@example.com');
  }
  return text.toLowerCase();
}

/**
 * Makes an account.
 *
 * @throws PlacardError `validation_failed` naming the field (also for an address that has an account).
 */
export async function createUser(
  sql: Kysely<Database>,
  input: NewUser,
  now: Date = new Date(),
): Promise<{ id: string }> {
  const name = inNfc(input.name.trim());
  checkAll([
    () => void normalizeEmail(input.email),
    () => {
      if (name === '' || name.length > 200 || name.includes('\0'))
        throw fieldError('name', 'bad_length', 'give a name of 1 to 200 characters');
    },
    () => {
      if (input.password !== undefined) checkPasswordRules(input.password, input.email);
    },
  ]);
  const email = normalizeEmail(input.email);
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
  return inTransaction(sql, async (trx) => {
    const operator = input.operator ?? false;
    const row = await trx
      .insertInto('users')
      .values({ email, name, password_hash: passwordHash, operator, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) throw fieldError('email', 'taken', 'there is an account with this address already');
    const id = String(row.id);
    const entry = { by: installation(input.by), action: 'user.create', objectKind: 'user', objectId: id };
    await recordAudit(trx, { ...entry, after: { email, name, operator } }, now);
    for (const { networkId, role } of input.memberships ?? [])
      await setMembership(trx, { userId: id, networkId, role, by: input.by, mail: input.mail ?? null }, now);
    return { id };
  });
}

/** A role to set, or a membership to end. */
export interface MembershipChange {
  readonly userId: string;
  readonly networkId: string;
  /** Null: not a member any more. */
  readonly role: Role | null;
  readonly by: AuditActor;
  /** Tells the admins of the network of a new one. Null: no mail is sent. */
  readonly mail: MailQueue | null;
  /** Who made the user an admin, where that is not the actor: the maker of an invitation. */
  readonly grantedBy?: string;
}

/**
 * Sets the role of a user in a network, or removes it (`role` null). The last admin of a network stays one.
 *
 * @throws PlacardError `not_found`, `unknown_network`, `conflict` (last admin)
 */
export async function setMembership(
  sql: Kysely<Database>,
  input: MembershipChange,
  now: Date = new Date(),
): Promise<void> {
  if (input.role !== null && !ROLES.includes(input.role))
    throw fieldError('role', 'unknown_role', `one of ${ROLES.join(', ')}`);
  if (!isDecimalId(input.networkId)) throw new PlacardError('unknown_network');
  await inTransaction(sql, async (trx) => {
    const network = await trx
      .selectFrom('networks')
      .select(['id', 'name'])
      .where('id', '=', BigInt(input.networkId))
      .forUpdate()
      .executeTakeFirst();
    if (network === undefined) throw new PlacardError('unknown_network');
    const user = await findUser(trx, input.userId);
    if (user === null) throw new PlacardError('not_found', 'There is no such user.');
    const before = await readRole(trx, input.userId, input.networkId);
    if (before === input.role) return;
    if (before === 'admin') await requireOneAdmin(trx, input.networkId, input.userId);
    await writeRole(trx, input, now);
    const by = { ...input.by, networkId: input.networkId };
    // A new role is final: open invitations of the user, and those by a former admin, cannot change it again.
    const made = before === 'admin' ? { madeBy: `user:${user.id}` } : {};
    const wish = { networkId: input.networkId, email: user.email, ...made, by };
    const revoked = await revokeLinks(trx, wish, now);
    const entry = { by, action: 'membership.update', objectKind: 'user', objectId: input.userId };
    await recordAudit(trx, [{ ...entry, before: { role: before }, after: { role: input.role } }, ...revoked], now);
    if (input.role === 'admin' && input.mail !== null)
      await tellAdmins(
        trx,
        { mail: input.mail, network, user, isNewMember: before === null, actor: input.grantedBy ?? by.actor },
        now,
      );
  });
}

/** A user by id; null when there is none. */
export async function findUser(sql: Kysely<Database>, id: string): Promise<User | null> {
  if (!isDecimalId(id)) return null;
  const row = await sql.selectFrom('users').selectAll().where('id', '=', BigInt(id)).executeTakeFirst();
  return row === undefined ? null : toUser(row);
}

/** The account of an address (lower case) with its password hash, for signing in; null when there is none. */
export async function findAccount(
  sql: Kysely<Database>,
  email: string,
): Promise<(User & { readonly passwordHash: string | null }) | null> {
  if (email.includes('\0')) return null;
  const row = await sql.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
  return row === undefined ? null : { ...toUser(row), passwordHash: row.password_hash };
}

/** The networks a user belongs to, by id; at most 10,000. */
export async function listMemberships(sql: Kysely<Database>, userId: string): Promise<Membership[]> {
  const rows = await sql
    .selectFrom('memberships')
    .select(['network_id', 'role'])
    .where('user_id', '=', BigInt(userId))
    .orderBy('network_id')
    .limit(10_000)
    .execute();
  return rows.map((row) => ({ networkId: String(row.network_id), role: row.role }));
}

/** A network that a user may work in, as the console's chooser shows it. */
export interface SignInNetwork {
  readonly id: string;
  readonly name: string;
  /** IANA name. */
  readonly timezone: string;
  readonly role: Role;
}

/**
 * The networks a user may work in: those of the memberships, for an operator all of them; by name, at most 1,000. A closed network is only for
 * its admins.
 */
export async function listSignInNetworks(
  sql: Kysely<Database>,
  user: { userId: string; operator: boolean },
): Promise<SignInNetwork[]> {
  if (user.operator) {
    const rows = await sql
      .selectFrom('networks')
      .select(['id', 'name', 'timezone'])
      .where(isNoProbe)
      .orderBy('name')
      .limit(1_000)
      .execute();
    return rows.map((row) => ({ ...row, id: String(row.id), role: 'admin' }));
  }
  const rows = await sql
    .selectFrom('memberships')
    .innerJoin('networks', 'networks.id', 'memberships.network_id')
    .select(['networks.id', 'networks.name', 'networks.timezone', 'memberships.role'])
    .where('memberships.user_id', '=', BigInt(user.userId))
    .where((eb) => eb.or([eb('networks.closed_at', 'is', null), eb('memberships.role', '=', 'admin')]))
    .orderBy('networks.name')
    .limit(1_000)
    .execute();
  return rows.map((row) => ({ ...row, id: String(row.id) }));
}

/** The users of a network with their roles, by address; at most 10,000. */
export async function listNetworkUsers(
  sql: Kysely<Database>,
  networkId: string,
  { limit, after }: ListPage = WHOLE_LIST,
): Promise<(User & { role: Role })[]> {
  const rows = await sql
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .selectAll('users')
    .select('memberships.role')
    .where('memberships.network_id', '=', BigInt(networkId))
    .$if(after !== null, (query) =>
      query.where('users.email', '>', (eb) =>
        // Only of a member: the order of other accounts' addresses is nobody's to see.
        eb
          .selectFrom('users as last')
          .innerJoin('memberships as own', 'own.user_id', 'last.id')
          .select('last.email')
          .where('own.network_id', '=', BigInt(networkId))
          .where('last.id', '=', after),
      ),
    )
    .orderBy('users.email')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...toUser(row), role: row.role }));
}

/** Every account of the installation, by address; at most 10,000. For the operator's command line. */
export async function listUsers(sql: Kysely<Database>): Promise<User[]> {
  const rows = await sql.selectFrom('users').selectAll().orderBy('email').limit(10_000).execute();
  return rows.map(toUser);
}

/** Disables an account (or enables it again); its sessions and its links to reports end. @throws PlacardError `not_found` */
export async function setUserDisabled(
  sql: Kysely<Database>,
  input: { userId: string; disabled: boolean; by: AuditActor },
  now: Date = new Date(),
): Promise<void> {
  await inTransaction(sql, async (trx) => {
    const user = await findUser(trx, input.userId);
    if (user === null) throw new PlacardError('not_found', 'There is no such user.');
    if ((user.disabledAt !== null) === input.disabled) return;
    const disabledAt = input.disabled ? now : null;
    await trx
      .updateTable('users')
      .set((eb) => ({ disabled_at: disabledAt, updated_at: now, version: eb('version', '+', 1) }))
      .where('id', '=', BigInt(user.id))
      .execute();
    const by = installation(input.by);
    const action = input.disabled ? 'user.disable' : 'user.enable';
    const entries: AuditEntry[] = [{ by, action, objectKind: 'user', objectId: user.id }];
    if (input.disabled) {
      await trx.deleteFrom('sessions').where('user_id', '=', BigInt(user.id)).execute();
      const links = { networkId: null, email: user.email, madeBy: `user:${user.id}`, by };
      entries.push(...(await revokeLinks(trx, links, now)));
      await endSharesOfMember(trx, { userId: user.id, networkId: null }, now);
    }
    await recordAudit(trx, entries, now);
  });
}

/** The same actor for the installation's own log. */
export function installation(by: AuditActor): AuditActor {
  return { ...by, networkId: '0', workspaceId: null };
}

async function readRole(trx: Transaction<Database>, userId: string, networkId: string): Promise<Role | null> {
  const row = await trx
    .selectFrom('memberships')
    .select('role')
    .where('user_id', '=', BigInt(userId))
    .where('network_id', '=', BigInt(networkId))
    .executeTakeFirst();
  return row?.role ?? null;
}

async function writeRole(
  trx: Transaction<Database>,
  { userId, networkId, role }: { userId: string; networkId: string; role: Role | null },
  now: Date,
): Promise<void> {
  if (role === null) {
    await trx
      .deleteFrom('sessions')
      .where('user_id', '=', BigInt(userId))
      .where('network_id', '=', BigInt(networkId))
      .execute();
    await trx
      .deleteFrom('memberships')
      .where('user_id', '=', BigInt(userId))
      .where('network_id', '=', BigInt(networkId))
      .execute();
    await endSharesOfMember(trx, { userId, networkId }, now);
    return;
  }
  await trx
    .insertInto('memberships')
    .values({ user_id: userId, network_id: networkId, role, created_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'network_id']).doUpdateSet({ role }))
    .execute();
}

/** An admin with a disabled account cannot act. */
async function requireOneAdmin(trx: Transaction<Database>, networkId: string, leavingId: string): Promise<void> {
  const other = await trx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.id')
    .where('memberships.network_id', '=', BigInt(networkId))
    .where('memberships.role', '=', 'admin')
    .where('users.id', '!=', BigInt(leavingId))
    .where('users.disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (other === undefined)
    throw new PlacardError('conflict', 'This is the last admin of the network; name another one first.');
}

function toUser(row: Selectable<UsersTable>): User {
  return {
    id: String(row.id),
    email: row.email,
    name: row.name,
    operator: row.operator,
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
  };
}
