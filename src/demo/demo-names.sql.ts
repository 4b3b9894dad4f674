import type { Kysely } from 'kysely';
import type { Database } from '../storage/sql/schema.ts';
import { DEMO_NETWORK_ID } from './booking.ts';

/** The demo network's currency, production workspace and the names of its line items by id. */
export async function readDemoNames(
  sql: Kysely<Database>,
): Promise<{ workspaceId: number; currency: string; lineItems: Map<string, string> }> {
  const workspace = await sql
    .selectFrom('workspaces')
    .innerJoin('networks', 'networks.id', 'workspaces.network_id')
    .select(['workspaces.id', 'networks.currency'])
    .where('workspaces.network_id', '=', BigInt(DEMO_NETWORK_ID))
    .where('workspaces.environment', '=', 'production')
    .executeTakeFirstOrThrow();
  const rows = await sql
    .selectFrom('line_items')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspace.id)
    .limit(1000)
    .execute();
  return {
    workspaceId: workspace.id,
    currency: workspace.currency,
    lineItems: new Map(rows.map((row) => [row.id.toString(), row.name])),
  };
}

/** Whether the demo network stands. */
export async function networkExists(sql: Kysely<Database>): Promise<boolean> {
  const row = await sql
    .selectFrom('networks')
    .select('id')
    .where('id', '=', BigInt(DEMO_NETWORK_ID))
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether any network stands: false on a new installation. */
export async function networksExist(sql: Kysely<Database>): Promise<boolean> {
  return (await sql.selectFrom('networks').select('id').limit(1).executeTakeFirst()) !== undefined;
}
