import { type Kysely, sql } from 'kysely';
import type { CutPhase, CutStep } from '../storage/sql/cluster-schema.ts';
import type { Database } from '../storage/sql/schema.ts';

/** A cut as one of its nodes reads it. */
export interface NodeCut {
  readonly cutId: string;
  readonly phase: CutPhase;
  readonly step: CutStep;
  /** How long its backup may be silent from now on, in milliseconds. */
  readonly leftMs: number;
}

/** A node of a cut, as the backup reads it. */
export interface CutNodeRow {
  readonly nodeId: string;
  readonly step: CutStep;
  readonly detail: string;
  /** Whether it has reported itself since the cut began. */
  readonly hasResponded: boolean;
}

const until = (ms: number) => sql<Date>`now() + ${ms} * interval '1 millisecond'`;

/** Begins a cut through these nodes. @returns false while another backup has one */
export async function beginCut(
  db: Kysely<Database>,
  { cutId, nodeIds, heldMs }: { readonly cutId: string; readonly nodeIds: readonly string[]; readonly heldMs: number },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const row = { cut_id: cutId, phase: 'drain' as const, held_until: until(heldMs) };
    const begun = await trx
      .insertInto('backup_cut')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(row).where('backup_cut.held_until', '<=', sql<Date>`now()`),
      )
      .executeTakeFirst();
    if (begun.numInsertedOrUpdatedRows !== 1n) return false;
    await trx.deleteFrom('backup_cut_nodes').execute();
    const nodes = nodeIds.map((nodeId) => ({ node_id: nodeId, cut_id: cutId, step: 'none' as const }));
    if (nodes.length > 0) await trx.insertInto('backup_cut_nodes').values(nodes).execute();
    return true;
  });
}

/** Renews a cut; with a phase, moves it there. @returns false when it has ended */
export async function renewCut(
  db: Kysely<Database>,
  { cutId, phase, heldMs }: { readonly cutId: string; readonly phase?: CutPhase; readonly heldMs: number },
): Promise<boolean> {
  const renewed = await db
    .updateTable('backup_cut')
    .set({ held_until: until(heldMs), ...(phase === undefined ? {} : { phase }) })
    .where('cut_id', '=', cutId)
    .where('held_until', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return renewed.numUpdatedRows === 1n;
}

/** Ends a cut: nodes ship on when they next look. */
export async function endCut(db: Kysely<Database>, cutId: string): Promise<void> {
  await db.updateTable('backup_cut').set({ held_until: sql<Date>`now()` }).where('cut_id', '=', cutId).execute();
}

/** The nodes of a cut. */
export async function listCutNodes(db: Kysely<Database>, cutId: string): Promise<readonly CutNodeRow[]> {
  const rows = await db
    .selectFrom('backup_cut_nodes')
    .select(['node_id', 'step', 'detail', 'seen_at'])
    .where('cut_id', '=', cutId)
    .orderBy('node_id')
    .execute();
  return rows.map((row) => ({
    nodeId: row.node_id,
    step: row.step,
    detail: row.detail,
    hasResponded: row.seen_at !== null,
  }));
}

/** The present cut, if this node is part of it. */
export async function readNodeCut(db: Kysely<Database>, nodeId: string): Promise<NodeCut | null> {
  const row = await db
    .selectFrom('backup_cut as cut')
    .innerJoin('backup_cut_nodes as node', 'node.cut_id', 'cut.cut_id')
    .select(['cut.cut_id', 'cut.phase', 'node.step'])
    .select(sql<number>`(extract(epoch FROM cut.held_until - now()) * 1000)::float8`.as('left_ms'))
    .where('node.node_id', '=', nodeId)
    .where('cut.held_until', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row === undefined ? null : { cutId: row.cut_id, phase: row.phase, step: row.step, leftMs: row.left_ms };
}

/** How far a node says that it is. */
export interface CutReport {
  readonly nodeId: string;
  readonly cutId: string;
  readonly step: CutStep;
  readonly detail: string;
}

/** Says how far a node is in a cut. One that has failed stays failed. */
export async function reportNodeCut(db: Kysely<Database>, { nodeId, cutId, step, detail }: CutReport): Promise<void> {
  await db
    .updateTable('backup_cut_nodes')
    .set({ step, detail, seen_at: sql<Date>`now()` })
    .where('node_id', '=', nodeId)
    .where('cut_id', '=', cutId)
    .where('step', '<>', 'failed')
    .execute();
}
