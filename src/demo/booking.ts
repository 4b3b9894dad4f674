import type { CreativeFormat } from '../domain/creative.ts';
import type { FrequencyCap, Goal, LineItemType, Pacing, PricingModel } from '../domain/line-item.ts';

/** Id of the demo network (checklist E3). */
export const DEMO_NETWORK_ID = '1000';
export const DEMO_ACTGID = 'demo-purchase';

/** A site of the demo publisher with its areas. */
export interface DemoSite {
  readonly code: string;
  readonly name: string;
  readonly domain: string;
  readonly areas: readonly string[];
}

export const DEMO_SITES: readonly DemoSite[] = [
  { code: 'magazine', name: 'The Demo Magazine', domain: 'magazine.example', areas: ['home', 'culture', 'travel'] },
  { code: 'sports', name: 'Demo Sports', domain: 'sports.example', areas: ['home', 'football', 'cycling'] },
];

/** An ad unit; `traffic` is its share of the network's hourly requests, for the history. */
export interface DemoAdUnit {
  readonly name: string;
  readonly site: string;
  readonly area: string | null;
  readonly sizes: readonly (readonly [width: number, height: number])[];
  readonly mediaTypes: readonly ('banner' | 'native' | 'video')[];
  readonly traffic: number;
}

export const DEMO_AD_UNITS: readonly DemoAdUnit[] = [
  {
    name: 'home/top',
    site: 'magazine',
    area: 'home',
    sizes: [
      [970, 250],
      [728, 90],
    ],
    mediaTypes: ['banner'],
    traffic: 20,
  },
  {
    name: 'home/sidebar',
    site: 'magazine',
    area: 'home',
    sizes: [
      [300, 250],
      [300, 600],
    ],
    mediaTypes: ['banner'],
    traffic: 18,
  },
  {
    name: 'article/inline',
    site: 'magazine',
    area: null,
    sizes: [[300, 250]],
    mediaTypes: ['banner', 'native'],
    traffic: 22,
  },
  { name: 'article/native', site: 'magazine', area: null, sizes: [[300, 250]], mediaTypes: ['native'], traffic: 12 },
  { name: 'article/video', site: 'magazine', area: null, sizes: [[640, 360]], mediaTypes: ['video'], traffic: 6 },
  {
    name: 'sports/top',
    site: 'sports',
    area: 'home',
    sizes: [
      [970, 250],
      [728, 90],
    ],
    mediaTypes: ['banner'],
    traffic: 10,
  },
  {
    name: 'sports/sidebar',
    site: 'sports',
    area: null,
    sizes: [
      [300, 250],
      [300, 600],
    ],
    mediaTypes: ['banner'],
    traffic: 8,
  },
  {
    name: 'sports/mobile',
    site: 'sports',
    area: null,
    sizes: [
      [320, 100],
      [320, 50],
    ],
    mediaTypes: ['banner'],
    traffic: 4,
  },
];

/** Who pays, with the facts that the Digital Services Act asks for, and the look of its pictures. */
export interface DemoAdvertiser {
  readonly key: string;
  readonly name: string;
  readonly domain: string;
  readonly dsaBehalf: string;
  readonly dsaPaid: string;
  readonly exclusionLabels: readonly string[];
  readonly colours: readonly [dark: string, light: string];
  readonly headline: string;
  readonly line: string;
  readonly callToAction: string;
}

export const DEMO_ADVERTISERS: readonly DemoAdvertiser[] = [
  {
    key: 'alder',
    name: 'Alder Coffee Roasters',
    domain: 'aldercoffee.example',
    dsaBehalf: 'Alder Coffee Roasters sp. z o.o.',
    dsaPaid: 'Alder Coffee Roasters sp. z o.o.',
    exclusionLabels: ['coffee'],
    colours: ['#3b2314', '#e8c39e'],
    headline: 'Slow mornings, fresh beans',
    line: 'Roasted on Tuesday, at your door on Thursday.',
    callToAction: 'Choose a roast',
  },
  {
    key: 'nordlicht',
    name: 'Nordlicht Travel',
    domain: 'nordlicht.example',
    dsaBehalf: 'Nordlicht Travel GmbH',
    dsaPaid: 'Nordlicht Travel GmbH',
    exclusionLabels: ['travel'],
    colours: ['#0d1b3d', '#7fe3c4'],
    headline: 'See the north by night train',
    line: 'Seven countries, one ticket, no airports.',
    callToAction: 'Plan a route',
  },
  {
    key: 'kite',
    name: 'Kite & Crane Bank',
    domain: 'kiteandcrane.example',
    dsaBehalf: 'Kite & Crane Bank S.A.',
    dsaPaid: 'Harbour Media Buying S.A.',
    exclusionLabels: ['finance'],
    colours: ['#12304a', '#f4d35e'],
    headline: 'An account that tidies itself',
    line: 'Rent, savings, and what is really yours to spend.',
    callToAction: 'Open in 6 minutes',
  },
  {
    key: 'pinewood',
    name: 'Pinewood Bikes',
    domain: 'pinewood.example',
    dsaBehalf: 'Pinewood Bikes AB',
    dsaPaid: 'Pinewood Bikes AB',
    exclusionLabels: ['bikes'],
    colours: ['#0b3d2e', '#f2a65a'],
    headline: 'Ride the long way home',
    line: 'Steel frames, built to order in Umeå.',
    callToAction: 'Find your frame',
  },
  {
    key: 'house',
    name: 'The Demo Magazine',
    domain: 'magazine.example',
    dsaBehalf: 'The Demo Magazine',
    dsaPaid: 'The Demo Magazine',
    exclusionLabels: [],
    colours: ['#5a1a3c', '#f7d6e0'],
    headline: 'Read it on paper, too',
    line: 'Six issues a year, printed slowly.',
    callToAction: 'Subscribe',
  },
];

export interface DemoCampaign {
  readonly key: string;
  readonly advertiser: string;
  readonly name: string;
}

export const DEMO_CAMPAIGNS: readonly DemoCampaign[] = [
  { key: 'alder-autumn', advertiser: 'alder', name: 'Alder: autumn roast' },
  { key: 'alder-always', advertiser: 'alder', name: 'Alder: always on' },
  { key: 'nordlicht-winter', advertiser: 'nordlicht', name: 'Nordlicht: winter night trains' },
  { key: 'nordlicht-deals', advertiser: 'nordlicht', name: 'Nordlicht: programmatic deals' },
  { key: 'kite-launch', advertiser: 'kite', name: 'Kite & Crane: account launch' },
  { key: 'kite-performance', advertiser: 'kite', name: 'Kite & Crane: performance' },
  { key: 'pinewood-spring', advertiser: 'pinewood', name: 'Pinewood: the long way home' },
  { key: 'house', advertiser: 'house', name: 'House: subscriptions' },
];

/** What a line item's creatives are: a format and, for banners, their sizes. */
export type DemoCreative = readonly [format: CreativeFormat, width: number, height: number];

export interface DemoLineItem {
  readonly campaign: string;
  readonly name: string;
  readonly type: LineItemType;
  readonly level?: number;
  readonly sharePercent?: number;
  readonly goal?: Goal;
  readonly pacing?: Pacing;
  readonly pricingModel: PricingModel;
  /** Decimal text of the network's currency. */
  readonly price: string;
  readonly sites?: readonly string[];
  readonly adUnits?: readonly string[];
  readonly deal?: string;
  readonly product?: string;
  readonly frequencyCaps?: readonly FrequencyCap[];
  readonly impressionsPerDay?: number;
  readonly spendPerDay?: string;
  readonly creatives: readonly DemoCreative[];
}

const MREC: DemoCreative = ['IMAGE', 300, 250];
const HALF_PAGE: DemoCreative = ['IMAGE', 300, 600];
const BILLBOARD: DemoCreative = ['IMAGE', 970, 250];
const LEADERBOARD: DemoCreative = ['IMAGE', 728, 90];
const MOBILE: DemoCreative = ['IMAGE', 320, 100];
const MREC_HTML: DemoCreative = ['HTML', 300, 250];
const BILLBOARD_HTML: DemoCreative = ['HTML', 970, 250];
const NATIVE: DemoCreative = ['NATIVE', 0, 0];
const VIDEO: DemoCreative = ['VIDEO', 640, 360];

const perDay = (amount: number): Goal => ({ kind: 'IMPRESSIONS', amount, period: 'DAY' });
const dailyCap = (count: number): readonly FrequencyCap[] => [{ event: 'IMPRESSIONS', count, window: 'DAY', every: 1 }];

export const DEMO_DEALS: readonly { code: string; name: string; floor: string }[] = [
  { code: 'NL-WINTER-PMP', name: 'Nordlicht private auction', floor: '14' },
  { code: 'KC-PREFERRED', name: 'Kite & Crane preferred', floor: '18' },
];

export const DEMO_PRODUCTS: readonly string[] = [
  'Homepage takeover',
  'Run of network',
  'Native stories',
  'Instream video',
];

export const DEMO_LINE_ITEMS: readonly DemoLineItem[] = [
  {
    campaign: 'alder-autumn',
    name: 'Alder homepage sponsorship',
    type: 'SPONSORSHIP',
    level: 1,
    sharePercent: 30,
    pricingModel: 'CPM',
    price: '42',
    adUnits: ['home/top'],
    product: 'Homepage takeover',
    creatives: [BILLBOARD, LEADERBOARD],
  },
  {
    campaign: 'nordlicht-winter',
    name: 'Nordlicht homepage sponsorship',
    type: 'SPONSORSHIP',
    level: 1,
    sharePercent: 25,
    pricingModel: 'CPM',
    price: '45',
    adUnits: ['home/top'],
    product: 'Homepage takeover',
    creatives: [BILLBOARD_HTML, LEADERBOARD],
  },
  {
    campaign: 'pinewood-spring',
    name: 'Pinewood cycling sponsorship',
    type: 'SPONSORSHIP',
    level: 2,
    sharePercent: 40,
    pricingModel: 'FLAT',
    price: '900',
    sites: ['sports'],
    adUnits: ['sports/top'],
    product: 'Homepage takeover',
    creatives: [BILLBOARD, LEADERBOARD],
  },
  {
    campaign: 'alder-autumn',
    name: 'Alder sidebar guaranteed',
    type: 'STANDARD',
    level: 4,
    goal: perDay(6000),
    pacing: 'EVEN',
    pricingModel: 'CPM',
    price: '18.50',
    adUnits: ['home/sidebar', 'sports/sidebar'],
    product: 'Run of network',
    creatives: [MREC, HALF_PAGE],
  },
  {
    campaign: 'alder-autumn',
    name: 'Alder native stories',
    type: 'STANDARD',
    level: 6,
    goal: perDay(2500),
    pacing: 'EVEN',
    pricingModel: 'CPM',
    price: '24',
    adUnits: ['article/native', 'article/inline'],
    product: 'Native stories',
    creatives: [NATIVE],
  },
  {
    campaign: 'nordlicht-winter',
    name: 'Nordlicht inline guaranteed',
    type: 'STANDARD',
    level: 6,
    goal: perDay(5000),
    pacing: 'EVEN',
    pricingModel: 'CPM',
    price: '16',
    adUnits: ['article/inline'],
    product: 'Run of network',
    creatives: [MREC],
  },
  {
    campaign: 'nordlicht-winter',
    name: 'Nordlicht viewable sidebar',
    type: 'STANDARD',
    level: 8,
    goal: { kind: 'VIEWABLE_IMPRESSIONS', amount: 3000, period: 'DAY' },
    pricingModel: 'VCPM',
    price: '28',
    adUnits: ['home/sidebar'],
    product: 'Run of network',
    creatives: [HALF_PAGE, MREC],
  },
  {
    campaign: 'kite-launch',
    name: 'Kite & Crane launch, run of network',
    type: 'STANDARD',
    level: 8,
    goal: perDay(9000),
    pricingModel: 'CPM',
    price: '14.25',
    product: 'Run of network',
    frequencyCaps: dailyCap(6),
    creatives: [MREC, HALF_PAGE, BILLBOARD, LEADERBOARD, MOBILE],
  },
  {
    campaign: 'kite-launch',
    name: 'Kite & Crane launch video',
    type: 'STANDARD',
    level: 6,
    goal: perDay(1200),
    pricingModel: 'CPM',
    price: '65',
    adUnits: ['article/video'],
    product: 'Instream video',
    creatives: [VIDEO],
  },
  {
    campaign: 'pinewood-spring',
    name: 'Pinewood sports guaranteed',
    type: 'STANDARD',
    level: 8,
    goal: perDay(4000),
    pricingModel: 'CPM',
    price: '15',
    sites: ['sports'],
    product: 'Run of network',
    creatives: [MREC, HALF_PAGE, LEADERBOARD, MOBILE],
  },
  {
    campaign: 'pinewood-spring',
    name: 'Pinewood video',
    type: 'STANDARD',
    level: 8,
    goal: perDay(1500),
    pacing: 'FRONT_LOADED',
    pricingModel: 'CPM',
    price: '58',
    adUnits: ['article/video'],
    product: 'Instream video',
    creatives: [VIDEO],
  },
  {
    campaign: 'alder-always',
    name: 'Alder always on',
    type: 'PRICE',
    pricingModel: 'CPM',
    price: '9.80',
    product: 'Run of network',
    spendPerDay: '400',
    creatives: [MREC, LEADERBOARD, MOBILE],
  },
  {
    campaign: 'alder-always',
    name: 'Alder pay per click',
    type: 'PRICE',
    pricingModel: 'CPC',
    price: '1.90',
    product: 'Run of network',
    spendPerDay: '300',
    creatives: [MREC, HALF_PAGE],
  },
  {
    campaign: 'nordlicht-deals',
    name: 'Nordlicht private auction',
    type: 'PRICE',
    pricingModel: 'CPM',
    price: '21',
    deal: 'NL-WINTER-PMP',
    product: 'Run of network',
    creatives: [MREC, HALF_PAGE, BILLBOARD],
  },
  {
    campaign: 'nordlicht-deals',
    name: 'Nordlicht open auction',
    type: 'PRICE',
    pricingModel: 'CPM',
    price: '8.40',
    product: 'Run of network',
    creatives: [MREC, LEADERBOARD],
  },
  {
    campaign: 'kite-performance',
    name: 'Kite & Crane preferred deal',
    type: 'PRICE',
    pricingModel: 'CPM',
    price: '22',
    deal: 'KC-PREFERRED',
    product: 'Run of network',
    creatives: [MREC, HALF_PAGE],
  },
  {
    campaign: 'kite-performance',
    name: 'Kite & Crane per account opened',
    type: 'PRICE',
    pricingModel: 'CPA',
    price: '85',
    product: 'Run of network',
    creatives: [MREC, HALF_PAGE, LEADERBOARD],
  },
  {
    campaign: 'kite-performance',
    name: 'Kite & Crane native clicks',
    type: 'PRICE',
    pricingModel: 'CPC',
    price: '2.40',
    adUnits: ['article/native'],
    product: 'Native stories',
    creatives: [NATIVE],
  },
  {
    campaign: 'pinewood-spring',
    name: 'Pinewood mobile',
    type: 'PRICE',
    pricingModel: 'CPM',
    price: '6.20',
    adUnits: ['sports/mobile'],
    product: 'Run of network',
    creatives: [MOBILE, ['IMAGE', 320, 50]],
  },
  {
    campaign: 'pinewood-spring',
    name: 'Pinewood native',
    type: 'PRICE',
    pricingModel: 'CPM',
    price: '7.50',
    product: 'Native stories',
    creatives: [NATIVE],
  },
  {
    campaign: 'nordlicht-deals',
    name: 'Nordlicht rich banner',
    type: 'PRICE',
    pricingModel: 'CPM',
    price: '11.60',
    adUnits: ['article/inline', 'home/sidebar'],
    product: 'Run of network',
    impressionsPerDay: 20000,
    creatives: [MREC_HTML],
  },
  {
    campaign: 'house',
    name: 'House banners',
    type: 'HOUSE',
    sharePercent: 50,
    pricingModel: 'CPM',
    price: '0',
    creatives: [MREC, HALF_PAGE, BILLBOARD, LEADERBOARD, MOBILE, ['IMAGE', 320, 50]],
  },
  {
    campaign: 'house',
    name: 'House newsletter',
    type: 'HOUSE',
    sharePercent: 30,
    pricingModel: 'CPM',
    price: '0',
    creatives: [MREC_HTML],
  },
  {
    campaign: 'house',
    name: 'House native',
    type: 'HOUSE',
    sharePercent: 50,
    pricingModel: 'CPM',
    price: '0',
    creatives: [NATIVE],
  },
  {
    campaign: 'house',
    name: 'House video',
    type: 'HOUSE',
    sharePercent: 50,
    pricingModel: 'CPM',
    price: '0',
    creatives: [VIDEO],
  },
];
