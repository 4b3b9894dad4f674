import { type Kysely, sql } from 'kysely';

/** Labels of advertisers, campaigns and line items: settings of the network cap how often a user sees ads that bear one. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const table of ['advertisers', 'campaigns', 'line_items'])
    await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN labels text[] NOT NULL DEFAULT '{}'`.execute(db);
}
