import { listCarried, NOTHING_CARRIED } from './companions.ts';
import type { CompiledWorkspace } from './index/compiled-workspace.ts';
import { continueSet, isUnfinished, addToSet, setOf } from './creative-set.ts';
import type { CreativeSet, SlotsAhead } from './creative-set.ts';
import type { DecideContext, Decision, Loser, Placement } from './decision.ts';
import { checkLineItem } from './eligibility.ts';
import { ResponseSoFar } from './response-so-far.ts';
import type { Candidate, SlotContext } from './eligibility.ts';
import { stateByRule, workspaceByRule } from './experiment-rules.ts';
import { pickFor } from './group-picker.ts';
import type { PickInput } from './group-picker.ts';
import { HEADER_BID_WINS } from './header-bids.ts';
import { isPlayed } from '../../domain/booking/creative.ts';
import type { HeaderBid, Opportunity, Slot } from '../../domain/requests/opportunity.ts';
import { PodPlans } from './plan-pods.ts';
import { rotateCreatives } from './rotation.ts';
import { SeenReasons } from './seen-reasons.ts';
import { fitValuesOf, makeSlotContext } from './slot-context.ts';
import { SlotsOfRequest } from './slots-ahead.ts';
import { explainLosers, goalBidOf } from './explain-losers.ts';
import { UnitChoice } from './unit-choice.ts';
import type { UnitDraw } from './unit-choice.ts';

const NO_SLOTS: readonly Slot[] = [];

/**
 * Decides all slots of one request together: no creative appears twice, and caps and exclusions include the earlier slots. Pure: the same
 * arguments give the same decision.
 */
export function decide(compiled: CompiledWorkspace, opportunity: Opportunity, context: DecideContext): Decision {
  const { ruled } = context;
  if (ruled === undefined) return decideSlots(compiled, opportunity, context);
  const state = stateByRule(context.state, ruled);
  return decideSlots(workspaceByRule(compiled, ruled.rule), opportunity, { ...context, state });
}

function decideSlots(compiled: CompiledWorkspace, opportunity: Opportunity, context: DecideContext): Decision {
  if (compiled.snapshot.workspace.status !== 'ACTIVE') {
    return { placements: opportunity.slots.map(() => null), noFill: 'network_paused', losers: [] };
  }
  const response = new ResponseSoFar();
  const losers: Loser[] = [];
  const seen = new SeenReasons();
  const placements: (Placement | null)[] = [];
  const sets = new BegunSets();
  const input = { response, context };
  const slots = new SlotsOfRequest(compiled, opportunity, input);
  // Explaining has a look-ahead of its own, so that it changes no decision.
  const explained = context.explain === true ? new SlotsOfRequest(compiled, opportunity, input) : null;
  const lastPosition = opportunity.slots.length - 1;
  const { goalCompetition } = compiled.snapshot.workspace;
  const hasWorths = context.state.hasWorths?.() === true && goalCompetition !== 'LEVELS';
  const weighed: UnitDraw[] = [];
  let headerBids: (HeaderBid | null)[] | undefined;
  const aheadOf = (position: number, slotContext: SlotContext): PickInput => ({
    seen,
    slots,
    position,
    laterSlots: position === lastPosition ? NO_SLOTS : opportunity.slots.slice(position + 1),
    context,
    hasWorths,
    units: new UnitChoice(weighed, hasWorths),
    isReserved: sets.isReserved(slotContext),
  });
  const pods = planPods(opportunity, slots, aheadOf);
  for (const position of opportunity.slots.keys()) {
    const slotContext = slots.contextAt(position);
    const ahead = aheadOf(position, slotContext);
    const continued = sets.continueIn(slotContext, ahead);
    const planned = continued === null ? pods?.candidateAt(position, slotContext) : undefined;
    const picked = continued?.candidate ?? (planned === undefined ? pickFor(slotContext, ahead) : planned);
    const wonHeaderBid = picked === HEADER_BID_WINS ? (slotContext.slot.headerBid ?? null) : null;
    if (wonHeaderBid !== null) (headerBids ??= opportunity.slots.map(() => null))[position] = wonHeaderBid;
    const candidate = picked === HEADER_BID_WINS ? null : picked;
    if (explained !== null)
      losers.push(
        ...explainLosers(slotContext, candidate, fitValuesOf(slotContext.slot, compiled.memory), {
          ...ahead,
          slots: explained,
          wonHeaderBid,
        }),
      );
    const placement = candidate === null ? null : buildPlacement(candidate, slotContext, context);
    placements.push(placement);
    if (placement === null) continue;
    if (position === lastPosition) continue;
    const joins = continued !== null && continued.set.master !== null;
    response.add(placement.lineItem, placement.creative.creative.id, placement.bidMicros, joins);
    sets.record(placement, continued?.set ?? null);
  }
  addCompanions(placements, compiled, opportunity, context);
  const isEmpty = placements.every((placement) => placement === null);
  const won = headerBids === undefined ? {} : { headerBids };
  if (!isEmpty) return { placements, noFill: null, losers, weighed, ...won };
  if (headerBids !== undefined) return { placements, noFill: 'header_bid', losers, weighed, ...won };
  if (seen.metPacing)
    for (const slot of opportunity.slots)
      recordAllReasons(makeSlotContext(compiled, opportunity, { slot, response, context }), seen);
  return { placements, noFill: seen.summarize(), losers, weighed };
}

/** Null for a request without pods, as most are. */
function planPods(
  opportunity: Opportunity,
  slots: SlotsOfRequest,
  aheadOf: (position: number, slotContext: SlotContext) => PickInput,
): PodPlans | null {
  if (!opportunity.slots.some(({ pod }) => pod !== undefined)) return null;
  return new PodPlans(opportunity, (position) => {
    const slotContext = slots.contextAt(position);
    return { slotContext, input: aheadOf(position, slotContext) };
  });
}

/** The sets that have an ad in an earlier slot of the response. */
class BegunSets {
  #sets: CreativeSet[] = [];

  /** Whether one of them needs later slots; at most one does at a time. */
  isReserved(slotContext: SlotContext): boolean {
    return this.#sets.some((set) => isUnfinished(set, slotContext));
  }

  /** The next ad of a set: first of the set that must be completed, then of the others in the order in which they began. */
  continueIn(slotContext: SlotContext, ahead: SlotsAhead): { candidate: Candidate; set: CreativeSet } | null {
    if (this.#sets.length === 0) return null;
    const rank = (set: CreativeSet) => (isUnfinished(set, slotContext) ? 0 : 1);
    for (const set of this.#sets.toSorted((left, right) => rank(left) - rank(right))) {
      const candidate = continueSet(set, slotContext, ahead);
      if (candidate !== null) return { candidate, set };
    }
    return null;
  }

  /** @param continued the set that this ad belongs to, when it has begun before */
  record({ lineItem, creative, slot }: Placement, continued: CreativeSet | null): void {
    const set = continued ?? setOf(lineItem, creative);
    if (set === null) return;
    const others = this.#sets.filter((one) => one !== set);
    const at = continued === null ? others.length : this.#sets.indexOf(continued);
    this.#sets = others.toSpliced(at, 0, addToSet(set, creative, slot));
  }
}

/** Records why each matching line item was filtered, pacing last: a line item ahead of its plan may be capped as well. */
function recordAllReasons(slotContext: SlotContext, seen: SeenReasons): void {
  const { compiled, facts, slot } = slotContext;
  compiled.index.setRequest(facts, fitValuesOf(slot, compiled.memory));
  const count = compiled.index.collect({ from: 0, to: compiled.lineItems.length }, compiled.matches);
  for (let at = 0; at < count; at += 1) {
    const lineItem = compiled.lineItems.at(compiled.matches[at] as number);
    if (lineItem.residual !== null && !lineItem.residual(facts)) continue;
    const found = checkLineItem(lineItem, slotContext);
    if (typeof found === 'string') seen.record(found);
  }
}

function buildPlacement(candidate: Candidate, slotContext: SlotContext, context: DecideContext): Placement {
  const { lineItem, bidMicros } = candidate;
  const { slot } = slotContext;
  const creative = rotateCreatives(candidate, slotContext, context);
  const { width, height } = creative;
  const anySize = width === 0 && height === 0 ? slot.sizes[0] : undefined;
  return {
    slot,
    lineItem,
    creative,
    companions: NOTHING_CARRIED,
    bidMicros,
    width: anySize?.width ?? width,
    height: anySize?.height ?? height,
    dealCode: lineItem.deal?.code ?? '',
    ...(context.explain === true ? goalBidOf(lineItem, slotContext) : {}),
  };
}

/** Gives each video and audio ad its companions that got no slot of the request. */
function addCompanions(
  placements: (Placement | null)[],
  compiled: CompiledWorkspace,
  opportunity: Opportunity,
  context: DecideContext,
): void {
  for (const [at, placement] of placements.entries()) {
    if (placement === null || placement.lineItem.isIndependent || placement.lineItem.booked.companionMode === 'NONE')
      continue;
    if (!isPlayed(placement.creative.creative.content)) continue;
    const placedIds = new Set(placements.map((one) => one?.creative.creative.id ?? ''));
    const slotContext = makeSlotContext(compiled, opportunity, {
      slot: placement.slot,
      response: new ResponseSoFar(),
      context,
    });
    placements[at] = { ...placement, companions: listCarried(placement, placedIds, slotContext) };
  }
}
