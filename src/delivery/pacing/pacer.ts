import { localDay } from '../../domain/time/calendar.ts';
import { dayCounterKey, lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import type { CounterSubject } from '../../domain/money/counter-key.ts';
import type { Goal } from '../../domain/booking/line-item.ts';
import type { CounterIncrement } from '../../storage/hot/hot-store.ts';
import type { PaceAt } from '../decision/delivery-state.ts';
import type { CompiledLineItem, PacingState } from '../decision/index/compile-line-items.ts';
import { GOAL_COUNTERS } from '../../domain/money/limit.ts';
import type { TrafficCurve } from '../../domain/pacing/traffic-curve.ts';
import { GOAL_YIELDS } from '../../domain/pacing/goal-yield.ts';
import { leadTarget, PLAN_STEP_MS, planRate, planSpan, planTarget } from '../../domain/pacing/pacing-plan.ts';
import type { Plan } from '../../domain/pacing/pacing-plan.ts';
import { impressionKeyOf, incrementOf, newEntry, passInFlight } from './paced-entry.ts';
import type { PacedEntry } from './paced-entry.ts';
import { freeCurve, FreeTimeline } from '../../domain/pacing/free-timeline.ts';
import type { FreeTraffic } from '../../domain/pacing/free-timeline.ts';
import { goalWorth, isBeyondPlan, isFarAhead } from '../../domain/pacing/goal-worth.ts';
import type { GoalStanding } from '../../domain/pacing/goal-worth.ts';
import { Timelines } from '../../domain/pacing/pacing-timeline.ts';

/** Counters are read again after this time. */
const REFRESH_MS = 1_000;
/** The turn to release the last odd unit moves to the next process this often: longer than a process takes to see the ads of the others. */
const TURN_MS = 10_000;
/** While no eligible user comes, credit is saved for this long, and for this many ads at most. */
const SAVED_MS = 30 * 60_000;
const SAVED_ADS = 20;
/** How far ahead of its plan a line item may start, as a share of its goal. */
const HEAD_START = 0.001;
/**
 * Bids give goals of STANDARD their rates. The pacer keeps a goal from taking a spike of traffic: its rate is at most so many times that of its plan, until it is
 * far ahead.
 */
const SPIKE = 4;
/** Line items of one worker that are paced at once. */
const ENTRIES_MAX = 200_000;
const FORGET_MS = 3_600_000;

/** Reads a counter: null when it is not known yet (the read is then under way). */
export type ReadCounter = (key: string) => number | null;

/** The parts of the pacer of one worker. */
export interface PacerOptions {
  /** Processes that serve the same networks, at least 1, and the index of this one, from 0; both may change. */
  readonly peers: { readonly processes: number; readonly workerIndex: number };
  curveOf(workspaceId: number, lineItem: CompiledLineItem): TrafficCurve | undefined;
  /** What other goals leave to a line item's goal; null or absent: all. The same object until it changes. */
  freeTrafficOf?(workspaceId: number, lineItemId: string, nowMs: number): FreeTraffic | null;
  /** The part of a line item's impressions whose conversions have come; null or absent: not known. */
  maturityOf?(workspaceId: number, lineItemId: string, nowMs: number): number | null;
  /** Default 1_000. */
  readonly refreshMs?: number;
}

/**
 * Keeps line items on their plans. Each process computes the same credit of each line item: it grows with the planned rate and shrinks with
 * every ad that any process serves. Each minute, the actual delivery corrects the rate. Each process gets a part of the credit, and all
 * parts add up to it, without any coordination.
 */
export class Pacer {
  readonly #options: PacerOptions;
  readonly #timelines = new Timelines();
  readonly #entries = new Map<string, PacedEntry>();
  readonly #byLineItem = new WeakMap<CompiledLineItem, PacedEntry>();
  readonly #unreported = new Set<PacedEntry>();
  #sweptAtMs = 0;

  constructor(options: PacerOptions) {
    this.#options = options;
  }

  /** The pacing of a line item at this moment. Reads counters once a second. */
  pace(lineItem: CompiledLineItem, at: PaceAt, read: ReadCounter): PacingState {
    const state = this.#pace(lineItem, at, read);
    const share = at.shareWithoutBids;
    const entry = share === undefined ? undefined : this.#entryOf(lineItem);
    if (share === undefined || entry === undefined || entry.plan === null || !bidsForOpportunities(entry)) return state;
    return paceWithoutBids(entry, share / this.#processes, at.nowMs);
  }

  #pace(lineItem: CompiledLineItem, at: PaceAt, read: ReadCounter): PacingState {
    const known = lineItem.pacing;
    if (known !== null && known.by === this && at.nowMs < known.untilMs) return known;
    const { goal } = lineItem.booked;
    if (goal === null || goal.amount <= 0) return { mayDeliver: true, urgency: 0 };
    const entry = this.#entryOf(lineItem) ?? this.#open(lineItem, goal, at.workspaceId);
    const { nowMs } = at;
    const isDue =
      entry.refreshedAtMs === null || nowMs - entry.refreshedAtMs >= (this.#options.refreshMs ?? REFRESH_MS);
    if (isDue || (entry.span !== null && nowMs >= entry.span.endMs)) this.#refresh(entry, nowMs, read);
    const untilMs = (entry.refreshedAtMs ?? Number.NEGATIVE_INFINITY) + (this.#options.refreshMs ?? REFRESH_MS);
    entry.mayDeliver = entry.allotment >= 1;
    entry.untilMs = Math.min(untilMs, entry.span?.endMs ?? Number.POSITIVE_INFINITY);
    lineItem.pacing = entry;
    return entry;
  }

  /** Most line items hold the entry itself: a look-up among thousands would miss the processor's caches. */
  #entryOf(lineItem: CompiledLineItem): PacedEntry | undefined {
    const held = lineItem.pacing;
    return held !== null && held.by === this ? (held as PacedEntry) : this.#byLineItem.get(lineItem);
  }

  /**
   * Records that an ad of the line item is served.
   * @param goalsBid false in the part of the traffic whose goals do not bid
   */
  recordServed(lineItem: CompiledLineItem, goalsBid = true): void {
    const entry = this.#entryOf(lineItem);
    if (entry === undefined) return;
    if (!goalsBid && entry.creditWithoutBids !== null) entry.creditWithoutBids -= entry.yield;
    entry.allotment -= 1;
    entry.mayDeliver = entry.allotment >= 1;
    entry.credit -= entry.yield;
    entry.inFlight += entry.yield;
    entry.unreported += 1;
    this.#unreported.add(entry);
  }

  /** The ads since the last report, as increments of the shared counters. Call `done` once they are added, or `failed` otherwise. */
  startReport(entriesMax: number): { increments: CounterIncrement[]; done: () => void; failed: () => void } {
    const reported: { entry: PacedEntry; key: string; count: number }[] = [];
    for (const entry of this.#unreported) {
      if (reported.length >= entriesMax) break;
      reported.push({ entry, key: entry.servedKey, count: entry.unreported });
      entry.unreported = 0;
      this.#unreported.delete(entry);
    }
    return {
      increments: reported.map(incrementOf),
      done: () => {
        for (const { entry, key, count } of reported) if (entry.servedKey === key) entry.reported += count;
      },
      failed: () => {
        for (const { entry, key, count } of reported) {
          if (entry.servedKey !== key) continue;
          entry.unreported += count;
          this.#unreported.add(entry);
        }
      },
    };
  }

  /** Forgets line items that no decision checked for an hour. */
  sweep(nowMs: number): void {
    if (nowMs - this.#sweptAtMs < FORGET_MS / 6) return;
    this.#sweptAtMs = nowMs;
    for (const [key, entry] of this.#entries) {
      if (entry.unreported === 0 && nowMs - (entry.refreshedAtMs ?? 0) > FORGET_MS) this.#entries.delete(key);
    }
  }

  #open(lineItem: CompiledLineItem, goal: Goal, workspaceId: number): PacedEntry {
    const key = `${workspaceId}/${lineItem.booked.id}`;
    const known = this.#entries.get(key);
    if (known !== undefined) {
      // The line item changed: the credit stays, and a new plan is made.
      const isOther = known.goal.kind !== goal.kind || known.goal.period !== goal.period;
      known.lineItem = lineItem;
      known.goal = goal;
      known.plan = null;
      known.even = null;
      known.span = null;
      if (isOther) known.deliveredKey = '';
      known.refreshedAtMs = isOther ? null : known.refreshedAtMs;
      this.#byLineItem.set(lineItem, known);
      return known;
    }
    if (this.#entries.size >= ENTRIES_MAX) this.#entries.clear();
    const made = newEntry(lineItem, goal, workspaceId, this);
    this.#entries.set(key, made);
    this.#byLineItem.set(lineItem, made);
    return made;
  }

  #refresh(entry: PacedEntry, nowMs: number, read: ReadCounter): void {
    if (entry.deliveredKey === '' || entry.goal.period === 'DAY') this.#turnPeriod(entry, nowMs);
    const delivered = read(entry.deliveredKey);
    const served = read(entry.servedKey);
    const shown = entry.goal.kind === 'IMPRESSIONS' ? 0 : read(impressionKeyOf(entry));
    if (delivered === null || served === null || shown === null) {
      // The read is under way; the decision is made again when it is done.
      if (entry.refreshedAtMs === null) entry.allotment = 1;
      return;
    }
    const isFirst = entry.refreshedAtMs === null;
    const passedMs = isFirst ? 0 : Math.max(0, nowMs - (entry.refreshedAtMs as number));
    this.#observe(entry, { delivered, served, shown, passedMs, isFirst });
    this.#expectLate(entry, nowMs);
    entry.refreshedAtMs = nowMs;
    this.#replan(entry, nowMs, isFirst);
    if (entry.plan !== null) this.#accrue(entry, isFirst ? null : passedMs, nowMs);
    this.#allot(entry, nowMs);
  }

  /** Daily goals start over with each local day. */
  #turnPeriod(entry: PacedEntry, nowMs: number): void {
    const { booked } = entry.lineItem;
    const subject: CounterSubject = {
      workspaceId: entry.workspaceId,
      scope: 'li',
      id: booked.id,
      kind: GOAL_COUNTERS[entry.goal.kind],
    };
    const day = entry.goal.period === 'DAY' ? localDay(nowMs, booked.timezone) : null;
    const keyOf = (kind: CounterSubject['kind']): string =>
      day === null ? lifetimeCounterKey({ ...subject, kind }) : dayCounterKey({ ...subject, kind }, day);
    const deliveredKey = keyOf(subject.kind);
    if (deliveredKey === entry.deliveredKey) return;
    const fresh = newEntry(entry.lineItem, entry.goal, entry.workspaceId, this);
    Object.assign(entry, fresh, { deliveredKey, servedKey: keyOf('ans') });
    this.#unreported.delete(entry);
  }

  /** Accounts for the events since the last read. */
  #observe(
    entry: PacedEntry,
    seen: { delivered: number; served: number; shown: number; passedMs: number; isFirst: boolean },
  ): void {
    const prior = GOAL_YIELDS[entry.goal.kind];
    const others = seen.served - entry.reported;
    if (seen.isFirst) {
      // Ads that others served a moment ago look like ads that were never shown: at most a head start is assumed to be in flight.
      const undelivered = seen.served * prior.rate - seen.delivered;
      entry.inFlight = Math.min(Math.max(0, undelivered), HEAD_START * entry.goal.amount + 1);
    } else {
      const foreign = (others - entry.othersBefore) * entry.yield;
      entry.credit -= foreign;
      passInFlight(entry, foreign, seen);
    }
    const resolved = Math.max(seen.delivered, seen.shown, seen.served - entry.inFlight / entry.yield) + prior.weight;
    entry.yield = Math.min(1, Math.max(prior.rate / 20, (seen.delivered + prior.rate * prior.weight) / resolved));
    entry.othersBefore = others;
    entry.served = seen.served;
    entry.delivered = seen.delivered;
  }

  /**
   * Conversions come for weeks. Where it is known which part has come, the rest is on its way: what is on its way counts as delivered, or a goal would be served again
   * and again until the first conversions come.
   */
  #expectLate(entry: PacedEntry, nowMs: number): void {
    const { goal, served, delivered, workspaceId } = entry;
    if (goal.kind !== 'CONVERSIONS' || goal.period !== 'LIFETIME') return;
    const maturity = this.#options.maturityOf?.(workspaceId, entry.lineItem.booked.id, nowMs) ?? null;
    if (maturity === null) return;
    const prior = GOAL_YIELDS.CONVERSIONS;
    entry.yield = Math.min(1, (delivered + prior.rate * prior.weight) / (served * maturity + prior.weight));
    entry.inFlight = served * (1 - maturity) * entry.yield;
    entry.inFlightLate = 0;
  }

  /** Runs each minute, and whenever the line item, the curve or the period changes. */
  #replan(entry: PacedEntry, nowMs: number, isFirst: boolean): void {
    const { lineItem, goal } = entry;
    const curve = this.#options.curveOf(entry.workspaceId, lineItem) ?? null;
    const free = this.#options.freeTrafficOf?.(entry.workspaceId, lineItem.booked.id, nowMs) ?? null;
    const isDone = entry.span !== null && nowMs >= entry.span.endMs;
    if (entry.even === null || entry.curve !== curve || entry.free !== free || isDone) {
      entry.curve = curve;
      entry.free = free;
      entry.span = planSpan(lineItem, goal, nowMs);
      entry.even = this.#makePlan(entry, nowMs);
      entry.plan = lineItem.booked.pacing === 'ASAP' ? null : entry.even;
    } else if (!isFirst && nowMs - entry.plannedAtMs < PLAN_STEP_MS) {
      this.#rate(entry, nowMs, false);
      return;
    }
    this.#rate(entry, nowMs, true);
  }

  #makePlan(entry: PacedEntry, nowMs: number): Plan | null {
    const { goal, span, curve } = entry;
    const { pacing, timezone, dayParts } = entry.lineItem.booked;
    if (span === null || curve === null) return null;
    const { free } = entry;
    const ofFree = free === null ? curve : freeCurve(curve, free, nowMs);
    const all = this.#timelines.find(ofFree, { timezone, dayParts }, nowMs);
    const timeline = free === null ? all : new FreeTimeline(all, free.shares);
    if (Number.isFinite(span.startMs)) return { pacing, span, amount: goal.amount, base: 0, timeline };
    // A flight without a start begins now, with the remaining goal.
    const amount = Math.max(0, goal.amount - entry.delivered);
    return { pacing, span: { ...span, startMs: nowMs }, amount, base: entry.delivered, timeline };
  }

  #rate(entry: PacedEntry, nowMs: number, isNewStep: boolean): void {
    const expected = entry.delivered + entry.inFlight;
    this.#weigh(entry, nowMs, expected);
    if (entry.plan === null) {
      entry.urgency = 1 - expected / entry.goal.amount;
      return;
    }
    const { deficit, unitsPerMs } = planRate(entry.plan, nowMs, expected);
    entry.urgency = deficit / entry.goal.amount;
    if (!isNewStep) return;
    entry.plannedAtMs = nowMs;
    entry.unitsPerMs = unitsPerMs * (bidsForOpportunities(entry) ? SPIKE : 1);
  }

  /** Sets the bid of the goal, and whether it is so far ahead that it waits. A goal without an end bids the usual price. */
  #weigh(entry: PacedEntry, nowMs: number, expected: number): void {
    const { even, goal, lineItem } = entry;
    entry.isFarAhead = false;
    if (even === null) {
      entry.worth = 1;
      return;
    }
    const standing = standingOf(entry, even, nowMs, expected);
    entry.worth = goalWorth(standing);
    if (lineItem.booked.pacing === 'ASAP' || !bidsForOpportunities(entry) || !isFarAhead(standing)) return;
    entry.isFarAhead = true;
    if (!isBeyondPlan(standing)) return;
    // A new plan spreads the rest.
    const amount = Math.max(0, goal.amount - expected);
    entry.even = { ...even, span: { ...even.span, startMs: nowMs }, amount, base: expected };
    entry.plan = entry.even;
  }

  /** @param passedMs since the last read; null = the first one */
  #accrue(entry: PacedEntry, passedMs: number | null, nowMs: number): void {
    // The maximum lets each process serve the traffic of its waiting time, and a line item with few eligible users serve them when they
    // come in bursts. It also prevents a rush after an outage.
    const waitMs = Math.max(TURN_MS, this.#options.refreshMs ?? REFRESH_MS);
    const saved = Math.min(SAVED_ADS * entry.yield, entry.unitsPerMs * SAVED_MS);
    const most = this.#processes * (entry.yield + 2 * entry.unitsPerMs * waitMs) + saved;
    if (passedMs === null) entry.credit = startingCredit(entry, nowMs);
    else entry.credit = Math.min(most, entry.credit + entry.unitsPerMs * passedMs);
    entry.credit = Math.max(-most, entry.credit);
  }

  /** The part of this process. The parts of all processes add up to the number of ads that the credit allows. */
  #allot(entry: PacedEntry, nowMs: number): void {
    const left = entry.isFarAhead ? 0 : entry.goal.amount - entry.delivered - entry.inFlight;
    const units = entry.plan === null ? left : Math.min(entry.credit, left);
    const turn = (this.#options.peers.workerIndex + Math.floor(nowMs / TURN_MS)) % this.#processes;
    entry.allotment = Math.floor((units / entry.yield + turn) / this.#processes + ROUNDING);
  }

  get #processes(): number {
    return this.#options.peers.processes;
  }
}

const ROUNDING = 1e-9;

/** Goals of STANDARD bid what they are worth; others only keep to their plans. */
function bidsForOpportunities({ lineItem }: PacedEntry): boolean {
  return lineItem.booked.type === 'STANDARD';
}

/** How a goal stands against its even plan. */
function standingOf(entry: PacedEntry, even: Plan, nowMs: number, expected: number): GoalStanding {
  const { target, deficit } = planRate(even, nowMs, expected);
  return {
    deficit,
    planned: target - even.base,
    left: even.base + even.amount - target,
    amount: entry.goal.amount,
    unitsPerAd: entry.yield,
    level: entry.lineItem.booked.level,
    tightness: entry.free?.tightness ?? 0,
  };
}

/**
 * The pacing of a goal that takes its share of its plan without bidding, and catches up on what it missed as soon as requests come. The rest of its plan is
 * left to the traffic in which it bids.
 * @param share of the plan that is this process's
 */
function paceWithoutBids(entry: PacedEntry, share: number, nowMs: number): PacingState {
  const { even, goal } = entry;
  const target = even === null ? 0 : leadTarget(even, nowMs);
  // It begins with one ad, and a new plan begins where the old one ends.
  const before = entry.creditWithoutBids ?? entry.yield;
  const added = entry.planWithoutBids === even ? share * (target - entry.targetWithoutBids) : 0;
  entry.creditWithoutBids = before + added;
  entry.planWithoutBids = even;
  entry.targetWithoutBids = target;
  const isLeft = goal.amount - entry.delivered - entry.inFlight > 0;
  return { mayDeliver: isLeft && entry.creditWithoutBids >= entry.yield, urgency: entry.urgency };
}

/** One ad and a thousandth of the goal ahead of the plan; less where the line item is ahead already. */
function startingCredit(entry: PacedEntry, nowMs: number): number {
  const most = entry.yield + HEAD_START * entry.goal.amount;
  const deficit = entry.plan === null ? 0 : planTarget(entry.plan, nowMs) - entry.delivered - entry.inFlight;
  return Math.min(most, most + deficit);
}
