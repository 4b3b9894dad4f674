import type { Kysely } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';

/** How many creatives of a line item are companions and not archived. */
export async function countCompanions(sql: Kysely<Database>, workspaceId: number, lineItemId: bigint): Promise<number> {
  const { companions } = await sql
    .selectFrom('creatives')
    .select((eb) => eb.fn.countAll<string>().as('companions'))
    .where('workspace_id', '=', workspaceId)
    .where('line_item_id', '=', lineItemId)
    .where('master_creative_id', 'is not', null)
    .where('status', '!=', 'ARCHIVED')
    .executeTakeFirstOrThrow();
  return Number(companions);
}
