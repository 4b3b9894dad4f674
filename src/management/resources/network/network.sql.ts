import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import type { Environment } from '../../../domain/tenancy/workspace.ts';
import type { Database, NetworksTable } from '../../../storage/sql/schema.ts';

/** A network as stored. */
export type NetworkRow = Selectable<NetworksTable>;

/** One network by its decimal id. */
export function findNetwork(db: Kysely<Database>, networkId: string): Promise<NetworkRow | undefined> {
  return db.selectFrom('networks').selectAll().where('id', '=', BigInt(networkId)).executeTakeFirst();
}

/** One network by its decimal id, locked until the end of the transaction. */
export function lockNetwork(db: Kysely<Database>, networkId: string): Promise<NetworkRow | undefined> {
  return db.selectFrom('networks').selectAll().where('id', '=', BigInt(networkId)).forUpdate().executeTakeFirst();
}

/** The workspace of one environment of a network; every network has both. */
export async function findWorkspaceId(
  db: Kysely<Database>,
  networkId: string,
  environment: Environment,
): Promise<number> {
  const row = await db
    .selectFrom('workspaces')
    .select('id')
    .where('network_id', '=', BigInt(networkId))
    .where('environment', '=', environment)
    .executeTakeFirstOrThrow();
  return row.id;
}

/** The environment of each workspace of a network. */
export async function readEnvironments(
  db: Kysely<Database>,
  networkId: string,
): Promise<ReadonlyMap<number, Environment>> {
  const rows = await db
    .selectFrom('workspaces')
    .select(['id', 'environment'])
    .where('network_id', '=', BigInt(networkId))
    .execute();
  return new Map(rows.map((row) => [row.id, row.environment]));
}

/** Changes some columns of a network, counts its version up, and returns it as stored. */
export function changeNetwork(
  db: Kysely<Database>,
  networkId: string,
  columns: Pick<Updateable<NetworksTable>, 'name' | 'status' | 'timezone' | 'currency' | 'floor_micros' | 'settings'>,
): Promise<NetworkRow> {
  return db
    .updateTable('networks')
    .set((eb) => ({ ...columns, version: eb('version', '+', 1), updated_at: sql`now()` }))
    .where('id', '=', BigInt(networkId))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Whether anything has been booked or priced in the network: its currency is then fixed. */
export async function hasPrices(db: Kysely<Database>, networkId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (SELECT 1 FROM line_items JOIN workspaces ON workspaces.id = line_items.workspace_id
      WHERE workspaces.network_id = ${networkId}::bigint AND line_items.price_micros > 0) AS found`.execute(db);
  return rows[0]?.found ?? false;
}
