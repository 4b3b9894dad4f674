import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Creative } from '../../domain/booking/creative.ts';
import type { LineItem } from '../../domain/booking/line-item.ts';
import type { WorkspaceSnapshot } from '../../domain/booking/snapshot.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';
import { nodeCall, type SqlOrCore } from '../../storage/sql/node-call.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { SnapshotPart, SnapshotParts } from '../decision/index/snapshot-parts.ts';
import { SNAPSHOT_PARTS } from '../decision/index/snapshot-parts.ts';
import { PAGE_RECORDS } from './snapshot-pages.sql.ts';
import * as own from './snapshot.sql.ts';

type Sql = Kysely<Database>;

/** A snapshot without its long lists. */
export type ShortLists = Omit<WorkspaceSnapshot, 'lineItems' | 'creatives'>;

interface PageQuery {
  readonly part: 'lineItems' | 'creatives';
  readonly nowMs: number;
  /** Counts the pages of a list from 0. */
  readonly number: number;
  /** The last id of the page before. */
  readonly after: string;
  readonly records: number;
}

const INSTANT = z.number().int().nonnegative();
const WORKSPACE_ID = z.number().int().positive().max(2_147_483_647);
const IDS = z.array(z.string().regex(/^\d{1,19}$/)).max(own.PART_IDS_MAX);

/** As `readWorkspaces` of snapshot.sql.ts, also through a core. */
export const readWorkspaces = nodeCall('snapshot.workspaces', z.tuple([]), (sql: Sql) => own.readWorkspaces(sql));

/** The whole snapshot of one workspace, as nodes of the version before read it; null: it is gone. */
const readWhole = nodeCall(
  'snapshot.read',
  z.tuple([INSTANT, WORKSPACE_ID]),
  async (sql: Sql, nowMs: number, workspaceId: number): Promise<WorkspaceSnapshot | null> =>
    (await own.readSnapshots(sql, nowMs, [workspaceId]))[0] ?? null,
);

const readPartOf = nodeCall(
  'snapshot.part',
  z.tuple([
    z.looseObject({ workspaceId: WORKSPACE_ID, timezone: z.string().max(100) }),
    z.strictObject({ part: z.enum(SNAPSHOT_PARTS), nowMs: INSTANT, ids: IDS }),
  ]),
  (sql: Sql, workspace: Workspace, query: own.PartQuery<SnapshotPart>): Promise<unknown> =>
    own.readPart(sql, workspace, query),
);

/** As `readCreativesOf` of snapshot.sql.ts, also through a core. */
export const readCreativesOf = nodeCall(
  'snapshot.creatives',
  z.tuple([WORKSPACE_ID, z.strictObject({ nowMs: INSTANT, lineItemIds: IDS })]),
  (
    sql: Sql,
    workspaceId: number,
    query: { readonly nowMs: number; readonly lineItemIds: readonly string[] },
  ): Promise<Creative[]> => own.readCreativesOf(sql, workspaceId, query),
);

/** As `readPart` of snapshot.sql.ts, also through a core. */
export function readPart<P extends SnapshotPart>(
  sql: SqlOrCore,
  workspace: Workspace,
  query: own.PartQuery<P>,
): Promise<SnapshotParts[P]> {
  return readPartOf(sql, workspace, query) as Promise<SnapshotParts[P]>;
}

/** All of a workspace but its long lists; null: it is gone. */
export const readShortLists = nodeCall(
  'snapshot.short',
  z.tuple([INSTANT, WORKSPACE_ID]),
  async (sql: Sql, nowMs: number, workspaceId: number): Promise<ShortLists | null> => {
    const [workspace] = await own.readWorkspaces(sql, workspaceId);
    return workspace === undefined ? null : { ...(await own.readShortParts(sql, workspace, nowMs)), workspace };
  },
);

/** A page of a long list. Nodes keep each by its number. */
export const readPage = nodeCall(
  'snapshot.page',
  z.tuple([
    z.looseObject({ workspaceId: WORKSPACE_ID, timezone: z.string().max(100) }),
    z.strictObject({
      part: z.enum(['lineItems', 'creatives']),
      nowMs: INSTANT,
      number: z.number().int().nonnegative(),
      after: z.string().regex(/^\d{1,19}$/),
      records: z.number().int().positive().max(PAGE_RECORDS),
    }),
  ]),
  (sql: Sql, workspace: Workspace, query: PageQuery): Promise<LineItem[] | Creative[]> => {
    const { part, nowMs, after, records } = query;
    const kept = { nowMs, ids: null, page: { after, records } };
    return part === 'lineItems'
      ? own.readLineItems(sql, workspace, kept)
      : own.readCreatives(sql, workspace.workspaceId, kept);
  },
);

/** What a delivery node reads of the snapshot. */
export const SNAPSHOT_CALLS = [
  readWorkspaces,
  readWhole,
  readShortLists,
  readPage,
  readPartOf,
  readCreativesOf,
] as const;
