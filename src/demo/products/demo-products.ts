import type {
  Channel,
  CreativePolicy,
  PriceOption,
  ProductDelivery,
  ProductFormat,
} from '../../domain/booking/product.ts';
import type { CreativeFormat } from '../../domain/creative-format.ts';
import type { PricingModel } from '../../domain/pricing/pricing-models.ts';
import type { TargetingDimension } from '../../domain/targeting/targeting-dimensions.ts';

/** A product of the demo's price list. */
export interface DemoProduct {
  readonly name: string;
  readonly description: string;
  readonly delivery: ProductDelivery;
  readonly channels: readonly Channel[];
  /** Names of ad units; empty: all inventory. */
  readonly adUnits: readonly string[];
  readonly formats: readonly ProductFormat[];
  readonly buyerDimensions: readonly TargetingDimension[];
  readonly prices: readonly DemoPrice[];
  readonly minimumSpend?: string;
  readonly minimumDays?: number;
  readonly leadTimeHours: number;
  readonly cancellationNoticeDays: number;
  readonly creativePolicy?: CreativePolicy;
}

/** A price; `advertiser` is the key of the only one that has it. */
export interface DemoPrice extends Pick<PriceOption, 'id' | 'pricingModel'> {
  readonly price?: string;
  readonly floor?: string;
  readonly sharePercent?: number;
  readonly advertiser?: string;
}

const banner = (format: CreativeFormat, ...sizes: (readonly [number, number])[]): ProductFormat => ({
  format,
  sizes: sizes.map(([width, height]) => ({ width, height })),
  durationMinMs: null,
  durationMaxMs: null,
});
const fixed = (id: string, pricingModel: PricingModel, price: string): DemoPrice => ({ id, pricingModel, price });

const BILLBOARDS = [banner('IMAGE', [970, 250], [728, 90]), banner('HTML', [970, 250], [728, 90])];
const SIDEBARS = [banner('IMAGE', [300, 250], [300, 600]), banner('HTML', [300, 250], [300, 600])];
const POLICY: CreativePolicy = {
  coBranding: 'OPTIONAL',
  landingPage: 'ANY',
  templatesAvailable: false,
  provenanceRequired: false,
  terms: 'No sound before a click. No alcohol, betting or political advertising.',
};

/** All products of the demo. Line items name some of them. */
export const DEMO_PRODUCTS: readonly DemoProduct[] = [
  {
    name: 'Homepage takeover',
    description:
      'Half of all opportunities at the top of the magazine’s home page for a day, and of the sports home page.',
    delivery: 'GUARANTEED',
    channels: ['DISPLAY'],
    adUnits: ['home/top', 'sports/top'],
    formats: BILLBOARDS,
    buyerDimensions: [],
    prices: [
      { id: 'day', pricingModel: 'FLAT', price: '600', sharePercent: 50 },
      { id: 'day-nordlicht', pricingModel: 'FLAT', price: '540', sharePercent: 50, advertiser: 'nordlicht' },
    ],
    minimumDays: 1,
    leadTimeHours: 72,
    cancellationNoticeDays: 14,
    creativePolicy: POLICY,
  },
  {
    name: 'Sidebar guaranteed',
    description: 'A promised number of impressions beside articles of both sites, spread evenly over the flight.',
    delivery: 'GUARANTEED',
    channels: ['DISPLAY'],
    adUnits: ['home/sidebar', 'sports/sidebar'],
    formats: SIDEBARS,
    buyerDimensions: ['country', 'deviceType', 'segment'],
    prices: [fixed('cpm', 'CPM', '14'), fixed('vcpm', 'VCPM', '21')],
    minimumSpend: '100',
    minimumDays: 3,
    leadTimeHours: 24,
    cancellationNoticeDays: 7,
    creativePolicy: POLICY,
  },
  {
    name: 'Run of network',
    description: 'Banners on all pages of both sites wherever nothing dearer serves, by price.',
    delivery: 'NON_GUARANTEED',
    channels: ['DISPLAY'],
    adUnits: [],
    formats: [banner('IMAGE'), banner('HTML')],
    buyerDimensions: ['site', 'adUnit', 'country', 'region', 'deviceType', 'keyValue', 'segment'],
    prices: [{ id: 'cpm-floor', pricingModel: 'CPM', floor: '2.50' }, fixed('cpc', 'CPC', '0.80')],
    minimumSpend: '25',
    leadTimeHours: 0,
    cancellationNoticeDays: 0,
  },
  {
    name: 'Native stories',
    description: 'Stories in the form of the page, between and below articles of the magazine.',
    delivery: 'NON_GUARANTEED',
    channels: ['DISPLAY'],
    adUnits: ['article/inline', 'article/native'],
    formats: [banner('NATIVE')],
    buyerDimensions: ['country', 'deviceType', 'keyValue'],
    prices: [{ id: 'cpm-floor', pricingModel: 'CPM', floor: '6' }, fixed('cpc', 'CPC', '1.20')],
    minimumSpend: '50',
    leadTimeHours: 4,
    cancellationNoticeDays: 1,
    creativePolicy: { ...POLICY, coBranding: 'NONE', terms: 'The headline says what the advertiser sells.' },
  },
  {
    name: 'Instream video',
    description: 'Video of up to 30 seconds before films of the magazine.',
    delivery: 'NON_GUARANTEED',
    channels: ['ONLINE_VIDEO'],
    adUnits: ['article/video'],
    formats: [{ format: 'VIDEO', sizes: [], durationMinMs: 5_000, durationMaxMs: 30_000 }],
    buyerDimensions: ['country', 'deviceType'],
    prices: [{ id: 'cpm-floor', pricingModel: 'CPM', floor: '12' }, fixed('cpcv', 'CPCV', '0.03')],
    minimumSpend: '50',
    leadTimeHours: 4,
    cancellationNoticeDays: 1,
    creativePolicy: POLICY,
  },
  {
    name: 'Video guaranteed',
    description: 'A promised number of video impressions before films of the magazine.',
    delivery: 'GUARANTEED',
    channels: ['ONLINE_VIDEO'],
    adUnits: ['article/video'],
    formats: [{ format: 'VIDEO', sizes: [], durationMinMs: 5_000, durationMaxMs: 20_000 }],
    buyerDimensions: ['country'],
    prices: [fixed('cpm', 'CPM', '24')],
    minimumSpend: '200',
    minimumDays: 7,
    leadTimeHours: 48,
    cancellationNoticeDays: 14,
    creativePolicy: POLICY,
  },
];
