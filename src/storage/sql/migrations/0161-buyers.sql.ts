import { type Kysely, sql } from 'kysely';

/** Keys of buyers, and what they book: by which price option, and for how much. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `ALTER TABLE api_keys
    ADD COLUMN advertiser_ids text[] NOT NULL DEFAULT '{}',
    ADD COLUMN spend_limit_micros bigint`,
  `ALTER TABLE line_items
    ADD COLUMN price_option_id text,
    ADD COLUMN budget_micros bigint,
    ADD COLUMN buyer_key_id bigint`,
];
