import { type Kysely, sql } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';

/** Any number that nobody else takes as an advisory lock: one process at a time writes exported files. */
const EXPORT_LOCK = 7_311_947_206;

/** Runs work while no other process writes exported files. @returns null, without running it, when another one does */
export async function tryExportLock<T>(db: Kysely<Database>, work: () => Promise<T>): Promise<{ value: T } | null> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ got: boolean }>`SELECT pg_try_advisory_lock(${EXPORT_LOCK}) AS got`.execute(
      connection,
    );
    return rows[0]?.got === true ? { value: await workAndUnlock(connection, work) } : null;
  });
}

/** Runs work when no other process writes exported files any more. A process that waits here comes before `tryExportLock`. */
export async function withExportLock<T>(db: Kysely<Database>, work: () => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    for (let isLocked = false; !isLocked; ) isLocked = await waitForLock(connection);
    return workAndUnlock(connection, work);
  });
}

const QUERY_CANCELED = '57014';

/** @returns false when the time of a statement was over */
async function waitForLock(connection: Kysely<Database>): Promise<boolean> {
  try {
    await sql`SELECT pg_advisory_lock(${EXPORT_LOCK})`.execute(connection);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === QUERY_CANCELED) return false;
    throw error;
  }
}

async function workAndUnlock<T>(connection: Kysely<Database>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    // A connection that broke has lost its locks already.
    await sql`SELECT pg_advisory_unlock(${EXPORT_LOCK})`.execute(connection).catch(() => undefined);
  }
}
