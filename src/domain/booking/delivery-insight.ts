import type { NoFill } from './delivery-cause.ts';
import type { DeliveryText } from './delivery-text.ts';
import type { MediaType } from '../creative-format.ts';
import type { Size } from './inventory.ts';
import type { DayPart, DeliveryCaps, Goal, LineItemType, Pacing } from './line-item.ts';
import type { DecidedArm } from '../experiments/experiment.ts';
import type { FrequencyCap } from '../frequency/frequency-cap.ts';
import type { Targeting } from '../targeting/targeting.ts';

/** How often a line item met one outcome. Estimated from a sample of decisions. */
export interface ReasonCount {
  /** `won`, or a reason for losing such as `targeting.country`, `capped.line_item`, `lost.price`. */
  readonly reason: string;
  readonly opportunities: number;
  /** Of all opportunities that were looked at, 0…100. */
  readonly percent: number;
}

/** A change of the bookings that removes what keeps a line item from delivering, as a client can carry it out. */
export interface DeliveryChange {
  /** What it removes, as the codes of a diagnosis name it. */
  readonly code: string;
  readonly sentence: string;
  /** The same as data; null where there is none. */
  readonly text: DeliveryText | null;
  /** The mutation of the management API, such as `updateLineItem`; null where nothing in the bookings helps. */
  readonly mutation: string | null;
  /** A GraphQL document with that mutation, and its variables (with the version that was read); null as `mutation` is. */
  readonly document: string | null;
  readonly variables: Readonly<Record<string, unknown>> | null;
  /** Members that a person must add to the variables, as paths; empty = it can be carried out as it is. */
  readonly missing: readonly string[];
  /** What it would gain alone, of the opportunities that were looked at; null = not known. */
  readonly opportunities: number | null;
  /** The same in impressions, by the share of its ads that are shown. */
  readonly impressions: number | null;
}

/** A line item that had what another one lost. */
export interface DeliveryRival {
  readonly lineItemId: string;
  readonly name: string;
  readonly type: LineItemType;
  readonly level: number;
  /** The expected earning of a thousand of its impressions, micros. */
  readonly bidMicros: number;
  /** How often it had them. */
  readonly opportunities: number;
}

/** The outcomes of one hour. */
export interface HourlyReasons {
  /** The beginning of the hour. */
  readonly hour: Date;
  readonly numbers: readonly ReasonCount[];
}

/** Why a line item delivers as it does, for people. */
export interface DeliveryDiagnosis {
  /** `delivering`, `no_traffic`, `no_sample`, `behind`, `unknown`, or what stands most in the way. */
  readonly code: string;
  readonly sentence: string;
  /** The same as data, part by part. */
  readonly texts: readonly DeliveryText[];
  /** Advice; '' when none is needed. */
  readonly advice: string;
  /** The same as data; null where none is needed, or a change says it. */
  readonly adviceText: DeliveryText | null;
  /** The last `hours` hours were looked at. */
  readonly hours: number;
  readonly opportunities: number;
  /** Those that match what it is booked for: targeting, day-parts, sizes and formats. */
  readonly inReach: number;
  readonly numbers: readonly ReasonCount[];
  /** The same by hour, the earliest first. */
  readonly byHour: readonly HourlyReasons[];
  /** The single changes that would gain most; the first one is that of `code`. Empty when none is needed. */
  readonly changes: readonly DeliveryChange[];
  /** So many of them, from the first on, must be made together; 1 where each helps alone, 0 where there are none. */
  readonly changesTogether: number;
  /** Who outbid or outranked it, most first. */
  readonly rivals: readonly DeliveryRival[];
}

/** What the goal of a line item bids. */
interface BiddingLineItem {
  /** For a thousand impressions, micros; null = it has no goal, or failed a test. */
  readonly goalBidMicros: number | null;
}

/** One line item in an explained decision. */
export interface ExplainedLineItem extends BiddingLineItem {
  readonly lineItemId: string;
  readonly name: string;
  readonly reason: string;
  readonly sentence: string;
  /** The same as data, part by part. */
  readonly texts: readonly DeliveryText[];
}

/** The result of one slot of an explained request, and the loss reasons of the others. */
export interface ExplainedSlot {
  readonly slotId: string;
  readonly winner:
    | (BiddingLineItem & {
        readonly lineItemId: string;
        readonly name: string;
        readonly creativeId: string;
        /** Companions that a video would bring along. */
        readonly companionCreativeIds: readonly string[];
        /** CPM, micros of the network's currency. */
        readonly bidMicros: number;
      })
    | null;
  /** At most `EXPLAINED_LOSERS_MAX`, in the order in which line items are asked. */
  readonly losers: readonly ExplainedLineItem[];
  /** Losers that are left out of `losers`. */
  readonly furtherLosers: number;
}

/** An explained decision. Nothing of it is counted or billed. */
export interface ExplainedDecision {
  readonly at: Date;
  readonly noFill: NoFill | null;
  /** The arm of the experiment that runs at that time; null: none does. A request without a user is explained in the arm `REST`. */
  readonly arm: DecidedArm | null;
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

/** `ROUGH`: from a replay of so few users that it takes about a second, with a wider interval. `FULL`: from all that can be replayed. */
export type ForecastPrecision = 'ROUGH' | 'FULL';

/** The possible delivery of a draft over the rest of its flight, by replay of a sample of past opportunities (slots). */
export interface Forecast {
  /** `FULL` also where a rough one was asked for and had nothing to leave out. */
  readonly precision: ForecastPrecision;
  /** All that is expected in the network. */
  readonly opportunities: number;
  /** Slots that it may have by targeting, format and day-parts. */
  readonly matched: number;
  /** Of these: not held by a higher tier or level, or left to it by the allocation plan. */
  readonly available: number;
  /** Of these: won in the replay, at this price and share, within its goal and limits. */
  readonly possible: number;
  /** A 95 % interval of `possible`, by how large the sample is and how busy the flight may be; not by what may change meanwhile. */
  readonly possibleLow: number;
  readonly possibleHigh: number;
  /** The same as an 80 % interval. */
  readonly likelyLow: number;
  readonly likelyHigh: number;
  /** Of the possible: how many are shown, by the network's responses so far. */
  readonly impressions: number;
  /** The part of the possible that is shown, above 0, at most 1. */
  readonly shownShare: number;
  /** What the draft earns at its price, and what all others earn less because of it, micros; negative where they earn more. */
  readonly revenueMicros: number;
  readonly displacedRevenueMicros: number;
  /** The part of `displacedRevenueMicros` that header bidders would have paid. */
  readonly displacedHeaderBidMicros: number;
  /** Line items that get less with the draft, the largest loss of revenue first. */
  readonly displaced: readonly {
    readonly lineItemId: string;
    readonly name: string;
    readonly impressions: number;
    /** In units of its goal; null: it has none. */
    readonly goalUnits: number | null;
    readonly revenueMicros: number;
  }[];
  /** Requests that were replayed. */
  readonly sampleSize: number;
  /** How long the sample was gathered. */
  readonly sampledHours: number;
  /** Remarks on the numbers, a sentence each; empty when there are none. */
  readonly remarks: readonly DeliveryText[];
  /** Who holds the matched slots without the draft, most first. */
  readonly contending: readonly {
    readonly lineItemId: string;
    readonly name: string;
    readonly opportunities: number;
  }[];
}

/** Which floors to suggest. */
export interface FloorQuestion {
  /** Null = all ad units. */
  readonly adUnitIds: readonly string[] | null;
  /** How far header bidders bid below what an impression is worth to them, 0…90. 0: they never pay more than they bid. */
  readonly headerBidShadingPercent: number;
}

export const FLOOR_SUGGESTIONS_MAX = 100;
export const HEADER_BID_SHADING_PERCENT_MAX = 90;

/** A floor of an ad unit that would have earned more with the bids of the sample. Nothing changes it but a person. */
export interface FloorSuggestion {
  readonly adUnitId: string;
  readonly name: string;
  /** Of the ad unit itself, CPM micros. */
  readonly floorMicros: number;
  readonly suggestedFloorMicros: number;
  /** Slots of the sampled time that somebody pays for, with the present floor and with the suggested one. */
  readonly paidSlots: number;
  readonly suggestedPaidSlots: number;
  /** What these slots earn with the present floor, and the change with the suggested one with its 95 % interval: micros. */
  readonly revenueMicros: number;
  readonly gainMicros: number;
  readonly gainLowMicros: number;
  readonly gainHighMicros: number;
  /** Slots of the sample with a bid. */
  readonly sampleSize: number;
  readonly sampledHours: number;
}

/** How a forecast is made. */
export interface ForecastOptions {
  /** Default `FULL`. */
  readonly precision?: ForecastPrecision;
  /** Ends the work when nobody waits for it any more. */
  readonly signal?: AbortSignal;
}

/** Explains decisions to people. */
export interface DeliveryInsight {
  /** One diagnosis for each id, in order; at most 1_000. */
  diagnose(workspaceId: number, lineItemIds: readonly string[]): Promise<DeliveryDiagnosis[]>;
  /** @throws PlacardError `unavailable` while too many forecasts are being made */
  forecast(workspaceId: number, draft: ForecastDraft, options?: ForecastOptions): Promise<Forecast>;
  /**
   * At most {@link FLOOR_SUGGESTIONS_MAX}, the largest gain first; none where too little was sampled.
   * @param signal ends the work when nobody waits for it any more
   * @throws PlacardError `unavailable` while too many are being made
   */
  suggestFloors(workspaceId: number, question: FloorQuestion, signal?: AbortSignal): Promise<FloorSuggestion[]>;
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
