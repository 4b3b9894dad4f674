import type { Allocation } from './allocation.ts';
import { sharePrice } from './allocation.ts';
import type { Candidate } from './eligibility.ts';
import { isInDayPart } from './eligibility.ts';
import type { CompiledLineItem } from './index/compile-line-items.ts';
import type { Competition } from './index/competition.ts';
import { CHOOSES, PLANNED, SOON, TESTED } from './index/planned-columns.ts';
import type { PlannedColumns } from './index/planned-columns.ts';
import type { TargetingFacts } from './index/targeting.ts';
import { costOfValue } from './opportunity-cost.ts';
import { NOT_ELIGIBLE, pickCandidate } from './tiers.ts';
import type { Group } from './tiers.ts';

/** After so many line items that were drawn and may not serve, what is left over goes to the next ones. */
const DRAWS_MAX = 8;

/**
 * So much of its goal may a line item be ahead of its pacing by opportunities that neither the plan nor PRICE has a use for; and its need more,
 * because others take its opportunities elsewhere.
 */
const AHEAD_MAX = 0.06;

/**
 * A line item that chooses its units wants at least so many times its share by the plan. The plan may serve it ahead of its pacing, because others need later
 * opportunities; and what others take of the units that it wants, it must find in the rest.
 */
const WANTED_MIN = 1.25;

/** The input of a draw by the plan, beside the rules of all groups. */
export interface PlannedInput extends Omit<Group, 'positions'> {
  readonly allocation: Allocation;
  readonly facts: TargetingFacts;
  /** The line items of STANDARD that the index finds: those of `matches` from `start` to `end`. They are read once, by `pick`. */
  readonly matches: Int32Array;
  readonly start: number;
  readonly end: number;
  /** What PRICE would pay for a thousand of these opportunities, micros; asked for where the plan heeds it. */
  readonly priceValue: () => number;
  /** Told of each line item that was drawn and may not serve. */
  readonly refuse: (lineItem: CompiledLineItem) => void;
  /** The share of its opportunities that a line item wants, at least this one; 0 = it waits for others, of which the plan is told nothing. */
  readonly wantedShareOf: (lineItem: CompiledLineItem, least: number) => number;
}

/** How the line items of STANDARD share an opportunity by the plan: those that the index finds, are in flight, and not ahead of their plan. */
export class PlannedPick {
  readonly #input: PlannedInput;
  readonly #competition: Competition;
  readonly #columns: PlannedColumns;
  #members = 0;
  #left = 0;
  #idle = 0;
  /** Whether a member has a part that heeds what PRICE would pay. */
  #hasRest = false;
  /** What the opportunity costs; 0 until it is needed. */
  #cost = 0;

  constructor(input: PlannedInput) {
    this.#input = input;
    this.#competition = input.competition;
    this.#columns = input.competition.planned;
  }

  /**
   * The winner of the draw; else of those that may have what is left over: without a planned share, or as soon as possible. Null where both have
   * none.
   */
  pick(): Candidate | null {
    this.#gather();
    const drawn = this.#members === 0 ? null : this.#draw();
    return drawn ?? this.#pickByUrgency(this.#columns.left, this.#left);
  }

  /** One that is not far ahead of its pacing, for an opportunity that neither the plan nor PRICE has a use for. */
  pickIdle(): Candidate | null {
    return this.#pickByUrgency(this.#columns.idle, this.#idle);
  }

  #gather(): void {
    const { nowMs, urgencyAt, allocation, matches, start, end } = this.#input;
    const columns = this.#columns;
    if (allocation.isConstant) columns.use(allocation);
    for (let at = start; at < end; at += 1) {
      const position = matches[at] as number;
      const own = position - columns.from;
      if (!this.#competition.isInFlightAt(position, nowMs)) continue;
      if (!allocation.isConstant || nowMs >= (columns.untilMs[own] as number)) this.#load(position);
      const flags = columns.flags[own] as number;
      if ((flags & PLANNED) === 0) {
        columns.left[this.#left++] = position;
        continue;
      }
      const urgency = urgencyAt(position);
      if (urgency === NOT_ELIGIBLE || ((flags & TESTED) !== 0 && !this.#isOpen(position))) continue;
      if ((flags & CHOOSES) !== 0) {
        const least = this.#leastWanted(own);
        const wanted = this.#input.wantedShareOf(this.#competition.lineItemAt(position), least);
        columns.wanted[own] = wanted;
        if (wanted <= 0) continue;
      }
      if ((flags & SOON) !== 0) columns.left[this.#left++] = position;
      else if (urgency > -AHEAD_MAX - (columns.need[own] as number)) columns.idle[this.#idle++] = position;
      columns.members[this.#members++] = position;
      this.#hasRest ||= (columns.costFair[own] as number) > 0;
    }
  }

  /** The share of its opportunities that a line item wants at least, so that it gets what the plan gives it. */
  #leastWanted(own: number): number {
    const { fair, need, costFair, costNeed } = this.#columns;
    const even = (fair[own] as number) * (1 + (need[own] as number));
    const rest = (costFair[own] as number) * (1 + (costNeed[own] as number));
    return WANTED_MIN * (even + rest);
  }

  #load(position: number): void {
    const { allocation, nowMs } = this.#input;
    const columns = this.#columns;
    const own = position - columns.from;
    const found = this.#competition.hasGoalAt(position)
      ? allocation.find(this.#competition.idAt(position), nowMs)
      : null;
    columns.untilMs[own] = !allocation.isConstant ? 0 : (found?.untilMs ?? Number.POSITIVE_INFINITY);
    columns.flags[own] = 0;
    if (found === null) return;
    columns.fair[own] = found.fair;
    columns.need[own] = found.need;
    columns.costFair[own] = found.costFair;
    columns.costNeed[own] = found.costNeed;
    const { residual, dayParts, booked } = this.#competition.lineItemAt(position);
    const isTested = residual !== null || dayParts.length > 0;
    columns.wanted[own] = 1;
    const chooses = booked.optimisationGoal === undefined ? 0 : CHOOSES;
    columns.flags[own] = PLANNED | chooses | (isTested ? TESTED : 0) | (booked.pacing === 'ASAP' ? SOON : 0);
  }

  /** As the plan knows it: those that the opportunity does not admit have no share of it. */
  #isOpen(position: number): boolean {
    const { facts } = this.#input;
    const { residual, dayParts, booked } = this.#competition.lineItemAt(position);
    if (residual !== null && !residual(facts)) return false;
    return dayParts.length === 0 || isInDayPart({ dayParts }, facts.localMoment(booked.timezone));
  }

  /** The scales and wants of the members, and the price at which they share the opportunity. */
  #price(): number {
    const { fair, need, costFair, costNeed, wanted, members, scales, wants, from } = this.#columns;
    const count = this.#members;
    for (let at = 0; at < count; at += 1) {
      const own = (members[at] as number) - from;
      // What a line item leaves elsewhere, it has more of here.
      const part = wanted[own] as number;
      scales[2 * at] = (fair[own] as number) / part;
      wants[2 * at] = 1 + (need[own] as number);
      scales[2 * at + 1] = (costFair[own] as number) / part;
      wants[2 * at + 1] = 1 + (costNeed[own] as number) - this.#cost;
    }
    return sharePrice(scales, wants, 2 * count);
  }

  /** The part of each share that does not heed cost, at a price. A higher cost lowers the price, so each has at least as much of it. */
  #divideEven(price: number): void {
    const { scales, wants, shares, gains } = this.#columns;
    for (let at = 0; at < this.#members; at += 1) {
      const even = (scales[2 * at] as number) * Math.max(0, (wants[2 * at] as number) - price);
      gains[at] = even;
      shares[at] = even;
    }
  }

  /** The share of each member, and what that is more than before. */
  #divide(): void {
    const price = this.#price();
    const { scales, wants, shares, gains } = this.#columns;
    for (let at = 0; at < this.#members; at += 1) {
      const even = (scales[2 * at] as number) * Math.max(0, (wants[2 * at] as number) - price);
      const rest = (scales[2 * at + 1] as number) * Math.max(0, (wants[2 * at + 1] as number) - price);
      gains[at] = Math.max(0, even + rest - (shares[at] as number));
      shares[at] = even + rest;
    }
  }

  /** The member on whose gain a number falls when the gains lie side by side; null when it is beyond all. */
  #memberAt(number: number): number | null {
    const { gains } = this.#columns;
    let left = number;
    for (let at = 0; at < this.#members; at += 1) if ((left -= gains[at] as number) < 0) return at;
    return null;
  }

  /**
   * The first draw. What PRICE would pay is found only where the winner depends on it: not for the parts of the shares that do not heed
   * cost, which come first.
   */
  #drawFirst(): number | null {
    const { gains } = this.#columns;
    let left = this.#input.random();
    this.#divideEven(this.#price());
    const even = this.#memberAt(left);
    if (even !== null || !this.#hasRest) return even;
    for (let at = 0; at < this.#members; at += 1) left -= gains[at] as number;
    this.#heedPrice();
    this.#divide();
    return this.#memberAt(left);
  }

  #heedPrice(): void {
    const { priceValue, allocation } = this.#input;
    if (this.#hasRest && allocation.meanValueMicros > 0)
      this.#cost = costOfValue(priceValue(), allocation.meanValueMicros);
  }

  /**
   * One draw by the shares. When the line item that is drawn may not serve, the others share its part: each gets what its share is without
   * it, more than before.
   */
  #draw(): Candidate | null {
    const { members, shares, gains } = this.#columns;
    let drawn = this.#drawFirst();
    for (let draws = 1; drawn !== null; draws += 1) {
      const position = members[drawn] as number;
      const lineItem = this.#competition.lineItemAt(position);
      const candidate = this.#input.check(lineItem, position);
      if (candidate !== null) return candidate;
      this.#input.refuse(lineItem);
      if (draws === 1) {
        this.#heedPrice();
        this.#divide();
        gains[drawn] = shares[drawn] as number;
      }
      const whole = gains[drawn] as number;
      this.#remove(drawn);
      if (draws === DRAWS_MAX || this.#members === 0) return null;
      this.#divide();
      drawn = this.#memberAt(this.#input.random() * whole);
    }
    return null;
  }

  #remove(drawn: number): void {
    const { members, shares } = this.#columns;
    this.#members -= 1;
    members.copyWithin(drawn, drawn + 1, this.#members + 1);
    shares.copyWithin(drawn, drawn + 1, this.#members + 1);
  }

  /** Level by level, the furthest behind its goal first. */
  #pickByUrgency(positions: Int32Array, count: number): Candidate | null {
    for (let start = 0; start < count; ) {
      const group = this.#competition.groupAt(positions[start] as number);
      let end = start + 1;
      while (end < count && this.#competition.groupAt(positions[end] as number) === group) end += 1;
      const candidate = pickCandidate({ ...this.#input, positions, start, end });
      if (candidate !== null) return candidate;
      start = end;
    }
    return null;
  }
}
