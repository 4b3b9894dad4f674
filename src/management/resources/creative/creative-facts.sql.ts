import type { Database } from '../../../storage/sql/schema.ts';
import type { Size } from '../../../domain/booking/inventory.ts';
import { type Kysely, sql } from 'kysely';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { findRows } from '../../kernel/resource.sql.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';

/** Facts beyond its own row that the rules of a creative use. */
export interface CreativeFacts {
  /** Whether any ad unit in use takes its size; true where the size does not matter. */
  readonly sizeOffered: boolean;
  /** The master of a companion; null for any other creative. */
  readonly master: StoredRow | null;
  /** Null where it names none of the workspace. */
  readonly lineItem: StoredRow | null;
}

/** Reads the facts, each only where a rule uses it. */
export async function loadCreativeFacts(context: ManagementContext, row: StoredRow): Promise<Record<string, unknown>> {
  const db = queryableOf(context);
  const { workspaceId } = context.principal;
  const { width, height } = row as StoredRow & { width: number; height: number };
  const isSized = width !== 0 && height !== 0;
  const masterId = row['master_creative_id'] as bigint | null;
  const find = async (table: string, id: bigint) => (await findRows(db, workspaceId, table, [id]))[0] ?? null;
  const facts: CreativeFacts = {
    sizeOffered: !isSized || (await isSizeOffered(db, workspaceId, { width, height })),
    master: masterId === null ? null : await find('creatives', masterId),
    lineItem: await find('line_items', row['line_item_id'] as bigint),
  };
  return { ...facts };
}

/** Whether an ad unit in use takes this size, or takes any. */
async function isSizeOffered(db: Kysely<Database>, workspaceId: number, size: Size): Promise<boolean> {
  const wanted = JSON.stringify([{ width: size.width, height: size.height }]);
  const { rows } = await sql<{ offered: boolean }>`
    SELECT EXISTS (
      SELECT 1 FROM ad_units
      WHERE workspace_id = ${workspaceId} AND status = 'ACTIVE' AND (sizes = '[]'::jsonb OR sizes @> ${wanted}::jsonb)) AS offered`.execute(
    db,
  );
  return rows[0]?.offered ?? false;
}
