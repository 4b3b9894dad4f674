import { isCompanion } from './companions.ts';
import { refuseCreative } from './creative-fit.ts';
import { beginSet } from './creative-set.ts';
import type { SlotsAhead } from './creative-set.ts';
import type { PickInput } from './group-picker.ts';
import type { Loser } from './decision.ts';
import { paceOf, checkLineItem } from './eligibility.ts';
import type { Candidate, LoserReason, SlotContext } from './eligibility.ts';
import { expectedCpmMicros } from './expected-value.ts';
import { findFailedDimensions } from './failed-dimensions.ts';
import type { FailedDimension } from './failed-dimensions.ts';
import { listFailedTests } from './failed-tests.ts';
import type { FailedTest } from './failed-tests.ts';
import type { CompiledLineItem } from './index/compile-line-items.ts';

/** Line items out of reach whose further tests are made, for one slot: each must be compiled. */
const TESTED_OUT_OF_REACH_MAX = 2_000;
/** The same of those that fail several dimensions of targeting. */
const TESTED_FAR_MAX = 200;
/** Stands for tests that were not made. */
export const UNTESTED = '?';

/**
 * The reason of every line item that did not win, and all tests that it failed. Checks all line items without the index.
 * @param fitValues the values of the index's `fit` field that the slot offers
 */
export function explainLosers(
  slotContext: SlotContext,
  winner: Candidate | null,
  fitValues: readonly string[],
  ahead: PickInput,
): Loser[] {
  const { compiled, facts, slot } = slotContext;
  const winnerId = winner?.lineItem.booked.id ?? null;
  const losers: Loser[] = compiled.idle.map(({ lineItem, reason }) => ({
    slotId: slot.slotId,
    lineItemId: lineItem.id,
    reason,
    failed: [`idle.${reason}`],
    winnerId,
  }));
  const failures = findFailedDimensions(compiled, facts, fitValues);
  const tested = { near: 0, far: 0 };
  for (const [position, dimensions] of failures.entries()) {
    const id = compiled.lineItems.idAt(position);
    if (id === winnerId) continue;
    const [first] = dimensions;
    if (first === undefined) {
      losers.push({ ...explainInReach(compiled.lineItems.at(position), slotContext, { winner, ahead }), winnerId });
      continue;
    }
    const failed = dimensions.map((one) => testOfDimension(one, slotContext));
    const distance = dimensions.length === 1 ? 'near' : 'far';
    if (tested[distance] < (distance === 'near' ? TESTED_OUT_OF_REACH_MAX : TESTED_FAR_MAX)) {
      tested[distance] += 1;
      const lineItem = compiled.lineItems.at(position);
      failed.push(...listFailedTests(lineItem, slotContext), ...lossTo(winner, lineItem, { slotContext, ahead }));
    } else failed.push(UNTESTED);
    losers.push({ slotId: slot.slotId, lineItemId: id, reason: `targeting.${first.dimension}`, failed, winnerId });
  }
  return losers;
}

function testOfDimension({ dimension, key }: FailedDimension, { opportunity }: SlotContext): FailedTest {
  if (dimension === 'segment' && opportunity.npa) return 'consent.segments';
  return key === '' ? `targeting.${dimension}` : `targeting.${dimension}:${key.replaceAll(/[+>\n]/g, ' ')}`;
}

function explainInReach(
  lineItem: CompiledLineItem,
  slotContext: SlotContext,
  { winner, ahead }: { readonly winner: Candidate | null; readonly ahead: PickInput },
): Omit<Loser, 'winnerId'> {
  const own = { slotId: slotContext.slot.slotId, lineItemId: lineItem.booked.id };
  const found = checkLineItem(lineItem, slotContext);
  if (typeof found !== 'string') {
    if (ahead.units.waits(lineItem)) return { ...own, reason: 'better_unit', failed: ['better_unit'] };
    const reason = explainSetFailure(found, slotContext, ahead) ?? lossReasonOf(found, winner, ahead);
    return { ...own, reason, failed: [reason], ...goalBidOf(lineItem, slotContext) };
  }
  const failed = listFailedTests(lineItem, slotContext);
  return { ...own, reason: found, failed: [...failed, ...lossTo(winner, lineItem, { slotContext, ahead })] };
}

/** The bid of a STANDARD line item's goal; empty for a line item without a goal. */
export function goalBidOf(lineItem: CompiledLineItem, slotContext: SlotContext): { readonly worth?: number } {
  const { type, goal } = lineItem.booked;
  if (type !== 'STANDARD' || goal === null) return {};
  const { worth } = paceOf(lineItem, slotContext);
  return worth === undefined ? {} : { worth };
}

/** Whether the winner or header bidder would have beaten the line item, had it passed all tests; an even draw does not count. */
function lossTo(
  winner: Candidate | null,
  lineItem: CompiledLineItem,
  { slotContext, ahead }: { readonly slotContext: SlotContext; readonly ahead: PickInput },
): FailedTest[] {
  const { wonHeaderBid = null } = ahead;
  if (winner === null && wonHeaderBid === null) return [];
  const { opportunity, state, lifts } = slotContext;
  const valueMicros = expectedCpmMicros(lineItem, opportunity.workspaceId, state, lifts);
  if (winner === null) return lossToHeaderBid(lineItem, valueMicros, wonHeaderBid?.cpmMicros ?? 0);
  const reason = lossReasonOf({ lineItem, creatives: [], valueMicros, bidMicros: valueMicros }, winner, ahead);
  const isCertain = reason !== 'lost.draw' && reason !== 'lost.plan' && lineItem.group >= winner.lineItem.group;
  return isCertain ? [reason] : [];
}

/** Tiers above PRICE beat a header bid, or their worth decides; at equal prices the line item wins. */
function lossToHeaderBid({ booked }: CompiledLineItem, valueMicros: number, cpmMicros: number): FailedTest[] {
  if (booked.type === 'HOUSE') return ['lost.tier'];
  return booked.type === 'PRICE' && valueMicros < cpmMicros ? ['lost.price'] : [];
}

/** Why a line item with a set of ads cannot begin the set; null when it can, or when its ads are independent. */
function explainSetFailure(found: Candidate, slotContext: SlotContext, ahead: SlotsAhead): LoserReason | null {
  if (beginSet(found, slotContext, ahead) !== null) return null;
  if (found.lineItem.booked.roadblock === 'ALL') return 'roadblock';
  if (found.creatives.some((one) => !isCompanion(one))) return 'companion';
  // Only companions fit, so the reason is the one of their masters.
  const [master] = found.lineItem.creatives.filter((one) => !isCompanion(one));
  return (master && refuseCreative(master, slotContext)) ?? 'companion';
}

function lossReasonOf(
  loser: Candidate,
  winner: Candidate | null,
  { hasWorths, wonHeaderBid = null }: PickInput,
): LoserReason {
  const isStandard = ({ lineItem }: Candidate) => lineItem.booked.type === 'STANDARD';
  const isAbove = winner !== null && loser.lineItem.group > winner.lineItem.group;
  if (hasWorths && isStandard(loser) && (winner === null || !isAbove || isStandard(winner))) return 'lost.plan';
  if (winner === null && wonHeaderBid !== null)
    return loser.lineItem.booked.type === 'HOUSE' ? 'lost.tier' : 'lost.price';
  if (winner === null) return 'lost.draw';
  if (isAbove) return 'lost.tier';
  const isPrice = loser.lineItem.booked.type === 'PRICE' && loser.lineItem.group === winner.lineItem.group;
  return isPrice && loser.valueMicros < winner.valueMicros ? 'lost.price' : 'lost.draw';
}
