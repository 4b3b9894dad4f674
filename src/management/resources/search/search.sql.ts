import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';

/** One kind of objects that a search finds. */
interface SearchedKindRow {
  readonly description: string;
  /** The query whose permission opens it. */
  readonly query: string;
  readonly table: string;
  /** Further columns that name an object. */
  readonly codes: readonly string[];
  /** What it belongs to, which is shown beside it. */
  readonly parent: { readonly table: string; readonly column: string } | null;
  /** Its objects have no custom fields. */
  readonly isPlain?: true;
}

/** The kinds, in the order in which equal finds are shown. */
export const SEARCHED_KINDS = {
  LINE_ITEM: {
    description: 'A line item.',
    query: 'lineItem',
    table: 'line_items',
    codes: ['external_id'],
    parent: { table: 'campaigns', column: 'campaign_id' },
  },
  CAMPAIGN: {
    description: 'A campaign.',
    query: 'campaign',
    table: 'campaigns',
    codes: ['order_number', 'external_id'],
    parent: { table: 'advertisers', column: 'advertiser_id' },
  },
  ADVERTISER: {
    description: 'An advertiser.',
    query: 'advertiser',
    table: 'advertisers',
    codes: ['external_id'],
    parent: null,
  },
  CREATIVE: {
    description: 'A creative.',
    query: 'creative',
    table: 'creatives',
    codes: ['external_id'],
    parent: { table: 'line_items', column: 'line_item_id' },
  },
  LIBRARY_CREATIVE: {
    description: 'A creative of the library.',
    query: 'libraryCreative',
    table: 'library_creatives',
    codes: ['external_id'],
    parent: { table: 'advertisers', column: 'advertiser_id' },
  },
  DEAL: { description: 'A deal.', query: 'deal', table: 'deals', codes: ['code'], parent: null },
  SITE: { description: 'A site.', query: 'site', table: 'sites', codes: ['code', 'domain'], parent: null },
  AREA: {
    description: 'An area of a site.',
    query: 'area',
    table: 'areas',
    codes: ['code'],
    parent: { table: 'sites', column: 'site_id' },
  },
  AD_UNIT: {
    description: 'An ad unit.',
    query: 'adUnit',
    table: 'ad_units',
    codes: [],
    parent: { table: 'sites', column: 'site_id' },
  },
  SEGMENT: { description: 'A segment.', query: 'segment', table: 'segments', codes: [], parent: null },
  ACTIVITY: { description: 'An activity.', query: 'activity', table: 'activities', codes: ['actgid'], parent: null },
  KEY_VALUE: {
    description: 'A key of requests.',
    query: 'keyValue',
    table: 'key_values',
    codes: ['key'],
    parent: null,
  },
  PRODUCT: {
    description: 'An advertising product.',
    query: 'advertisingProduct',
    table: 'advertising_products',
    codes: [],
    parent: null,
  },
  FLOOR: { description: 'A floor rule.', query: 'floor', table: 'floors', codes: [], parent: null },
  TARGETING_PRESET: {
    description: 'A targeting preset.',
    query: 'targetingPreset',
    table: 'targeting_presets',
    codes: [],
    parent: null,
    isPlain: true,
  },
  TEAM: { description: 'A team.', query: 'team', table: 'teams', codes: [], parent: null, isPlain: true },
} as const satisfies Readonly<Record<string, SearchedKindRow>>;

export type SearchedKind = keyof typeof SEARCHED_KINDS;

/** An object that was found. */
export interface SearchHit {
  readonly kind: SearchedKind;
  readonly id: bigint;
  readonly name: string;
  readonly status: string;
  readonly version: number;
  readonly code: string | null;
  readonly parent_name: string | null;
}

/** What is looked for. Each word must be found; without words, what changed last is. */
export interface SearchRequest {
  readonly kinds: readonly SearchedKind[];
  readonly words: readonly string[];
  readonly limit: number;
}

/** The objects of a workspace that have all words in their name, code, values of custom fields or parent's name, or the very id; the closest first. */
export async function searchObjects(
  db: Kysely<Database>,
  workspaceId: number,
  { kinds, words, limit }: SearchRequest,
): Promise<SearchHit[]> {
  if (kinds.length === 0) return [];
  const parts = kinds.map((kind) => kindSql(kind, workspaceId, words, limit));
  const { rows } = await sql<SearchHit>`
    SELECT kind, id, name, status, version, code, parent_name
    FROM (${sql.join(parts, sql` UNION ALL `)}) AS found
    ORDER BY distance, kind_order, updated_at DESC, id DESC LIMIT ${limit}`.execute(db);
  return rows;
}

function kindSql(
  kind: SearchedKind,
  workspaceId: number,
  words: readonly string[],
  limit: number,
): RawBuilder<SearchHit> {
  const { table, codes, parent, isPlain } = SEARCHED_KINDS[kind] as SearchedKindRow;
  const codeSql = codes.map((code) => sql.ref(`o.${code}`));
  const parentName = parent === null ? sql`NULL::text` : sql.ref('p.name');
  const join =
    parent === null
      ? sql``
      : sql`LEFT JOIN ${sql.table(parent.table)} p ON p.workspace_id = o.workspace_id AND p.id = ${sql.ref(`o.${parent.column}`)}`;
  const texts = sql`concat_ws(' ', ${sql.join([sql.ref('o.name'), ...codeSql, parentName, ...(isPlain === true ? [] : [CUSTOM_VALUES])])})`;
  const tests = words.map((word) => sql`(${texts} ILIKE ${`%${escapePattern(word)}%`} OR o.id::text = ${word})`);
  // Without a text, all kinds together stand by their last change.
  const kindOrder = words.length === 0 ? 0 : Object.keys(SEARCHED_KINDS).indexOf(kind);
  const code = codeSql.length === 0 ? sql`NULL::text` : sql`coalesce(${sql.join(codeSql)})`;
  return sql<SearchHit>`(SELECT ${sql.lit(kind)} AS kind, o.id, o.name, o.status, o.version, ${code} AS code, ${parentName} AS parent_name,
      o.updated_at, ${kindOrder}::int AS kind_order, ${distanceSql(words, codeSql)} AS distance
    FROM ${sql.table(table)} o ${join}
    WHERE ${sql.join([sql`o.workspace_id = ${workspaceId}`, ...tests], sql` AND `)}
    ORDER BY distance, o.updated_at DESC, o.id DESC LIMIT ${limit})`;
}

/** The values of custom fields, such as an order number. */
const CUSTOM_VALUES = sql`CASE WHEN o.custom_fields = '{}' THEN NULL ELSE (SELECT string_agg(v.value, ' ') FROM jsonb_each_text(o.custom_fields) v) END`;

/** How far an object is from the text: its id or code, its name, the begin of its name or of a word in it, all words in its name, anything else; archived objects last. */
function distanceSql(words: readonly string[], codes: readonly RawBuilder<unknown>[]): RawBuilder<number> {
  const archived = sql`CASE WHEN o.status = 'ARCHIVED' THEN 10 ELSE 0 END`;
  if (words.length === 0) return sql<number>`${archived}`;
  const text = words.join(' ');
  const begin = `${escapePattern(text)}%`;
  const inName = words.map((word) => sql`o.name ILIKE ${`%${escapePattern(word)}%`}`);
  const exact = [sql`o.id::text = ${text}`, ...codes.map((code) => sql`lower(${code}) = lower(${text})`)];
  return sql<number>`${archived} + CASE
    WHEN ${sql.join(exact, sql` OR `)} THEN 0
    WHEN lower(o.name) = lower(${text}) THEN 1
    WHEN o.name ILIKE ${begin} THEN 2
    WHEN o.name ILIKE ${`% ${begin}`} THEN 3
    WHEN ${sql.join(inName, sql` AND `)} THEN 4
    ELSE 5 END`;
}

function escapePattern(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}
