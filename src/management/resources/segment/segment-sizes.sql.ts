import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';

/** A workspace that has segments. */
export interface SegmentWorkspace {
  readonly workspaceId: number;
  readonly timezone: string;
}

/** A segment, with what its size follows from. */
export interface MeasuredSegment {
  readonly id: bigint;
  readonly generation: number;
  readonly membershipDays: number;
  /** Whether a rule makes members. */
  readonly hasRule: boolean;
  readonly uploaded: bigint;
}

/** The size at the beginning of one day, `YYYY-MM-DD`. */
export interface SegmentDay {
  readonly segmentId: bigint;
  readonly day: string;
  readonly size: bigint;
}

/** Workspaces of networks that are not closed, with segments, in order, at most `rowsMax` behind one. */
export async function listSegmentWorkspaces(
  db: Kysely<Database>,
  after: number,
  rowsMax: number,
): Promise<SegmentWorkspace[]> {
  return db
    .selectFrom('workspaces as w')
    .innerJoin('networks as n', 'n.id', 'w.network_id')
    .select(['w.id as workspaceId', 'n.timezone as timezone'])
    .where('w.id', '>', after)
    .where('n.closed_at', 'is', null)
    .where((eb) =>
      eb.exists(eb.selectFrom('segments').select('segments.id').whereRef('segments.workspace_id', '=', 'w.id')),
    )
    .orderBy('w.id')
    .limit(rowsMax)
    .execute();
}

/** Active segments of a workspace without a size for a day, in order, at most `rowsMax` behind an id. */
export async function listUnmeasured(
  db: Kysely<Database>,
  workspaceId: number,
  { day, after, rowsMax }: { readonly day: string; readonly after: bigint; readonly rowsMax: number },
): Promise<MeasuredSegment[]> {
  const rows = await db
    .selectFrom('segments as s')
    .select([
      's.id',
      's.generation',
      's.membership_days',
      's.member_count',
      sql<boolean>`s.rule IS NOT NULL`.as('has_rule'),
    ])
    .where('s.workspace_id', '=', workspaceId)
    .where('s.status', '=', 'ACTIVE')
    .where('s.id', '>', after)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('segment_sizes as z')
            .select('z.size')
            .where('z.workspace_id', '=', workspaceId)
            .whereRef('z.segment_id', '=', 's.id')
            .where('z.day', '=', day),
        ),
      ),
    )
    .orderBy('s.id')
    .limit(rowsMax)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    generation: row.generation,
    membershipDays: row.membership_days,
    hasRule: row.has_rule,
    uploaded: row.member_count,
  }));
}

/** Writes sizes of segments of one workspace. The first size of a day stays. @returns how many were written */
export async function recordSizes(
  db: Kysely<Database>,
  workspaceId: number,
  sizes: readonly SegmentDay[],
): Promise<number> {
  const json = JSON.stringify(
    sizes.map(({ segmentId, day, size }) => ({ segment_id: String(segmentId), day, size: String(size) })),
  );
  const { numAffectedRows } = await sql`
    INSERT INTO segment_sizes (workspace_id, segment_id, day, size)
    SELECT ${workspaceId}, given.segment_id, given.day, given.size
    FROM jsonb_to_recordset(${json}::jsonb) AS given (segment_id bigint, day date, size bigint)
    JOIN segments ON segments.workspace_id = ${workspaceId} AND segments.id = given.segment_id
    ON CONFLICT (workspace_id, segment_id, day) DO NOTHING`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Deletes the sizes of a workspace from before a day. */
export async function deleteSizesBefore(db: Kysely<Database>, workspaceId: number, day: string): Promise<void> {
  await db.deleteFrom('segment_sizes').where('workspace_id', '=', workspaceId).where('day', '<', day).execute();
}

/** The sizes of segments of one workspace from a day on, oldest first. */
export async function readSizes(
  db: Kysely<Database>,
  workspaceId: number,
  { segmentIds, from }: { readonly segmentIds: readonly bigint[]; readonly from: string },
): Promise<SegmentDay[]> {
  return db
    .selectFrom('segment_sizes')
    .select(['segment_id as segmentId', 'day', 'size'])
    .where('workspace_id', '=', workspaceId)
    .where('segment_id', 'in', segmentIds)
    .where('day', '>=', from)
    .orderBy('segment_id')
    .orderBy('day')
    .execute();
}
