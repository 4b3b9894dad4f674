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
