import type { Kysely, Selectable } from 'kysely';
import type { Database, NetworksTable } from '../../storage/sql/schema.ts';

/** A network as stored. */
export type NetworkRow = Selectable<NetworksTable>;

/** One network by its decimal id. */
export function findNetwork(db: Kysely<Database>, networkId: string): Promise<NetworkRow | undefined> {
  return db.selectFrom('networks').selectAll().where('id', '=', BigInt(networkId)).executeTakeFirst();
}

/** The same, locked until the end of the transaction. */
export function lockNetwork(db: Kysely<Database>, networkId: string): Promise<NetworkRow | undefined> {
  return db.selectFrom('networks').selectAll().where('id', '=', BigInt(networkId)).forUpdate().executeTakeFirst();
}
