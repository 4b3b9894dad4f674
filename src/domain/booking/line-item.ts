import type { FrequencyCap } from '../frequency/frequency-cap.ts';
import type { PricingModel } from '../pricing/pricing-models.ts';
import type { Targeting } from '../targeting/targeting.ts';
import type { OptimisationGoal } from './optimisation-goal.ts';

/** Statuses of campaigns and line items. Only ACTIVE serves, and only while all its parents are ACTIVE. */
export const DELIVERY_STATUSES = ['DRAFT', 'RESERVED', 'ACTIVE', 'PAUSED', 'COMPLETED', 'ARCHIVED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The tiers, highest first; a lower tier is asked only when no higher one wants the opportunity. */
export const LINE_ITEM_TYPES = ['SPONSORSHIP', 'STANDARD', 'PRICE', 'HOUSE'] as const;
export type LineItemType = (typeof LINE_ITEM_TYPES)[number];

export const GOAL_KINDS = ['IMPRESSIONS', 'VIEWABLE_IMPRESSIONS', 'CLICKS', 'CONVERSIONS'] as const;
export type GoalKind = (typeof GOAL_KINDS)[number];

export const GOAL_PERIODS = ['LIFETIME', 'DAY'] as const;
export type GoalPeriod = (typeof GOAL_PERIODS)[number];

export const PACINGS = ['EVEN', 'ASAP', 'FRONT_LOADED'] as const;
export type Pacing = (typeof PACINGS)[number];

export const CREATIVE_ROTATIONS = ['EVEN', 'WEIGHTED', 'OPTIMISED', 'SEQUENTIAL'] as const;
export type CreativeRotation = (typeof CREATIVE_ROTATIONS)[number];

export const ROADBLOCKS = ['ONE', 'AS_MANY_AS_POSSIBLE', 'ALL'] as const;
export type Roadblock = (typeof ROADBLOCKS)[number];

/**
 * Whether the companions of a creative (its banners that name it as their master) are shown beside it: never, where slots are free
 * for them, only with at least one of them, only with all of them.
 */
export const COMPANION_MODES = ['NONE', 'OPTIONAL', 'AT_LEAST_ONE', 'ALL'] as const;
export type CompanionMode = (typeof COMPANION_MODES)[number];

/** The goal of a line item. It steers pacing; only caps are hard limits. */
export interface Goal {
  readonly kind: GoalKind;
  readonly amount: number;
  readonly period: GoalPeriod;
}

/** The largest goal that the GraphQL type Int can show; larger ones are given as `target`. */
export const GOAL_AMOUNT_MAX = 2_147_483_647;

/** A goal as callers of the management API give it. */
export function goalAsInput({ kind, amount, period }: Goal): Readonly<Record<string, unknown>> {
  return { kind, ...(amount > GOAL_AMOUNT_MAX ? { target: amount } : { amount }), period };
}

/** Hard stops; null = none. Money in micros, counted on the billable event. */
export interface DeliveryCaps {
  readonly impressionsPerDay: number | null;
  readonly impressionsLifetime: number | null;
  readonly clicksPerDay: number | null;
  readonly clicksLifetime: number | null;
  readonly spendMicrosPerDay: number | null;
  readonly spendMicrosLifetime: number | null;
}

export const NO_CAPS: DeliveryCaps = {
  impressionsPerDay: null,
  impressionsLifetime: null,
  clicksPerDay: null,
  clicksLifetime: null,
  spendMicrosPerDay: null,
  spendMicrosLifetime: null,
};

/** A span of the week in the line item's time zone: day 1 = Monday … 7 = Sunday, minutes from midnight, end exclusive. */
export interface DayPart {
  readonly days: readonly number[];
  readonly startMinute: number;
  readonly endMinute: number;
}

/** An activity whose conversions a line item counts and pays for. */
export interface CountedActivity {
  readonly activityId: string;
  /** Only these events of it, as pixels name them; empty = every one. */
  readonly events: readonly string[];
}

/** Whether an event of an activity counts for a line item. */
export function countsActivity(
  { countedActivities = [] }: Pick<LineItem, 'countedActivities'>,
  activityId: string,
  event: string,
): boolean {
  if (countedActivities.length === 0) return true;
  const named = countedActivities.find((one) => one.activityId === activityId);
  return named !== undefined && (named.events.length === 0 || named.events.includes(event));
}

/** A line item as delivery sees it. Ids are decimal texts; instants epoch milliseconds; money micros. */
export interface LineItem {
  readonly id: string;
  readonly campaignId: string;
  readonly dealId: string | null;
  readonly advertisingProductId: string | null;
  readonly name: string;
  readonly status: DeliveryStatus;
  readonly type: LineItemType;
  /** 1 (first) … 16, within SPONSORSHIP and STANDARD. */
  readonly level: number;
  /** Share of voice in percent (SPONSORSHIP) or draw weight (HOUSE); null elsewhere. */
  readonly sharePercent: number | null;
  readonly goal: Goal | null;
  readonly pacing: Pacing;
  readonly pricingModel: PricingModel;
  /** For the unit of the pricing model: a thousand events, one event, or one day. */
  readonly priceMicros: number;
  readonly caps: DeliveryCaps;
  readonly frequencyCaps: readonly FrequencyCap[];
  readonly serveWithoutUser: boolean;
  readonly pauseAfterGoal: boolean;
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
  /** IANA name; days, day-parts and flights are in it. Resolved: never empty. */
  readonly timezone: string;
  readonly dayParts: readonly DayPart[];
  readonly targeting: Targeting | null;
  readonly creativeRotation: CreativeRotation;
  readonly roadblock: Roadblock;
  /** Other than NONE only with roadblock ONE. */
  readonly companionMode: CompanionMode;
  /** Competitive exclusion labels; two ads that share one are never in one response. */
  readonly exclusionLabels: readonly string[];
  /** Labels that caps of the network count; absent = none. */
  readonly labels?: readonly string[];
  /** What it maximises besides reaching its goal; absent = nothing. */
  readonly optimisationGoal?: OptimisationGoal;
  /** What counts as its conversions; absent = every activity. */
  readonly countedActivities?: readonly CountedActivity[];
}

/** A campaign as delivery sees it. */
export interface Campaign {
  readonly id: string;
  readonly advertiserId: string;
  readonly name: string;
  readonly status: DeliveryStatus;
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
  readonly caps: DeliveryCaps;
  readonly frequencyCaps: readonly FrequencyCap[];
  /** Labels of all its line items; absent = none. */
  readonly labels?: readonly string[];
}

/** Who pays. `dsaBehalf` and `dsaPaid` are the facts of the Digital Services Act; both needed where DSA is required. */
export interface Advertiser {
  readonly id: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'ARCHIVED';
  readonly domains: readonly string[];
  readonly dsaBehalf: string | null;
  readonly dsaPaid: string | null;
  readonly exclusionLabels: readonly string[];
  /** Labels of all its line items; absent = none. */
  readonly labels?: readonly string[];
  readonly frequencyCaps: readonly FrequencyCap[];
  /** The total budget, in micros; null = no limit. */
  readonly creditMicros: number | null;
  /** IAB content categories, for `bcat`. */
  readonly categories: readonly string[];
}

/** PRIVATE: a price for a buyer. PROGRAMMATIC_GUARANTEED: an amount at a fixed price for a buyer, which its line items have as goals. */
export const DEAL_KINDS = ['PRIVATE', 'PROGRAMMATIC_GUARANTEED'] as const;
export type DealKind = (typeof DEAL_KINDS)[number];

/** An agreement with a buyer; its code is what OpenRTB calls `deal.id`. */
export interface Deal {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'ARCHIVED';
  readonly floorMicros: number;
  /** Fixed price in micros CPM; null = the line item's price. */
  readonly fixedPriceMicros: number | null;
  readonly seats: readonly string[];
  /** Absent = PRIVATE. */
  readonly kind?: DealKind;
}
