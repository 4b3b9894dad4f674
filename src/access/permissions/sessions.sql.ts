import { type Kysely, sql } from 'kysely';
import { isDecimalId } from '../../domain/ids/ids.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { digestSecret, randomBase62 } from '../secrets/secret-text.ts';

/** A session ends so long after signing in … */
export const SESSION_MS = 7 * 86_400_000;
/** … and so long after its last use. */
const IDLE_MS = 24 * 3_600_000;
/** Its last use is written down at most so often. */
const TOUCH_MS = 60_000;
/** Sessions of one user, counted apart for each network's own provider: it ends none of the others. The oldest gives way. */
const SESSIONS_MAX = 50;

/** How a session is started. `oidc`: an OpenID Connect provider vouched for the person. */
export type SignInMethod = 'password' | 'passkey' | 'oidc';

/** What a new session is made of. */
export interface NewSession {
  readonly userId: string;
  readonly userAgent: string;
  readonly remoteAddress: string;
  readonly method: SignInMethod;
  /** The only network that it opens, for the network's own provider; null: every one of its user. */
  readonly networkId: string | null;
}

/** A session that is in force, and whose it is. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** False in a session that is limited to one network. */
  readonly operator: boolean;
  readonly method: SignInMethod;
  /** The only network that it opens; null: every one of its user. */
  readonly networkId: string | null;
  readonly createdAt: Date;
  /** When its person last proved who they are, after signing in. */
  readonly verifiedAt: Date | null;
}

/** A session as its owner's list shows it. */
export interface SessionListing {
  readonly id: string;
  readonly userAgent: string;
  readonly remoteAddress: string;
  readonly method: SignInMethod;
  /** The only network that it opens; null: every one. */
  readonly networkId: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

/** Starts a session; gives the value of its cookie, of which only a digest is stored. */
export async function createSession(
  db: Kysely<Database>,
  pepper: Buffer,
  input: NewSession,
  now: Date,
): Promise<string> {
  const value = randomBase62(43);
  const userId = BigInt(input.userId);
  await db
    .insertInto('sessions')
    .values({
      digest: digestSecret(pepper, 'session', value),
      user_id: userId,
      user_agent: input.userAgent.replaceAll('\0', '').slice(0, 300),
      remote_address: input.remoteAddress,
      method: input.method,
      network_id: input.networkId,
      created_at: now,
      last_seen_at: now,
      expires_at: new Date(now.getTime() + SESSION_MS),
    })
    .execute();
  await sql`
    DELETE FROM sessions WHERE user_id = ${userId} AND (
      expires_at <= ${now} OR last_seen_at <= ${new Date(now.getTime() - IDLE_MS)}
      OR (network_id IS NOT DISTINCT FROM ${input.networkId}::bigint AND id NOT IN (
        SELECT id FROM sessions WHERE user_id = ${userId} AND network_id IS NOT DISTINCT FROM ${input.networkId}::bigint
        ORDER BY id DESC LIMIT ${SESSIONS_MAX})))`.execute(db);
  return value;
}

/** The session of a cookie's value, and its user's account; null when it is unknown, over, or its user disabled. */
export async function findSession(
  db: Kysely<Database>,
  pepper: Buffer,
  value: string,
  now: Date,
): Promise<Session | null> {
  const digest = digestSecret(pepper, 'session', value);
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id',
      'sessions.last_seen_at',
      'sessions.created_at',
      'sessions.method',
      'sessions.network_id',
      'sessions.verified_at',
      'users.id as user_id',
      'users.email',
      'users.name',
      'users.operator',
    ])
    .where('sessions.digest', '=', digest)
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_seen_at', '>', new Date(now.getTime() - IDLE_MS))
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (now.getTime() - row.last_seen_at.getTime() > TOUCH_MS) {
    await db.updateTable('sessions').set({ last_seen_at: now }).where('digest', '=', digest).execute();
  }
  const { email, name, method, network_id: limit, created_at: createdAt, verified_at: verifiedAt } = row;
  const ids = { id: String(row.id), userId: String(row.user_id), networkId: limit === null ? null : String(limit) };
  // Whom a network's provider vouches for is nobody's operator.
  return { ...ids, email, name, operator: row.operator && limit === null, method, createdAt, verifiedAt };
}

/** Writes down that the person of a session has just proved who they are. */
export async function markVerified(db: Kysely<Database>, sessionId: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ verified_at: now }).where('id', '=', BigInt(sessionId)).execute();
}

/**
 * The sessions of a user that are in force, newest first. With a network only those that are limited to it: the others are the
 * person's own business, whatever else they open.
 */
export async function listSessions(
  db: Kysely<Database>,
  user: { readonly userId: string; readonly networkId?: string },
  now: Date,
): Promise<SessionListing[]> {
  let query = db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', BigInt(user.userId))
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', new Date(now.getTime() - IDLE_MS));
  if (user.networkId !== undefined) query = query.where('network_id', '=', BigInt(user.networkId));
  const rows = await query.orderBy('id', 'desc').execute();
  return rows.map((row) => ({
    id: String(row.id),
    userAgent: row.user_agent,
    remoteAddress: row.remote_address,
    method: row.method,
    networkId: row.network_id === null ? null : String(row.network_id),
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  }));
}

/** Ends one session of a user (with a network: one that is limited to it); false when there is none of that id. */
export async function endSession(
  db: Kysely<Database>,
  user: { readonly userId: string; readonly networkId?: string },
  id: string,
): Promise<boolean> {
  if (!isDecimalId(id)) return false;
  let query = db.deleteFrom('sessions').where('user_id', '=', BigInt(user.userId)).where('id', '=', BigInt(id));
  if (user.networkId !== undefined) query = query.where('network_id', '=', BigInt(user.networkId));
  const result = await query.executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Ends all sessions of a user but one (null: every one). */
export async function endOtherSessions(db: Kysely<Database>, userId: string, keptId: string | null): Promise<void> {
  let query = db.deleteFrom('sessions').where('user_id', '=', BigInt(userId));
  if (keptId !== null) query = query.where('id', '!=', BigInt(keptId));
  await query.execute();
}

/** The role of a user in a network; null for users of other networks. */
export async function readMembershipRole(
  db: Kysely<Database>,
  userId: string,
  networkId: string,
): Promise<'viewer' | 'editor' | 'admin' | null> {
  const row = await db
    .selectFrom('memberships')
    .select('role')
    .where('user_id', '=', BigInt(userId))
    .where('network_id', '=', BigInt(networkId))
    .executeTakeFirst();
  return row?.role ?? null;
}
