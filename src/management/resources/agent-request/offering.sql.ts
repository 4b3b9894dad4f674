import type { Kysely } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';

/** A site, as buyers see it. */
export interface OfferedSite {
  readonly id: bigint;
  readonly name: string;
  readonly domain: string;
}

/** What buyers know of a network besides its products. */
export interface Offering {
  readonly currency: string;
  readonly timezone: string;
  readonly sites: readonly OfferedSite[];
}

/** The currency and days of a network, and the sites of a workspace that are in use, by id. */
export async function readOffering(
  db: Kysely<Database>,
  { workspaceId, networkId }: { readonly workspaceId: number; readonly networkId: string },
  sitesMax: number,
): Promise<Offering> {
  const network = await db
    .selectFrom('networks')
    .select(['currency', 'timezone'])
    .where('id', '=', BigInt(networkId))
    .executeTakeFirstOrThrow();
  const sites = await db
    .selectFrom('sites')
    .select(['id', 'name', 'domain'])
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'ACTIVE')
    .orderBy('id')
    .limit(sitesMax)
    .execute();
  return { ...network, sites };
}
