import type { Database } from '../../../storage/sql/schema.ts';
import { type AssetFacts, filesOf } from '../../../domain/booking/asset-facts.ts';
import type { CreativeContent } from '../../../domain/booking/creative.ts';
import type { Size } from '../../../domain/booking/inventory.ts';
import { type Kysely, sql } from 'kysely';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { findInParts } from '../../kernel/checks.ts';
import { findRows } from '../../kernel/resource.sql.ts';
import { findNetwork } from '../network/network.sql.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';

/** Facts that the rules of every creative use, in the library or of a line item. */
export interface ContentFacts {
  /** Whether any ad unit in use takes its size; true where the size does not matter. */
  readonly sizeOffered: boolean;
  /** Whether the network reviews creatives before they serve. */
  readonly reviewRequired: boolean;
  /** The uploaded files that its content names, by path; null: its bytes were never measured. A missing file has no entry. */
  readonly files: ReadonlyMap<string, AssetFacts | null>;
}

/** Facts beyond its own row that the rules of a creative use. */
export interface CreativeFacts extends ContentFacts {
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
  const contents = await loadContentFacts(context, rows);
  const masters = await findById('creatives', 'master_creative_id');
  const lineItems = await findById('line_items', 'line_item_id');
  return rows.map((row, index): CreativeFacts & Record<string, unknown> => ({
    ...(contents[index] as ContentFacts),
    master: masters.get(row['master_creative_id']) ?? null,
    lineItem: lineItems.get(row['line_item_id']) ?? null,
  }));
}

/** Reads the facts that concern the content of each row. */
export async function loadContentFacts(
  context: ManagementContext,
  rows: readonly StoredRow[],
): Promise<readonly (ContentFacts & Record<string, unknown>)[]> {
  const { workspaceId, networkId } = context.principal;
  const db = queryableOf(context);
  const offered = await findOfferedSizes(db, workspaceId, rows.flatMap(sizeOf));
  const network = await findNetwork(db, networkId);
  const reviewRequired = network?.settings['creativeReview'] === 'REQUIRED';
  const files = await findFiles(context, rows.flatMap(hostedNamesOf));
  return rows.map((row) => ({
    files,
    sizeOffered: sizeOf(row).every((size) => offered.has(nameOf(size))),
    reviewRequired,
  }));
}

function hostedNamesOf(row: StoredRow): string[] {
  const files = filesOf(row['content'] as CreativeContent, row as StoredRow & Size);
  return files.filter(({ url }) => url.startsWith(HOSTED)).map(({ url }) => url.slice(HOSTED.length));
}

const HOSTED = '/assets/';

/** The files with these names, of any workspace: a name is the hash of the content. Demo files are only in the asset store. */
async function findFiles(
  context: ManagementContext,
  names: readonly string[],
): Promise<Map<string, AssetFacts | null>> {
  const found = new Map<string, AssetFacts | null>();
  const wanted = [...new Set(names)];
  if (wanted.length === 0) return found;
  const rows = await queryableOf(context)
    .selectFrom('assets')
    .select(['name', 'facts'])
    .where('name', 'in', wanted)
    .where('deleted_at', 'is', null)
    .execute();
  for (const { name, facts } of rows) found.set(HOSTED + name, facts ?? found.get(HOSTED + name) ?? null);
  for (const name of wanted) {
    if (!found.has(HOSTED + name) && ((await context.hasAsset?.(name)) ?? true)) found.set(HOSTED + name, null);
  }
  return found;
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
