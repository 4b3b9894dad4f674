import { type Kysely, sql } from 'kysely';
import type { Database } from '../sql/schema.ts';

/** The facts about the analytics store when it was last marked. */
export interface AnalyticsMark {
  readonly storeId: string;
  /** Grows with each mark. */
  readonly number: number;
  /** Stored events; null: some were being deleted. */
  readonly rows: number | null;
  readonly markedAt: Date;
  /** Why less is stored than was shipped, as found by the last comparison; null: nothing is missing. */
  readonly lostReason: string | null;
}

/** How long a deletion of events may take that nobody has seen to its end. */
const DELETION_HOURS_MAX = 2;

/** Null: the store was never marked. */
export async function readMark(db: Kysely<Database>): Promise<AnalyticsMark | null> {
  const row = await db.selectFrom('analytics_marks').selectAll().executeTakeFirst();
  if (row === undefined) return null;
  const { store_id, number, rows, rows_unknown_until, marked_at, lost_reason } = row;
  return {
    storeId: store_id,
    number: Number(number),
    rows: rows === null || (rows_unknown_until !== null && rows_unknown_until > new Date()) ? null : Number(rows),
    markedAt: marked_at,
    lostReason: lost_reason,
  };
}

/** Writes a mark that the store holds already: nothing is missing. */
export async function saveMark(
  db: Kysely<Database>,
  { storeId, number, rows }: Pick<AnalyticsMark, 'storeId' | 'number' | 'rows'>,
): Promise<void> {
  await db
    .insertInto('analytics_marks')
    .values({ store_id: storeId, number, rows })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        store_id: storeId,
        number,
        rows: sql<
          number | null
        >`CASE WHEN analytics_marks.rows_unknown_until > now() THEN NULL ELSE ${rows}::bigint END`,
        marked_at: sql<Date>`now()`,
        lost_reason: null,
        lost_at: null,
      }),
    )
    .execute();
}

/** Records that the store lacks events. @returns false when that is recorded already */
export async function recordLost(db: Kysely<Database>, reason: string): Promise<boolean> {
  const result = await db
    .updateTable('analytics_marks')
    .set({ lost_reason: reason, lost_at: sql<Date>`coalesce(lost_at, now())` })
    .where((where) => where.or([where('lost_reason', 'is', null), where('lost_reason', '!=', reason)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Nothing is missing any more. */
export async function recordFound(db: Kysely<Database>): Promise<void> {
  await db.updateTable('analytics_marks').set({ lost_reason: null, lost_at: null }).execute();
}

/** Deletes events: meanwhile, and until the next mark, the number of rows says nothing. When `work` fails, the deletion may go on for a while. */
export async function whileDeleting(db: Kysely<Database>, work: () => Promise<void>): Promise<void> {
  const until = sql<Date>`now() + make_interval(hours => ${DELETION_HOURS_MAX})`;
  await db.updateTable('analytics_marks').set({ rows: null, rows_unknown_until: until }).execute();
  await work();
  await db.updateTable('analytics_marks').set({ rows_unknown_until: null }).execute();
}
