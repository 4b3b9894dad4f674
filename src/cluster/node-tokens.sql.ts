import { createHash, timingSafeEqual } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { hasValidChecksum, newSecretText } from '../access/secrets/secret-text.ts';
import type { Database } from '../storage/sql/schema.ts';

const PREFIX = 'plc_node_';
/** 43 base62 characters: 256 bits. */
const LENGTH = 43;
const TOKEN = /^plc_node_[0-9A-Za-z]{49}$/;

/** Whether a node may use a core: `unknown`: no such node, or another token. */
export type NodeStanding = 'valid' | 'unknown' | 'revoked';

/** What PostgreSQL holds: the token is worth nothing with the id of another node. 256 random bits need no slow hash. */
function digestNodeToken(nodeId: string, token: string): Buffer {
  return createHash('sha256').update(`placard node token\0${nodeId}\0${token}`).digest();
}

/** Makes the token of a node, in place of its former one, and returns its text, which nobody can read again. */
export async function issueNodeToken(trx: Transaction<Database>, nodeId: string): Promise<string> {
  const token = newSecretText(PREFIX, LENGTH);
  const digest = digestNodeToken(nodeId, token);
  await trx
    .insertInto('cluster_node_tokens')
    .values({ node_id: nodeId, digest })
    .onConflict((conflict) =>
      conflict.column('node_id').doUpdateSet({ digest, created_at: sql<Date>`now()`, revoked_at: null }),
    )
    .execute();
  return token;
}

/** Whether this is the token of this node. */
export async function checkNodeToken(db: Kysely<Database>, nodeId: string, token: string): Promise<NodeStanding> {
  if (!TOKEN.test(token) || !hasValidChecksum(token)) return 'unknown';
  const row = await db
    .selectFrom('cluster_node_tokens')
    .select(['digest', 'revoked_at'])
    .where('node_id', '=', nodeId)
    .executeTakeFirst();
  if (row === undefined || !timingSafeEqual(row.digest, digestNodeToken(nodeId, token))) return 'unknown';
  return row.revoked_at === null ? 'valid' : 'revoked';
}

/** Revokes the token of a node. False: it has no valid one. */
export async function revokeNodeToken(trx: Transaction<Database>, nodeId: string): Promise<boolean> {
  const done = await trx
    .updateTable('cluster_node_tokens')
    .set({ revoked_at: sql<Date>`now()` })
    .where('node_id', '=', nodeId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}
