import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';

/** How many keys of a workspace are reportable, this one (0n: none) left out. */
export async function countOtherReportKeys(db: Kysely<Database>, workspaceId: number, id: bigint): Promise<number> {
  const { others } = await db
    .selectFrom('key_values')
    .select((eb) => eb.fn.countAll<bigint>().as('others'))
    .where('workspace_id', '=', workspaceId)
    .where('reportable', '=', true)
    .where('id', '<>', id)
    .executeTakeFirstOrThrow();
  return Number(others);
}
