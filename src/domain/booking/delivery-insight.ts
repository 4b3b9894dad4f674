import type { MediaType } from './creative.ts';
import type { Size } from './inventory.ts';
import type { DayPart, DeliveryCaps, FrequencyCap, Goal, LineItemType, Pacing } from './line-item.ts';
import type { Targeting } from '../targeting/targeting.ts';

/** How often a line item met one outcome. Estimated from a sample of decisions. */
export interface ReasonCount {
  /** `won`, or a reason for losing such as `targeting.country`, `capped.line_item`, `lost.price`. */
  readonly reason: string;
  readonly opportunities: number;
  /** Of all opportunities that were looked at, 0…100. */
  readonly percent: number;
}

/** Why a line item delivers as it does, for people. */
export interface DeliveryDiagnosis {
  /** `delivering`, `no_traffic`, `unknown`, or the reason that stands most in the way. */
  readonly code: string;
  readonly sentence: string;
  /** Advice; '' when none is needed. */
  readonly advice: string;
  /** The last `hours` hours were looked at. */
  readonly hours: number;
  readonly opportunities: number;
  readonly numbers: readonly ReasonCount[];
}

/** One line item in an explained decision. */
export interface ExplainedLineItem {
  readonly lineItemId: string;
  readonly name: string;
  readonly reason: string;
  readonly sentence: string;
}

/** The result of one slot of an explained request, and the loss reasons of the others. */
export interface ExplainedSlot {
  readonly slotId: string;
  readonly winner: {
    readonly lineItemId: string;
    readonly name: string;
    readonly creativeId: string;
    /** Companions that a video would bring along. */
    readonly companionCreativeIds: readonly string[];
    /** CPM, micros of the network's currency. */
    readonly bidMicros: number;
  } | null;
  /** At most `EXPLAINED_LOSERS_MAX`, in the order in which line items are asked. */
  readonly losers: readonly ExplainedLineItem[];
  /** Losers that are left out of `losers`. */
  readonly furtherLosers: number;
}

/** An explained decision. Nothing of it is counted or billed. */
export interface ExplainedDecision {
  readonly at: Date;
  readonly noFill: string | null;
  readonly slots: readonly ExplainedSlot[];
}

export const EXPLAINED_LOSERS_MAX = 500;
/** Most slots of a request that is explained: each costs a look at every line item. */
export const EXPLAINED_SLOTS_MAX = 10;

/** A line item that is not booked yet, as far as a forecast needs it. */
export interface ForecastDraft {
  readonly type: LineItemType;
  readonly level: number;
  readonly sharePercent: number | null;
  /** CPM, micros. */
  readonly cpmMicros: number;
  readonly targeting: Targeting | null;
  /** Of banners; empty = fits any. */
  readonly sizes: readonly Size[];
  /** At least one. */
  readonly mediaTypes: readonly MediaType[];
  readonly dealId: string | null;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  readonly goal: Goal | null;
  readonly pacing: Pacing;
  readonly caps: DeliveryCaps;
  readonly frequencyCaps: readonly FrequencyCap[];
  readonly serveWithoutUser: boolean;
  readonly dayParts: readonly DayPart[];
  /** IANA name; null = the network's. */
  readonly timezone: string | null;
  /** The line item that this draft would replace; null = none. */
  readonly lineItemId: string | null;
}

/** The possible delivery of a draft over the rest of its flight, by replay of a sample of past opportunities (slots). */
export interface Forecast {
  /** All that is expected in the network. */
  readonly opportunities: number;
  /** Slots that it may have by targeting, format and day-parts. */
  readonly matched: number;
  /** Of these: not held by a higher tier or level. */
  readonly available: number;
  /** Of these: won in the replay, at this price and share, within its goal and limits. */
  readonly possible: number;
  /** A 95 % interval of `possible`, by how large the sample is; not by what may change meanwhile. */
  readonly possibleLow: number;
  readonly possibleHigh: number;
  /** Of the possible: how many are shown, by the network's responses so far. */
  readonly impressions: number;
  /** Requests that were replayed. */
  readonly sampleSize: number;
  /** How long the sample was gathered. */
  readonly sampledHours: number;
  /** Notes on the numbers, as sentences; empty when there are none. */
  readonly notes: readonly string[];
  /** Who holds the matched slots without the draft, most first. */
  readonly contending: readonly {
    readonly lineItemId: string;
    readonly name: string;
    readonly opportunities: number;
  }[];
}

/** Explains decisions to people. */
export interface DeliveryInsight {
  /** One diagnosis for each id, in order; at most 1_000. */
  diagnose(workspaceId: number, lineItemIds: readonly string[]): Promise<DeliveryDiagnosis[]>;
  /** @throws PlacardError `unavailable` while too many forecasts are being made */
  forecast(workspaceId: number, draft: ForecastDraft): Promise<Forecast>;
  /**
   * @param bidRequest an OpenRTB bid request, as the bid endpoint takes it
   * @throws PlacardError `invalid_request` for one that the bid endpoint would refuse
   */
  explain(
    workspaceId: number,
    bidRequest: unknown,
    options: { atMs: number; lineItemId: string | null },
  ): Promise<ExplainedDecision>;
}
