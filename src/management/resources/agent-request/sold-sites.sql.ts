import type { Kysely } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';

/** Most sites of the list. */
const SITES_MAX = 1_000;

/** The production sites in use of a network that offers a product to all buyers, by id; empty for every other network. */
export async function readSoldSites(
  db: Kysely<Database>,
  networkId: string,
): Promise<{ readonly name: string; readonly domain: string }[]> {
  const workspace = await db
    .selectFrom('workspaces')
    .select('id')
    .where('network_id', '=', BigInt(networkId))
    .where('environment', '=', 'production')
    .where((where) =>
      where.exists(
        where
          .selectFrom('advertising_products')
          .select('advertising_products.id')
          .whereRef('advertising_products.workspace_id', '=', 'workspaces.id')
          .where('status', '=', 'ACTIVE')
          .where('offered_to_buyers', '=', true),
      ),
    )
    .executeTakeFirst();
  if (workspace === undefined) return [];
  return db
    .selectFrom('sites')
    .select(['name', 'domain'])
    .where('workspace_id', '=', workspace.id)
    .where('status', '=', 'ACTIVE')
    .where('domain', '<>', '')
    .orderBy('id')
    .limit(SITES_MAX)
    .execute();
}
