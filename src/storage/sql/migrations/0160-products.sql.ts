import { type Kysely, sql } from 'kysely';

/** What an advertising product is: inventory, formats, prices and terms. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw(STATEMENT).execute(db);
}

const STATEMENT = `ALTER TABLE advertising_products
  ADD COLUMN delivery text NOT NULL DEFAULT 'NON_GUARANTEED',
  ADD COLUMN channels text[] NOT NULL DEFAULT '{}',
  ADD COLUMN targeting jsonb,
  ADD COLUMN formats jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN buyer_dimensions text[] NOT NULL DEFAULT '{}',
  ADD COLUMN price_options jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN minimum_spend_micros bigint,
  ADD COLUMN minimum_days integer,
  ADD COLUMN maximum_days integer,
  ADD COLUMN lead_time_hours integer NOT NULL DEFAULT 0,
  ADD COLUMN cancellation_notice_days integer NOT NULL DEFAULT 0,
  ADD COLUMN measurement jsonb,
  ADD COLUMN creative_policy jsonb,
  ADD COLUMN offered_to_buyers boolean NOT NULL DEFAULT false,
  ADD COLUMN offered_advertiser_ids jsonb NOT NULL DEFAULT '[]',
  ADD CONSTRAINT advertising_products_delivery_check CHECK (delivery IN ('GUARANTEED', 'NON_GUARANTEED'))`;
