import type { Kysely } from 'kysely';
import { lockCount } from '../../../storage/sql/count-lock.ts';
import type { Database } from '../../../storage/sql/schema.ts';

/** How many keys of a workspace are reportable, this one (0n: none) left out. In a transaction they stay so many until it ends. */
export async function countOtherReportKeys(db: Kysely<Database>, workspaceId: number, id: bigint): Promise<number> {
  await lockCount(db, `reportable keys of ${workspaceId}`);
  const { others } = await db
    .selectFrom('key_values')
    .select((eb) => eb.fn.countAll<bigint>().as('others'))
    .where('workspace_id', '=', workspaceId)
    .where('reportable', '=', true)
    .where('id', '<>', id)
    .executeTakeFirstOrThrow();
  return Number(others);
}
