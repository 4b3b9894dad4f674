import type { Database } from '../../../storage/sql/schema.ts';
import type { Size } from '../../../domain/booking/inventory.ts';
import { type Kysely, sql } from 'kysely';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { findInParts } from '../../kernel/checks.ts';
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

/** Reads the facts of each row, each only where a rule uses it. */
export async function loadCreativeFacts(
  context: ManagementContext,
  rows: readonly StoredRow[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { workspaceId } = context.principal;
  const db = queryableOf(context);
  const findById = async (table: string, column: string): Promise<Map<unknown, StoredRow>> => {
    const ids = new Set(rows.map((row) => row[column]).filter((id) => typeof id === 'bigint'));
    const found = await findInParts([...ids], (part) => findRows(db, workspaceId, table, part));
    return new Map(found.map((row) => [row.id, row]));
  };
  const offered = await findOfferedSizes(db, workspaceId, rows.flatMap(sizeOf));
  const masters = await findById('creatives', 'master_creative_id');
  const lineItems = await findById('line_items', 'line_item_id');
  return rows.map((row): CreativeFacts & Record<string, unknown> => ({
    sizeOffered: sizeOf(row).every((size) => offered.has(nameOf(size))),
    master: masters.get(row['master_creative_id']) ?? null,
    lineItem: lineItems.get(row['line_item_id']) ?? null,
  }));
}

/** The size of a creative; none where it does not matter. */
function sizeOf(row: StoredRow): Size[] {
  const { width, height } = row as StoredRow & Size;
  return width !== 0 && height !== 0 ? [{ width, height }] : [];
}

const nameOf = ({ width, height }: Size): string => `${width}x${height}`;

/** Those of some sizes that an ad unit in use takes; one that takes any takes all. */
async function findOfferedSizes(
  db: Kysely<Database>,
  workspaceId: number,
  sizes: readonly Size[],
): Promise<ReadonlySet<string>> {
  const distinct = [...new Map(sizes.map((size) => [nameOf(size), size])).values()];
  if (distinct.length === 0) return new Set();
  const { rows } = await sql<Size>`
    SELECT wanted.width, wanted.height
    FROM unnest(${distinct.map(({ width }) => width)}::int[], ${distinct.map(({ height }) => height)}::int[]) AS wanted (width, height)
    WHERE EXISTS (
      SELECT 1 FROM ad_units
      WHERE workspace_id = ${workspaceId} AND status = 'ACTIVE'
        AND (sizes = '[]'::jsonb
          OR sizes @> jsonb_build_array(jsonb_build_object('width', wanted.width, 'height', wanted.height))))`.execute(
    db,
  );
  return new Set(rows.map(nameOf));
}
