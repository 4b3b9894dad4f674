import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { AssetFacts } from '../../../domain/booking/asset-facts.ts';
import type { Database } from '../../../storage/sql/schema.ts';

/** A file of a workspace, as lists show it. */
export interface AssetRow {
  readonly name: string;
  readonly size_bytes: bigint;
  readonly uploaded_at: Date;
  readonly used_at: Date | null;
  readonly facts: AssetFacts | null;
}

/** Which files of a workspace; absent members choose all. */
export interface AssetFilter {
  /** Endings of their names. */
  readonly extensions?: readonly string[];
  readonly widths?: readonly number[];
  readonly heights?: readonly number[];
}

/** The last file of a page. */
export interface AssetPosition {
  readonly uploadedAt: Date;
  readonly name: string;
}

/** Lists files, the latest upload first. */
export function listAssets(
  db: Kysely<Database>,
  { workspaceId, filter }: { readonly workspaceId: number; readonly filter: AssetFilter },
  { after, limit }: { readonly after: AssetPosition | null; readonly limit: number },
): Promise<AssetRow[]> {
  const query = chosen(db, workspaceId, filter).select(['name', 'size_bytes', 'uploaded_at', 'used_at', 'facts']);
  const later =
    after === null
      ? query
      : query.where(sql<boolean>`(uploaded_at, name) < (${after.uploadedAt}::timestamptz, ${after.name})`);
  return later.orderBy('uploaded_at', 'desc').orderBy('name', 'desc').limit(limit).execute();
}

export async function countAssets(db: Kysely<Database>, workspaceId: number, filter: AssetFilter): Promise<number> {
  const { count } = await chosen(db, workspaceId, filter)
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** One file by its name; undefined when the workspace has none. */
export function findAsset(db: Kysely<Database>, workspaceId: number, name: string): Promise<AssetRow | undefined> {
  return chosen(db, workspaceId, {})
    .select(['name', 'size_bytes', 'uploaded_at', 'used_at', 'facts'])
    .where('name', '=', name)
    .executeTakeFirst();
}

function chosen(
  db: Kysely<Database>,
  workspaceId: number,
  { extensions, widths, heights }: AssetFilter,
): SelectQueryBuilder<Database, 'assets', object> {
  let query = db.selectFrom('assets').where('workspace_id', '=', workspaceId).where('deleted_at', 'is', null);
  if (extensions !== undefined) query = query.where(sql<boolean>`split_part(name, '.', 2) = ANY(${[...extensions]})`);
  if (widths !== undefined) query = query.where(sql<boolean>`(facts->>'width')::int = ANY(${[...widths]}::int[])`);
  if (heights !== undefined) query = query.where(sql<boolean>`(facts->>'height')::int = ANY(${[...heights]}::int[])`);
  return query;
}
