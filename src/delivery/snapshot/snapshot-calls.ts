import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Creative } from '../../domain/booking/creative.ts';
import type { WorkspaceSnapshot } from '../../domain/booking/snapshot.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';
import { isViaCore, nodeCall, type SqlOrCore } from '../../storage/sql/node-call.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { SnapshotPart, SnapshotParts } from '../decision/index/snapshot-parts.ts';
import { SNAPSHOT_PARTS } from '../decision/index/snapshot-parts.ts';
import * as own from './snapshot.sql.ts';

type Sql = Kysely<Database>;

const INSTANT = z.number().int().nonnegative();
const WORKSPACE_ID = z.number().int().positive().max(2_147_483_647);
const IDS = z.array(z.string().regex(/^\d{1,19}$/)).max(own.PART_IDS_MAX);

/** As `readWorkspaces` of snapshot.sql.ts, also through a core. */
export const readWorkspaces = nodeCall('snapshot.workspaces', z.tuple([]), (sql: Sql) => own.readWorkspaces(sql));

/** The snapshot of one workspace; null: it is gone. */
const readSnapshot = nodeCall(
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

/** As `readSnapshots` of snapshot.sql.ts. Through a core, each workspace is a call of its own: their number bounds no response. */
export async function readSnapshots(
  sql: SqlOrCore,
  nowMs: number,
  onlyWorkspaceIds?: readonly number[],
): Promise<WorkspaceSnapshot[]> {
  if (!isViaCore(sql)) return own.readSnapshots(sql, nowMs, onlyWorkspaceIds);
  const ids = onlyWorkspaceIds ?? (await readWorkspaces(sql)).map(({ workspaceId }) => workspaceId);
  const snapshots: WorkspaceSnapshot[] = [];
  for (const id of ids) {
    const read = await readSnapshot(sql, nowMs, id);
    if (read !== null) snapshots.push(read);
  }
  return snapshots;
}

/** What a delivery node reads of the snapshot. */
export const SNAPSHOT_CALLS = [readWorkspaces, readSnapshot, readPartOf, readCreativesOf] as const;
