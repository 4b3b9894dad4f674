import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';

/** Runs in the transaction of `sql`, or in a new one when `sql` is not one. */
export function inTransaction<T>(sql: Kysely<Database>, run: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  return sql.isTransaction ? run(sql as Transaction<Database>) : sql.transaction().execute(run);
}
