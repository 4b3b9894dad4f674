import { type Kysely, sql } from 'kysely';

/** Which machine reports a node: two machines with the same node id are copies. Empty: a program that does not say it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE cluster_nodes ADD COLUMN machine text NOT NULL DEFAULT ''`.execute(db);
}
