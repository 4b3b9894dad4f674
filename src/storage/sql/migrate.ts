import { type Kysely, type Migration, type MigrationResult, Migrator, sql } from 'kysely';
import type { Logger } from 'pino';
import { MIGRATIONS } from './migrations/list.ts';
import type { Database } from './schema.ts';

export interface MigrateOptions {
  readonly db: Kysely<Database>;
  readonly log: Logger;
  /** Default: every migration of this program. */
  readonly migrations?: Readonly<Record<string, Migration>>;
}

/** Any number that nobody else takes as an advisory lock: "placard" in base 36, cut to 63 bits. */
const migrationLock = 55_418_461_213n;
const migrationsMax = 10_000;

/**
 * Brings the database to the newest schema: one migration at a time, each in a transaction of its own, under an advisory lock, so
 * that processes that start together wait for each other. What is done stays done; a failed one is tried again next time.
 * @returns the names of the migrations that this call ran
 * @throws Error naming the migration that failed
 */
export async function migrate(options: MigrateOptions): Promise<readonly string[]> {
  const { db, log, migrations = MIGRATIONS } = options;
  return db.connection().execute(async (connection) => {
    await sql`SET statement_timeout = 0`.execute(connection);
    await sql`SELECT pg_advisory_lock(${migrationLock})`.execute(connection);
    try {
      return await runMigrations(connection, migrations, log);
    } finally {
      await sql`SELECT pg_advisory_unlock(${migrationLock})`.execute(connection);
      await sql`RESET statement_timeout`.execute(connection);
    }
  });
}

async function runMigrations(
  db: Kysely<Database>,
  migrations: Readonly<Record<string, Migration>>,
  log: Logger,
): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const done: string[] = [];
  while (done.length < migrationsMax) {
    const startedAtMs = performance.now();
    const { error, results } = await migrator.migrateUp();
    const result = results?.[0];
    if (error !== undefined) throw describeFailure(error, result);
    if (result === undefined) return done;
    log.info(
      { migration: result.migrationName, ms: Math.round(performance.now() - startedAtMs) },
      'migrated PostgreSQL',
    );
    done.push(result.migrationName);
  }
  return done;
}

function describeFailure(error: unknown, result: MigrationResult | undefined): Error {
  const reason = error instanceof Error ? error.message : String(error);
  const name = result === undefined ? '' : ` ${result.migrationName}`;
  return new Error(`The PostgreSQL migration${name} failed: ${reason}`, { cause: error });
}
