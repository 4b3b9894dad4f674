import type { MediaType } from '../creative-format.ts';
import type { DeliveryText } from './delivery-text.ts';
import type { ExplainedDecision } from './delivery-insight.ts';
import type { Size } from './inventory.ts';
import type { DeliveryCaps, LineItemType } from './line-item.ts';

/** Most changes of one "what if". */
export const WHAT_IFS_MAX = 10;
/** How often a request is decided with other draws, to tell how often each line item wins. */
export const CHANCE_DRAWS = 200;
/** A logged decision is looked for at most this far back, by the id of its request alone. */
export const REQUEST_ID_HOURS_MAX = 24;

/** The kinds of device that a form offers, as targeting names them. */
export const FORM_DEVICES = ['desktop', 'mobile', 'tablet', 'tv'] as const;
export type FormDevice = (typeof FORM_DEVICES)[number];

/** A request as a person describes it. Ids are decimal texts; everything else that is null or empty is left out of the request. */
export interface RequestForm {
  /** Null: any fitting ad unit of the site. */
  readonly adUnitId: string | null;
  /** Needed without an ad unit. */
  readonly siteId: string | null;
  readonly areaId: string | null;
  /** Empty = the sizes of the ad unit. */
  readonly sizes: readonly Size[];
  /** Empty = the media types of the ad unit. */
  readonly mediaTypes: readonly MediaType[];
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly region: string | null;
  readonly city: string | null;
  readonly device: FormDevice | null;
  readonly keyValues: Readonly<Record<string, readonly string[]>>;
  /** Segments that the user is a member of, by id. */
  readonly segmentIds: readonly string[];
  /** The user's first-party id; null with `isKnownUser`: one who has seen nothing yet. */
  readonly userId: string | null;
  /** Whether the request names a user at all. */
  readonly isKnownUser: boolean;
  /** No personalised ads. */
  readonly npa: boolean;
  /** The deal that the request offers. */
  readonly dealCode: string | null;
}

/** One change that is imagined: of a line item, or of the floor of an ad unit. Absent members stay as they are. */
export interface WhatIf {
  /** Exactly one of the two is set. */
  readonly lineItemId: string | null;
  readonly adUnitId: string | null;
  readonly status?: 'ACTIVE' | 'PAUSED';
  readonly type?: LineItemType;
  readonly level?: number;
  readonly sharePercent?: number | null;
  /** For the unit of the line item's pricing model. */
  readonly priceMicros?: number;
  /** Replaces the whole set. */
  readonly caps?: DeliveryCaps;
  /** True: without frequency caps of its own. */
  readonly withoutFrequencyCaps?: boolean;
  /** True: without its goal, so that nothing paces it. */
  readonly withoutGoal?: boolean;
  /** Of an ad unit. */
  readonly floorMicros?: number;
}

/** Which request to inspect. */
export type InspectedSource =
  | { readonly kind: 'BID_REQUEST'; readonly bidRequest: unknown }
  | { readonly kind: 'FORM'; readonly form: RequestForm }
  /** The address of the page "Why this ad?", or the token in it. */
  | { readonly kind: 'WHY_LINK'; readonly link: string }
  | { readonly kind: 'REQUEST_ID'; readonly requestId: string };

/** A question about one decision. */
export interface InspectionQuestion {
  readonly source: InspectedSource;
  /** Decide as of this instant, with the present bookings. A logged decision has an instant of its own. */
  readonly atMs: number;
  /** The same seed gives the same draws, so that an address can be shared. */
  readonly seed: number;
  readonly whatIfs: readonly WhatIf[];
}

/** How often a line item wins a slot when the draws differ. */
export interface WinChance {
  readonly slotId: string;
  readonly lineItemId: string;
  readonly name: string;
  /** Of `CHANCE_DRAWS` decisions, 0…100. */
  readonly percent: number;
}

/** A decision with how certain it is. */
export interface InspectedDecision extends ExplainedDecision {
  /** Most often first; empty for a logged decision, whose draws are known. */
  readonly chances: readonly WinChance[];
}

/** What changes for one line item in one slot. */
export interface InspectedChange {
  readonly slotId: string;
  readonly lineItemId: string;
  readonly name: string;
  /** `won`, or the loss reason. */
  readonly before: string;
  readonly after: string;
}

/** Where a logged decision was found, and whether it comes out the same. */
export interface LoggedReplay {
  /** The same ads at the same prices, bit by bit. */
  readonly isSame: boolean;
  /** What differs, as sentences. */
  readonly differences: readonly string[];
  /** Values that losers were tested by and that the log does not hold, because the decision never needed them: 0 stands for them. */
  readonly assumedValues: number;
}

/** What the link of a served ad says of it. */
export interface InspectedAd {
  readonly lineItemId: string;
  readonly lineItemName: string;
  readonly creativeId: string;
  readonly adUnitId: string;
  readonly siteId: string;
  readonly width: number;
  readonly height: number;
  readonly country: string;
  readonly deviceType: string;
  readonly priceMicros: number;
  readonly decidedAt: Date;
  readonly npa: boolean;
  readonly test: boolean;
}

/** A key with its values. */
export interface InspectedKeyValue {
  readonly key: string;
  readonly values: readonly string[];
}

/** What the request says, in the terms of decisions. Names no user. */
export interface InspectedRequest {
  readonly pageUrl: string;
  readonly country: string;
  readonly region: string;
  readonly deviceType: string;
  readonly os: string;
  readonly browser: string;
  readonly npa: boolean;
  readonly hasUser: boolean;
  readonly segmentIds: readonly string[];
  /** Those of the page. */
  readonly keyValues: readonly InspectedKeyValue[];
  readonly slots: readonly {
    readonly slotId: string;
    readonly adUnitId: string;
    readonly siteId: string;
    readonly sizes: readonly Size[];
    readonly mediaTypes: readonly MediaType[];
    readonly floorMicros: number;
    /** All that count for it: its own, and those of the page for other keys. */
    readonly keyValues: readonly InspectedKeyValue[];
  }[];
}

/** The result of an inspection. Nothing of it is counted, billed or shown. */
export interface DecisionInspection {
  readonly request: InspectedRequest;
  /** The request as the bid endpoint takes it; null where only the log knows it. */
  readonly bidRequest: unknown;
  /** The ad behind a "why" link; null for other sources. */
  readonly ad: InspectedAd | null;
  /** The decision in the log; null: the log does not have it, and `note` says why. */
  readonly logged: (InspectedDecision & LoggedReplay) | null;
  /** The same request as of now, with the present bookings. */
  readonly present: InspectedDecision;
  /** The same once more, with the imagined changes: of the logged decision where there is one, else of the present one. */
  readonly imagined: InspectedDecision | null;
  /** How `imagined` differs; at most {@link INSPECTED_CHANGES_MAX}. */
  readonly changes: readonly InspectedChange[];
  /** Remarks, a sentence each. */
  readonly remarks: readonly DeliveryText[];
}

export const INSPECTED_CHANGES_MAX = 200;

/** Inspects single decisions. */
export interface DecisionInspector {
  /**
   * @throws PlacardError `invalid_request` or `validation_failed` for a request that the bid endpoint would refuse, `not_found` for a link
   *   or a request of another network, `unavailable` while too many are inspected
   */
  inspect(workspaceId: number, question: InspectionQuestion): Promise<DecisionInspection>;
}
