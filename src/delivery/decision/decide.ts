import { listCarried, NOTHING_CARRIED } from './companions.ts';
import type { CompiledWorkspace } from './index/compiled-workspace.ts';
import type { CompiledLineItem } from './index/compile-line-items.ts';
import type { DecisionMemory } from './index/decision-memory.ts';
import { beginSet, continueSet, isUnfinished, addToSet, setOf } from './creative-set.ts';
import type { CreativeSet, SlotsAhead } from './creative-set.ts';
import { drawnCpmMicros } from './expected-value.ts';
import type { DecideContext, Decision, Loser, NoFill, Placement } from './decision.ts';
import { NO_GOAL, ResponseSoFar, checkLineItem, paceOf } from './eligibility.ts';
import type { Candidate, LoserReason, SlotContext } from './eligibility.ts';
import type { Opportunity, Slot } from '../../domain/requests/opportunity.ts';
import type { IndexRange, Stretch } from './index/line-item-order.ts';
import { rotateCreatives } from './rotation.ts';
import { makeSlotContext } from './slot-context.ts';
import { SlotsOfRequest } from './slots-ahead.ts';
import { explainLosers } from './explain-losers.ts';
import { makeOrder, NOT_ELIGIBLE, pickCandidate, pickFromOrder } from './tiers.ts';
import type { Group } from './tiers.ts';
import type { GroupOrder } from './index/group-orders.ts';

const NO_SLOTS: readonly Slot[] = [];

/**
 * Decides all slots of one request together: no creative appears twice, and caps and exclusions include the earlier slots. Pure: the same
 * arguments give the same decision.
 */
export function decide(compiled: CompiledWorkspace, opportunity: Opportunity, context: DecideContext): Decision {
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
  for (const position of opportunity.slots.keys()) {
    const slotContext = slots.contextAt(position);
    const ahead = {
      seen,
      slots,
      position,
      laterSlots: position === lastPosition ? NO_SLOTS : opportunity.slots.slice(position + 1),
      context,
      isReserved: sets.isReserved(slotContext),
    };
    const continued = sets.continueIn(slotContext, ahead);
    const candidate = continued?.candidate ?? pickFor(slotContext, ahead);
    if (explained !== null)
      losers.push(
        ...explainLosers(slotContext, candidate, fitValuesOf(slotContext.slot, compiled.memory), {
          ...ahead,
          slots: explained,
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
  if (!isEmpty) return { placements, noFill: null, losers };
  if (seen.metPacing)
    for (const slot of opportunity.slots)
      recordAllReasons(makeSlotContext(compiled, opportunity, { slot, response, context }), seen);
  return { placements, noFill: seen.summarize(), losers };
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

/** The kinds of filter reasons that occurred, for the summary of an empty response. */
class SeenReasons {
  #floor = false;
  #budget = false;
  #capped = false;
  /** Pacing filtered some line items before any other rule was checked. */
  metPacing = false;

  record(reason: LoserReason): void {
    if (reason === 'pacing') this.metPacing = true;
    else if (reason === 'floor') this.#floor = true;
    else if (reason.startsWith('budget.')) this.#budget = true;
    else if (reason.startsWith('capped.')) this.#capped = true;
  }

  summarize(): NoFill {
    if (this.#floor) return 'floor';
    if (this.#budget) return 'budget';
    return this.#capped ? 'capped' : 'no_match';
  }
}

interface PickInput extends SlotsAhead {
  readonly context: DecideContext;
  readonly seen: SeenReasons;
}

/** Goes through the groups from the top. The first group with a winner decides the slot. */
function pickFor(slotContext: SlotContext, input: PickInput): Candidate | null {
  const { index, stretches, memory } = slotContext.compiled;
  index.setRequest(slotContext.facts, fitValuesOf(slotContext.slot, memory));
  const picker = new GroupPicker(slotContext, input);
  for (const stretch of stretches) {
    const picked = picker.pickIn(stretch);
    if (picked !== null) return picked;
  }
  return null;
}

/** An order pays when a request admits at least this share of the line items. */
const ORDERED_SHARE_MIN = 1 / 8;

/** Finds the winners of groups for one slot. */
class GroupPicker {
  readonly #slotContext: SlotContext;
  readonly #rules: Omit<Group, 'start' | 'end'>;
  /** Null where scores are not remembered: explanations, replays and sampled decisions ask for each. */
  readonly #pacer: object | null;
  /** Of the collected part of a stretch. */
  #count = 0;
  #start = 0;

  constructor(slotContext: SlotContext, input: PickInput) {
    const { compiled, nowMs, state } = slotContext;
    this.#slotContext = slotContext;
    this.#pacer = compiled.index.admittedShareMax < ORDERED_SHARE_MIN ? null : (state.pacer ?? null);
    this.#rules = {
      competition: compiled.competition,
      positions: compiled.matches,
      nowMs,
      check: (lineItem) => checkForSlot(lineItem, slotContext, input),
      urgencyAt: (position) => urgencyFor(position, slotContext, input),
      valueAt: (position) => valueFor(position, slotContext, input.context.random),
      random: input.context.random,
    };
  }

  pickIn(stretch: Stretch): Candidate | null {
    const { index, matches } = this.#slotContext.compiled;
    let from = stretch.from;
    let collectedTo = from;
    for (const [at, to] of stretch.groupEnds.entries()) {
      if (from >= collectedTo) {
        const picked = this.#pickByOrder({ from, to });
        if (picked !== null) return picked;
        collectedTo = this.#endOfUnordered(stretch, at);
        this.#count = index.collect({ from, to: collectedTo }, matches);
        this.#start = 0;
      }
      const picked = this.#pickByScores({ from, to });
      if (picked !== null) return picked;
      from = to;
    }
    return null;
  }

  #orderOf(from: number): GroupOrder | null {
    if (this.#pacer === null) return null;
    return this.#rules.competition.orders.find(from, this.#pacer, this.#rules.nowMs);
  }

  #pickByOrder(range: IndexRange): Candidate | null {
    const order = this.#orderOf(range.from);
    if (order === null) return null;
    const { index } = this.#slotContext.compiled;
    index.select(range);
    return pickFromOrder(order, this.#rules, (position) => index.admits(position));
  }

  /** The end of the groups from one on that are collected with it. */
  #endOfUnordered({ to, groupEnds }: Stretch, at: number): number {
    if (this.#pacer === null) return to;
    return groupEnds.slice(at).find((end) => end === to || this.#orderOf(end) !== null) ?? to;
  }

  #pickByScores({ from, to }: IndexRange): Candidate | null {
    const { matches } = this.#slotContext.compiled;
    const start = this.#start;
    let end = start;
    while (end < this.#count && (matches[end] as number) < to) end += 1;
    this.#start = end;
    if (end === start) return null;
    const picked = pickCandidate({ ...this.#rules, start, end });
    this.#orderIfDue({ from, to }, end - start);
    return picked;
  }

  /** An order also scores line items that the request does not admit: their counters must not make the decision wait. */
  #rulesOfOrders(): Partial<Pick<Group, 'urgencyAt' | 'valueAt'>> {
    const pacer = this.#pacer;
    if (pacer === null || this.#slotContext.state.readsLater !== true) return {};
    const { competition, nowMs, urgencyAt } = this.#rules;
    return {
      urgencyAt: (position) =>
        !competition.hasGoalAt(position) ? urgencyAt(position) : competition.urgencyAt(position, pacer, nowMs),
      valueAt: (position) => competition.valueAt(position, pacer, nowMs),
    };
  }

  #orderIfDue({ from, to }: IndexRange, scored: number): void {
    const size = to - from;
    if (this.#pacer === null) return;
    const { orders } = this.#rules.competition;
    if (!orders.recordScan(from, { size, scored }, { pacer: this.#pacer, nowMs: this.#rules.nowMs })) return;
    const positions = Int32Array.from({ length: size }, (_none, at) => from + at);
    const order = makeOrder({ ...this.#rules, ...this.#rulesOfOrders(), positions, start: 0, end: size });
    if (order !== null) orders.set(from, order);
  }
}

function checkForSlot(lineItem: CompiledLineItem, slotContext: SlotContext, input: PickInput): Candidate | null {
  if (lineItem.residual !== null && !lineItem.residual(slotContext.facts)) return null;
  const found = checkLineItem(lineItem, slotContext, true);
  if (typeof found === 'string') {
    input.seen.record(found);
    return null;
  }
  return beginSet(found, slotContext, input);
}

/** The urgency of the line item at a position; `NOT_ELIGIBLE` when pacing filters it. */
function urgencyFor(position: number, slotContext: SlotContext, input: PickInput): number {
  const { state, nowMs, compiled } = slotContext;
  const { competition } = compiled;
  if (state.pacer !== undefined) {
    const known = competition.urgencyAt(position, state.pacer, nowMs);
    if (known === NOT_ELIGIBLE) input.seen.record('pacing');
    if (!Number.isNaN(known)) return known;
  }
  if (!competition.hasGoalAt(position)) return NO_GOAL.urgency;
  const lineItem = competition.lineItemAt(position);
  const pace = paceOf(lineItem, slotContext);
  if (!pace.mayDeliver) input.seen.record('pacing');
  const urgency = pace.mayDeliver ? pace.urgency : NOT_ELIGIBLE;
  if (state.pacer !== undefined) {
    competition.setUrgency(position, urgency, { pacer: state.pacer, untilMs: lineItem.pacing?.untilMs ?? 0 });
  }
  return urgency;
}

/** How long a value that depends on counters is cached: as long as counters are. */
const VALUE_KEPT_MS = 1_000;

/** The value of a thousand impressions by which a line item competes, micros. Draws hold for as long as values are cached. */
function valueFor(
  position: number,
  { state, nowMs, compiled, opportunity: { workspaceId } }: SlotContext,
  random: () => number,
): number {
  const { competition } = compiled;
  const { pacer } = state;
  if (pacer !== undefined) {
    const known = competition.valueAt(position, pacer, nowMs);
    if (!Number.isNaN(known)) return known;
  }
  const value = drawnCpmMicros(competition.lineItemAt(position), { workspaceId, state, random });
  if (pacer !== undefined && state.isIncomplete !== true)
    competition.setValue(position, value, { pacer, untilMs: nowMs + VALUE_KEPT_MS });
  return value;
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

/** The values of the index's `fit` field that a slot offers. */
export function fitValuesOf(slot: Slot, memory: DecisionMemory): string[] {
  const values: string[] = [];
  for (const mediaType of slot.mediaTypes) {
    if (mediaType !== 'banner' || slot.sizes.length === 0) values.push(mediaType);
    else {
      values.push('banner:0x0');
      for (const size of slot.sizes) values.push(memory.fitOfBanner(size));
    }
  }
  return values;
}

function buildPlacement(candidate: Candidate, slotContext: SlotContext, context: DecideContext): Placement {
  const { lineItem, bidMicros } = candidate;
  const { slot } = slotContext;
  const creative = rotateCreatives(candidate, slotContext, context);
  const { width, height } = creative.creative;
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
  };
}

/** Gives each video its companions that got no slot of the request. */
function addCompanions(
  placements: (Placement | null)[],
  compiled: CompiledWorkspace,
  opportunity: Opportunity,
  context: DecideContext,
): void {
  for (const [at, placement] of placements.entries()) {
    if (placement === null || placement.lineItem.booked.companionMode === 'NONE') continue;
    if (placement.creative.mediaType !== 'video') continue;
    const placedIds = new Set(placements.map((one) => one?.creative.creative.id ?? ''));
    const slotContext = makeSlotContext(compiled, opportunity, {
      slot: placement.slot,
      response: new ResponseSoFar(),
      context,
    });
    placements[at] = { ...placement, companions: listCarried(placement, placedIds, slotContext) };
  }
}
