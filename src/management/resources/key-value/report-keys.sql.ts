import type { Kysely } from 'kysely';
import { REPORT_KEYS_MAX } from '../../../domain/targeting/key-value.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import type { Judgement, RuleFacts } from '../../kernel/resource.ts';
import { readerOf } from '../../kernel/transactions.sql.ts';
import { lockCount } from '../../../storage/sql/count-lock.ts';
import type { Database } from '../../../storage/sql/schema.ts';

/** Reads how many other keys of the workspace are reported; only for a row that is. */
export async function loadKeyValueFacts(context: ManagementContext, row: StoredRow): Promise<Record<string, unknown>> {
  if (row['reportable'] !== true) return {};
  return { otherReportKeys: await countOtherReportKeys(readerOf(context), context.principal.workspaceId, row.id) };
}

/** A key may be made reportable while there is room. One that is stays so, whatever else changes. */
export function judgeKeyValue(row: StoredRow, { before, loaded }: RuleFacts): Judgement {
  const isNew = row['reportable'] === true && before?.['reportable'] !== true;
  const others = Number(loaded['otherReportKeys'] ?? 0);
  if (!isNew || others < REPORT_KEYS_MAX) return { problems: [], warnings: [] };
  const message = `${REPORT_KEYS_MAX} keys are reported already; make another one not reportable first.`;
  return { problems: [{ path: 'reportable', code: 'too_many', message }], warnings: [] };
}

/** How many keys of a workspace are reportable, this one (0n: none) left out. In a transaction they stay so many until it ends. */
async function countOtherReportKeys(db: Kysely<Database>, workspaceId: number, id: bigint): Promise<number> {
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
