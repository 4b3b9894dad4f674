import { type Kysely, sql } from 'kysely';
import { PlacardError } from '../../domain/errors.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { openBytes, sealBytes } from '../../storage/sealed-bytes.ts';
import { digestSecret, randomBase62 } from '../secrets/secret-text.ts';

/** A sign-in of several requests must be over after this time, in milliseconds. */
export const ATTEMPT_MS = 300_000;
/** Most open attempts of unknown users at a time, over the whole installation. */
const ATTEMPTS_MAX = 20_000;
/** Most attempts of one member: a further one replaces the oldest. */
const ATTEMPTS_OF_PERSON_MAX = 10;
const TOKEN_SHAPE = /^[0-9A-Za-z]{43}$/;

/** The purpose of an attempt: the state of one purpose is useless for another. */
export type AttemptPurpose = 'passkey-sign-in' | 'passkey-factor' | 'passkey-add' | 'passkey-verify' | 'oidc';

/** The store of attempts, and the secret that seals them. */
export interface SignInAttemptDeps {
  readonly sql: Kysely<Database>;
  readonly pepper: Buffer;
}

/**
 * Stores the state of a sign-in between two requests for five minutes; returns the token that finds it. `userId` is the member, if known:
 * no member can use up the attempts of others.
 *
 * @throws PlacardError `overloaded` when 20,000 attempts of unknown users are open
 */
export async function startAttempt(
  { sql: db, pepper }: SignInAttemptDeps,
  attempt: { readonly purpose: AttemptPurpose; readonly userId: string | null; readonly state: object },
  now: Date,
): Promise<string> {
  const token = randomBase62(43);
  const digest = digestSecret(pepper, 'sign-in-attempt', token);
  await db.deleteFrom('sign_in_attempts').where('expires_at', '<=', now).execute();
  if (attempt.userId === null) await refuseWhenFull(db);
  else await dropOldest(db, attempt.userId);
  const label = { purpose: 'sign-in-attempt', owner: digest.toString('hex') } as const;
  await db
    .insertInto('sign_in_attempts')
    .values({
      digest,
      purpose: attempt.purpose,
      user_id: attempt.userId,
      sealed_state: sealBytes(pepper, label, Buffer.from(JSON.stringify(attempt.state))),
      expires_at: new Date(now.getTime() + ATTEMPT_MS),
    })
    .execute();
  return token;
}

async function refuseWhenFull(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{
    open: number;
  }>`SELECT count(*)::int AS open FROM sign_in_attempts WHERE user_id IS NULL`.execute(db);
  if ((rows[0]?.open ?? 0) >= ATTEMPTS_MAX)
    throw new PlacardError('overloaded', 'Too many people sign in at once; try again shortly.');
}

async function dropOldest(db: Kysely<Database>, userId: string): Promise<void> {
  await sql`
    DELETE FROM sign_in_attempts WHERE user_id = ${userId}::bigint AND digest NOT IN (
      SELECT digest FROM sign_in_attempts WHERE user_id = ${userId}::bigint
      ORDER BY expires_at DESC LIMIT ${ATTEMPTS_OF_PERSON_MAX - 1})`.execute(db);
}

/** Removes and returns the state of an attempt, so that it works once; null when it is unknown, used, expired, or of another purpose. */
export async function consumeAttempt<State extends object>(
  { sql: db, pepper }: SignInAttemptDeps,
  { purpose, token }: { readonly purpose: AttemptPurpose; readonly token: string },
  now: Date,
): Promise<{ readonly userId: string | null; readonly state: State } | null> {
  if (!TOKEN_SHAPE.test(token)) return null;
  const digest = digestSecret(pepper, 'sign-in-attempt', token);
  const row = await db
    .deleteFrom('sign_in_attempts')
    .where('digest', '=', digest)
    .returning(['purpose', 'user_id', 'sealed_state', 'expires_at'])
    .executeTakeFirst();
  if (row === undefined || row.purpose !== purpose || row.expires_at <= now) return null;
  const label = { purpose: 'sign-in-attempt', owner: digest.toString('hex') } as const;
  const state = JSON.parse(openBytes(pepper, label, row.sealed_state).toString()) as State;
  return { userId: row.user_id === null ? null : String(row.user_id), state };
}
