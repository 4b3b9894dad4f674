import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';

/** The facts of a segment that an upload needs. */
export interface UploadTarget {
  readonly generation: number;
  readonly membershipDays: number;
  readonly status: string;
}

/** The segment, or undefined when absent or foreign. */
export async function findUploadTarget(
  db: Kysely<Database>,
  workspaceId: number,
  id: bigint,
): Promise<UploadTarget | undefined> {
  const row = await db
    .selectFrom('segments')
    .select(['generation', 'membership_days', 'status'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined
    ? undefined
    : { generation: row.generation, membershipDays: row.membership_days, status: row.status };
}

/** Returns a generation that no other upload has written, not even a failed one. */
export async function reserveGeneration(db: Kysely<Database>, workspaceId: number, id: bigint): Promise<number> {
  const row = await db
    .updateTable('segments')
    .set((eb) => ({ reserved_generation: eb('reserved_generation', '+', 1) }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('reserved_generation')
    .executeTakeFirstOrThrow();
  return row.reserved_generation;
}

/** The changes of an upload. */
export interface UploadResult {
  readonly workspaceId: number;
  readonly id: bigint;
  /** The written generation; a higher one than before makes older members void. */
  readonly generation: number;
  readonly added: number;
  readonly removed: number;
  readonly at: Date;
}

/** Records an upload on its segment. A replacement starts counting from zero. */
export async function bookUpload(trx: Transaction<Database>, result: UploadResult): Promise<void> {
  const change = result.added - result.removed;
  await sql`
    UPDATE segments SET
      member_count = GREATEST(0, CASE WHEN generation < ${result.generation} THEN 0 ELSE member_count END + ${change}),
      generation = GREATEST(generation, ${result.generation}), uploaded_at = ${result.at}, updated_at = now()
    WHERE workspace_id = ${result.workspaceId} AND id = ${result.id}`.execute(trx);
}
