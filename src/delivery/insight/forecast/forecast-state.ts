import { EVENT_COUNTERS, PRICING } from '../../../domain/pricing/pricing-models.ts';
import { lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import { frequencyWindowMs } from '../../../domain/frequency/frequency-key.ts';
import { capCounterKey, GOAL_COUNTERS } from '../../../domain/money/limit.ts';
import type { CapCheck } from '../../../domain/money/limit.ts';
import type { Goal } from '../../../domain/booking/line-item.ts';
import { isCompanion } from '../../decision/companions.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import type { CompiledLineItem, PacingState } from '../../decision/index/compile-line-items.ts';
import type { Decision } from '../../decision/decision.ts';
import type { DeliveryState } from '../../decision/delivery-state.ts';
import type { ForecastRates, Yield } from './forecast-rates.ts';
import { goalCounterKey } from '../../plan/plan-maker.ts';
import { frequencyCheckKey } from '../../decision/index/frequency-checks.ts';
import { LocalClock } from '../../decision/index/local-clock.ts';
import type { TrafficCurve } from '../../../domain/pacing/traffic-curve.ts';
import { planSpan, planTarget } from '../../../domain/pacing/pacing-plan.ts';
import type { Plan } from '../../../domain/pacing/pacing-plan.ts';
import { freeCurve, FreeTimeline } from '../../../domain/pacing/free-timeline.ts';
import type { FreeTraffic } from '../../../domain/pacing/free-timeline.ts';
import { goalWorth, isBeyondPlan, isFarAhead } from '../../../domain/pacing/goal-worth.ts';
import { Timelines } from '../../../domain/pacing/pacing-timeline.ts';

/** How far ahead of its plan a line item that does not bid may run, as a share of its goal. */
const HEAD_START = 0.001;
/** A line item that is behind at the start of a forecast catches up within this time. */
const CATCH_UP_MS = 86_400_000;
const clock = new LocalClock();

/** The data that all worlds of a forecast share. */
export interface ForecastRules {
  readonly workspaceId: number;
  readonly curve: TrafficCurve;
  /** Counters at the start of the forecast; missing ones are 0. */
  readonly counters: ReadonlyMap<string, number>;
  readonly startMs: number;
  /** The world of the days before: paced line items follow their plans, whatever their present delivery. */
  readonly isPast: boolean;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

interface GoalState {
  readonly key: string;
  readonly endMs: number;
  /** Null: all of the goal at once. */
  readonly plan: Plan | null;
  /** By which its worth is computed; null: it bids the usual price. */
  readonly even: Plan | null;
  /** How far it is behind its plan at the start of the forecast. */
  readonly behind: number;
}

interface SeenByUser {
  readonly expiresAtMs: number;
  count: number;
}

/** The data that is the same in all worlds. */
interface SharedByForks {
  readonly yields: Map<string, Yield>;
  /** The expected addition of one served ad to a limit's counter. */
  readonly units: WeakMap<CapCheck, number>;
  /** By counter: its chance of being rounded up, uniform in [0, 1). */
  readonly chances: Map<string, number>;
}

interface Forked {
  readonly shared: SharedByForks | null;
  readonly added: ReadonlyMap<string, number>;
  readonly seen: ReadonlyMap<string, SeenByUser>;
  readonly goalStates: ReadonlyMap<string, GoalState>;
}

const NOTHING_YET: Forked = { shared: null, added: new Map(), seen: new Map(), goalStates: new Map() };

/**
 * The delivery in one replayed world: shared counters in weighted units, counters of users one by one. When one served ad represents many,
 * each limit and goal is rounded by one random draw, so that on average they are met exactly.
 */
export class ForecastState implements DeliveryState {
  readonly #rules: ForecastRules;
  readonly #timelines = new Timelines();
  readonly #shared: SharedByForks;
  readonly #added: Map<string, number>;
  readonly #seen: Map<string, SeenByUser>;
  readonly #goalStates: Map<string, GoalState>;
  #nowMs = 0;
  #weight = 1;
  #freeTrafficOf: (lineItemId: string) => FreeTraffic | null = () => null;

  constructor(rules: ForecastRules, from: Forked = NOTHING_YET) {
    this.#rules = rules;
    this.#shared = from.shared ?? { yields: new Map(), units: new WeakMap(), chances: new Map() };
    this.#added = new Map(from.added);
    this.#seen = new Map([...from.seen].map(([key, seen]) => [key, { ...seen }]));
    this.#goalStates = new Map(from.goalStates);
  }

  /** A copy of the world that can continue differently. */
  fork(): ForecastState {
    const [shared, added, seen, goalStates] = [this.#shared, this.#added, this.#seen, this.#goalStates];
    return new ForecastState(this.#rules, { shared, added, seen, goalStates });
  }

  /** The world after this one: users keep what they have seen, and everything else is reset to its present state. */
  succeed(rules: ForecastRules): ForecastState {
    return new ForecastState(rules, { ...NOTHING_YET, shared: this.#shared, seen: this.#seen });
  }

  /** The next opportunity comes at this time and represents this many. */
  advance(nowMs: number, weight: number): void {
    this.#nowMs = nowMs;
    this.#weight = weight;
  }

  /** Sets the shares that other goals leave to the goal of each line item. Goals that were asked for before keep their plans. */
  use(freeTrafficOf: (lineItemId: string) => FreeTraffic | null): void {
    this.#freeTrafficOf = freeTrafficOf;
  }

  hasWorths(): boolean {
    return true;
  }

  counter(key: string): number {
    const seen = this.#seen.get(key);
    if (seen !== undefined) return seen.expiresAtMs > this.#nowMs ? seen.count : 0;
    return (this.#rules.counters.get(key) ?? 0) + (this.#added.get(key) ?? 0);
  }

  capCount(check: CapCheck, day: string): number {
    const key = capCounterKey(check, day);
    const unit = this.#shared.units.get(check) ?? 0;
    return this.counter(key) + Math.max(0, this.#weight - 1) * unit * this.#chanceOf(key);
  }

  pace(lineItem: CompiledLineItem): PacingState {
    const { goal } = lineItem.booked;
    if (goal === null || goal.amount <= 0) return { mayDeliver: true, urgency: 0 };
    const { key, plan, even, behind } = this.#goalStateOf(lineItem, goal);
    const delivered = this.#isOnPlan(plan) ? (this.#added.get(key) ?? 0) : this.counter(key);
    const unitsPerAd = this.#yieldOf(lineItem)[GOAL_COUNTERS[goal.kind]] * this.#weight;
    const rounding = unitsPerAd * this.#chanceOf(key);
    const target = plan === null ? goal.amount : planTarget(plan, this.#nowMs) - behind * this.#catchUpLeft();
    const most = plan === null ? goal.amount : plan.base + plan.amount;
    const planned = target - (plan?.base ?? 0);
    const standing = { deficit: target - delivered, planned, amount: goal.amount, unitsPerAd };
    const limit = lineItem.booked.type === 'STANDARD' ? most : Math.min(most, target + goal.amount * HEAD_START);
    const mayDeliver = delivered + rounding < limit && (plan === null || !isFarAhead(standing));
    return {
      mayDeliver,
      urgency: standing.deficit / goal.amount,
      worth: this.#worthOf(lineItem, even, { delivered, unitsPerAd }),
    };
  }

  #worthOf(
    { booked: { id, level, goal } }: CompiledLineItem,
    even: Plan | null,
    { delivered, unitsPerAd }: { readonly delivered: number; readonly unitsPerAd: number },
  ): number {
    if (even === null || goal === null) return 1;
    const target = planTarget(even, this.#nowMs);
    return goalWorth({
      deficit: target - delivered,
      left: even.base + even.amount - target,
      amount: goal.amount,
      unitsPerAd,
      level,
      tightness: this.#freeTrafficOf(id)?.tightness ?? 0,
    });
  }

  /** Serves the ads of a decision. @param shown whether the user sees them */
  record({ placements }: Decision, userHash: string, shown: boolean): void {
    for (const placement of placements) {
      if (placement === null) continue;
      const { lineItem, creative } = placement;
      const gains = this.#yieldOf(lineItem);
      // A companion is counted with its master.
      const own = isCompanion(creative) ? [] : lineItem.frequencyChecks;
      for (const [key, kind] of isCompanion(creative) ? [] : this.#countersOf(lineItem))
        this.#added.set(key, (this.#added.get(key) ?? 0) + gains[kind] * this.#weight);
      if (!shown || userHash === '') continue;
      for (const check of [...own, ...creative.frequencyChecks]) {
        if (check.cap.event === 'CLICKS' && this.#rules.random() >= gains.clk) continue;
        this.#count(frequencyCheckKey(check, this.#rules.workspaceId, userHash), frequencyWindowMs(check.cap));
      }
    }
  }

  /** Loads the line items of a world before it begins. */
  open({ lineItems }: CompiledWorkspace, rates: ForecastRates): void {
    for (const lineItem of lineItems) {
      const gains = rates.yieldOf(lineItem);
      this.#shared.yields.set(lineItem.booked.id, gains);
      for (const check of lineItem.capChecks) this.#shared.units.set(check, gains[check.subject.kind as keyof Yield]);
    }
  }

  #yieldOf(lineItem: CompiledLineItem): Yield {
    const known = this.#shared.yields.get(lineItem.booked.id);
    if (known === undefined) throw new Error(`The world was opened without line item ${lineItem.booked.id}`);
    return known;
  }

  /** The counters that limit or steer a line item, today's and those of all time. */
  #countersOf(lineItem: CompiledLineItem): Map<string, keyof Yield> {
    const found = new Map<string, keyof Yield>();
    for (const check of lineItem.capChecks) {
      const day = check.timezone === null ? '' : clock.at(this.#nowMs, check.timezone).day;
      found.set(capCounterKey(check, day), check.subject.kind as keyof Yield);
    }
    const { goal } = lineItem.booked;
    if (goal !== null && goal.amount > 0) found.set(this.#goalStateOf(lineItem, goal).key, GOAL_COUNTERS[goal.kind]);
    return found;
  }

  #goalStateOf(lineItem: CompiledLineItem, goal: Goal): GoalState {
    const { id } = lineItem.booked;
    const known = this.#goalStates.get(id);
    if (known !== undefined && this.#nowMs < known.endMs) return known;
    const made = this.#plan(lineItem, goal);
    this.#goalStates.set(id, made);
    return made;
  }

  #plan(lineItem: CompiledLineItem, goal: Goal): GoalState {
    const { pacing, timezone, dayParts } = lineItem.booked;
    const { curve, startMs } = this.#rules;
    const { workspaceId } = this.#rules;
    const key = goalCounterKey({ lineItem, goal, kind: GOAL_COUNTERS[goal.kind], workspaceId }, this.#nowMs);
    const span = planSpan(lineItem, goal, this.#nowMs);
    const endMs = span?.endMs ?? Number.POSITIVE_INFINITY;
    if (span === null) return { key, endMs, plan: null, even: null, behind: 0 };
    const free = this.#freeTrafficOf(lineItem.booked.id);
    const ofFree = free === null ? curve : freeCurve(curve, free, this.#nowMs);
    const all = this.#timelines.find(ofFree, { timezone, dayParts }, this.#nowMs);
    const timeline = free === null ? all : new FreeTimeline(all, free.shares);
    // A flight without a start begins now, with its remaining goal.
    const isOpen = !Number.isFinite(span.startMs);
    const base = isOpen ? this.counter(key) : 0;
    const plan: Plan = {
      pacing,
      span: isOpen ? { ...span, startMs } : span,
      amount: Math.max(0, goal.amount - base),
      base,
      timeline,
    };
    if (pacing === 'ASAP') return { key, endMs, plan: null, even: plan, behind: 0 };
    const begun = this.#isOnPlan(plan) ? 0 : (this.#rules.counters.get(key) ?? 0);
    const deficit = planTarget(plan, startMs) - begun;
    const unitsPerAd = this.#yieldOf(lineItem)[GOAL_COUNTERS[goal.kind]];
    if (this.#isOnPlan(plan) || !isBeyondPlan({ deficit, amount: goal.amount, unitsPerAd }))
      return { key, endMs, plan, even: plan, behind: Math.max(0, deficit) };
    // Its end or its amount was changed: as in delivery, a new plan spreads the rest.
    const amount = Math.max(0, goal.amount - begun);
    const rest: Plan = { ...plan, span: { ...plan.span, startMs }, amount, base: begun };
    return { key, endMs, plan: rest, even: rest, behind: 0 };
  }

  #isOnPlan(plan: Plan | null): boolean {
    return this.#rules.isPast && plan !== null;
  }

  /** In the past, targets are counted from the plan at its start. */
  #catchUpLeft(): number {
    if (this.#rules.isPast) return 1;
    return Math.max(0, 1 - (this.#nowMs - this.#rules.startMs) / CATCH_UP_MS);
  }

  #chanceOf(key: string): number {
    let chance = this.#shared.chances.get(key);
    if (chance === undefined) this.#shared.chances.set(key, (chance = this.#rules.random()));
    return chance;
  }

  /** The window opens with the first event. */
  #count(key: string, windowMs: number): void {
    const seen = this.#seen.get(key);
    if (seen !== undefined && seen.expiresAtMs > this.#nowMs) seen.count += 1;
    else this.#seen.set(key, { count: 1, expiresAtMs: this.#nowMs + windowMs });
  }
}

/** The counters that a forecast begins with: of limits, goals and rates, as of an instant. */
export function listForecastCounters({ lineItems, snapshot }: CompiledWorkspace, nowMs: number): string[] {
  const { workspaceId } = snapshot.workspace;
  const keys = new Set<string>();
  for (const lineItem of lineItems) {
    for (const check of lineItem.capChecks)
      keys.add(capCounterKey(check, check.timezone === null ? '' : clock.at(nowMs, check.timezone).day));
    const { goal, id, pricingModel } = lineItem.booked;
    if (goal !== null)
      for (const kind of [GOAL_COUNTERS[goal.kind], 'ans'] as const)
        keys.add(goalCounterKey({ lineItem, goal, kind, workspaceId }, nowMs));
    if (goal === null && PRICING[pricingModel].event === 'impression' && lineItem.capChecks.length === 0) continue;
    for (const kind of [...EVENT_COUNTERS, 'ans'] as const)
      keys.add(lifetimeCounterKey({ workspaceId, scope: 'li', id, kind }));
  }
  return [...keys];
}
