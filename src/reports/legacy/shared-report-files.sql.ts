import { type Kysely, sql } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';

/** Stores one part of a report; parts are numbered from 0. */
export async function insertReportPart(
  db: Kysely<Database>,
  row: { readonly name: string; readonly part: number; readonly content: Buffer },
): Promise<void> {
  await db.insertInto('report_files').values(row).execute();
}

/** The bytes of a part; null when there is none. */
export async function readReportPart(db: Kysely<Database>, name: string, part: number): Promise<Buffer | null> {
  const row = await db
    .selectFrom('report_files')
    .select('content')
    .where('name', '=', name)
    .where('part', '=', part)
    .executeTakeFirst();
  return row?.content ?? null;
}

/** The bytes of all parts; null: there is no such report. */
export async function sizeOfReport(db: Kysely<Database>, name: string): Promise<number | null> {
  const row = await db
    .selectFrom('report_files')
    .select(sql<bigint | null>`sum(length(content))::bigint`.as('bytes'))
    .where('name', '=', name)
    .executeTakeFirst();
  return row === undefined || row.bytes === null ? null : Number(row.bytes);
}

/** Deletes a report; a missing one is fine. */
export async function deleteReportParts(db: Kysely<Database>, name: string): Promise<void> {
  await db.deleteFrom('report_files').where('name', '=', name).execute();
}
