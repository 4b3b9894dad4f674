import { type Kysely, sql } from 'kysely';

/** Companions: banners that stand beside another creative of their line item. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `ALTER TABLE line_items ADD COLUMN companion_mode text NOT NULL DEFAULT 'NONE'
    CHECK (companion_mode IN ('NONE', 'OPTIONAL', 'AT_LEAST_ONE', 'ALL'))`,
  'ALTER TABLE creatives ADD COLUMN master_creative_id bigint CHECK (master_creative_id <> id)',
  `ALTER TABLE creatives ADD FOREIGN KEY (workspace_id, master_creative_id) REFERENCES creatives (workspace_id, id)`,
  'CREATE INDEX creatives_by_master ON creatives (workspace_id, master_creative_id) WHERE master_creative_id IS NOT NULL',
];
