import { type Kysely, sql } from 'kysely';
import { isDecimalId } from '../../domain/ids/ids.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { digestSecret, randomBase62 } from '../secrets/secret-text.ts';

/** A session ends this long after signing in … */
export const SESSION_MS = 7 * 86_400_000;
/** … and this long after its last use. */
const IDLE_MS = 24 * 3_600_000;
/** Its last use is recorded at most this often. */
const TOUCH_MS = 60_000;
/** Most sessions of one user; those from each network's own provider are counted separately. A new one ends the oldest. */
const SESSIONS_MAX = 50;

/** How a session starts. `oidc`: an OpenID Connect provider vouches for the member. `link`: by the link that a start printed. */
export type SignInMethod = 'password' | 'passkey' | 'oidc' | 'link';

/** The fields of a new session. */
export interface NewSession {
  readonly userId: string;
  readonly userAgent: string;
  readonly remoteAddress: string;
  readonly method: SignInMethod;
  /** The only network that it opens, when it comes from that network's own provider; null: all networks of its user. */
  readonly networkId: string | null;
}

/** An active session with its user. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** False in a session that is limited to one network. */
  readonly operator: boolean;
  readonly method: SignInMethod;
  /** The only network that it opens; null: all networks of its user. */
  readonly networkId: string | null;
  readonly createdAt: Date;
  /** When its member last verified their identity after signing in. */
  readonly verifiedAt: Date | null;
}

/** A session as its owner's list shows it. */
export interface SessionListing {
  readonly id: string;
  readonly userAgent: string;
  readonly remoteAddress: string;
  readonly method: SignInMethod;
  /** The only network that it opens; null: all. */
  readonly networkId: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

/** Starts a session; returns the value of its cookie, of which only a digest is stored. */
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

/** The session of a cookie's value, and its user's account; null when it is unknown or over, or its user is disabled. */
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
  // A member that a network's provider vouches for is never an operator.
  return { ...ids, email, name, operator: row.operator && limit === null, method, createdAt, verifiedAt };
}

/** Records that the member of a session has just verified their identity. */
export async function markVerified(db: Kysely<Database>, sessionId: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ verified_at: now }).where('id', '=', BigInt(sessionId)).execute();
}

/** Most sessions of a user that a list shows. */
export const SESSIONS_SHOWN = 100;

/**
 * The active sessions of a user, newest first, at most {@link SESSIONS_SHOWN}. With a network, only those limited to it: the others are private to the member.
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
  const rows = await query.orderBy('id', 'desc').limit(SESSIONS_SHOWN).execute();
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

/** Ends one session of a user (with a network: one limited to it); false when there is none with that id. */
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

/** Ends all sessions of a user except one (null: all). */
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
