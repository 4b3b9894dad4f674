import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';

/** The recorded outcome of an idempotency key. */
export interface RecordedOutcome {
  readonly requestHash: Buffer;
  readonly outcome: unknown;
}

/** Takes the key for this transaction; false when another one holds it, which means that its first use is still running. */
export async function tryLockKey(trx: Transaction<Database>, workspaceId: number, key: string): Promise<boolean> {
  const name = `idempotency/${workspaceId}/${key}`;
  const { rows } = await sql<{
    locked: boolean;
  }>`SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS locked`.execute(trx);
  return rows[0]?.locked ?? false;
}

/** Reads the recorded outcome of a key, unless it is older than `since`. */
export async function findOutcome(
  db: Kysely<Database>,
  workspaceId: number,
  key: string,
  since: Date,
): Promise<RecordedOutcome | undefined> {
  const row = await db
    .selectFrom('idempotent_answers')
    .select(['request_hash', 'answer'])
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .where('created_at', '>=', since)
    .executeTakeFirst();
  return row === undefined ? undefined : { requestHash: row.request_hash, outcome: row.answer };
}

/** Records an outcome; it replaces an outdated one of the same key. */
export async function recordOutcome(
  trx: Transaction<Database>,
  workspaceId: number,
  recorded: RecordedOutcome & { readonly key: string; readonly at: Date },
): Promise<void> {
  const values = {
    request_hash: recorded.requestHash,
    answer: JSON.stringify(recorded.outcome),
    created_at: recorded.at,
  };
  await trx
    .insertInto('idempotent_answers')
    .values({ workspace_id: workspaceId, key: recorded.key, ...values })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'key']).doUpdateSet(values))
    .execute();
}

/** Deletes outcomes older than `before`, at most `limit` of them. */
export async function deleteOutcomes(db: Kysely<Database>, before: Date, limit: number): Promise<void> {
  await sql`
    DELETE FROM idempotent_answers WHERE (workspace_id, key) IN (
      SELECT workspace_id, key FROM idempotent_answers WHERE created_at < ${before} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  );
}
