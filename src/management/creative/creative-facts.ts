import type { ManagementContext } from '../graphql/context.ts';
import type { StoredRow } from '../noun/field.ts';
import { readerOf } from '../noun/transactions.sql.ts';
import { isSizeOffered } from './creative-facts.sql.ts';

/** Whether any ad unit in use takes the creative's size; asked only where a size counts. */
export async function loadCreativeFacts(context: ManagementContext, row: StoredRow): Promise<Record<string, unknown>> {
  const { width, height } = row as StoredRow & { width: number; height: number };
  if (width === 0 || height === 0) return { sizeOffered: true };
  return { sizeOffered: await isSizeOffered(readerOf(context), context.principal.workspaceId, { width, height }) };
}
