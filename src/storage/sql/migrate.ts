import { type Kysely, type Migration, type MigrationResult, Migrator, sql } from 'kysely';
import type { Log } from '../../domain/log/log.ts';
import { MIGRATIONS } from './migrations/list.ts';
import { openPostgres } from './postgres.ts';
import type { Database } from './schema.ts';
import { grantServiceRole, listExcessPowers, roleOf } from './service-role.sql.ts';

export interface MigrateOptions {
  readonly db: Kysely<Database>;
  readonly log: Log;
  /** Default: every migration of this program. */
  readonly migrations?: Readonly<Record<string, Migration>>;
  /** The service's role, which is granted what it needs on every table. Absent or the connected one: nothing is granted. */
  readonly serviceRole?: string | null;
}

/** The management database as its two roles; null: the service's role runs migrations, too. */
export interface PostgresAddresses {
  readonly postgresUrl: string;
  readonly postgresOwnerUrl: string | null;
}

/**
 * Brings the database to the newest schema as its owner, and warns when the service's role is not bound by the audit log.
 * @returns the names of the migrations that this call ran
 * @throws Error naming the migration that failed, or the role that may not migrate
 */
export async function migrateAsOwner(addresses: PostgresAddresses, log: Log): Promise<readonly string[]> {
  const { postgresUrl, postgresOwnerUrl } = addresses;
  const open = (url: string) => openPostgres({ url, log, poolMax: 1, statementTimeoutMs: 0 });
  const owner = open(postgresOwnerUrl ?? postgresUrl);
  const service = open(postgresUrl);
  try {
    const serviceRole = postgresOwnerUrl === null ? null : roleOf(postgresUrl);
    const done = await migrate({ db: owner.db, log, serviceRole });
    const { role, powers } = await listExcessPowers(service.db);
    if (powers.length > 0) {
      log.event('postgres.audit_role_unbound', { role, powers });
    }
    return done;
  } finally {
    await service.close();
    await owner.close();
  }
}

/** Any number that nobody else takes as an advisory lock: "placard" in base 36, cut to 63 bits. */
const migrationLock = 55_418_461_213n;
const migrationsMax = 10_000;
/** SQLSTATE of a statement that the role may not run. */
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Brings the database to the newest schema: one migration at a time, each in a transaction of its own, under an advisory lock, so
 * that processes that start together wait for each other. What is done stays done; a failed one is tried again next time.
 * @returns the names of the migrations that this call ran
 * @throws Error naming the migration that failed
 */
export async function migrate(options: MigrateOptions): Promise<readonly string[]> {
  const { db, log, migrations = MIGRATIONS, serviceRole = null } = options;
  return db.connection().execute(async (connection) => {
    await sql`SET statement_timeout = 0`.execute(connection);
    await sql`SELECT pg_advisory_lock(${migrationLock})`.execute(connection);
    try {
      const done = await runMigrations(connection, migrations, log);
      if (serviceRole !== null) await grantServiceRole(connection, serviceRole);
      return done;
    } finally {
      await sql`SELECT pg_advisory_unlock(${migrationLock})`.execute(connection);
      await sql`RESET statement_timeout`.execute(connection);
    }
  });
}

async function runMigrations(
  db: Kysely<Database>,
  migrations: Readonly<Record<string, Migration>>,
  log: Log,
): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const done: string[] = [];
  while (done.length < migrationsMax) {
    const startedAtMs = performance.now();
    const { error, results } = await migrator.migrateUp();
    const result = results?.[0];
    if (error !== undefined) throw describeFailure(error, result);
    if (result === undefined) return done;
    log.event('postgres.migrated', {
      migration: result.migrationName,
      ms: Math.round(performance.now() - startedAtMs),
    });
    done.push(result.migrationName);
  }
  return done;
}

function describeFailure(error: unknown, result: MigrationResult | undefined): Error {
  const reason = error instanceof Error ? error.message : String(error);
  const name = result === undefined ? '' : ` ${result.migrationName}`;
  if ((error as { code?: unknown }).code === INSUFFICIENT_PRIVILEGE) {
    const advice = 'run "placard migrate" with PLACARD_POSTGRES_OWNER_URL set to the role that owns the tables';
    return new Error(`The PostgreSQL role may not run the migration${name}: ${advice}. (${reason})`, { cause: error });
  }
  return new Error(`The PostgreSQL migration${name} failed: ${reason}`, { cause: error });
}
