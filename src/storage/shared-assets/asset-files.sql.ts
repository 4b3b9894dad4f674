import type { Kysely } from 'kysely';
import type { Database } from '../sql/schema.ts';

/** Stores a file under its name; one that is there stays as it is. */
export async function insertAssetFile(db: Kysely<Database>, name: string, content: Buffer): Promise<void> {
  await db
    .insertInto('asset_files')
    .values({ name, content })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The content of a file; null when there is none of this name. */
export async function readAssetFile(db: Kysely<Database>, name: string): Promise<Buffer | null> {
  const row = await db.selectFrom('asset_files').select('content').where('name', '=', name).executeTakeFirst();
  return row?.content ?? null;
}

/** Which of these files are stored. At most 1,000 names. */
export async function listAssetFiles(db: Kysely<Database>, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await db.selectFrom('asset_files').select('name').where('name', 'in', names).execute();
  return new Set(rows.map(({ name }) => name));
}

/** Deletes a file. */
export async function deleteAssetFile(db: Kysely<Database>, name: string): Promise<void> {
  await db.deleteFrom('asset_files').where('name', '=', name).execute();
}
