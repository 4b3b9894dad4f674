import type { ColumnType } from 'kysely';
import type {
  CreativePolicy,
  PriceOption,
  ProductDelivery,
  ProductFormat,
  ProductMeasurement,
} from '../../domain/booking/product.ts';
import type { Targeting } from '../../domain/targeting/targeting.ts';

/** jsonb: read parsed, written as JSON text. */
type DefaultJson<T> = ColumnType<T, string | undefined, string>;
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
type Defaulted<T> = ColumnType<T, T | undefined, T>;
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** The columns of a product beside its name. */
export interface ProductTerms {
  delivery: Defaulted<ProductDelivery>;
  channels: Defaulted<string[]>;
  targeting: NullableJson<Targeting>;
  formats: DefaultJson<ProductFormat[]>;
  buyer_dimensions: Defaulted<string[]>;
  price_options: DefaultJson<PriceOption[]>;
  minimum_spend_micros: Nullable<bigint>;
  minimum_days: Nullable<number>;
  maximum_days: Nullable<number>;
  lead_time_hours: Defaulted<number>;
  cancellation_notice_days: Defaulted<number>;
  measurement: NullableJson<ProductMeasurement>;
  creative_policy: NullableJson<CreativePolicy>;
  offered_to_buyers: Defaulted<boolean>;
  /** Decimal ids. */
  offered_advertiser_ids: DefaultJson<string[]>;
}

/** How a line item was booked from a product. */
export interface BookedPrice {
  price_option_id: Nullable<string>;
  budget_micros: Nullable<bigint>;
  /** The key of the buyer that booked it; null: a member of the network did. */
  buyer_key_id: Nullable<bigint>;
}

/** What a buyer's key is bound to. */
export interface BuyerKey {
  /** Decimal ids; empty for other keys. */
  advertiser_ids: Defaulted<string[]>;
  spend_limit_micros: Nullable<bigint>;
}
