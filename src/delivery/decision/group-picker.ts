import type { CompiledLineItem, PacingState } from './index/compile-line-items.ts';
import { beginSet } from './creative-set.ts';
import type { SlotsAhead } from './creative-set.ts';
import { drawnCpmMicros, liftMicros, liftOf } from './expected-value.ts';
import type { DecideContext } from './decision.ts';
import { NO_GOAL, checkLineItem, paceOf } from './eligibility.ts';
import type { Candidate, SlotContext } from './eligibility.ts';
import type { GroupOrder, GroupOrders } from './index/group-orders.ts';
import type { IndexRange, Stretch } from './index/line-item-order.ts';
import { competingHeaderBid, HEADER_BID_WINS } from './header-bids.ts';
import type { HeaderBid } from '../../domain/requests/opportunity.ts';
import type { UnitChoice } from './unit-choice.ts';
import type { SeenReasons } from './seen-reasons.ts';
import { trialWorth } from '../value/trial-worth.ts';
import { fitValuesOf } from './slot-context.ts';
import { makeOrder, pickFromOrder } from './ordered-pick.ts';
import { NOT_ELIGIBLE, pickCandidate } from './tiers.ts';
import type { Group } from './tiers.ts';

/** The input of picking a line item for a slot. */
export interface PickInput extends SlotsAhead {
  readonly context: DecideContext;
  readonly seen: SeenReasons;
  /** Goals bid what they are worth. Otherwise levels and urgency decide, and STANDARD stands above PRICE. */
  readonly hasWorths: boolean;
  /** Which line items want the unit of the slot. */
  readonly units: UnitChoice;
  /** In an explanation: the header bid that won the slot; null or absent = none won. */
  readonly wonHeaderBid?: HeaderBid | null;
}

/** The winner of a slot; null = nobody. */
export type Picked = Candidate | typeof HEADER_BID_WINS | null;

/** Goes through the groups from the top. The first group with a winner decides the slot. */
export function pickFor(slotContext: SlotContext, input: PickInput): Picked {
  const { index, stretches, memory } = slotContext.compiled;
  index.setRequest(slotContext.facts, fitValuesOf(slotContext.slot, memory));
  const picker = new GroupPicker(slotContext, input);
  // A slot that a set of ads in progress needs is not for sale.
  const headerBid = input.isReserved ? null : competingHeaderBid(slotContext);
  if (input.hasWorths) return picker.pickByWorth(headerBid);
  if (headerBid !== null) return picker.pickAgainst(headerBid);
  for (const stretch of stretches) {
    const picked = picker.pickIn(stretch);
    if (picked !== null) return picked;
  }
  return null;
}

/** An order pays when a request admits at least this share of the line items. */
const ORDERED_SHARE_MIN = 1 / 8;
/**
 * The order of a larger group is used for longer than allotments last: a line item without one would be missing from it, also when its next allotment
 * is there.
 */
const FORGETTING_MAX = 1_000;

/** Finds the winners of groups for one slot. */
export class GroupPicker {
  readonly #slotContext: SlotContext;
  readonly #rules: Omit<Group, 'start' | 'end'>;
  /** Null where scores are not remembered: explanations, replays and sampled decisions ask for each. */
  readonly #pacer: object | null;
  /** The range whose line items are in `matches`, how many they are, and the first one that no group has had. */
  #collected: IndexRange = { from: 0, to: 0 };
  #count = 0;
  #start = 0;

  constructor(slotContext: SlotContext, input: PickInput) {
    const { compiled, nowMs, state } = slotContext;
    this.#slotContext = slotContext;
    const isOrdered = compiled.index.admittedShareMax >= ORDERED_SHARE_MIN;
    this.#pacer = isOrdered ? (state.pacer ?? null) : null;
    this.#rules = {
      competition: compiled.competition,
      positions: compiled.matches,
      nowMs,
      check: (lineItem) => checkForSlot(lineItem, slotContext, input),
      urgencyAt: (position) => urgencyFor(position, slotContext, input),
      valueAt: (position) => valueFor(position, slotContext, input.context.random),
      random: input.context.random,
      workspaceId: slotContext.opportunity.workspaceId,
    };
  }

  /** The winner of the groups of a range. */
  pickWithin(range: IndexRange): Candidate | null {
    for (const stretch of this.#slotContext.compiled.stretches) {
      const picked = this.pickIn(cutStretch(stretch, range));
      if (picked !== null) return picked;
    }
    return null;
  }

  /** Tiers above PRICE win; a PRICE line item wins if it bids at least as much; otherwise the header bidder wins. */
  pickAgainst(headerBid: HeaderBid): Picked {
    const { price } = this.#slotContext.compiled.competition;
    return this.pickWithin({ from: 0, to: price.from }) ?? dearerOf(this.pickWithin(price), headerBid);
  }

  /**
   * Below SPONSORSHIP, the goal that bids most takes the opportunity, if it bids at least what PRICE or a header bidder pays. What it leaves goes to line items of
   * STANDARD that take all they can get, then to who pays most.
   */
  pickByWorth(headerBid: HeaderBid | null): Picked {
    const { standard, price, usualCpmMicros } = this.#slotContext.compiled.competition;
    const first = this.pickWithin({ from: 0, to: standard.from });
    if (first !== null) return first;
    const goal = this.#pickGoal(standard, this.#rules.urgencyAt);
    let dearest: Candidate | null | undefined;
    if (goal !== null) {
      if (isGreedy(goal.lineItem)) return goal;
      dearest = this.pickWithin(price);
      const paidMicros = Math.max(dearest?.valueMicros ?? 0, headerBid?.cpmMicros ?? 0);
      if (this.#worthOf(goal.lineItem) * usualCpmMicros >= paidMicros) return goal;
      const greedy = this.#pickGoal(standard, this.#greedUrgency);
      if (greedy !== null) return greedy;
    }
    dearest ??= this.pickWithin(price);
    if (headerBid !== null) return dearerOf(dearest, headerBid);
    return dearest ?? this.pickWithin({ from: price.to, to: Number.POSITIVE_INFINITY });
  }

  #worthOf(lineItem: CompiledLineItem): number {
    return paceOf(lineItem, this.#slotContext).worth ?? 1;
  }

  /** The line item of STANDARD with the highest score, whatever its level. */
  #pickGoal(standard: IndexRange, urgencyAt: Group['urgencyAt']): Candidate | null {
    if (standard.from === standard.to) return null;
    this.#collect(standard);
    const start = this.#start;
    const end = this.#endOf(standard);
    return start === end ? null : pickCandidate({ ...this.#rules, urgencyAt, start, end });
  }

  /** Of those that take all they can get, as `urgencyAt`. */
  readonly #greedUrgency = (position: number): number => {
    const { competition } = this.#rules;
    const isNone = competition.hasGoalAt(position) && !isGreedy(competition.lineItemAt(position));
    return isNone ? NOT_ELIGIBLE : this.#rules.urgencyAt(position);
  };

  pickIn(stretch: Stretch): Candidate | null {
    let from = stretch.from;
    let collectedTo = from;
    for (const [at, to] of stretch.groupEnds.entries()) {
      if (from >= collectedTo) {
        const picked = this.#pickByOrder({ from, to });
        if (picked !== null) return picked;
        collectedTo = this.#endOfUnordered(stretch, at);
        this.#collect({ from, to: collectedTo });
      }
      const picked = this.#pickByScores({ from, to });
      if (picked !== null) return picked;
      from = to;
    }
    return null;
  }

  /** Finds the line items of a range that the index admits; nothing is asked again within the range that was collected before. */
  #collect(range: IndexRange): void {
    const { index, matches } = this.#slotContext.compiled;
    const { from, to } = this.#collected;
    if (range.from < from || range.to > to) {
      this.#collected = range;
      this.#count = index.collect(range, matches);
    }
    this.#start = 0;
    while (this.#start < this.#count && (matches[this.#start] as number) < range.from) this.#start += 1;
  }

  /** The end of the collected line items of a range that begins at `start`. */
  #endOf({ to }: IndexRange): number {
    const { matches } = this.#slotContext.compiled;
    let end = this.#start;
    while (end < this.#count && (matches[end] as number) < to) end += 1;
    return end;
  }

  /** Values that depend on the context have an order in each. */
  get #orders(): GroupOrders {
    return this.#slotContext.lifts?.memory?.orders ?? this.#rules.competition.orders;
  }

  #orderOf(from: number): GroupOrder | null {
    if (this.#pacer === null) return null;
    return this.#orders.find(from, this.#pacer, this.#rules.nowMs);
  }

  #pickByOrder(range: IndexRange): Candidate | null {
    const order = this.#orderOf(range.from) ?? this.#renewOrder(range);
    if (order === null) return null;
    const { index } = this.#slotContext.compiled;
    index.select(range);
    return pickFromOrder(order, { ...this.#rules, admits: (position) => index.admits(position) });
  }

  /** The end of the groups from one on that are collected with it. */
  #endOfUnordered({ to, groupEnds }: Stretch, at: number): number {
    if (this.#pacer === null) return to;
    return groupEnds.slice(at).find((end) => end === to || this.#orderOf(end) !== null) ?? to;
  }

  #pickByScores({ from, to }: IndexRange): Candidate | null {
    const start = this.#start;
    const end = this.#endOf({ from, to });
    this.#start = end;
    if (end === start) return null;
    const rules = to - from <= FORGETTING_MAX ? { ...this.#rules, check: this.#checkScanned } : this.#rules;
    const picked = pickCandidate({ ...rules, start, end });
    this.#orderIfDue({ from, to }, end - start);
    return picked;
  }

  /**
   * Where pacing refuses a line item, its allotment ran out since its urgency was cached: until its pacer reads counters again, no scan scores it. Otherwise
   * each would find it among the most urgent, and check it in vain.
   */
  readonly #checkScanned = (lineItem: CompiledLineItem, position: number): Candidate | null => {
    const candidate = this.#rules.check(lineItem, position);
    const { state, compiled } = this.#slotContext;
    const pacing = lineItem.pacing;
    if (candidate === null && state.pacer !== undefined && pacing?.mayDeliver === false && pacing.by === state.pacer)
      compiled.competition.setUrgency(position, NOT_ELIGIBLE, { pacer: state.pacer, untilMs: pacing.untilMs });
    return candidate;
  };

  /** An order also scores line items that the request does not admit: their counters must not make the decision wait. */
  #rulesOfOrders(): Partial<Pick<Group, 'urgencyAt' | 'valueAt'>> {
    const pacer = this.#pacer;
    const slotContext = this.#slotContext;
    if (pacer === null || slotContext.state.readsLater !== true) return {};
    const { competition, nowMs, urgencyAt } = this.#rules;
    return {
      urgencyAt: (position) =>
        !competition.hasGoalAt(position) ? urgencyAt(position) : competition.urgencyAt(position, pacer, nowMs),
      valueAt: (position) => valueHere(competition.valueAt(position, pacer, nowMs), position, slotContext),
    };
  }

  #orderIfDue({ from, to }: IndexRange, scored: number): void {
    const size = to - from;
    if (this.#pacer === null) return;
    const by = { pacer: this.#pacer, nowMs: this.#rules.nowMs };
    if (this.#orders.recordScan(from, { size, scored }, by)) this.#makeOrder({ from, to });
  }

  #renewOrder(range: IndexRange): GroupOrder | null {
    if (this.#pacer === null || !this.#orders.isRenewed(range.from, this.#pacer)) return null;
    return this.#makeOrder(range);
  }

  #makeOrder({ from, to }: IndexRange): GroupOrder | null {
    const size = to - from;
    const positions = new Int32Array(size);
    for (let at = 0; at < size; at += 1) positions[at] = from + at;
    const order = makeOrder({ ...this.#rules, ...this.#rulesOfOrders(), positions, start: 0, end: size });
    if (order !== null) this.#orders.set(from, order);
    return order;
  }
}

/** A line item of STANDARD that takes what goals leave, before PRICE: without a goal, or as soon as possible. */
export function isGreedy({ booked: { goal, pacing } }: CompiledLineItem): boolean {
  return goal === null || goal.amount <= 0 || pacing === 'ASAP';
}

function dearerOf(candidate: Candidate | null, { cpmMicros }: HeaderBid): Picked {
  return candidate !== null && candidate.bidMicros >= cpmMicros ? candidate : HEADER_BID_WINS;
}

/** The groups of a stretch that are within a range of whole groups. */
function cutStretch(stretch: Stretch, { from, to }: IndexRange): Stretch {
  if (from <= stretch.from && stretch.to <= to) return stretch;
  return {
    from: Math.max(from, stretch.from),
    to: Math.min(to, stretch.to),
    groupEnds: stretch.groupEnds.filter((end) => end > from && end <= to),
  };
}

/** The line item as a candidate of the slot; null when a rule, its set or a better unit is against it. */
export function checkForSlot(lineItem: CompiledLineItem, slotContext: SlotContext, input: PickInput): Candidate | null {
  if (lineItem.residual !== null && !lineItem.residual(slotContext.facts)) return null;
  const found = checkLineItem(lineItem, slotContext, true);
  if (typeof found === 'string') {
    input.seen.record(found);
    return null;
  }
  const begun = beginSet(found, slotContext, input);
  if (begun === null || input.units.shareOf(lineItem, slotContext, input.context.random) > 0) return begun;
  input.seen.record('better_unit');
  return null;
}

function scoreOf({ worth, urgency }: PacingState, { hasWorths }: PickInput): number {
  return hasWorths ? (worth ?? 1) : urgency;
}

/** The worth or the urgency of the line item at a position; `NOT_ELIGIBLE` when pacing filters it. */
export function urgencyFor(position: number, slotContext: SlotContext, input: PickInput): number {
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
  const urgency = pace.mayDeliver ? scoreOf(pace, input) : NOT_ELIGIBLE;
  if (state.pacer !== undefined) {
    competition.setUrgency(position, urgency, { pacer: state.pacer, untilMs: lineItem.pacing?.untilMs ?? 0 });
  }
  return urgency;
}

/** How long a value that depends on counters is cached: as long as counters are. */
const VALUE_KEPT_MS = 1_000;

/** The value of a thousand impressions by which a line item competes, micros. Draws hold for as long as values are cached. */
export function valueFor(position: number, slotContext: SlotContext, random: () => number): number {
  return valueHere(valueEverywhere(position, slotContext, random), position, slotContext);
}

/** A value in the context of the slot. */
function valueHere(value: number, position: number, { lifts, compiled: { competition } }: SlotContext): number {
  if (lifts === null) return value;
  const known = lifts.memory?.lifts.get(position);
  if (known === 1) return value;
  const lineItem = competition.lineItemAt(position);
  const lift = known ?? liftOf(lineItem, lifts);
  if (known === undefined && lifts.memory !== null) competition.contexts.setLift(lifts.memory, position, lift);
  return liftMicros(value, lineItem, lift);
}

function valueEverywhere(
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
  const lineItem = competition.lineItemAt(position);
  const worth = trialWorth(lineItem.endsAtMs, nowMs, competition.ratedCount);
  const value = drawnCpmMicros(lineItem, { workspaceId, state, random, worth });
  if (pacer !== undefined && state.isIncomplete !== true)
    competition.setValue(position, value, { pacer, untilMs: nowMs + VALUE_KEPT_MS });
  return value;
}
