import { type Kysely, sql } from 'kysely';

/** The level of the schema, and the oldest level of a program that may run on it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`CREATE TABLE schema_level (
    id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    level integer NOT NULL,
    oldest_program integer NOT NULL)`.execute(db);
}
