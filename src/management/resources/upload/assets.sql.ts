import { type Kysely, sql } from 'kysely';
import type { AssetFacts } from '../../../domain/booking/asset-facts.ts';
import { quotaExceeded } from '../../../domain/tenancy/quota.ts';
import { lockCount } from '../../../storage/sql/count-lock.ts';
import type { Database } from '../../../storage/sql/schema.ts';

/** A file of a workspace. */
export interface AssetOfWorkspace {
  readonly workspaceId: number;
  /** `<64 hex digits>.<extension>`. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly facts?: AssetFacts;
}

/**
 * Counts a file towards the workspace's quota before it is stored. A file that the workspace has already counts once, and its age starts
 * again. From then on no clean-up deletes it: wait for this before the file is written.
 *
 * @returns whether the workspace did not have the file before
 * @throws PlacardError `quota_exceeded`
 */
export function reserveAsset(
  db: Kysely<Database>,
  { workspaceId, name, sizeBytes, facts }: AssetOfWorkspace,
  { bytesMax, now }: { readonly bytesMax: number; readonly now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await lockCount(trx, `asset ${name}`);
    await lockCount(trx, `assets of ${workspaceId}`);
    const { used, known } = await trx
      .selectFrom('assets')
      .select(({ fn }) => [
        sql<string>`coalesce(${fn.sum('size_bytes')}, 0)`.as('used'),
        sql<boolean>`coalesce(bool_or(name = ${name}), false)`.as('known'),
      ])
      .where('workspace_id', '=', workspaceId)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (!known && Number(used) + sizeBytes > bytesMax) {
      const advice = 'Archive ended creatives: unused files are deleted later.';
      throw quotaExceeded('assetBytes', { used: Number(used), limit: bytesMax }, advice);
    }
    const measured = facts === undefined ? {} : { facts: JSON.stringify(facts) };
    await trx
      .insertInto('assets')
      .values({ workspace_id: workspaceId, name, size_bytes: sizeBytes, uploaded_at: now, ...measured })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'name'])
          .doUpdateSet({ size_bytes: sizeBytes, uploaded_at: now, deleted_at: null, ...measured }),
      )
      .execute();
    return !known;
  });
}

/** Releases the reservation of a file that could not be written. */
export async function releaseAsset(db: Kysely<Database>, workspaceId: number, name: string): Promise<void> {
  await db.deleteFrom('assets').where('workspace_id', '=', workspaceId).where('name', '=', name).execute();
}

/** Selects files without an upload or use since these instants. */
export interface UnusedSince {
  readonly before: Date;
  /** Creatives that were archived before this do not count as use. */
  readonly archivedBefore: Date;
}

/** Lists files that have expired in every workspace by their timestamps; at most `max`. */
export async function listUnusedAssets(db: Kysely<Database>, before: Date, max: number): Promise<string[]> {
  const rows = await db
    .selectFrom('assets')
    .select('name')
    .where('deleted_at', 'is', null)
    .groupBy('name')
    .having(sql`max(greatest(uploaded_at, used_at))`, '<', before)
    .orderBy('name')
    .limit(max)
    .execute();
  return rows.map(({ name }) => name);
}

/** The limits of a clean-up, and how it deletes a file. */
interface Collecting {
  readonly unused: UnusedSince;
  readonly now: Date;
  readonly remove: (name: string) => Promise<void>;
}

/**
 * Deletes those of the named files that nothing uses, and marks the others as used. Uploads of these files and creatives that begin to
 * use them wait until it is done.
 *
 * @returns how many files were deleted, and their bytes
 */
export function deleteUnusedAssets(
  db: Kysely<Database>,
  names: readonly string[],
  { unused, now, remove }: Collecting,
): Promise<{ files: number; bytes: number }> {
  return db.transaction().execute(async (trx) => {
    for (const name of names) await lockCount(trx, `asset ${name}`);
    const { rows: held } = await sql<{ name: string; size_bytes: bigint; at: Date }>`
      SELECT name, size_bytes, greatest(uploaded_at, used_at) AS at FROM assets
      WHERE name = ANY(${names}) AND deleted_at IS NULL FOR UPDATE`.execute(trx);
    // No creative can begin to use one of them now, so a query for creatives that use them is final.
    const { rows: used } = await sql<{ name: string }>`
      SELECT DISTINCT found[1] AS name
      FROM (SELECT content, status, updated_at FROM creatives
            UNION ALL SELECT content, status, updated_at FROM library_creatives) AS used,
        regexp_matches(content::text, '/assets/([0-9a-f]{64}\\.[a-z0-9]{3,4})', 'g') AS found
      WHERE content::text LIKE '%/assets/%' AND found[1] = ANY(${names})
        AND (status <> 'ARCHIVED' OR updated_at >= ${unused.archivedBefore})`.execute(trx);
    const kept = new Set(used.map(({ name }) => name));
    const fresh = new Set(held.filter(({ at }) => at >= unused.before).map(({ name }) => name));
    const gone = [...new Set(held.map(({ name }) => name))].filter((name) => !kept.has(name) && !fresh.has(name));
    if (kept.size > 0)
      await trx
        .updateTable('assets')
        .set({ used_at: now })
        .where('name', 'in', [...kept])
        .execute();
    if (gone.length === 0) return { files: 0, bytes: 0 };
    await trx.updateTable('assets').set({ deleted_at: now }).where('name', 'in', gone).execute();
    for (const name of gone) await remove(name);
    const going = new Set(gone);
    const bytes = held.reduce((sum, one) => sum + (going.has(one.name) ? Number(one.size_bytes) : 0), 0);
    return { files: gone.length, bytes };
  });
}
