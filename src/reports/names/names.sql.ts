import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';

/** The present name of one object. */
export interface EntityName {
  readonly workspaceId: number;
  /** As in `entity_names`: `campaign`, `siteDomain`, … */
  readonly kind: string;
  /** Decimal text. */
  readonly id: string;
  readonly name: string;
}

interface NameSource {
  readonly table:
    | 'advertisers'
    | 'campaigns'
    | 'line_items'
    | 'creatives'
    | 'deals'
    | 'advertising_products'
    | 'sites'
    | 'areas'
    | 'ad_units'
    | 'activities';
  readonly column: 'name' | 'domain' | 'code';
  /** The kind in `entity_names`. */
  readonly kind: string;
}

/** Where names come from, by the kind of change notice. */
const SOURCES: Readonly<Record<string, NameSource>> = {
  advertiser: { table: 'advertisers', column: 'name', kind: 'advertiser' },
  campaign: { table: 'campaigns', column: 'name', kind: 'campaign' },
  lineItem: { table: 'line_items', column: 'name', kind: 'lineItem' },
  creative: { table: 'creatives', column: 'name', kind: 'creative' },
  deal: { table: 'deals', column: 'name', kind: 'deal' },
  advertisingProduct: { table: 'advertising_products', column: 'name', kind: 'advertisingProduct' },
  site: { table: 'sites', column: 'domain', kind: 'siteDomain' },
  area: { table: 'areas', column: 'code', kind: 'area' },
  adUnit: { table: 'ad_units', column: 'name', kind: 'adUnit' },
  activity: { table: 'activities', column: 'name', kind: 'activity' },
};

/** Kinds of change notices that carry a name. */
export const NAMED_KINDS: readonly string[] = Object.keys(SOURCES);

/** Where a page ends; null = at the beginning. */
export interface NamePosition {
  readonly workspaceId: number;
  readonly id: string;
}

/** One page of all names of a kind, in key order, over every workspace (this copy is the core's own, no tenant reads it). */
export async function readNamePage(
  db: Kysely<Database>,
  noticeKind: string,
  after: NamePosition | null,
  limit: number,
): Promise<EntityName[]> {
  const source = sourceOf(noticeKind);
  const from = after === null ? sql`true` : sql`(workspace_id, id) > (${after.workspaceId}::int, ${after.id}::bigint)`;
  const { rows } = await sql<{ workspace_id: number; id: bigint; name: string }>`
    SELECT workspace_id, id, ${sql.ref(source.column)} AS name FROM ${sql.table(source.table)}
    WHERE ${from} ORDER BY workspace_id, id LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({ workspaceId: row.workspace_id, kind: source.kind, id: String(row.id), name: row.name }));
}

/** The present names of some objects of one workspace and kind. Ids that are gone are left out. */
export async function readNames(
  db: Kysely<Database>,
  workspaceId: number,
  noticeKind: string,
  ids: readonly string[],
): Promise<EntityName[]> {
  const source = sourceOf(noticeKind);
  const { rows } = await sql<{ id: bigint; name: string }>`
    SELECT id, ${sql.ref(source.column)} AS name FROM ${sql.table(source.table)}
    WHERE workspace_id = ${workspaceId} AND id = ANY(${ids.map(BigInt)}::bigint[])`.execute(db);
  return rows.map((row) => ({ workspaceId, kind: source.kind, id: String(row.id), name: row.name }));
}

/** A network's time zone and currency; null when there is no such network. */
export async function readNetwork(
  db: Kysely<Database>,
  networkId: string,
): Promise<{ timezone: string; currency: string } | null> {
  const row = await db
    .selectFrom('networks')
    .select(['timezone', 'currency'])
    .where('id', '=', BigInt(networkId))
    .executeTakeFirst();
  return row ?? null;
}

function sourceOf(noticeKind: string): NameSource {
  const source = SOURCES[noticeKind];
  if (source === undefined) throw new Error(`Objects of kind ${noticeKind} have no name`);
  return source;
}
