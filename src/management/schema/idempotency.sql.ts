import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';

/** An answer that was given for an idempotency key. */
export interface KeptAnswer {
  readonly requestHash: Buffer;
  readonly answer: unknown;
}

/** Takes the key for this transaction; false when another one holds it, which means that its first use is still running. */
export async function tryLockKey(trx: Transaction<Database>, workspaceId: number, key: string): Promise<boolean> {
  const name = `idempotency/${workspaceId}/${key}`;
  const { rows } = await sql<{
    locked: boolean;
  }>`SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS locked`.execute(trx);
  return rows[0]?.locked ?? false;
}

/** The answer kept for a key, unless it is older than `since`. */
export async function findAnswer(
  db: Kysely<Database>,
  workspaceId: number,
  key: string,
  since: Date,
): Promise<KeptAnswer | undefined> {
  const row = await db
    .selectFrom('idempotent_answers')
    .select(['request_hash', 'answer'])
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .where('created_at', '>=', since)
    .executeTakeFirst();
  return row === undefined ? undefined : { requestHash: row.request_hash, answer: row.answer };
}

/** Keeps an answer (over an outdated one of the same key). */
export async function keepAnswer(
  trx: Transaction<Database>,
  workspaceId: number,
  kept: KeptAnswer & { readonly key: string; readonly at: Date },
): Promise<void> {
  const values = { request_hash: kept.requestHash, answer: JSON.stringify(kept.answer), created_at: kept.at };
  await trx
    .insertInto('idempotent_answers')
    .values({ workspace_id: workspaceId, key: kept.key, ...values })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'key']).doUpdateSet(values))
    .execute();
}

/** Forgets answers older than `before`, at most `limit` of them. */
export async function forgetAnswers(db: Kysely<Database>, before: Date, limit: number): Promise<void> {
  await sql`
    DELETE FROM idempotent_answers WHERE (workspace_id, key) IN (
      SELECT workspace_id, key FROM idempotent_answers WHERE created_at < ${before} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  );
}
