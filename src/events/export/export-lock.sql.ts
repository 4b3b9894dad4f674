import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';

/** Any number that nobody else takes as an advisory lock: one process at a time writes exported files. */
const EXPORT_LOCK = 7_311_947_206;
/** One wait for the lock; a statement that takes longer is taken for lost. */
const WAIT_SECONDS = 20;
/** A connection in use that says nothing for half a minute is taken for lost, and the lock with it. */
const ALIVE_EVERY_MS = 10_000;
/** SQLSTATE of a lock that was not had in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Runs work while no other process writes exported files. @returns null, without running it, when another one does */
export async function tryExportLock<T>(db: Kysely<Database>, work: () => Promise<T>): Promise<{ value: T } | null> {
  return holdLock(db, work, async (trx) => {
    const { rows } = await sql<{ got: boolean }>`SELECT pg_try_advisory_xact_lock(${EXPORT_LOCK}) AS got`.execute(trx);
    return rows[0]?.got === true;
  });
}

/** Runs work when no other process writes exported files any more. A process that waits here comes before `tryExportLock`. */
export async function withExportLock<T>(db: Kysely<Database>, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await holdLock(db, work, waitForLock).catch((error: unknown) => {
      if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return null;
      throw error;
    });
    if (done !== null) return done.value;
  }
}

async function waitForLock(trx: Transaction<Database>): Promise<boolean> {
  await sql`SET LOCAL lock_timeout = ${sql.lit(`${WAIT_SECONDS}s`)}`.execute(trx);
  await sql`SELECT pg_advisory_xact_lock(${EXPORT_LOCK})`.execute(trx);
  return true;
}

/** The lock belongs to a transaction: a pooler in transaction mode gives a session to several clients. */
async function holdLock<T>(
  db: Kysely<Database>,
  work: () => Promise<T>,
  lock: (trx: Transaction<Database>) => Promise<boolean>,
): Promise<{ value: T } | null> {
  let done: { value: T } | null = null;
  try {
    await db.transaction().execute(async (trx) => {
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(trx);
      if (await lock(trx)) done = { value: await keepAlive(trx, work) };
    });
  } catch (error) {
    // A connection that broke has lost its lock already; what was done is done.
    if (done === null) throw error;
  }
  return done;
}

async function keepAlive<T>(trx: Transaction<Database>, work: () => Promise<T>): Promise<T> {
  const beat = setInterval(() => void sql`SELECT 1`.execute(trx).catch(() => undefined), ALIVE_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
