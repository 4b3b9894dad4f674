import type { DeliveryText } from './delivery-text.ts';
import type { LineItem } from './line-item.ts';

/** Most days that a calendar covers. */
export const AVAILABILITY_DAYS_MAX = 92;
/** Days of history that expectations come from: four of each weekday. */
export const AVAILABILITY_HISTORY_DAYS = 28;
/** Line items that are named. */
export const AVAILABILITY_LINE_ITEMS_MAX = 50;
/** Other ad units that are looked at, where those of the question are sold out. */
export const AVAILABILITY_ELSEWHERE_MAX = 5;

/** Of which inventory, and which days of the network's time zone. */
export interface AvailabilityQuestion {
  /** Both empty: the whole network. */
  readonly adUnitIds: readonly string[];
  readonly siteIds: readonly string[];
  /** Requests of these countries alone (ISO 3166-1 alpha-2); empty: of any. */
  readonly countries: readonly string[];
  /** Requests of these kinds of devices alone; empty: of any. */
  readonly deviceTypes: readonly string[];
  readonly days: number;
}

/** One day. Impressions; money plays no part. */
export interface AvailableDay {
  /** `YYYY-MM-DD` in the network's time zone. */
  readonly day: string;
  /** Null without history of this weekday. */
  readonly expected: number | null;
  /** Bounds of a 95 % interval of `expected`; null with fewer than two such weekdays. */
  readonly low: number | null;
  readonly high: number | null;
  /** What active line items with a goal or a share of voice will take. */
  readonly sold: number;
  /** What reserved ones would take. */
  readonly reserved: number;
  /** `expected` less both, at least 0: so much is free at least. */
  readonly free: number | null;
  /** So much is free at most: `expected` less what is certain to be taken of these requests. */
  readonly freeUpTo: number | null;
}

/** What a line item takes of the inventory in these days. */
export interface AvailabilityLineItem {
  readonly lineItemId: string;
  readonly name: string;
  readonly isReserved: boolean;
  readonly impressions: number;
}

/** Another ad unit of the same size, where the asked ones are sold out. */
export interface AvailableElsewhere {
  readonly adUnitId: string;
  readonly name: string;
  /** Over all days, at least. */
  readonly free: number;
}

/** What is sold, reserved and free. */
export interface Availability {
  readonly days: readonly AvailableDay[];
  /** Largest first, at most {@link AVAILABILITY_LINE_ITEMS_MAX}. */
  readonly lineItems: readonly AvailabilityLineItem[];
  /** Where the asked inventory is sold out: other ad units with free impressions, the most first. */
  readonly elsewhere: readonly AvailableElsewhere[];
  /** Days of history with requests. */
  readonly historyDays: number;
  /** Share of served ads that were shown, by which opportunities become impressions; 0…1. */
  readonly shownShare: number;
  /** Remarks, a sentence each. */
  readonly remarks: readonly DeliveryText[];
}

/** A line item as it is booked, whether active or reserved, with the campaign's flight. */
export type BookedLineItem = Pick<
  LineItem,
  'id' | 'name' | 'type' | 'goal' | 'sharePercent' | 'targeting' | 'startsAtMs' | 'endsAtMs' | 'timezone'
> & {
  readonly isReserved: boolean;
  /** Counted towards a lifetime goal so far. */
  readonly delivered: number;
};

/** Traffic of one ad unit by day of the network's time zone. */
export interface AdUnitDays {
  readonly adUnitId: string;
  readonly days: readonly {
    readonly day: string;
    readonly requests: number;
    /** Those of the asked countries and devices; absent: all. */
    readonly asked?: number;
    readonly served: number;
    readonly impressions: number;
  }[];
}

/** Tells what inventory is free. */
export interface AvailabilityService {
  /**
   * Questions about one workspace are taken one after the other.
   * @param signal ends the work when nobody waits for it any more
   * @throws PlacardError `unavailable` while the snapshot of the network is not loaded; the signal's reason
   */
  availability(workspaceId: number, question: AvailabilityQuestion, signal?: AbortSignal): Promise<Availability>;
}
