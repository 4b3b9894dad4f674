import type { Kysely } from 'kysely';
import type { MediaType } from '../domain/creative-format.ts';
import type { Database } from '../storage/sql/schema.ts';
import type { ImportedUnit } from './imported-opportunity.ts';

/** The ad units of all networks, by id. */
export async function readImportedUnits(sql: Kysely<Database>): Promise<Map<string, ImportedUnit>> {
  const rows = await sql
    .selectFrom('ad_units')
    .innerJoin('sites', (join) =>
      join.onRef('sites.id', '=', 'ad_units.site_id').onRef('sites.workspace_id', '=', 'ad_units.workspace_id'),
    )
    .select(['ad_units.id', 'sizes', 'media_types', 'sites.domain'])
    .execute();
  return new Map(
    rows.map(({ id, sizes, media_types: mediaTypes, domain }) => [
      String(id),
      { sizes, mediaTypes: mediaTypes as MediaType[], domain },
    ]),
  );
}
