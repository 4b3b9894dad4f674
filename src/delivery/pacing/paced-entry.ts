import { DAY_COUNTER_TTL_MS, LIFETIME_COUNTER_TTL_MS } from '../../domain/money/counter-key.ts';
import type { Goal, GoalKind } from '../../domain/booking/line-item.ts';
import { GOAL_COUNTERS } from '../../domain/money/limit.ts';
import type { FreeTraffic } from '../../domain/pacing/free-timeline.ts';
import type { Plan, PlanSpan } from '../../domain/pacing/pacing-plan.ts';
import type { TrafficCurve } from '../../domain/pacing/traffic-curve.ts';
import type { CounterIncrement } from '../../storage/hot/hot-store.ts';
import type { CompiledLineItem, KnownPacing } from '../decision/index/compile-line-items.ts';

/**
 * How long a served ad may take on average to become a goal event. After that it counts as lost, in two stages, so that the loss is
 * gradual.
 */
const EXPECTED_WITHIN_MS: Readonly<Record<GoalKind, number>> = {
  IMPRESSIONS: 60_000,
  VIEWABLE_IMPRESSIONS: 60_000,
  CLICKS: 600_000,
  CONVERSIONS: 6 * 3_600_000,
};

/** The state of one line item, which the line item holds. Amounts are in units of its goal. */
export interface PacedEntry extends KnownPacing {
  lineItem: CompiledLineItem;
  readonly workspaceId: number;
  goal: Goal;
  span: PlanSpan | null;
  plan: Plan | null;
  /** The plan by which its worth is computed, also of one that serves as soon as possible. */
  even: Plan | null;
  /** So far ahead that it waits. */
  isFarAhead: boolean;
  /** What other goals leave to it; null: all. */
  free: FreeTraffic | null;
  curve: TrafficCurve | null;
  deliveredKey: string;
  servedKey: string;
  /** Null until its counters were read. */
  refreshedAtMs: number | null;
  plannedAtMs: number;
  delivered: number;
  /** Ads served by all processes as of the last read, and those of them that this process has reported. */
  served: number;
  reported: number;
  /** Ads served by the others as of the last read. */
  othersBefore: number;
  /** Served and not reported. */
  unreported: number;
  /** Units that are still expected from served ads, and those of them in the second stage of waiting. */
  inFlight: number;
  inFlightLate: number;
  /** Units per served ad. */
  yield: number;
  unitsPerMs: number;
  /** Units that may be served now; all processes compute the same value. */
  credit: number;
  /** Ads that this process may serve before the next read. */
  allotment: number;
  /**
   * Units that this process may serve in the part of the traffic whose goals do not bid, and the plan and its target by which they were counted last. Null: it was
   * not asked yet.
   */
  creditWithoutBids: number | null;
  planWithoutBids: Plan | null;
  targetWithoutBids: number;
}

/** Served ads become goal events, or count as lost; both leave the flight. */
export function passInFlight(entry: PacedEntry, foreign: number, seen: { delivered: number; passedMs: number }): void {
  const before = Math.max(0, entry.inFlight + foreign);
  if (before === 0) {
    entry.inFlight = 0;
    entry.inFlightLate = 0;
    return;
  }
  const after = Math.max(0, before - (seen.delivered - entry.delivered));
  const late = (Math.min(entry.inFlightLate, before) * after) / before;
  const staying = Math.exp((-2 * seen.passedMs) / EXPECTED_WITHIN_MS[entry.goal.kind]);
  const early = (after - late) * staying;
  // Ads that leave the first stage enter the second, from which a part leaves as well.
  entry.inFlightLate =
    late * staying + (after - late) * staying * ((2 * seen.passedMs) / EXPECTED_WITHIN_MS[entry.goal.kind]);
  entry.inFlight = early + entry.inFlightLate;
}

/** A line item of which nothing is known yet. */
export function newEntry(lineItem: CompiledLineItem, goal: Goal, workspaceId: number, by: object): PacedEntry {
  return {
    by,
    mayDeliver: false,
    urgency: 0,
    untilMs: 0,
    lineItem,
    workspaceId,
    goal,
    span: null,
    worth: 1,
    plan: null,
    even: null,
    isFarAhead: false,
    free: null,
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
    creditWithoutBids: null,
    planWithoutBids: null,
    targetWithoutBids: 0,
  };
}

/** A report of an entry, as an increment of its counter. */
export function incrementOf({
  entry,
  key,
  count,
}: {
  readonly entry: PacedEntry;
  readonly key: string;
  readonly count: number;
}): CounterIncrement {
  const ttlMs = entry.goal.period === 'DAY' ? DAY_COUNTER_TTL_MS : LIFETIME_COUNTER_TTL_MS;
  return { key, by: BigInt(count), ttlMs };
}

/** The counter of impressions beside that of the goal. */
export function impressionKeyOf(entry: PacedEntry): string {
  return entry.deliveredKey.replace(`/${GOAL_COUNTERS[entry.goal.kind]}/`, '/imp/');
}
