import { localDay } from '../../domain/time/calendar.ts';
import {
  DAY_COUNTER_TTL_MS,
  dayCounterKey,
  LIFETIME_COUNTER_TTL_MS,
  lifetimeCounterKey,
} from '../../domain/money/counter-key.ts';
import type { CounterSubject } from '../../domain/money/counter-key.ts';
import type { Goal, GoalKind } from '../../domain/booking/line-item.ts';
import type { CounterIncrement } from '../../storage/hot/hot-store.ts';
import type { CompiledLineItem } from '../decision/index/compile-line-items.ts';
import { GOAL_COUNTERS } from '../../domain/money/limit.ts';
import type { KnownPacing, PacingState } from '../decision/index/pacing-state.ts';
import type { TrafficCurve } from '../../domain/pacing/traffic-curve.ts';
import { PLAN_STEP_MS, planRate, planSpan, planTarget } from '../../domain/pacing/pacing-plan.ts';
import type { Plan, PlanSpan } from '../../domain/pacing/pacing-plan.ts';
import { Timelines } from '../../domain/pacing/pacing-timeline.ts';

/** Counters are looked at again after so long. */
const REFRESH_MS = 1_000;
/** Which process may release the last odd unit changes this often: longer than it takes to see what the others did. */
const TURN_MS = 10_000;
/** Where nobody comes whom a line item is meant for, credit is saved for so long, and for so many answers at most. */
const SAVED_MS = 30 * 60_000;
const SAVED_ADS = 20;
/** How far ahead of its plan a line item may start, as a share of its goal. */
const HEAD_START = 0.001;
/** Line items of one worker that are paced at once. */
const ENTRIES_MAX = 200_000;
const FORGET_MS = 3_600_000;

/** What is assumed before anything is known: how many of its answers become what the goal counts, and how many answers that weighs. */
const YIELD_PRIORS: Readonly<Record<GoalKind, { rate: number; weight: number }>> = {
  IMPRESSIONS: { rate: 1, weight: 20 },
  VIEWABLE_IMPRESSIONS: { rate: 0.5, weight: 100 },
  CLICKS: { rate: 0.001, weight: 2_000 },
  CONVERSIONS: { rate: 0.0001, weight: 20_000 },
};
/** How long an answer may take to become what the goal counts, on average, before it is given up; in two stages, so hardly any at once. */
const EXPECTED_WITHIN_MS: Readonly<Record<GoalKind, number>> = {
  IMPRESSIONS: 60_000,
  VIEWABLE_IMPRESSIONS: 60_000,
  CLICKS: 600_000,
  CONVERSIONS: 6 * 3_600_000,
};

/** Reads a counter: null when it is not known yet (it has then been asked for). */
export type ReadCounter = (key: string) => number | null;

/** What the pacer of one worker is made of. */
export interface PacerOptions {
  /** Processes that answer for the same networks, at least 1, and which of them this is, from 0; both may change. */
  readonly peers: { readonly processes: number; readonly workerIndex: number };
  curveOf(workspaceId: number, lineItem: CompiledLineItem): TrafficCurve | undefined;
  /** Default 1_000. */
  readonly refreshMs?: number;
}

/** How one line item stands. Amounts are in units of its goal. */
interface Entry {
  lineItem: CompiledLineItem;
  readonly workspaceId: number;
  goal: Goal;
  span: PlanSpan | null;
  plan: Plan | null;
  curve: TrafficCurve | null;
  deliveredKey: string;
  servedKey: string;
  /** Null until its counters were read. */
  refreshedAtMs: number | null;
  plannedAtMs: number;
  delivered: number;
  /** Answers of all processes as of the last look, and those of them that this process has reported. */
  served: number;
  reported: number;
  /** The same, at the last look but one. */
  othersBefore: number;
  /** Answered and not reported. */
  unreported: number;
  /** Of the answers that are out: how much is still expected to be delivered; of them, what is in the second stage of waiting. */
  inFlight: number;
  inFlightLate: number;
  /** Units per answer. */
  yield: number;
  unitsPerMs: number;
  /** Units that may be answered for now; all processes keep the same account. */
  credit: number;
  /** Answers that this process may give before it looks again. */
  allotment: number;
  urgency: number;
  /** What rows are told of it. */
  readonly told: KnownPacing;
}

/**
 * Steers line items along their plans. Each process keeps the same account of each line item: credit grows with the planned rate
 * and every answer, its own or another's, takes from it; what was delivered corrects the rate each minute. The credit is split so
 * that the parts of all processes add up to it, and nobody has to ask anybody.
 */
export class Pacer {
  readonly #options: PacerOptions;
  readonly #timelines = new Timelines();
  readonly #entries = new Map<string, Entry>();
  readonly #byLineItem = new WeakMap<CompiledLineItem, Entry>();
  readonly #unreported = new Set<Entry>();
  #sweptAtMs = 0;

  constructor(options: PacerOptions) {
    this.#options = options;
  }

  /** What a line item's goal says about this moment. Looks at counters once a second. */
  pace(
    lineItem: CompiledLineItem,
    at: { readonly workspaceId: number; readonly nowMs: number },
    read: ReadCounter,
  ): PacingState {
    const known = lineItem.pacing;
    if (known !== null && known.by === this && at.nowMs < known.untilMs) return known;
    const { goal } = lineItem.booked;
    if (goal === null || goal.amount <= 0) return { mayDeliver: true, urgency: 0 };
    const entry = this.#byLineItem.get(lineItem) ?? this.#open(lineItem, goal, at.workspaceId);
    const { nowMs } = at;
    const isDue =
      entry.refreshedAtMs === null || nowMs - entry.refreshedAtMs >= (this.#options.refreshMs ?? REFRESH_MS);
    if (isDue || (entry.span !== null && nowMs >= entry.span.endMs)) this.#refresh(entry, nowMs, read);
    lineItem.pacing = this.#tell(entry);
    return lineItem.pacing;
  }

  #tell({ told, allotment, urgency, refreshedAtMs, span }: Entry): KnownPacing {
    const untilMs = (refreshedAtMs ?? Number.NEGATIVE_INFINITY) + (this.#options.refreshMs ?? REFRESH_MS);
    told.mayDeliver = allotment >= 1;
    told.urgency = urgency;
    told.untilMs = Math.min(untilMs, span?.endMs ?? Number.POSITIVE_INFINITY);
    return told;
  }

  /** An ad of the line item goes out. */
  recordServed(lineItem: CompiledLineItem): void {
    const entry = this.#byLineItem.get(lineItem);
    if (entry === undefined) return;
    entry.allotment -= 1;
    entry.told.mayDeliver = entry.allotment >= 1;
    entry.credit -= entry.yield;
    entry.inFlight += entry.yield;
    entry.unreported += 1;
    this.#unreported.add(entry);
  }

  /** What went out since the last call, to be added to the shared counters; `done` once it is, or `failed` when it is not. */
  startReport(entriesMax: number): { increments: CounterIncrement[]; done: () => void; failed: () => void } {
    const reported: { entry: Entry; key: string; count: number }[] = [];
    for (const entry of this.#unreported) {
      if (reported.length >= entriesMax) break;
      reported.push({ entry, key: entry.servedKey, count: entry.unreported });
      entry.unreported = 0;
      this.#unreported.delete(entry);
    }
    return {
      increments: reported.map(({ entry, key, count }) => ({
        key,
        by: BigInt(count),
        ttlMs: entry.goal.period === 'DAY' ? DAY_COUNTER_TTL_MS : LIFETIME_COUNTER_TTL_MS,
      })),
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

  /** Forgets line items that nobody asked about for an hour. */
  sweep(nowMs: number): void {
    if (nowMs - this.#sweptAtMs < FORGET_MS / 6) return;
    this.#sweptAtMs = nowMs;
    for (const [key, entry] of this.#entries) {
      if (entry.unreported === 0 && nowMs - (entry.refreshedAtMs ?? 0) > FORGET_MS) this.#entries.delete(key);
    }
  }

  #open(lineItem: CompiledLineItem, goal: Goal, workspaceId: number): Entry {
    const key = `${workspaceId}/${lineItem.booked.id}`;
    const known = this.#entries.get(key);
    if (known !== undefined) {
      // The line item was changed: the account goes on, the plan is made anew.
      const isOther = known.goal.kind !== goal.kind || known.goal.period !== goal.period;
      known.lineItem = lineItem;
      known.goal = goal;
      known.plan = null;
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

  #refresh(entry: Entry, nowMs: number, read: ReadCounter): void {
    if (entry.deliveredKey === '' || entry.goal.period === 'DAY') this.#turnPeriod(entry, nowMs);
    const delivered = read(entry.deliveredKey);
    const served = read(entry.servedKey);
    const shown = entry.goal.kind === 'IMPRESSIONS' ? 0 : read(impressionKeyOf(entry));
    if (delivered === null || served === null || shown === null) {
      // Asked for; the decision is made again when it is known.
      if (entry.refreshedAtMs === null) entry.allotment = 1;
      return;
    }
    const isFirst = entry.refreshedAtMs === null;
    const passedMs = isFirst ? 0 : Math.max(0, nowMs - (entry.refreshedAtMs as number));
    this.#observe(entry, { delivered, served, shown, passedMs, isFirst });
    entry.refreshedAtMs = nowMs;
    this.#replan(entry, nowMs, isFirst);
    if (entry.plan !== null) this.#accrue(entry, isFirst ? null : passedMs, nowMs);
    this.#allot(entry, nowMs);
  }

  /** Daily goals start over with each local day. */
  #turnPeriod(entry: Entry, nowMs: number): void {
    const { booked: lineItem } = entry.lineItem;
    const subject: CounterSubject = {
      workspaceId: entry.workspaceId,
      scope: 'li',
      id: lineItem.id,
      kind: GOAL_COUNTERS[entry.goal.kind],
    };
    const day = entry.goal.period === 'DAY' ? localDay(nowMs, lineItem.timezone) : null;
    const keyOf = (kind: CounterSubject['kind']): string =>
      day === null ? lifetimeCounterKey({ ...subject, kind }) : dayCounterKey({ ...subject, kind }, day);
    const deliveredKey = keyOf(subject.kind);
    if (deliveredKey === entry.deliveredKey) return;
    const fresh = newEntry(entry.lineItem, entry.goal, entry.workspaceId, this);
    Object.assign(entry, fresh, { deliveredKey, servedKey: keyOf('ans') });
    this.#unreported.delete(entry);
  }

  /** Takes in what happened since the last look. */
  #observe(
    entry: Entry,
    seen: { delivered: number; served: number; shown: number; passedMs: number; isFirst: boolean },
  ): void {
    const prior = YIELD_PRIORS[entry.goal.kind];
    const others = seen.served - entry.reported;
    if (seen.isFirst) {
      // What others answered a moment ago is not told apart from what was never shown: a head start's worth may be out.
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

  /** Each minute, and whenever the line item, the curve or the period changed. */
  #replan(entry: Entry, nowMs: number, isFirst: boolean): void {
    const { lineItem, goal } = entry;
    const curve = this.#options.curveOf(entry.workspaceId, lineItem) ?? null;
    const isDone = entry.span !== null && nowMs >= entry.span.endMs;
    if (entry.plan === null || entry.curve !== curve || isDone) {
      entry.curve = curve;
      entry.span = planSpan(lineItem, goal, nowMs);
      entry.plan = this.#makePlan(entry, nowMs);
    } else if (!isFirst && nowMs - entry.plannedAtMs < PLAN_STEP_MS) {
      this.#rate(entry, nowMs, false);
      return;
    }
    this.#rate(entry, nowMs, true);
  }

  #makePlan(entry: Entry, nowMs: number): Plan | null {
    const { goal, span, curve } = entry;
    const { pacing, timezone, dayParts } = entry.lineItem.booked;
    if (pacing === 'ASAP' || span === null || curve === null) return null;
    const timeline = this.#timelines.find(curve, { timezone, dayParts }, nowMs);
    if (Number.isFinite(span.startMs)) return { pacing, span, amount: goal.amount, base: 0, timeline };
    // A flight without a beginning begins now, with what is left.
    const amount = Math.max(0, goal.amount - entry.delivered);
    return { pacing, span: { ...span, startMs: nowMs }, amount, base: entry.delivered, timeline };
  }

  #rate(entry: Entry, nowMs: number, isNewStep: boolean): void {
    const expected = entry.delivered + entry.inFlight;
    if (entry.plan === null) {
      entry.urgency = 1 - expected / entry.goal.amount;
      return;
    }
    const { deficit, unitsPerMs } = planRate(entry.plan, nowMs, expected);
    entry.urgency = deficit / entry.goal.amount;
    if (!isNewStep) return;
    entry.plannedAtMs = nowMs;
    entry.unitsPerMs = unitsPerMs;
  }

  /** @param passedMs since the last look; null = the first one */
  #accrue(entry: Entry, passedMs: number | null, nowMs: number): void {
    // Enough that each process can take what comes by while it waits for its turn, and that a line item which is meant for few
    // misses nothing when they come in turn and not by the clock; not so much that an outage ends in a rush.
    const waitMs = Math.max(TURN_MS, this.#options.refreshMs ?? REFRESH_MS);
    const saved = Math.min(SAVED_ADS * entry.yield, entry.unitsPerMs * SAVED_MS);
    const most = this.#processes * (entry.yield + 2 * entry.unitsPerMs * waitMs) + saved;
    if (passedMs === null) entry.credit = startingCredit(entry, nowMs);
    else entry.credit = Math.min(most, entry.credit + entry.unitsPerMs * passedMs);
    entry.credit = Math.max(-most, entry.credit);
  }

  /** This process's part: the parts of all processes add up to the whole number of answers that the credit is good for. */
  #allot(entry: Entry, nowMs: number): void {
    const left = entry.goal.amount - entry.delivered - entry.inFlight;
    const units = entry.plan === null ? left : Math.min(entry.credit, left);
    const turn = (this.#options.peers.workerIndex + Math.floor(nowMs / TURN_MS)) % this.#processes;
    entry.allotment = Math.floor((units / entry.yield + turn) / this.#processes + ROUNDING);
  }

  get #processes(): number {
    return this.#options.peers.processes;
  }
}

const ROUNDING = 1e-9;

/** One answer and a thousandth of the goal ahead of the plan; less where it is ahead already. */
function startingCredit(entry: Entry, nowMs: number): number {
  const most = entry.yield + HEAD_START * entry.goal.amount;
  const deficit = entry.plan === null ? 0 : planTarget(entry.plan, nowMs) - entry.delivered - entry.inFlight;
  return Math.min(most, most + deficit);
}

/** Answers become deliveries, or are given up; both leave the waiting. */
function passInFlight(entry: Entry, foreign: number, seen: { delivered: number; passedMs: number }): void {
  const before = Math.max(0, entry.inFlight + foreign);
  const after = Math.max(0, before - (seen.delivered - entry.delivered));
  const late = before === 0 ? 0 : (Math.min(entry.inFlightLate, before) * after) / before;
  const staying = Math.exp((-2 * seen.passedMs) / EXPECTED_WITHIN_MS[entry.goal.kind]);
  const early = (after - late) * staying;
  // What leaves the first stage enters the second, of which a part leaves as well.
  entry.inFlightLate =
    late * staying + (after - late) * staying * ((2 * seen.passedMs) / EXPECTED_WITHIN_MS[entry.goal.kind]);
  entry.inFlight = early + entry.inFlightLate;
}

function newEntry(lineItem: CompiledLineItem, goal: Goal, workspaceId: number, by: Pacer): Entry {
  return {
    lineItem,
    workspaceId,
    goal,
    span: null,
    plan: null,
    curve: null,
    deliveredKey: '',
    servedKey: '',
    refreshedAtMs: null,
    plannedAtMs: 0,
    delivered: 0,
    served: 0,
    reported: 0,
    othersBefore: 0,
    unreported: 0,
    inFlight: 0,
    inFlightLate: 0,
    yield: 1,
    unitsPerMs: 0,
    credit: 0,
    allotment: 0,
    urgency: 0,
    told: { by, mayDeliver: false, urgency: 0, untilMs: 0 },
  };
}

function impressionKeyOf(entry: Entry): string {
  return entry.deliveredKey.replace(`/${GOAL_COUNTERS[entry.goal.kind]}/`, '/imp/');
}
