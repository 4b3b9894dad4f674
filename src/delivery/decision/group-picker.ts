import type { Allocation } from './allocation.ts';
import type { CompiledLineItem } from './index/compile-line-items.ts';
import { beginSet } from './creative-set.ts';
import type { SlotsAhead } from './creative-set.ts';
import { drawnCpmMicros, liftMicros, liftOf } from './expected-value.ts';
import type { DecideContext } from './decision.ts';
import { NO_GOAL, checkLineItem, paceOf } from './eligibility.ts';
import type { Candidate, SlotContext } from './eligibility.ts';
import type { GroupOrder, GroupOrders } from './index/group-orders.ts';
import type { IndexRange, Stretch } from './index/line-item-order.ts';
import { competingHeaderBid, HEADER_BID_WINS } from './header-bids.ts';
import { PlannedPick } from './planned-pick.ts';
import type { HeaderBid } from '../../domain/requests/opportunity.ts';
import type { UnitChoice } from './unit-choice.ts';
import type { SeenReasons } from './seen-reasons.ts';
import { fitValuesOf } from './slot-context.ts';
import { makeOrder, pickFromOrder } from './ordered-pick.ts';
import { NOT_ELIGIBLE, pickCandidate } from './tiers.ts';
import type { Group } from './tiers.ts';

/** The input of picking a line item for a slot. */
export interface PickInput extends SlotsAhead {
  readonly context: DecideContext;
  readonly seen: SeenReasons;
  /** Null: urgency decides within levels. */
  readonly allocation: Allocation | null;
  /** Gets the line items that the plan's draw chose and that may not serve. */
  readonly refused: CompiledLineItem[];
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
  if (input.allocation !== null) return picker.pickByPlan(input.allocation, headerBid);
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
class GroupPicker {
  readonly #slotContext: SlotContext;
  readonly #refused: CompiledLineItem[];
  readonly #units: UnitChoice;
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
    this.#refused = input.refused;
    this.#units = input.units;
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

  #pickWithin(range: IndexRange): Candidate | null {
    for (const stretch of this.#slotContext.compiled.stretches) {
      const picked = this.pickIn(cutStretch(stretch, range));
      if (picked !== null) return picked;
    }
    return null;
  }

  /** Tiers above PRICE win; a PRICE line item wins if it bids at least as much; otherwise the header bidder wins. */
  pickAgainst(headerBid: HeaderBid): Picked {
    const { price } = this.#slotContext.compiled.competition;
    return this.#pickWithin({ from: 0, to: price.from }) ?? dearerOf(this.#pickWithin(price), headerBid);
  }

  /**
   * The plan decides among the line items of STANDARD; tiers decide between the others. What PRICE would pay is what the header bidder pays, where
   * that is more.
   */
  pickByPlan(allocation: Allocation, headerBid: HeaderBid | null): Picked {
    const { standard, price } = this.#slotContext.compiled.competition;
    const first = this.#pickWithin({ from: 0, to: standard.from });
    if (first !== null) return first;
    let dearest: Candidate | null | undefined;
    const findDearest = () => (dearest === undefined ? (dearest = this.#pickWithin(price)) : dearest);
    const planned = this.#findPlanned(allocation, () =>
      Math.max(findDearest()?.valueMicros ?? 0, headerBid?.cpmMicros ?? 0),
    );
    const goal = planned?.pick() ?? null;
    if (goal !== null) return goal;
    if (headerBid !== null) return dearerOf(findDearest(), headerBid);
    return findDearest() ?? planned?.pickIdle() ?? this.#pickWithin({ from: price.to, to: Number.POSITIVE_INFINITY });
  }

  #findPlanned(allocation: Allocation, priceValue: () => number): PlannedPick | null {
    const { compiled, facts } = this.#slotContext;
    const { matches } = compiled;
    const { standard } = compiled.competition;
    if (standard.from === standard.to) return null;
    this.#collect(standard);
    const start = this.#start;
    const end = this.#endOf(standard);
    if (start === end) return null;
    const refuse = (lineItem: CompiledLineItem) => void this.#refused.push(lineItem);
    const wantedShareOf = (lineItem: CompiledLineItem, least: number) =>
      this.#units.shareOf(lineItem, this.#slotContext, this.#rules.random, least);
    return new PlannedPick({
      ...this.#rules,
      matches,
      start,
      end,
      allocation,
      facts,
      priceValue,
      refuse,
      wantedShareOf,
    });
  }

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

function checkForSlot(lineItem: CompiledLineItem, slotContext: SlotContext, input: PickInput): Candidate | null {
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
function valueFor(position: number, slotContext: SlotContext, random: () => number): number {
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
  const value = drawnCpmMicros(competition.lineItemAt(position), { workspaceId, state, random });
  if (pacer !== undefined && state.isIncomplete !== true)
    competition.setValue(position, value, { pacer, untilMs: nowMs + VALUE_KEPT_MS });
  return value;
}
