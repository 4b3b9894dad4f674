import { type Kysely, type Migration, type MigrationResult, Migrator, sql } from 'kysely';
import type { Log } from '../../domain/log/log.ts';
import { BASELINE, MIGRATIONS } from './migrations/list.ts';
import { openPostgres } from './postgres.ts';
import type { Database } from './schema.ts';
import { raiseSchemaLevel, requireSchemaLevel, SCHEMA_LEVEL, type SchemaLevel } from './schema-level.sql.ts';
import { grantDeliveryRole, grantServiceRole, listExcessPowers, roleOf } from './service-role.sql.ts';

export interface MigrateOptions {
  readonly db: Kysely<Database>;
  readonly log: Log;
  /** Default: every migration of this program. */
  readonly migrations?: Readonly<Record<string, Migration>>;
  /** Default: that of this program. */
  readonly level?: SchemaLevel;
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

/** The migrations of this program that the database lacks. @throws what the database throws, also when it has no schema yet */
export async function missingMigrations(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db);
  const done = new Set(rows.map(({ name }) => name));
  return Object.keys(MIGRATIONS).filter((name) => !done.has(name));
}

/** Any number that nobody else takes as an advisory lock: "placard" in base 36, cut to 63 bits. */
export const MIGRATION_LOCK = 55_418_461_213n;
const migrationsMax = 10_000;
/** SQLSTATE of a statement that the role may not run. */
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Brings the database to the newest schema: one migration at a time, each in a transaction of its own, under an advisory lock, so
 * that processes that start together wait for each other. What is done stays done; a failed one is tried again next time.
 * Migrations of a newer version that this one may run beside stay as they are.
 * @returns the names of the migrations that this call ran
 * @throws OlderProgramError; Error naming the migration that failed
 */
export async function migrate(options: MigrateOptions): Promise<readonly string[]> {
  const { db, log, migrations = MIGRATIONS, level = SCHEMA_LEVEL, serviceRole = null } = options;
  return db.connection().execute(async (connection) => {
    await sql`SET statement_timeout = 0`.execute(connection);
    await sql`SELECT pg_advisory_lock(${MIGRATION_LOCK})`.execute(connection);
    try {
      await requireSchemaLevel(connection, level);
      if (BASELINE in migrations) await adoptBaseline(connection);
      const later = await listLaterMigrations(connection, migrations);
      const done = await runMigrations(connection, { ...migrations, ...later }, log);
      if (BASELINE in migrations) await raiseSchemaLevel(connection, level);
      if (serviceRole !== null) await grantServiceRole(connection, serviceRole);
      if (BASELINE in migrations) await grantDeliveryRole(connection);
      return done;
    } finally {
      await sql`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`.execute(connection);
      await sql`RESET statement_timeout`.execute(connection);
    }
  });
}

/** The last of the migrations that the baseline replaces: a database that ran it has the baseline's tables. */
const LAST_BEFORE_BASELINE = '0104-analytics-marks';
const FIRST_BEFORE_BASELINE = '0001-networks-and-booking';

/** @throws Error for a database of a program from before the baseline that lacks a part of it */
async function adoptBaseline(db: Kysely<Database>): Promise<void> {
  const done = await listDone(db);
  if (done.includes(BASELINE) || !done.includes(FIRST_BEFORE_BASELINE)) return;
  if (!done.includes(LAST_BEFORE_BASELINE))
    throw new Error(
      'The database belongs to a program from before version 0.1.0 that this program cannot upgrade: export what you need with that program, and start with an empty database.',
    );
  await sql`INSERT INTO kysely_migration (name, timestamp)
    SELECT ${BASELINE}, timestamp FROM kysely_migration WHERE name = ${LAST_BEFORE_BASELINE}`.execute(db);
}

/** Migrations that a newer program ran, as steps that do nothing: the migrator refuses a database with names that it does not know. */
async function listLaterMigrations(
  db: Kysely<Database>,
  own: Readonly<Record<string, Migration>>,
): Promise<Record<string, Migration>> {
  const later = (await listDone(db)).filter((name) => !(name in own));
  return Object.fromEntries(later.map((name) => [name, { up: () => Promise.resolve() }]));
}

/** Names of the migrations that the database has; empty for a new database. */
async function listDone(db: Kysely<Database>): Promise<string[]> {
  const { rows: found } = await sql<{ is_there: boolean }>`
    SELECT to_regclass('kysely_migration') IS NOT NULL AS is_there`.execute(db);
  if (found[0]?.is_there !== true) return [];
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db);
  return rows.map(({ name }) => name);
}

/** A migration that takes so long is logged on its own: somebody waits for it. */
const LONG_MIGRATION_MS = 2_000;

async function runMigrations(
  db: Kysely<Database>,
  migrations: Readonly<Record<string, Migration>>,
  log: Log,
): Promise<string[]> {
  const provider = { getMigrations: async () => ({ ...migrations }) };
  // Work of several people gets its numbers before it lands, so that a smaller one may come after a larger one.
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true });
  const done: string[] = [];
  const beganMs = performance.now();
  while (done.length < migrationsMax) {
    const startedAtMs = performance.now();
    const { error, results } = await migrator.migrateUp();
    const result = results?.[0];
    if (error !== undefined) throw describeFailure(error, result);
    if (result === undefined) break;
    done.push(result.migrationName);
    const ms = performance.now() - startedAtMs;
    if (ms >= LONG_MIGRATION_MS)
      log.event('postgres.migrated', { migration: result.migrationName, ms: Math.round(ms) });
  }
  if (done.length > 0) {
    const ms = Math.round(performance.now() - beganMs);
    log.event('postgres.schema_current', { migrations: done.length, newest: done.at(-1), ms });
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
