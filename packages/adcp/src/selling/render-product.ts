import { formatsFor, type PlacardFormat } from './formats.ts';
import { numberOf } from './money.ts';
import { pricingName } from './pricing-models.ts';
import type { OptionGuidance } from './price-guidance.ts';
import { type Portfolio, type PriceOption, type Product, requiredValues } from './products.ts';

/** Media channels of Placard that the protocol names otherwise. */
const CHANNELS: Readonly<Record<string, string>> = {
  DISPLAY: 'display',
  ONLINE_VIDEO: 'olv',
  CONNECTED_TV: 'ctv',
  STREAMING_AUDIO: 'streaming_audio',
  PODCAST: 'podcast',
  DIGITAL_OUT_OF_HOME: 'dooh',
  GAMING: 'gaming',
  EMAIL: 'email',
  RETAIL_MEDIA: 'retail_media',
};

/** Metrics that reports have for every product. */
export const METRICS: readonly string[] = [
  'impressions',
  'spend',
  'clicks',
  'ctr',
  'completed_views',
  'conversions',
  'viewability',
];

/** Minutes after which an event is in reports, at the latest. */
const REPORT_DELAY_MINUTES = 60;

interface RenderedWith {
  readonly portfolio: Portfolio;
  readonly agentUrl: string;
  /** What its bidders paid, by option; default: not known. */
  readonly guidance?: readonly OptionGuidance[];
}

/** A product as `core/product.json` of the protocol has it. */
export function renderProduct(
  product: Product,
  { portfolio, agentUrl, guidance = [] }: RenderedWith,
): Record<string, unknown> {
  const { currency, timezone } = portfolio;
  const { creativePolicy: policy, measurement, cancellationNoticeDays: notice } = product;
  return {
    product_id: product.id,
    name: product.name,
    description: product.description === '' ? product.name : product.description,
    publisher_properties: domainsOf(product, portfolio).map((domain) => ({
      publisher_domain: domain,
      selection_type: 'all',
    })),
    channels: channelsOf(product),
    format_ids: formatIdsOf(product, agentUrl),
    delivery_type: product.delivery === 'GUARANTEED' ? 'guaranteed' : 'non_guaranteed',
    pricing_options: product.priceOptions.map((one) => {
      const known = guidance.find(({ priceOptionId }) => priceOptionId === one.id);
      return {
        ...renderPrice(one, product, currency),
        ...(known === undefined ? {} : { price_guidance: percentiles(known) }),
      };
    }),
    reporting_capabilities: {
      available_reporting_frequencies: ['daily'],
      expected_delay_minutes: REPORT_DELAY_MINUTES,
      timezone,
      supports_webhooks: false,
      available_metrics: METRICS,
      supports_creative_breakdown: true,
      date_range_support: 'date_range',
    },
    ...(measurement?.terms === undefined || measurement.terms === null
      ? {}
      : { delivery_measurement: { notes: measurement.terms } }),
    ...(notice === 0
      ? {}
      : {
          cancellation_policy: {
            notice_period: { interval: notice, unit: 'days' },
            // What is not delivered is not billed, whenever a buy is canceled.
            cancellation_fee: { type: 'none' },
          },
        }),
    ...(policy === null
      ? {}
      : {
          creative_policy: {
            co_branding: policy.coBranding.toLowerCase(),
            landing_page: LANDING_PAGES[policy.landingPage] ?? 'any',
            templates_available: policy.templatesAvailable,
            provenance_required: policy.provenanceRequired,
          },
        }),
  };
}

const LANDING_PAGES: Readonly<Record<string, string>> = {
  ANY: 'any',
  PUBLISHER_ONLY: 'retailer_site_only',
  PUBLISHER_INCLUDED: 'must_include_retailer',
};

/** The channels of a product, as the protocol names them. */
export function channelsOf({ channels }: Pick<Product, 'channels'>): string[] {
  return channels.flatMap((one) => CHANNELS[one] ?? []);
}

/** The formats of a product, by reference. One without formats takes what its channels show. */
export function formatIdsOf({ formats, channels }: Pick<Product, 'formats' | 'channels'>, agentUrl: string) {
  const accepted =
    formats.length > 0
      ? formats
      : [
          ...new Set(channels.length === 0 ? SHOWN.DISPLAY : channels.flatMap((one) => SHOWN[one] ?? SHOWN.DISPLAY)),
        ].map((format) => ({ format, sizes: [] }));
  return accepted.flatMap(({ format, sizes }) =>
    formatsFor(format, sizes).map(({ id }) => ({ agent_url: agentUrl, id })),
  );
}

/** What the channels of a product show. */
const SHOWN: Readonly<Record<string, readonly PlacardFormat[]>> & { readonly DISPLAY: readonly PlacardFormat[] } = {
  DISPLAY: ['IMAGE', 'HTML', 'NATIVE'],
  ONLINE_VIDEO: ['VIDEO'],
  CONNECTED_TV: ['VIDEO'],
  STREAMING_AUDIO: ['AUDIO'],
  PODCAST: ['AUDIO'],
};

/** The sites of a product: those that its targeting names, or all of the network. */
function sitesOf({ targeting }: Pick<Product, 'targeting'>, { sites }: Portfolio) {
  const ids = requiredValues(targeting, 'SITE');
  const named = ids === null ? sites : sites.filter(({ id }) => ids.includes(id));
  return named.length > 0 ? named : sites;
}

/** The domains of a product's sites. A product without one cannot be shown: the protocol names inventory by domains. */
export function domainsOf(product: Pick<Product, 'targeting'>, portfolio: Portfolio): string[] {
  const domains = sitesOf(product, portfolio).flatMap(({ domain }) => (isDomain(domain) ? [domain] : []));
  return [...new Set(domains)];
}

function isDomain(text: string | null): text is string {
  return text !== null && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/.test(text);
}

function renderPrice(option: PriceOption, { minimumSpend, minimumDays, maximumDays }: Product, currency: string) {
  const { id, pricingModel, price, floor } = option;
  const minimum = largest(option.minimumSpend, minimumSpend);
  return {
    pricing_option_id: id,
    pricing_model: pricingName(pricingModel),
    currency,
    ...(price === null ? { floor_price: numberOf(floor ?? '0') } : { fixed_price: numberOf(price) }),
    ...(minimum === null ? {} : { min_spend_per_package: minimum }),
    ...(pricingModel === 'FLAT'
      ? {
          parameters: {
            time_unit: 'day',
            ...(minimumDays === null ? {} : { min_duration: minimumDays }),
            ...(maximumDays === null ? {} : { max_duration: maximumDays }),
          },
        }
      : {}),
  };
}

function percentiles({ p25, p50, p75, p90 }: OptionGuidance): Readonly<Record<string, number>> {
  return { p25: numberOf(p25), p50: numberOf(p50), p75: numberOf(p75), p90: numberOf(p90) };
}

function largest(...amounts: readonly (string | null)[]): number | null {
  const known = amounts.flatMap((one) => (one === null ? [] : [numberOf(one)]));
  return known.length === 0 ? null : Math.max(...known);
}
