import { type Kysely, sql } from 'kysely';
import { QUOTA_NAMES, type QuotaName } from '../../domain/tenancy/quota.ts';
import type { Database } from './schema.ts';

/** How much of each quota a workspace uses. */
export type QuotaUsage = Readonly<Record<QuotaName, number>> & { readonly workspaceId: number };

/** Tables of the objects that the management API creates. */
const OBJECT_TABLES = [
  'advertisers',
  'campaigns',
  'line_items',
  'creatives',
  'library_creatives',
  'sites',
  'areas',
  'ad_units',
  'activities',
  'key_values',
  'segments',
  'floors',
  'deals',
  'advertising_products',
  'teams',
  'custom_fields',
  'experiments',
  'targeting_presets',
] as const;

/** How long the hot store remembers a user that an upload brought, in days. */
export const USER_KEPT_DAYS = 400;

/** Members of the segments of workspace `w`, or users that uploads brought, whichever are more: both take space in the hot store. */
export const SEGMENT_MEMBERS_SQL = sql<string>`greatest(
  (SELECT coalesce(sum(member_count), 0) FROM segments WHERE workspace_id = w.id),
  (SELECT coalesce(sum(users), 0) FROM segment_users
   WHERE workspace_id = w.id AND day > current_date - ${sql.lit(USER_KEPT_DAYS)}::int))`;

const EXPRESSIONS: Readonly<Record<QuotaName, ReturnType<typeof sql>>> = {
  assetBytes: sql`(SELECT coalesce(sum(size_bytes), 0) FROM assets WHERE workspace_id = w.id AND deleted_at IS NULL)`,
  reportBytes: sql`(SELECT coalesce(sum(csv_bytes + raw_bytes), 0) FROM report_tasks
    WHERE workspace_id = w.id AND status = 'DONE' AND files_deleted_at IS NULL AND expires_at > now())`,
  segmentMembers: SEGMENT_MEMBERS_SQL,
  objects: sql`greatest(${sql.join(
    OBJECT_TABLES.map((table) => sql`(SELECT count(*) FROM ${sql.table(table)} WHERE workspace_id = w.id)`),
  )})`,
  savedViews: sql`(SELECT count(*) FROM saved_views WHERE workspace_id = w.id)`,
  schedules: sql`(SELECT count(*) FROM report_schedules WHERE workspace_id = w.id)`,
  webhooks: sql`(SELECT count(*) FROM webhooks WHERE workspace_id = w.id)`,
  bulkJobs: sql`(SELECT count(*) FROM bulk_jobs WHERE workspace_id = w.id AND state IN ('receiving', 'waiting', 'running'))`,
  bulkJobBytes: sql`(SELECT coalesce(sum(stored_bytes), 0) FROM bulk_jobs WHERE workspace_id = w.id)`,
};

/** The use of one workspace, or of each one where none is named (at most 100,000, in the order of their ids). */
export async function readQuotaUsage(db: Kysely<Database>, workspaceId?: number): Promise<QuotaUsage[]> {
  const { rows } = await sql<Record<QuotaName, string> & { id: number }>`
    SELECT w.id, ${sql.join(QUOTA_NAMES.map((name) => sql`${EXPRESSIONS[name]} AS ${sql.ref(name)}`))}
    FROM workspaces w ${workspaceId === undefined ? sql`` : sql`WHERE w.id = ${workspaceId}`}
    ORDER BY w.id LIMIT 100000`.execute(db);
  return rows.map((row) => ({
    workspaceId: row.id,
    ...(Object.fromEntries(QUOTA_NAMES.map((name) => [name, Number(row[name])])) as Record<QuotaName, number>),
  }));
}
