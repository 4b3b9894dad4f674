import { type Kysely, sql } from 'kysely';
import { lockCount } from '../../storage/sql/count-lock.ts';
import type { Database } from '../../storage/sql/schema.ts';

/** Files of one transaction. */
const BATCH = 100;

/**
 * Deletes the next uploaded files of workspaces, and forgets that they had them. A file that another workspace has or uses stays. Repeatable.
 * @param remove deletes a file by its name
 * @returns how many files these workspaces had in this batch; 0: none is left
 */
export async function deleteAssets(
  db: Kysely<Database>,
  workspaceIds: readonly number[],
  remove: (name: string) => Promise<void>,
): Promise<number> {
  const ids = [...workspaceIds];
  return db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('assets')
      .select('name')
      .distinct()
      .where('workspace_id', 'in', ids)
      .orderBy('name')
      .limit(BATCH)
      .execute();
    const names = found.map(({ name }) => name);
    if (names.length === 0) return 0;
    // Uploads of the same file wait, and creatives cannot begin to use it.
    for (const name of names) await lockCount(trx, `asset ${name}`);
    const { rows } = await sql<{ name: string }>`
      SELECT name FROM assets WHERE name = ANY(${names}) AND workspace_id <> ALL(${ids}) AND deleted_at IS NULL
      UNION SELECT used[1] FROM (
        SELECT content, workspace_id FROM creatives UNION ALL SELECT content, workspace_id FROM library_creatives) AS others,
        regexp_matches(content::text, '/assets/([0-9a-f]{64}\\.[a-z0-9]{3,4})', 'g') AS used
      WHERE workspace_id <> ALL(${ids}) AND content::text LIKE '%/assets/%' AND used[1] = ANY(${names})`.execute(trx);
    const needed = new Set(rows.map(({ name }) => name));
    for (const name of names) if (!needed.has(name)) await remove(name);
    await trx.deleteFrom('assets').where('workspace_id', 'in', ids).where('name', 'in', names).execute();
    return names.length;
  });
}

/**
 * Lets the finished reports of workspaces expire: the worker that makes reports deletes their files.
 * @returns how many reports still have files
 */
export async function expireReports(db: Kysely<Database>, workspaceIds: readonly number[]): Promise<number> {
  await db
    .updateTable('report_tasks')
    .set({ expires_at: sql<Date>`now()` })
    .where('workspace_id', 'in', [...workspaceIds])
    .where('status', '=', 'DONE')
    .where('expires_at', '>', sql<Date>`now()`)
    .execute();
  const { rows } = await sql<{ count: string }>`SELECT count(*) AS count FROM report_tasks
    WHERE workspace_id = ANY(${workspaceIds}::int[]) AND files_deleted_at IS NULL
      AND (status = 'DONE' OR (status = 'FAILED' AND attempts > 0))`.execute(db);
  return Number(rows[0]?.count ?? 0);
}
