import {
  CHANNEL_NAMES,
  type CoBranding,
  type CountingParty,
  type CreativeFormat,
  type CustomFieldType,
  DIMENSION_NAMES,
  type LandingPage,
  type MediaType,
  type PricingModel,
  type ProductDelivery,
} from '../api/bookings/catalog.ts';
import { type MessageKey, say } from '../messages/say.ts';

/** The choices of an enumeration of the API: a new value of it does not compile until it has a name here. */
function choicesOfAll<Value extends string>(names: Readonly<Record<Value, MessageKey>>) {
  return Object.entries(names) as [Value, MessageKey][];
}

/** Kinds of ads. */
export const MEDIA_TYPES = choicesOfAll<MediaType>({
  BANNER: 'media_type.BANNER',
  VIDEO: 'media_type.VIDEO',
  AUDIO: 'media_type.AUDIO',
  NATIVE: 'media_type.NATIVE',
});
/** Whether a product promises an amount. */
export const PRODUCT_DELIVERIES = choicesOfAll<ProductDelivery>({
  NON_GUARANTEED: 'product_delivery.NON_GUARANTEED',
  GUARANTEED: 'product_delivery.GUARANTEED',
});
/** Media channels. */
export const CHANNELS = CHANNEL_NAMES.map((name) => [name, `channel.${name}`] as const);
/** Formats of creatives. */
export const CREATIVE_FORMATS = choicesOfAll<CreativeFormat>({
  IMAGE: 'creative_format.IMAGE',
  HTML: 'creative_format.HTML',
  NATIVE: 'creative_format.NATIVE',
  VIDEO: 'creative_format.VIDEO',
  AUDIO: 'creative_format.AUDIO',
});
/** Which event earns a price. */
export const PRICING_MODELS = choicesOfAll<PricingModel>({
  CPM: 'pricing.CPM',
  VCPM: 'pricing.VCPM',
  CPC: 'pricing.CPC',
  CPA: 'pricing.CPA',
  CPCV: 'pricing.CPCV',
  FLAT: 'pricing.FLAT',
});
/** Who counts what is billed. */
export const COUNTING_PARTIES = choicesOfAll<CountingParty>({
  PUBLISHER: 'counting_party.PUBLISHER',
  ADVERTISER: 'counting_party.ADVERTISER',
  THIRD_PARTY: 'counting_party.THIRD_PARTY',
});
/** Whether creatives show the publisher's brand. */
export const CO_BRANDINGS = choicesOfAll<CoBranding>({
  NONE: 'co_branding.NONE',
  OPTIONAL: 'co_branding.OPTIONAL',
  REQUIRED: 'co_branding.REQUIRED',
});
/** The pages to which clicks may lead. */
export const LANDING_PAGES = choicesOfAll<LandingPage>({
  ANY: 'landing_page.ANY',
  PUBLISHER_ONLY: 'landing_page.PUBLISHER_ONLY',
  PUBLISHER_INCLUDED: 'landing_page.PUBLISHER_INCLUDED',
});
/** The dimensions by which a buyer may narrow a booking. */
export const BUYER_DIMENSIONS = DIMENSION_NAMES.map((name) => [name, `buyer_dimension.${name}`] as const);
/** Kinds of values of a custom field. */
export const CUSTOM_TYPES = choicesOfAll<CustomFieldType>({
  TEXT: 'custom_type.TEXT',
  NUMBER: 'custom_type.NUMBER',
  BOOLEAN: 'custom_type.BOOLEAN',
  DATE: 'custom_type.DATE',
  CHOICE: 'custom_type.CHOICE',
});
/** Kinds of objects that have custom fields, as the API names them. */
export const CUSTOM_KINDS = [
  ['campaign', 'custom_kind.campaign'],
  ['lineItem', 'custom_kind.lineItem'],
  ['creative', 'custom_kind.creative'],
  ['libraryCreative', 'custom_kind.libraryCreative'],
  ['advertiser', 'custom_kind.advertiser'],
  ['advertisingProduct', 'custom_kind.advertisingProduct'],
  ['deal', 'custom_kind.deal'],
  ['site', 'custom_kind.site'],
  ['area', 'custom_kind.area'],
  ['adUnit', 'custom_kind.adUnit'],
  ['floor', 'custom_kind.floor'],
  ['keyValue', 'custom_kind.keyValue'],
  ['segment', 'custom_kind.segment'],
  ['activity', 'custom_kind.activity'],
] as const;

/** The name of a kind of objects that has custom fields. */
export function customKind(kind: string): string {
  const [, key] = CUSTOM_KINDS.find(([one]) => one === kind) ?? [];
  return key === undefined ? kind : say(key);
}
