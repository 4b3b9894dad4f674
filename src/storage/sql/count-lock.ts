import { type Kysely, sql } from 'kysely';

/**
 * Waits until no other transaction counts the same, and keeps others waiting until this one ends: so that two that count at once
 * cannot both use the last unit of a limit. Outside a transaction it does nothing.
 * @param what what is counted, such as `api_keys of 12`
 */
export async function lockCount<T>(trx: Kysely<T>, what: string): Promise<void> {
  if (!trx.isTransaction) return;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`count ${what}`}, 0))`.execute(trx);
}
