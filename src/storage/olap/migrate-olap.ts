import type { Log } from '../../domain/log/log.ts';
import { checkLayout } from './check-layout.ts';
import type { OlapDialect } from './olap-dialect.ts';
import type { Olap } from './olap.ts';

/** A migration that takes so long is logged on its own: somebody waits for it. */
const LONG_MIGRATION_MS = 2_000;

/** One step of the analytics schema. A migration that has shipped is never edited. */
export interface OlapMigration {
  /** Unique over all modules; sorts in the order of running, such as `0100-events`. */
  readonly id: string;
  /** Migrations that led to the same tables: a store that has run all of them has run this migration. */
  readonly replaces?: readonly string[];
  /** Each must be safe to run again (`IF NOT EXISTS`): a step that broke half-way starts from its first statement. */
  readonly statements: (dialect: OlapDialect) => readonly string[];
}

export interface MigrateOlapOptions {
  readonly olap: Olap;
  readonly migrations: readonly OlapMigration[];
  readonly log: Log;
}

/** The migrations that the store lacks. @throws OlapError, also when it has no schema yet */
export async function missingOlapMigrations(olap: Olap, migrations: readonly OlapMigration[]): Promise<string[]> {
  const rows = await olap.query<{ id: string }>({ sql: 'SELECT DISTINCT id FROM placard_migrations' });
  const known = new Set(rows.map((row) => row.id));
  return migrations.map(({ id }) => id).filter((id) => !known.has(id));
}

/**
 * Runs what has not run yet, in order of id, and writes each down in `placard_migrations` when it is done. Call it from one process
 * at a time (the core does, holding PostgreSQL's migration lock or its data folder).
 * @returns the ids that this call ran
 * @throws LayoutError when the cluster or its tables are not as they must be; Error naming the migration that failed; the ones before it stay
 *   done
 */
export async function migrateOlap(options: MigrateOlapOptions): Promise<readonly string[]> {
  const { olap, log } = options;
  const { dialect } = olap;
  const migrations = options.migrations.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const twice = migrations.find((one, at) => one.id === migrations[at + 1]?.id);
  if (twice !== undefined) throw new Error(`Two analytics migrations are called ${twice.id}`);
  await checkLayout(olap);
  await olap.command(
    `CREATE TABLE IF NOT EXISTS placard_migrations${dialect.onCluster} (id String, done_at DateTime64(3, 'UTC') DEFAULT now64(3))
     ENGINE = ${dialect.mergeTreeEverywhere()} ORDER BY id`,
  );
  const rows = await olap.query<{ id: string }>({ sql: 'SELECT DISTINCT id FROM placard_migrations', isFinal: true });
  const known = new Set(rows.map((row) => row.id));
  const done: string[] = [];
  const beganMs = performance.now();
  for (const migration of migrations.filter((one) => !known.has(one.id))) {
    const { id } = migration;
    const startedAtMs = performance.now();
    try {
      const statements = hasRunReplaced(migration, known) ? [] : migration.statements(dialect);
      for (const statement of statements) await olap.command(statement);
      await olap.command('INSERT INTO placard_migrations (id) VALUES ({id:String})', { id });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`The analytics migration ${id} failed: ${reason}`, { cause: error });
    }
    done.push(id);
    const ms = performance.now() - startedAtMs;
    if (ms >= LONG_MIGRATION_MS) log.event('analytics.migrated', { migration: id, ms: Math.round(ms) });
  }
  if (done.length > 0) {
    const ms = Math.round(performance.now() - beganMs);
    log.event('analytics.schema_current', { migrations: done.length, newest: done.at(-1), ms });
  }
  return done;
}

/** @throws Error when some of the replaced migrations have run, but not all */
function hasRunReplaced({ replaces = [] }: OlapMigration, known: ReadonlySet<string>): boolean {
  const missing = replaces.filter((id) => !known.has(id));
  if (missing.length === replaces.length) return false;
  if (missing.length === 0) return true;
  throw new Error(
    `This analytics store is of a version before 0.1.0 and lacks ${missing.join(', ')}. Start it once with the last version before 0.1.0.`,
  );
}
