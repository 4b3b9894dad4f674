import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';

/** Runs in the transaction that `sql` already is, or in one of its own. */
export function inTransaction<T>(sql: Kysely<Database>, run: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  return sql.isTransaction ? run(sql as Transaction<Database>) : sql.transaction().execute(run);
}
