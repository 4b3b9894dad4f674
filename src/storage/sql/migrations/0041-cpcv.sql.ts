import { type Kysely, sql } from 'kysely';

/** A line item may be paid by completed views. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(
      `ALTER TABLE line_items DROP CONSTRAINT line_items_pricing_model_check,
        ADD CONSTRAINT line_items_pricing_model_check CHECK (pricing_model IN ('CPM', 'VCPM', 'CPC', 'CPA', 'FLAT', 'CPCV'))`,
    )
    .execute(db);
}
