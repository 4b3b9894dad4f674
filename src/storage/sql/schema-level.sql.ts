import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

/** What a program says of the schema that it makes. */
export interface SchemaLevel {
  /** Goes up by one with each version that adds migrations. */
  readonly level: number;
  /** The lowest level of a program that still runs on this schema. */
  readonly oldestProgram: number;
}

const LEVEL = 1;

/**
 * Of this program. Each version runs on the schema of the next one: `contract/postgres.json` holds what the version before relies on. Version 0.1.0,
 * the first one, has level 1.
 */
export const SCHEMA_LEVEL: SchemaLevel = { level: LEVEL, oldestProgram: Math.max(1, LEVEL - 1) };

/** Thrown when the database belongs to a program that is newer by more than one version. */
export class OlderProgramError extends Error {
  constructor(own: number, found: SchemaLevel) {
    super(
      `This program is older than the data in PostgreSQL: the program has schema level ${own}, the data has level ${found.level} and needs a program of level ${found.oldestProgram} or newer. Start the newer version again, or restore a backup from before the upgrade (docs/operations/cluster.md, "Upgrades").`,
    );
    this.name = 'OlderProgramError';
  }
}

/** The level of the database; null: it has none yet. */
export async function readSchemaLevel(db: Kysely<Database>): Promise<SchemaLevel | null> {
  const { rows } = await sql<{ is_there: boolean }>`SELECT to_regclass('schema_level') IS NOT NULL AS is_there`.execute(
    db,
  );
  if (rows[0]?.is_there !== true) return null;
  const row = await db.selectFrom('schema_level').select(['level', 'oldest_program']).executeTakeFirst();
  return row === undefined ? null : { level: row.level, oldestProgram: row.oldest_program };
}

/** @throws OlderProgramError when a program of this level may not run on the database */
export async function requireSchemaLevel(db: Kysely<Database>, own: SchemaLevel = SCHEMA_LEVEL): Promise<void> {
  const found = await readSchemaLevel(db);
  if (found !== null && own.level < found.oldestProgram) throw new OlderProgramError(own.level, found);
}

/** Raises the level of the database to the program's; an older program leaves it as it is. */
export async function raiseSchemaLevel(db: Kysely<Database>, { level, oldestProgram }: SchemaLevel): Promise<void> {
  // The service's role may not write it, and has nothing to write.
  if (((await readSchemaLevel(db))?.level ?? -1) >= level) return;
  await db
    .insertInto('schema_level')
    .values({ level, oldest_program: oldestProgram })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ level, oldest_program: oldestProgram })
        .where('schema_level.level', '<', level),
    )
    .execute();
}
