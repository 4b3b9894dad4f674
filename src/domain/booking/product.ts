import type { CreativeFormat } from '../creative-format.ts';
import type { PricingModel } from '../pricing/pricing-models.ts';
import type { Size } from './inventory.ts';

/** Whether a product promises an amount. */
export type ProductDelivery = 'GUARANTEED' | 'NON_GUARANTEED';

/** The media channels that buyers plan by. */
export const CHANNELS = {
  DISPLAY: 'Banners and native ads on pages and in apps.',
  ONLINE_VIDEO: 'Video on pages and in apps.',
  CONNECTED_TV: 'Video on television screens.',
  STREAMING_AUDIO: 'Audio streams.',
  PODCAST: 'Podcasts.',
  DIGITAL_OUT_OF_HOME: 'Digital screens out of home.',
  GAMING: 'Ads in games.',
  EMAIL: 'Newsletters.',
  RETAIL_MEDIA: 'Shops and marketplaces.',
} as const satisfies Readonly<Record<string, string>>;

/** A media channel of {@link CHANNELS}. */
export type Channel = keyof typeof CHANNELS;

/** A format that creatives of a product may have. */
export interface ProductFormat {
  readonly format: CreativeFormat;
  /** Empty: any size that the inventory offers. */
  readonly sizes: readonly Size[];
  /** Of formats that a player plays; null: no bound. */
  readonly durationMinMs: number | null;
  readonly durationMaxMs: number | null;
}

/** A way to pay for a product: a fixed price, or a floor over which the buyer bids. Amounts are micros. */
export interface PriceOption {
  /** Unique in its product, and stays while the terms of the option change. */
  readonly id: string;
  readonly pricingModel: PricingModel;
  readonly priceMicros: number | null;
  readonly floorMicros: number | null;
  /** The share of voice that a day buys, in percent; only of models whose price is for a day. */
  readonly sharePercent: number | null;
  readonly minimumSpendMicros: number | null;
  /** The advertisers that the option is for; empty: all. */
  readonly advertiserIds: readonly string[];
}

/** Who counts what a product delivers. */
export const COUNTING_PARTIES = {
  PUBLISHER: "This ad server's counts are billed.",
  ADVERTISER: "The buyer's ad server's counts are billed.",
  THIRD_PARTY: 'The counts of a vendor are billed.',
} as const satisfies Readonly<Record<string, string>>;

/** How delivery of a product is measured. */
export interface ProductMeasurement {
  readonly countedBy: keyof typeof COUNTING_PARTIES;
  /** The vendor that counts; null unless a third party does. */
  readonly vendor: string | null;
  readonly viewabilityVendor: string | null;
  /** Further terms in words. */
  readonly terms: string | null;
}

/** Whether creatives show the publisher's brand. */
export const CO_BRANDING = {
  NONE: "Without the publisher's brand.",
  OPTIONAL: "With or without the publisher's brand.",
  REQUIRED: "With the publisher's brand.",
} as const satisfies Readonly<Record<string, string>>;

/** Where clicks may lead. */
export const LANDING_PAGES = {
  ANY: 'Anywhere.',
  PUBLISHER_ONLY: 'Only to a page of the publisher.',
  PUBLISHER_INCLUDED: 'To a page where the publisher is named.',
} as const satisfies Readonly<Record<string, string>>;

/** What creatives of a product have to be like. */
export interface CreativePolicy {
  readonly coBranding: keyof typeof CO_BRANDING;
  readonly landingPage: keyof typeof LANDING_PAGES;
  readonly templatesAvailable: boolean;
  /** Whether creatives have to say how they were made (by a camera, by a model …). */
  readonly provenanceRequired: boolean;
  /** Further rules in words. */
  readonly terms: string | null;
}
