import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';

/** A signed line of heads as the database has it. */
export interface StoredHeadLine {
  readonly number: number;
  readonly text: string;
}

/** The newest line; null when there is none. */
export async function readLastHeadLine(db: Kysely<Database>): Promise<StoredHeadLine | null> {
  const row = await db.selectFrom('audit_head_lines').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst();
  return row === undefined ? null : { number: Number(row.number), text: row.line };
}

/** Lines above a number, in order, at most `limit`. */
export async function readHeadLines(db: Kysely<Database>, above: number, limit: number): Promise<StoredHeadLine[]> {
  const rows = await db
    .selectFrom('audit_head_lines')
    .selectAll()
    .where('number', '>', BigInt(above))
    .orderBy('number')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ number: Number(row.number), text: row.line }));
}

/** Adds a line. @throws when its number is taken: another process signed at the same moment */
export async function insertHeadLine(db: Kysely<Database>, { number, text }: StoredHeadLine): Promise<void> {
  await db
    .insertInto('audit_head_lines')
    .values({ number: BigInt(number), line: text })
    .execute();
}
