import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';

/** The ISO 4217 code of a network's currency. */
export async function findCurrency(db: Kysely<Database>, networkId: string): Promise<string> {
  const row = await db
    .selectFrom('networks')
    .select('currency')
    .where('id', '=', BigInt(networkId))
    .executeTakeFirstOrThrow();
  return row.currency;
}
