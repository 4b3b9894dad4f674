import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';
import { collatedSql } from '../../kernel/resource.sql.ts';
import { reasonsOf, STANDING_TABS, type StandingReason } from './line-item-tabs.ts';

/** Which line items of a workspace; null and empty lists narrow nothing. */
export interface TableFilter {
  readonly search: string | null;
  readonly ids: readonly string[];
  readonly statuses: readonly string[];
  readonly types: readonly string[];
  readonly advertiserIds: readonly string[];
  readonly campaignIds: readonly string[];
  readonly labels: readonly string[];
  readonly levels: readonly number[];
  /** A dimension that the targeting tests, with one of these values; without values, with any. Null: all. */
  readonly targets: { readonly dimension: string; readonly values: readonly string[] } | null;
  readonly endsBefore: Date | null;
  /** A member who has put some off: these are left out. Null: all are shown. */
  readonly notSnoozedBy: string | null;
}

/** What a table can be sorted by; AT_RISK depends on the instant. */
const TABLE_SORTS = {
  ID: sql`l.id`,
  NAME: sql`l.name`,
  CREATED_AT: sql`l.created_at`,
  UPDATED_AT: sql`l.updated_at`,
  STARTS_AT: sql`GREATEST(l.starts_at, c.starts_at)`,
  ENDS_AT: sql`LEAST(l.ends_at, c.ends_at)`,
  PACE: sql`s.pacing_percent`,
  IMPRESSIONS: sql`s.impressions`,
  SPEND: sql`s.spend_nanos`,
} as const satisfies Record<string, RawBuilder<unknown>>;

export type TableSort = keyof typeof TABLE_SORTS | 'AT_RISK';

/** A window of a table. */
export interface TableWindow {
  readonly reasons: readonly StandingReason[];
  readonly filter: TableFilter;
  readonly sort: TableSort;
  readonly descending: boolean;
  /** How names are sorted; null: as the database sorts them. */
  readonly collation: string | null;
  readonly offset: number;
  readonly limit: number;
  readonly now: Date;
}

/** The statuses that decide by themselves: with all others of the flight to be read, no row needs a closer look. */
const BY_STATUS = ['ARCHIVED', 'DRAFT', 'RESERVED', 'COMPLETED'] as const satisfies readonly StandingReason[];

/** Why each line item stands where it stands: the first that holds. A change of the line item or its campaign begins its quiet time again. */
function reasonSql(now: Date): RawBuilder<StandingReason> {
  const creatives = (test: RawBuilder<unknown>) =>
    sql`EXISTS (SELECT FROM creatives k WHERE k.workspace_id = l.workspace_id AND k.line_item_id = l.id AND k.status = 'ACTIVE' AND ${test})`;
  return sql<StandingReason>`CASE
    WHEN l.status = ANY(${[...BY_STATUS]}) THEN l.status
    WHEN LEAST(l.ends_at, c.ends_at) <= ${now} THEN 'FLIGHT_OVER'
    WHEN l.status = 'PAUSED' THEN 'PAUSED'
    WHEN c.status <> 'ACTIVE' THEN 'CAMPAIGN_STOPPED'
    WHEN GREATEST(l.starts_at, c.starts_at) > ${now} THEN 'NOT_BEGUN'
    WHEN NOT ${creatives(sql`k.review_state = 'APPROVED'`)} THEN CASE
      WHEN ${creatives(sql`k.review_state = 'PENDING'`)} THEN 'REVIEW_PENDING'
      WHEN ${creatives(sql`k.review_state = 'REJECTED'`)} THEN 'REVIEW_REJECTED'
      ELSE 'NO_CREATIVE' END
    WHEN s.goal_status IS DISTINCT FROM 'REACHED'
      AND GREATEST(s.moved_at, l.updated_at, c.updated_at, l.starts_at, c.starts_at)
        < ${now}::timestamptz - CASE WHEN l.day_parts = '[]' THEN interval '1 hour' ELSE interval '1 day' END THEN 'QUIET'
    WHEN s.goal_status IN ('AT_RISK', 'BEHIND') THEN s.goal_status
    ELSE 'SERVING' END`;
}

/** The reasons for which nothing is shown: all that is left of the goal is at risk. */
const SHOWS_NOTHING: readonly StandingReason[] = reasonsOf('NOT_DELIVERING');

/** The money at risk, in nanos. */
function riskSql(now: Date): RawBuilder<string> {
  return sql<string>`COALESCE(CASE WHEN ${reasonSql(now)} = ANY(${[...SHOWS_NOTHING]}) THEN s.left_nanos ELSE s.missing_nanos END, 0)`;
}

const SOURCE = sql`line_items l
  JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.id = l.campaign_id
  LEFT JOIN line_item_standings s ON s.workspace_id = l.workspace_id AND s.line_item_id = l.id`;

/** The ids of a window, in order; rows without a value of the sort come last. */
export async function listTableIds(db: Kysely<Database>, workspaceId: number, window: TableWindow): Promise<bigint[]> {
  const direction = sql.raw(window.descending ? 'DESC' : 'ASC');
  const sort = window.sort === 'AT_RISK' ? riskSql(window.now) : TABLE_SORTS[window.sort];
  const value = window.sort === 'NAME' ? collatedSql(sort, window.collation) : sort;
  const { rows } = await sql<{ id: bigint }>`
    SELECT l.id FROM ${SOURCE} WHERE ${whereOf(workspaceId, window)}
    ORDER BY ${value} ${direction} NULLS LAST, l.id ${direction}
    OFFSET ${window.offset} LIMIT ${window.limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** How many line items a table has. */
export async function countTable(
  db: Kysely<Database>,
  workspaceId: number,
  window: Pick<TableWindow, 'filter' | 'reasons' | 'now'>,
): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`
    SELECT count(*) AS total FROM ${SOURCE} WHERE ${whereOf(workspaceId, window)}`.execute(db);
  return Number(rows[0]?.total ?? 0);
}

/** How many line items stand where, by reason. */
export async function countReasons(
  db: Kysely<Database>,
  workspaceId: number,
  { filter, now }: Pick<TableWindow, 'filter' | 'now'>,
): Promise<ReadonlyMap<StandingReason, number>> {
  const { rows } = await sql<{ reason: StandingReason; total: bigint }>`
    SELECT ${reasonSql(now)} AS reason, count(*) AS total FROM ${SOURCE}
    WHERE ${sql.join(filterSql(workspaceId, filter, now), sql` AND `)} GROUP BY 1`.execute(db);
  return new Map(rows.map(({ reason, total }) => [reason, Number(total)]));
}

/** Where a line item stands. */
export interface StandingRow {
  readonly reason: StandingReason;
  /** When its impressions were last found to have grown; null: it was never looked at. */
  readonly moved_at: Date | null;
  /** What may be missed of its goal, in nanos, as text. */
  readonly risk_nanos: string;
}

/** Where line items stand, by id; absent and foreign ids are left out. At most 500. */
export async function readStandings(
  db: Kysely<Database>,
  workspaceId: number,
  ids: readonly bigint[],
  now: Date,
): Promise<ReadonlyMap<bigint, StandingRow>> {
  const { rows } = await sql<StandingRow & { id: bigint }>`
    SELECT l.id, ${reasonSql(now)} AS reason, s.moved_at, ${riskSql(now)}::text AS risk_nanos FROM ${SOURCE}
    WHERE l.workspace_id = ${workspaceId} AND l.id = ANY(${ids.map(String)}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

function whereOf(
  workspaceId: number,
  { filter, reasons, now }: Pick<TableWindow, 'filter' | 'reasons' | 'now'>,
): RawBuilder<unknown> {
  return sql.join([...filterSql(workspaceId, filter, now), ...reasonsSql(reasons, now)], sql` AND `);
}

/** All reasons but the archive are asked of the status alone: a long list without a tab needs no look at creatives. */
function reasonsSql(reasons: readonly StandingReason[], now: Date): RawBuilder<unknown>[] {
  const statuses = BY_STATUS.filter((one) => !reasons.includes(one));
  const wanted = new Set<StandingReason>(reasons);
  if (wanted.size + statuses.length === Object.keys(STANDING_TABS).length) return [sql`l.status <> ALL(${statuses})`];
  return [sql`${reasonSql(now)} = ANY(${[...wanted]})`];
}

function filterSql(workspaceId: number, filter: TableFilter, now: Date): RawBuilder<unknown>[] {
  const {
    search,
    ids,
    statuses,
    types,
    advertiserIds,
    campaignIds,
    labels,
    levels,
    targets,
    endsBefore,
    notSnoozedBy,
  } = filter;
  const anyOf = (column: RawBuilder<unknown>, values: readonly string[], type: 'text' | 'bigint') =>
    values.length === 0 ? [] : [sql`${column} = ANY(${[...values]}::${sql.raw(type)}[])`];
  return [
    sql`l.workspace_id = ${workspaceId}`,
    ...anyOf(sql`l.id`, ids, 'bigint'),
    ...anyOf(sql`l.status`, statuses, 'text'),
    ...anyOf(sql`l.type`, types, 'text'),
    ...anyOf(sql`c.advertiser_id`, advertiserIds, 'bigint'),
    ...anyOf(sql`l.campaign_id`, campaignIds, 'bigint'),
    ...(labels.length === 0 ? [] : [sql`l.labels && ${[...labels]}::text[]`]),
    ...(levels.length === 0 ? [] : [sql`l.level = ANY(${[...levels]}::int[])`]),
    ...(targets === null ? [] : [targetsSql(targets)]),
    ...(endsBefore === null ? [] : [sql`LEAST(l.ends_at, c.ends_at) < ${endsBefore}`]),
    ...(search === null ? [] : [searchSql(search)]),
    ...(notSnoozedBy === null ? [] : [sql`NOT ${snoozedSql(notSnoozedBy, now)}`]),
  ];
}

/** Whether a test of the targeting, at any depth, names the dimension and one of the values, in any case. */
function targetsSql({ dimension, values }: NonNullable<TableFilter['targets']>): RawBuilder<unknown> {
  const tests = sql`jsonb_path_query(l.targeting, '$.** ? (@.dimension == $dimension)', jsonb_build_object('dimension', ${dimension}::text), true)`;
  if (values.length === 0) return sql`EXISTS (SELECT ${tests})`;
  const wanted = values.map((value) => value.toLowerCase());
  return sql`EXISTS (SELECT FROM ${tests} AS test, jsonb_array_elements_text(test -> 'values') AS value
    WHERE lower(value) = ANY(${wanted}::text[]))`;
}

/** Whether a member has put the line item off, and it still stands for the same reason. */
function snoozedSql(userId: string, now: Date): RawBuilder<unknown> {
  return sql`EXISTS (SELECT FROM attention_snoozes z
    WHERE z.workspace_id = l.workspace_id AND z.line_item_id = l.id AND z.user_id = ${userId}::bigint
      AND z.snoozed_until > ${now} AND z.reason = ${reasonSql(now)})`;
}

/** Case-insensitive "contains" in the names that a person sees in a row, or the very id. */
function searchSql(text: string): RawBuilder<unknown> {
  const pattern = `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  const tests = [sql`l.name ILIKE ${pattern}`, sql`l.external_id ILIKE ${pattern}`, sql`c.name ILIKE ${pattern}`];
  if (/^[1-9]\d{0,17}$/.test(text)) tests.push(sql`l.id = ${text}::bigint`);
  return sql`(${sql.join(tests, sql` OR `)})`;
}
