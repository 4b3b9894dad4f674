import { type Kysely, sql } from 'kysely';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { sourceOf } from '../limits/attempt-limit.ts';
import { describeBrowser } from './browser-name.ts';
import { digestSecret } from '../secrets/secret-text.ts';

/** Most stored sign-in origins of one user; the least recently used is dropped first. */
const ORIGINS_MAX = 100;

/** Where the notice is queued. */
export interface SignInNoticeDeps {
  readonly pepper: Buffer;
  readonly mail: MailQueue;
}

/** A session that begins. */
export interface NewSignIn {
  readonly userId: string;
  readonly email: string;
  readonly userAgent: string;
  readonly remoteAddress: string;
  /** The network whose own provider vouches for the user, or null: its sign-ins do not count for notices about the others. */
  readonly networkId: string | null;
  /** Whether this browser holds our device cookie of this user. */
  readonly isKnownBrowser: boolean;
  /** Whether the account is new, so that the user needs no notice. */
  readonly isNewAccount: boolean;
}

/**
 * Notifies a user by mail of a sign-in from a new browser or address, in the transaction that starts the session.
 */
export async function noticeSignIn(
  trx: Kysely<Database>,
  { pepper, mail }: SignInNoticeDeps,
  signIn: NewSignIn,
  now: Date,
): Promise<void> {
  const { userId, email, userAgent, remoteAddress, networkId, isKnownBrowser, isNewAccount } = signIn;
  const user_id = BigInt(userId);
  const digest = digestSecret(pepper, 'sign-in-place', `${userId}\0${sourceOf(remoteAddress)}`);
  const known = await trx
    .selectFrom('sign_in_places')
    .select('digest')
    .where('user_id', '=', user_id)
    .where('digest', '=', digest)
    .executeTakeFirst();
  await trx
    .insertInto('sign_in_places')
    .values({ user_id, digest, seen_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'digest']).doUpdateSet({ seen_at: now }))
    .execute();
  await sql`
    DELETE FROM sign_in_places WHERE user_id = ${user_id} AND digest NOT IN (
      SELECT digest FROM sign_in_places WHERE user_id = ${user_id} ORDER BY seen_at DESC LIMIT ${ORIGINS_MAX})`.execute(
    trx,
  );
  if (isNewAccount || (isKnownBrowser && known !== undefined)) return;
  const content = {
    kind: 'signIn',
    at: now.toISOString(),
    browser: describeBrowser(userAgent),
    remoteAddress,
  } as const;
  await mail.queueWithinLimits(trx, { to: email, networkId, content }, now);
}
