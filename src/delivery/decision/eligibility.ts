import { dayCounterKey } from '../../domain/money/counter-key.ts';
import { earnedPriceMicros, firmNanos, nanosEach } from '../../domain/money/earning.ts';
import type { ResponseSoFar } from './response-so-far.ts';
import type { FloorRule } from '../../domain/booking/floor.ts';
import { seerOf } from '../../domain/frequency/frequency-key.ts';
import { capCounterKey } from '../../domain/money/limit.ts';
import type { CapCheck, LoserCapReason } from '../../domain/money/limit.ts';
import { PRICING } from '../../domain/pricing/pricing-models.ts';
import type { CompiledWorkspace } from './index/compiled-workspace.ts';
import type { CompiledCreative, CompiledLineItem, PacingState } from './index/compile-line-items.ts';
import { frequencyCheckKey } from './index/frequency-checks.ts';
import type { FrequencyCheck } from './index/frequency-checks.ts';
import type { CreativeRefusal } from './creative-fit.ts';
import { refuseCreative } from './creative-fit.ts';
import type { DeliveryState } from './delivery-state.ts';
import { expectedCpmMicros } from './expected-value.ts';
import type { SlotLifts } from './expected-value.ts';
import { floorByRules } from './index/floors.ts';
import { timedFloorOf } from './pods/timed-floors.ts';
import type { LocalMoment } from './index/local-clock.ts';
import type { OfferedDeal, Opportunity, Slot } from '../../domain/requests/opportunity.ts';
import { paceLineItem } from './even-pacing.ts';
import type { TargetingDimension } from '../../domain/targeting/targeting-dimensions.ts';
import type { TargetingFacts } from './index/targeting.ts';

/** Why a line item did not get a slot. */
export type LoserReason =
  | 'not_in_flight'
  | 'paused'
  | 'daypart'
  | `targeting.${TargetingDimension}`
  | CreativeRefusal
  | 'blocked.private_auction'
  | 'blocked.seat'
  | 'blocked.advertiser'
  | 'blocked.category'
  | 'floor'
  | LoserCapReason
  | 'capped.label'
  | 'capped.no_user'
  | 'consent'
  | 'pacing'
  | 'better_unit'
  | 'dsa_missing'
  | 'roadblock'
  | 'companion'
  | 'lost.tier'
  | 'lost.plan'
  | 'lost.price'
  | 'lost.draw';

/** A line item that may win the slot. */
export interface Candidate {
  readonly lineItem: CompiledLineItem;
  /** The creatives of the line item that fit; at least one. */
  readonly creatives: readonly CompiledCreative[];
  /** Expected earning of a thousand impressions, micros. */
  readonly valueMicros: number;
  /** The bid, CPM micros. */
  readonly bidMicros: number;
}

/** The input of checking a line item for one slot. */
export interface SlotContext {
  readonly compiled: CompiledWorkspace;
  readonly opportunity: Opportunity;
  readonly slot: Slot;
  readonly facts: TargetingFacts;
  readonly state: DeliveryState;
  readonly response: ResponseSoFar;
  readonly nowMs: number;
  /** Floor of network and ad unit, CPM micros; deals have their own instead. */
  readonly ownFloorMicros: number;
  /** Floor rules for this slot, in their order; usually none. */
  readonly floorRules: readonly FloorRule[];
  /** The input of pacing besides the line item. */
  readonly paceAt: { readonly workspaceId: number; readonly nowMs: number };
  /** How the values of line items differ in this context; null: not at all. */
  readonly lifts: SlotLifts | null;
  /** How many ads of a line item its caps must allow at once; 0 = the ad joins one that is counted for both. */
  readonly together: number;
}

/**
 * The line item as a candidate, or the first reason against it. The caller has checked targeting (the index and `residual`).
 * @param pacingFirst pacing comes first, because it is cheap and filters most line items. Otherwise reasons come in their order, pacing
 * last
 */
export function checkLineItem(
  lineItem: CompiledLineItem,
  context: SlotContext,
  pacingFirst = false,
): Candidate | LoserReason {
  const { opportunity, slot } = context;
  if (lineItem.startsAtMs > context.nowMs || lineItem.endsAtMs <= context.nowMs) return 'not_in_flight';
  if (pacingFirst && !paceOf(lineItem, context).mayDeliver) return 'pacing';
  if (lineItem.dayParts.length > 0 && !isInDayPart(lineItem, context.facts.localMoment(lineItem.booked.timezone)))
    return 'daypart';
  const offered = offeredDealOf(lineItem, slot);
  if (offered === undefined)
    return slot.privateAuction && lineItem.deal === null ? 'blocked.private_auction' : 'targeting.deal';
  const blocked = findBlock(lineItem, opportunity, offered);
  if (blocked !== null) return blocked;
  const fitting = findCreatives(lineItem, context);
  if (typeof fitting === 'string') return fitting;
  if (lineItem.exclusionLabels.length > 0 && isExcluded(lineItem, context)) return 'exclusion';
  const valueMicros = expectedCpmMicros(lineItem, opportunity.workspaceId, context.state, context.lifts);
  const bidMicros = offered?.fixedPrice === true ? (offered.floorMicros ?? valueMicros) : valueMicros;
  if (valueMicros < bidMicros || bidMicros < floorOf(lineItem, offered, context)) return 'floor';
  const creatives = findAboveFloor(fitting, lineItem, { context, offered, bidMicros });
  if (creatives.length === 0) return 'floor';
  const capped = findCap(lineItem, bidMicros, context) ?? findFrequency(lineItem.frequencyChecks, lineItem, context);
  if (capped !== null && context.together > 0) return capped;
  const uncapped = areUncapped(creatives, lineItem)
    ? creatives
    : creatives.filter((one) => !isCreativeCapped(one, lineItem, context));
  if (uncapped.length === 0) return 'capped.creative';
  if (!pacingFirst && !paceOf(lineItem, context).mayDeliver) return 'pacing';
  return { lineItem, creatives: uncapped, valueMicros, bidMicros };
}

/** The pacing of a line item without a goal. */
export const NO_GOAL: PacingState = { mayDeliver: true, urgency: 0 };

/** The pacing of a line item at this moment. */
export function paceOf(lineItem: CompiledLineItem, { paceAt, facts, state }: SlotContext): PacingState {
  if (lineItem.goal === null) return NO_GOAL;
  return (
    state.pace?.(lineItem, paceAt) ??
    paceLineItem(lineItem, { ...paceAt, local: facts.localMoment(lineItem.booked.timezone) }, state)
  );
}

/** Whether one of the line item's day-parts is open at a local moment. */
export function isInDayPart(lineItem: Pick<CompiledLineItem, 'dayParts'>, { weekday, minute }: LocalMoment): boolean {
  return lineItem.dayParts.some(
    (part) => part.days.includes(weekday) && minute >= part.startMinute && minute < part.endMinute,
  );
}

/**
 * The offered deal under which a line item may bid; null = without a deal; undefined = it may not bid. A line item of a deal bids without
 * it only where the request names no deals at all.
 */
export function offeredDealOf(lineItem: CompiledLineItem, slot: Slot): OfferedDeal | null | undefined {
  if (lineItem.deal === null) return slot.privateAuction ? undefined : null;
  if (slot.deals === null) return slot.privateAuction ? undefined : null;
  const code = lineItem.deal.code;
  return slot.deals.find((deal) => deal.code === code);
}

function findBlock(
  lineItem: CompiledLineItem,
  opportunity: Opportunity,
  offered: OfferedDeal | null,
): LoserReason | null {
  if (isSeatBlocked(lineItem, opportunity, offered)) return 'blocked.seat';
  if (isAdvertiserBlocked(lineItem, opportunity, offered)) return 'blocked.advertiser';
  if (isCategoryBlocked(lineItem, opportunity)) return 'blocked.category';
  return lacksDsaFacts(lineItem, opportunity) ? 'dsa_missing' : null;
}

/** Whether the request, or the deal, does not take bids of the line item's seat. */
export function isSeatBlocked({ seat }: CompiledLineItem, asked: Opportunity, offered: OfferedDeal | null): boolean {
  if (asked.allowedSeats.size > 0 && !asked.allowedSeats.has(seat)) return true;
  if (asked.blockedSeats.size > 0 && asked.blockedSeats.has(seat)) return true;
  return offered !== null && offered.seats.length > 0 && !offered.seats.includes(seat);
}

/** Whether the request blocks a domain of the advertiser, or the deal is for others. */
export function isAdvertiserBlocked(
  { domains, blockableDomains }: CompiledLineItem,
  { blockedDomains }: Opportunity,
  offered: OfferedDeal | null,
): boolean {
  if (offered !== null && offered.advertiserDomains.length > 0) {
    if (!domains.some((domain) => offered.advertiserDomains.includes(domain))) return true;
  }
  return blockedDomains.size > 0 && blockableDomains.some((domain) => blockedDomains.has(domain));
}

/** Whether the request blocks a category of the advertiser, or its parent, or allows others only. */
export function isCategoryBlocked(
  { advertiser }: CompiledLineItem,
  { blockedCategories, allowedCategories }: Opportunity,
): boolean {
  if (
    allowedCategories !== undefined &&
    allowedCategories.size > 0 &&
    !hasCategory(advertiser.categories, allowedCategories)
  )
    return true;
  return blockedCategories.size > 0 && hasCategory(advertiser.categories, blockedCategories);
}

function hasCategory(categories: readonly string[], listed: ReadonlySet<string>): boolean {
  return categories.some((category) => listed.has(category) || listed.has(category.split('-', 1)[0] ?? ''));
}

/** Whether the request needs facts of the Digital Services Act that the advertiser lacks. */
export function lacksDsaFacts({ advertiser }: CompiledLineItem, { dsaRequired }: Opportunity): boolean {
  if (dsaRequired < 2) return false;
  const { dsaBehalf, dsaPaid } = advertiser;
  return dsaBehalf === null || dsaBehalf === '' || dsaPaid === null || dsaPaid === '';
}

/** The creatives that fit, or why the first one does not. */
function findCreatives(
  lineItem: CompiledLineItem,
  context: SlotContext,
): readonly CompiledCreative[] | CreativeRefusal {
  if (lineItem.only !== null) return refuseCreative(lineItem.only, context) ?? lineItem.creatives;
  let refusal: CreativeRefusal | null = null;
  const fitting: CompiledCreative[] = [];
  for (const creative of lineItem.creatives) {
    const against = refuseCreative(creative, context);
    if (against === null) fitting.push(creative);
    else if (refusal === null || refusal === 'format') refusal = against;
  }
  return fitting.length > 0 ? fitting : (refusal ?? 'size');
}

/** Two ads with a common label never share a response, unless they are a roadblock or companions of one line item. */
export function isExcluded(lineItem: CompiledLineItem, { response, together }: SlotContext): boolean {
  const mayShareLabels = lineItem.booked.roadblock !== 'ONE' || together === 0;
  return lineItem.exclusionLabels.some((label) => {
    const holder = response.labels.get(label);
    return holder !== undefined && (holder !== lineItem.booked.id || !mayShareLabels);
  });
}

function isGuaranteed({ deal }: CompiledLineItem): boolean {
  return deal?.kind === 'PROGRAMMATIC_GUARANTEED';
}

/** The lowest bid that a line item may make for the slot, without floor rules, CPM micros. */
export function floorOf(lineItem: CompiledLineItem, offered: OfferedDeal | null, context: SlotContext): number {
  // Its price is agreed: only the floor that the request states for this deal binds it.
  if (isGuaranteed(lineItem)) return offered?.floorMicros ?? 0;
  if (lineItem.deal !== null && offered !== null) {
    return Math.max(offered.floorMicros ?? context.slot.floorMicros, lineItem.deal.floorMicros);
  }
  return Math.max(context.slot.floorMicros, context.ownFloorMicros, lineItem.deal?.floorMicros ?? 0);
}

/** The creatives whose own floor (by duration, size and media type) the bid reaches. */
export function findAboveFloor(
  fitting: readonly CompiledCreative[],
  lineItem: CompiledLineItem,
  bid: { readonly context: SlotContext; readonly offered: OfferedDeal | null; readonly bidMicros: number },
): readonly CompiledCreative[] {
  const { floorRules, slot } = bid.context;
  if ((floorRules.length === 0 && slot.timedFloors === undefined) || isGuaranteed(lineItem)) return fitting;
  const dealId = lineItem.deal?.id ?? null;
  const isUnderOfferedDeal = dealId !== null && bid.offered !== null;
  const hasOwnFloor = isUnderOfferedDeal && bid.offered?.floorMicros !== null;
  const timed = hasOwnFloor ? fitting : fitting.filter((creative) => bid.bidMicros >= timedFloorOf(creative, slot));
  return timed.filter(
    (creative) => bid.bidMicros >= floorByRules(floorRules, { creative, slot, dealId, isUnderOfferedDeal }),
  );
}

function findCap(lineItem: CompiledLineItem, bidMicros: number, context: SlotContext): LoserReason | null {
  for (const check of lineItem.capChecks)
    if (isCapReached(check, { lineItem, bidMicros }, context)) return check.reason;
  return null;
}

/** Whether a hard limit has no headroom for the bid of a line item. */
export function isCapReached(
  check: CapCheck,
  { lineItem, bidMicros }: { readonly lineItem: CompiledLineItem; readonly bidMicros: number },
  context: SlotContext,
): boolean {
  const { subject, limit } = check;
  if (context.state.isUsedUp?.(check) === true) return true;
  const day = check.timezone === null ? '' : context.facts.localMoment(check.timezone).day;
  const counted = context.state.capCount?.(check, day) ?? context.state.counter(capCounterKey(check, day));
  const pending = context.response.creativeIds.size === 0 ? 0 : pendingOf(subject, context.response);
  const next =
    subject.kind === 'spend' ? requiredNanos(lineItem, bidMicros, context) : requiredEvents(subject, context);
  return counted + pending + next > limit;
}

/** Each ad adds an impression; of rarer events, the limit must allow one more. */
function requiredEvents({ kind }: CapCheck['subject'], { together }: SlotContext): number {
  return kind === 'imp' ? together : Math.min(1, together);
}

/** The headroom that a money limit must have, in nanos: the sum that these ads are sure to use, else the next event or day that earns. */
function requiredNanos(lineItem: CompiledLineItem, bidMicros: number, context: SlotContext): number {
  const sure = firmNanos(lineItem, bidMicros) * context.together;
  if (sure > 0 || context.together === 0) return sure;
  const { pricingModel } = lineItem;
  if (PRICING[pricingModel].bills === 'day' && hasEarnedToday(lineItem, context)) return 0;
  // CPM under a deal with a fixed price of 0 earns nothing.
  return Math.max(1, Number(nanosEach({ pricingModel, priceMicros: earnedPriceMicros(lineItem, bidMicros) })));
}

/** Whether a line item that is billed by the day has earned its price of today. */
function hasEarnedToday({ booked }: CompiledLineItem, { opportunity, facts, state }: SlotContext): boolean {
  const subject = { workspaceId: opportunity.workspaceId, scope: 'li', id: booked.id, kind: 'spend' } as const;
  return state.counter(dayCounterKey(subject, facts.localMoment(booked.timezone).day)) > 0;
}

/** The use of a limit by earlier slots of the same response. */
function pendingOf({ scope, id, kind }: CapCheck['subject'], response: ResponseSoFar): number {
  const owner = `${scope}/${id}`;
  if (kind === 'spend') return response.nanosOf(owner);
  return kind === 'imp' ? response.impressionsOf(owner) : 0;
}

/** The first frequency cap that the user has reached, or why it cannot be told; null = none. */
export function findFrequency(
  checks: readonly FrequencyCheck[],
  lineItem: CompiledLineItem,
  context: SlotContext,
): LoserReason | null {
  if (checks.length === 0) return null;
  const { npa, workspaceId } = context.opportunity;
  for (const check of checks) {
    const seer = seerOf(check.cap, context.opportunity);
    if (seer === '') {
      if (lineItem.booked.serveWithoutUser) continue;
      return npa ? 'consent' : 'capped.no_user';
    }
    const counted = context.state.counter(frequencyCheckKey(check, workspaceId, seer));
    const pending =
      check.cap.event === 'IMPRESSIONS' ? context.response.impressionsOf(`${check.scope}/${check.id}`) : 0;
    const next = check.scope === 'cr' ? 1 : context.together;
    if (counted + pending + next > check.cap.count) return `capped.${check.level}`;
  }
  return null;
}

/** Whether the user has reached a frequency cap of the creative itself. */
export function isCreativeCapped(
  creative: CompiledCreative,
  lineItem: CompiledLineItem,
  context: SlotContext,
): boolean {
  return findFrequency(creative.frequencyChecks, lineItem, context) !== null;
}

function areUncapped(creatives: readonly CompiledCreative[], { only }: CompiledLineItem): boolean {
  if (only !== null) return only.frequencyChecks.length === 0;
  return creatives.every(({ frequencyChecks }) => frequencyChecks.length === 0);
}
