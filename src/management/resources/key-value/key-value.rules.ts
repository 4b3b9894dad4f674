import { REPORT_KEYS_MAX } from '../../../domain/targeting/key-value.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import type { Judgement, RuleFacts } from '../../kernel/resource.ts';
import { readerOf } from '../../kernel/transactions.sql.ts';
import { countOtherReportKeys } from './report-keys.sql.ts';

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
