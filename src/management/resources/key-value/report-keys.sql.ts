import type { Kysely } from 'kysely';
import { REPORT_KEYS_MAX } from '../../../domain/targeting/key-value.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import type { Findings, RuleFacts } from '../../kernel/resource.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import { lockCount } from '../../../storage/sql/count-lock.ts';
import type { Database } from '../../../storage/sql/schema.ts';

/** Counts the other reportable keys of the workspace, when the row itself is reportable. */
export async function loadKeyValueFacts(context: ManagementContext, row: StoredRow): Promise<Record<string, unknown>> {
  if (row['reportable'] !== true) return {};
  return { otherReportKeys: await countOtherReportKeys(queryableOf(context), context.principal.workspaceId, row.id) };
}

/** A key may become reportable while the limit is not reached. A reportable key stays so when other fields change. */
export function validateKeyValue(row: StoredRow, { before, loaded }: RuleFacts): Findings {
  const isNew = row['reportable'] === true && before?.['reportable'] !== true;
  const others = Number(loaded['otherReportKeys'] ?? 0);
  if (!isNew || others < REPORT_KEYS_MAX) return { problems: [], warnings: [] };
  const message = `${REPORT_KEYS_MAX} keys are reported already; make another one not reportable first.`;
  return { problems: [{ path: 'reportable', code: 'too_many', message }], warnings: [] };
}

/** Counts the reportable keys of a workspace without this one (0n: none). In a transaction the count holds until its end. */
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
