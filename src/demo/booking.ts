import type { CreativeFormat } from '../domain/creative-format.ts';
import type { DeliveryStatus, Goal, LineItemType, Pacing } from '../domain/booking/line-item.ts';
import type { FrequencyCap } from '../domain/frequency/frequency-cap.ts';
import type { PricingModel } from '../domain/pricing/pricing-models.ts';

/** Id of the demo network. */
export const DEMO_NETWORK_ID = '1000';
/** Time zone of the demo network. */
export const DEMO_TIMEZONE = 'Europe/Warsaw';
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
    line: 'Roasted on Tuesday, at your table on Thursday.',
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

/** The creatives of a line item: a format and, for banners, their sizes. */
export type DemoCreative = readonly [format: Exclude<CreativeFormat, 'AUDIO'>, width: number, height: number];

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
  /** Banners shown beside the first of its creatives where slots are free. */
  readonly companions?: readonly DemoCreative[];
  /** Default ACTIVE. */
  readonly status?: DeliveryStatus;
  /** Days from the network's midnight before the seeding; default always. */
  readonly flight?: readonly [fromDay: number, toDay: number];
  /** Of all its creatives; default APPROVED. */
  readonly review?: 'PENDING' | 'REJECTED';
  /** ISO 3166-1 alpha-2 codes that it is targeted to. */
  readonly countries?: readonly string[];
  /** A key-value that it is targeted to. */
  readonly keyValue?: readonly [key: string, value: string];
  /** How much of its plan the history delivers, for goals; default 1. */
  readonly delivers?: number;
}

export const DEMO_DEALS: readonly { code: string; name: string; floor: string }[] = [
  { code: 'NL-WINTER-PMP', name: 'Nordlicht private auction', floor: '14' },
  { code: 'KC-PREFERRED', name: 'Kite & Crane preferred', floor: '18' },
];
