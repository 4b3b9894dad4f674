import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';

/**
 * Waits until no other transaction counts the same, and keeps others waiting until this one ends: so that two that count at once
 * cannot both use the last unit of a limit. Outside a transaction it does nothing.
 * @param what what is counted, such as `api_keys of 12`
 */
export async function lockCount<T>(trx: Kysely<T>, what: string): Promise<void> {
  if (!trx.isTransaction) return;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`count ${what}`}, 0))`.execute(trx);
}

/**
 * As {@link lockCount}, together with the count itself: `count` is a SELECT of one row. Two statements in one round trip, because the
 * count must not begin before the lock is held: so `count` has no parameters.
 */
export async function lockAndCount<T, Row>(
  trx: Transaction<T>,
  what: string,
  count: RawBuilder<Row>,
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`${countLockOf(what)}; ${count}`.execute(trx);
  return rows[0];
}

/** The statement of {@link lockCount}, for a transaction. */
export function countLockOf(what: string): RawBuilder<unknown> {
  return sql`SELECT pg_advisory_xact_lock(hashtextextended(${sql.lit(`count ${what}`)}, 0))`;
}
