import type { CapCheck } from '../../domain/money/limit.ts';
import { listRefusals } from './creative-fit.ts';
import {
  findAboveFloor,
  findFrequency,
  floorOf,
  isAdvertiserBlocked,
  isCapReached,
  isCategoryBlocked,
  isCreativeCapped,
  isExcluded,
  isInDayPart,
  isSeatBlocked,
  lacksDsaFacts,
  offeredDealOf,
  paceOf,
} from './eligibility.ts';
import type { SlotContext } from './eligibility.ts';
import { expectedCpmMicros } from './expected-value.ts';
import { floorByRules } from './index/floors.ts';
import type { CompiledCreative, CompiledLineItem } from './index/compile-line-items.ts';
import type { OfferedDeal } from '../../domain/requests/opportunity.ts';

/**
 * Codes of tests: a family and its parts, joined by dots, and behind a colon what the request asked for (a size, a floor in micros, the
 * key of a key-value). None contains `+` or `>`.
 */
export type FailedTest = string;

const UNITS = { imp: 'impressions', clk: 'clicks', spend: 'spend', view: 'viewable_impressions', conv: 'conversions' };
const COUNTED_UNITS: Readonly<Record<string, string>> = UNITS;

/** The code of a hard limit: `capped.line_item.impressions_per_day`, `budget.campaign.spend_lifetime`, or `goal_reached`. */
export function testOfCap(check: CapCheck, lineItem: CompiledLineItem): FailedTest {
  if (isGoalCheck(check, lineItem)) return 'goal_reached';
  const unit = COUNTED_UNITS[check.subject.kind] ?? check.subject.kind;
  return `${check.reason}.${unit}_${check.timezone === null ? 'lifetime' : 'per_day'}`;
}

/** Whether a limit is the goal of a line item that pauses after it. */
function isGoalCheck({ reason, limit, timezone }: CapCheck, { booked, capChecks }: CompiledLineItem): boolean {
  const { goal, pauseAfterGoal } = booked;
  if (goal === null || !pauseAfterGoal || reason !== 'capped.line_item') return false;
  const last = capChecks.at(-1);
  return last?.limit === limit && last.timezone === timezone && limit === goal.amount;
}

/**
 * Every test besides targeting that the line item fails for one slot; empty where `checkLineItem` makes it a candidate. Of several
 * creatives, the tests of the one that fails fewest. For explanations, not for the hot path.
 */
export function listFailedTests(lineItem: CompiledLineItem, context: SlotContext): FailedTest[] {
  const { opportunity, slot, nowMs } = context;
  const failed: FailedTest[] = [];
  const add = (fails: boolean, test: FailedTest): void => {
    if (fails) failed.push(test);
  };
  add(lineItem.startsAtMs > nowMs || lineItem.endsAtMs <= nowMs, 'not_in_flight');
  const { dayParts, booked } = lineItem;
  add(dayParts.length > 0 && !isInDayPart(lineItem, context.facts.localMoment(booked.timezone)), 'daypart');
  const offered = offeredDealOf(lineItem, slot);
  const isClosed = offered === undefined && slot.privateAuction && lineItem.deal === null;
  add(offered === undefined, isClosed ? 'blocked.private_auction' : 'targeting.deal');
  const deal = offered ?? null;
  add(isSeatBlocked(lineItem, opportunity, deal), 'blocked.seat');
  add(isAdvertiserBlocked(lineItem, opportunity, deal), 'blocked.advertiser');
  add(isCategoryBlocked(lineItem, opportunity), 'blocked.category');
  add(lacksDsaFacts(lineItem, opportunity), 'dsa_missing');
  add(lineItem.exclusionLabels.length > 0 && isExcluded(lineItem, context), 'exclusion.label');
  const { creatives, refusals } = fewestRefusals(lineItem, context);
  const bid = bidOf(lineItem, deal, context);
  failed.push(...refusals, ...listFailedPrices(lineItem, creatives, bid));
  const frequency = findFrequency(lineItem.frequencyChecks, lineItem, context);
  if (frequency !== null)
    failed.push(
      frequency.startsWith('capped.') && frequency !== 'capped.no_user' ? `${frequency}.frequency` : frequency,
    );
  const affordable = findAffordable(lineItem, creatives, bid);
  add(affordable.length > 0 && affordable.every((one) => isCreativeCapped(one, lineItem, context)), 'capped.creative');
  add(!paceOf(lineItem, context).mayDeliver, 'pacing');
  return failed;
}

/** The creatives that fail fewest tests, and the tests that the first of them fails. */
function fewestRefusals(
  lineItem: CompiledLineItem,
  context: SlotContext,
): { readonly creatives: readonly CompiledCreative[]; readonly refusals: readonly FailedTest[] } {
  const all = lineItem.creatives.map((creative) => ({ creative, refusals: listRefusals(creative, context) }));
  const fewest = Math.min(...all.map(({ refusals }) => refusals.length));
  const best = all.filter(({ refusals }) => refusals.length === fewest);
  return { creatives: best.map(({ creative }) => creative), refusals: best[0]?.refusals ?? [] };
}

interface Bid {
  readonly deal: OfferedDeal | null;
  readonly context: SlotContext;
  readonly bidMicros: number;
  readonly valueMicros: number;
}

function bidOf(lineItem: CompiledLineItem, deal: OfferedDeal | null, context: SlotContext): Bid {
  const valueMicros = expectedCpmMicros(lineItem, context.opportunity.workspaceId, context.state, context.lifts);
  const bidMicros = deal?.fixedPrice === true ? (deal.floorMicros ?? valueMicros) : valueMicros;
  return { deal, context, bidMicros, valueMicros };
}

/** The creatives whose own floor the bid reaches, or all of them if it reaches none. */
function findAffordable(
  lineItem: CompiledLineItem,
  creatives: readonly CompiledCreative[],
  { deal, context, bidMicros }: Bid,
): readonly CompiledCreative[] {
  const aboveFloor = findAboveFloor(creatives, lineItem, { context, offered: deal, bidMicros });
  return aboveFloor.length > 0 ? aboveFloor : creatives;
}

/** Floors and hard limits. */
function listFailedPrices(lineItem: CompiledLineItem, creatives: readonly CompiledCreative[], bid: Bid): FailedTest[] {
  const failed = lineItem.capChecks
    .filter((check) => isCapReached(check, { lineItem, bidMicros: bid.bidMicros }, bid.context))
    .map((check) => testOfCap(check, lineItem));
  const floor = failedFloor(lineItem, creatives, bid);
  return floor === null ? failed : [floor, ...failed];
}

/** The highest floor that the bid does not reach, and whose it is; `currency` for one in a currency that is not the network's. */
function failedFloor(
  lineItem: CompiledLineItem,
  creatives: readonly CompiledCreative[],
  { deal, context, bidMicros, valueMicros }: Bid,
): FailedTest | null {
  const { slot, ownFloorMicros, floorRules } = context;
  const floor = floorOf(lineItem, deal, context);
  if (floor === Number.POSITIVE_INFINITY || bidMicros === Number.POSITIVE_INFINITY) return 'currency';
  if (valueMicros < bidMicros) return `floor.deal:${roundUp(bidMicros)}`;
  if (bidMicros < floor) return `floor.${ownerOfFloor(floor)}:${roundUp(floor)}`;
  if (creatives.length === 0 || findAboveFloor(creatives, lineItem, { context, offered: deal, bidMicros }).length > 0)
    return null;
  const dealId = lineItem.deal?.id ?? null;
  const ads = creatives.map((creative) => ({
    creative,
    slot,
    dealId,
    isUnderOfferedDeal: dealId !== null && deal !== null,
  }));
  return `floor.rule:${roundUp(Math.min(...ads.map((ad) => floorByRules(floorRules, ad))))}`;

  function ownerOfFloor(micros: number): string {
    if (lineItem.deal !== null && (lineItem.deal.floorMicros === micros || deal?.floorMicros === micros)) return 'deal';
    if (slot.floorMicros === micros) return 'request';
    return ownFloorMicros === micros && micros > context.compiled.snapshot.workspace.floorMicros
      ? 'ad_unit'
      : 'network';
  }
}

/** Two significant digits: floors that vary a little count as one. */
function roundUp(micros: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, micros))) - 1);
  return Math.ceil(micros / unit) * unit;
}
