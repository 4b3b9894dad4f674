import { type Kysely, sql } from 'kysely';
import { isDecimalId } from '../domain/ids.ts';
import type { Database } from '../storage/sql/schema.ts';
import { digestSecret, randomBase62 } from './secret-text.ts';

/** A session ends so long after signing in … */
export const SESSION_MS = 7 * 86_400_000;
/** … and so long after its last use. */
const IDLE_MS = 24 * 3_600_000;
/** Its last use is written down at most so often. */
const TOUCH_MS = 60_000;
/** Sessions of one user; the oldest gives way. */
const SESSIONS_MAX = 50;

/** A session that is in force, and whose it is. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly operator: boolean;
}

/** A session as its owner's list shows it. */
export interface SessionListing {
  readonly id: string;
  readonly userAgent: string;
  readonly remoteAddress: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

/** Starts a session; gives the value of its cookie, of which only a digest is stored. */
export async function createSession(
  db: Kysely<Database>,
  pepper: Buffer,
  input: { userId: string; userAgent: string; remoteAddress: string },
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
      created_at: now,
      last_seen_at: now,
      expires_at: new Date(now.getTime() + SESSION_MS),
    })
    .execute();
  await sql`
    DELETE FROM sessions WHERE user_id = ${userId} AND (
      expires_at <= ${now} OR last_seen_at <= ${new Date(now.getTime() - IDLE_MS)}
      OR id NOT IN (SELECT id FROM sessions WHERE user_id = ${userId} ORDER BY id DESC LIMIT ${SESSIONS_MAX}))`.execute(
    db,
  );
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
  return { id: String(row.id), userId: String(row.user_id), email: row.email, name: row.name, operator: row.operator };
}

/** The sessions of a user that are in force, newest first. */
export async function listSessions(db: Kysely<Database>, userId: string, now: Date): Promise<SessionListing[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', BigInt(userId))
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', new Date(now.getTime() - IDLE_MS))
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: String(row.id),
    userAgent: row.user_agent,
    remoteAddress: row.remote_address,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  }));
}

/** Ends one session of a user; false when the user has none of that id. */
export async function endSession(db: Kysely<Database>, userId: string, id: string): Promise<boolean> {
  if (!isDecimalId(id)) return false;
  const result = await db
    .deleteFrom('sessions')
    .where('user_id', '=', BigInt(userId))
    .where('id', '=', BigInt(id))
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Ends all sessions of a user but one (null: every one). */
export async function endOtherSessions(db: Kysely<Database>, userId: string, keptId: string | null): Promise<void> {
  let query = db.deleteFrom('sessions').where('user_id', '=', BigInt(userId));
  if (keptId !== null) query = query.where('id', '!=', BigInt(keptId));
  await query.execute();
}

/** The role of a user in a network; null when the user is no member. */
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
