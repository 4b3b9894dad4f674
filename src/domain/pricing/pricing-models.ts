import { CREATIVE_FORMATS, type CreativeFormat, isPlayedFormat } from '../creative-format.ts';

/**
 * How a reservation binds. `firm`: every response holds what its event will use, so the limit cannot be exceeded. `expected`: what
 * responses use on average, where their events are rare and may come for weeks (clicks, conversions): holding all of it would
 * stop delivery.
 */
export type Hold = 'firm' | 'expected';

/** What is believed of an event before a line item has a history. */
export interface Prior {
  /** By impression. */
  readonly rate: number;
  /** Of the usual rate, in impressions. */
  readonly weight: number;
  /** How many events the rate of its advertiser weighs in that of a line item. Rates differ by factors, so few; of rare events more, or luck decides. */
  readonly hits: number;
  /** Events that a line item gets on top when it competes, so that a good one whose first events come late is still tried. */
  readonly optimismHits: number;
  /** How often the evidence counts when a line item competes. More than once: draws are closer to the mean, so that rare events do not cost long trials. */
  readonly drawnTimes: number;
}

interface CountedEvent {
  /** The counter that the event adds to. */
  readonly counter: string;
  /** The column of the roll-ups that sums these events. */
  readonly sum: string;
  /** The name of its count in `DeliveryFigures` of the management API. */
  readonly figure: string;
  /** The description of that figure in the API. */
  readonly description: string;
  /** It counts only after the impression of its ad. */
  readonly needsImpression: boolean;
  /** Only creatives that a player plays bring it. */
  readonly needsPlayer: boolean;
  /** Null: every impression brings it. */
  readonly prior: Prior | null;
  /** How a limit on the number of these events is reserved. */
  readonly hold: Hold;
  /** It comes from showing the ad; a companion's is counted for its creative alone. */
  readonly isExposure: boolean;
}

/** The event kinds that can be billed, or that goals and limits count. One row holds all that is known of each. */
export const COUNTED_EVENTS = {
  impression: {
    counter: 'imp',
    sum: 'impressions',
    figure: 'impressions',
    description: 'Impressions.',
    needsImpression: false,
    needsPlayer: false,
    prior: null,
    hold: 'firm',
    isExposure: true,
  },
  viewable: {
    counter: 'view',
    sum: 'viewable_impressions',
    figure: 'viewableImpressions',
    description: 'Impressions measured as viewable.',
    needsImpression: true,
    needsPlayer: false,
    prior: { rate: 0.5, weight: 1_000, hits: 0.5, optimismHits: 1, drawnTimes: 1 },
    hold: 'expected',
    isExposure: true,
  },
  click: {
    counter: 'clk',
    sum: 'clicks',
    figure: 'clicks',
    description: 'Clicks.',
    needsImpression: false,
    needsPlayer: false,
    prior: { rate: 0.001, weight: 1_000, hits: 1, optimismHits: 0.8, drawnTimes: 1 },
    hold: 'expected',
    isExposure: false,
  },
  activity: {
    counter: 'conv',
    sum: 'activities',
    figure: 'conversions',
    description: 'Attributed activities.',
    needsImpression: false,
    needsPlayer: false,
    prior: { rate: 0.0001, weight: 30_000, hits: 1, optimismHits: 2.5, drawnTimes: 2 },
    hold: 'expected',
    isExposure: false,
  },
  video_complete: {
    counter: 'cpl',
    sum: 'video_completes',
    figure: 'videoCompletes',
    description: 'Videos and audio ads that were played to the end.',
    needsImpression: true,
    needsPlayer: true,
    prior: { rate: 0.6, weight: 1_000, hits: 0.5, optimismHits: 1, drawnTimes: 1 },
    hold: 'expected',
    isExposure: true,
  },
} as const satisfies Record<string, CountedEvent>;

/** An event kind of {@link COUNTED_EVENTS}. */
export type CountedKind = keyof typeof COUNTED_EVENTS;
/** A counter of {@link COUNTED_EVENTS}. */
export type EventCounter = (typeof COUNTED_EVENTS)[CountedKind]['counter'];

export const COUNTED_KINDS = Object.keys(COUNTED_EVENTS) as readonly CountedKind[];
export const EVENT_COUNTERS: readonly EventCounter[] = COUNTED_KINDS.map((kind) => COUNTED_EVENTS[kind].counter);

/** The kind as one that is counted; null when it is not. */
export function countedKind(kind: string): CountedKind | null {
  return Object.hasOwn(COUNTED_EVENTS, kind) ? (kind as CountedKind) : null;
}

interface PricingModelRow {
  /** Its description in the management API: the event that earns the price. */
  readonly description: string;
  /** The event that earns the price; null: a day earns it. */
  readonly event: CountedKind | null;
  /** The unit of the price: a thousand events, one event, or one day. */
  readonly unit: 'thousand' | 'each' | 'day';
  /** How a response reserves its price of a money limit; null: it reserves nothing. */
  readonly hold: Hold | null;
  /** An event earns what was bid (a deal may fix it), or the price that is booked. */
  readonly price: 'bid' | 'booked';
  /** Each event is billed, or the first impression of a day. */
  readonly bills: 'event' | 'day';
}

/**
 * One row holds all that is known of each pricing model. Tokens hold the position of a model: a new one goes to the end.
 * A test compares the database's CHECK with the table, another one the documentation.
 */
export const PRICING = {
  CPM: {
    description: 'A thousand impressions.',
    event: 'impression',
    unit: 'thousand',
    hold: 'firm',
    price: 'bid',
    bills: 'event',
  },
  VCPM: {
    description: 'A thousand viewable impressions.',
    event: 'viewable',
    unit: 'thousand',
    hold: 'firm',
    price: 'booked',
    bills: 'event',
  },
  CPC: { description: 'A click.', event: 'click', unit: 'each', hold: 'expected', price: 'booked', bills: 'event' },
  CPA: {
    description: 'An attributed activity.',
    event: 'activity',
    unit: 'each',
    hold: 'expected',
    price: 'booked',
    bills: 'event',
  },
  FLAT: { description: 'A day of the flight.', event: null, unit: 'day', hold: null, price: 'booked', bills: 'day' },
  CPCV: {
    description: 'A video or audio ad that is played to the end.',
    event: 'video_complete',
    unit: 'each',
    hold: 'expected',
    price: 'booked',
    bills: 'event',
  },
} as const satisfies Record<string, PricingModelRow>;

export type PricingModel = keyof typeof PRICING;

export const PRICING_MODELS = Object.keys(PRICING) as readonly PricingModel[];

/** The models of which a fact holds, in the table's order. */
export function pricingModelsWhere(holds: (row: PricingModelRow) => boolean): PricingModel[] {
  return PRICING_MODELS.filter((model) => holds(PRICING[model]));
}

/** The formats whose creatives bring the event. */
export function formatsOf(event: CountedKind): readonly CreativeFormat[] {
  return COUNTED_EVENTS[event].needsPlayer ? CREATIVE_FORMATS.filter(isPlayedFormat) : CREATIVE_FORMATS;
}

/** The formats whose creatives bring the event that earns. */
export function earningFormats(model: PricingModel): readonly CreativeFormat[] {
  const { event } = PRICING[model];
  return event === null ? CREATIVE_FORMATS : formatsOf(event);
}
