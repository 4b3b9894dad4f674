import { timingSafeEqual } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../storage/sql/schema.ts';
import {
  digestJoinToken,
  type JoinToken,
  newJoinToken,
  openWithToken,
  parseJoinToken,
  sealForToken,
} from './cluster-key.ts';

/** Most tokens that are valid at once. */
export const JOIN_TOKENS_MAX = 20;

/** Thrown when a token opens nothing; the message says why, and what to do. */
export class JoinTokenError extends Error {
  constructor(reason: string) {
    super(`The join token ${reason}. Run "placard cluster token" on a node of the cluster for a new one.`);
    this.name = 'JoinTokenError';
  }
}

/** A wish for a token. */
export interface JoinTokenWish {
  readonly clusterKey: Buffer;
  /** How many nodes may join with it. */
  readonly uses: number;
  readonly lifeMs: number;
  readonly createdBy: string;
}

/** A token as it is listed. */
export interface ListedJoinToken {
  readonly id: string;
  readonly usesLeft: number;
  readonly createdBy: string;
  readonly expiresAt: Date;
}

/** Makes a token, and returns its text, which nobody can read again. @throws JoinTokenError when 20 are valid */
export async function createJoinToken(trx: Transaction<Database>, wish: JoinTokenWish): Promise<string> {
  if ((await listJoinTokens(trx)).length >= JOIN_TOKENS_MAX)
    throw new Error(`${JOIN_TOKENS_MAX} join tokens are valid: revoke one with "placard cluster revoke <id>".`);
  const text = newJoinToken();
  const token = parseJoinToken(text) as JoinToken;
  await trx
    .insertInto('cluster_join_tokens')
    .values({
      id: token.id,
      digest: digestJoinToken(token),
      sealed: sealForToken(token, wish.clusterKey),
      uses_left: wish.uses,
      created_by: wish.createdBy,
      expires_at: sql<Date>`now() + ${wish.lifeMs} * interval '1 millisecond'`,
    })
    .execute();
  return text;
}

/** The tokens that are valid now. */
export async function listJoinTokens(db: Kysely<Database>): Promise<ListedJoinToken[]> {
  const rows = await db
    .selectFrom('cluster_join_tokens')
    .select(['id', 'uses_left', 'created_by', 'expires_at'])
    .where('revoked_at', 'is', null)
    .where('uses_left', '>', 0)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('expires_at')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    usesLeft: row.uses_left,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
  }));
}

/** Revokes a token, and deletes the key that is sealed under it. False: there is no valid one. */
export async function revokeJoinToken(trx: Transaction<Database>, id: string): Promise<boolean> {
  const done = await trx
    .updateTable('cluster_join_tokens')
    .set({ revoked_at: sql<Date>`now()`, sealed: null })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

/** Uses a token once, and returns the cluster key. @throws JoinTokenError for one that is forged, expired, revoked or used up */
export async function redeemJoinToken(trx: Transaction<Database>, text: string): Promise<Buffer> {
  const token = parseJoinToken(text);
  if (token === null) throw new JoinTokenError('is not whole: a character is wrong or missing');
  const row = await trx
    .selectFrom('cluster_join_tokens')
    .selectAll()
    .select(sql<boolean>`expires_at <= now()`.as('is_expired'))
    .where('id', '=', token.id)
    .forUpdate()
    .executeTakeFirst();
  // One message for an unknown id and a wrong secret: ids tell nothing.
  if (row === undefined || !timingSafeEqual(row.digest, digestJoinToken(token)))
    throw new JoinTokenError('is not one of this cluster');
  if (row.revoked_at !== null) throw new JoinTokenError('was revoked');
  if (row.is_expired) throw new JoinTokenError(`expired at ${row.expires_at.toISOString()}`);
  if (row.uses_left === 0 || row.sealed === null) throw new JoinTokenError('was used already');
  const usesLeft = row.uses_left - 1;
  await trx
    .updateTable('cluster_join_tokens')
    .set({ uses_left: usesLeft, ...(usesLeft === 0 ? { sealed: null } : {}) })
    .where('id', '=', token.id)
    .execute();
  return openWithToken(token, row.sealed);
}
