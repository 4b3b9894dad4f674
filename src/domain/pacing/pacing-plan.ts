import type { Goal, Pacing } from '../booking/line-item.ts';
import type { Timeline } from './pacing-timeline.ts';
import { localDaySpan } from '../time/time-zone.ts';

/** How far ahead of EVEN a FRONT_LOADED line item may be, at most, early in its span. */
const FRONT_LOAD = 0.4;
/** The most by which a deficit may raise the present rate, as a share of the planned one, unless the rest of the span needs more. */
const RATE_MAX = 1.5;
/** Pacing aims at the goal this long before the end, so that an outage of the last hours costs little; less in a short span. */
const LEAD_MS = 4 * 3_600_000;
const LEAD_SHARE = 1 / 18;
/** A deficit that is left when the aim is passed is served within so long. */
const LAST_CATCH_UP_MS = 1_800_000;
/** A deficit is spread over the traffic of so long: it shrinks to a fiftieth within 24 h where the bounds allow. */
const CATCH_UP_MS = 6 * 3_600_000;
/** Rates are planned for this time. */
export const PLAN_STEP_MS = 60_000;

/** When a line item may serve, epoch milliseconds: 0 = no beginning, infinity = no end. */
export interface Flight {
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  readonly booked: { readonly timezone: string };
}

/** In what time a goal is to be reached. */
export interface PlanSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** A goal, and how it is spread. Amounts are in units of the goal. */
export interface Plan {
  readonly pacing: Pacing;
  readonly span: PlanSpan;
  /** The goal within the span, and the delivery before it (0 except for flights without a beginning). */
  readonly amount: number;
  readonly base: number;
  readonly timeline: Pick<Timeline, 'between'>;
}

/** The state of a plan at a moment. */
export interface PlannedRate {
  /** Where delivery should stand now, to be done a little before the end. */
  readonly target: number;
  /** How far it is behind; negative = ahead. */
  readonly deficit: number;
  /** The rate of the coming minute. */
  readonly unitsPerMs: number;
}

/**
 * The span of a line item's goal at a moment: its flight, or for daily goals its part of the local day. Null for a lifetime goal
 * without an end, which cannot be planned. A flight without a beginning has no `startMs` (negative infinity).
 */
export function planSpan(flight: Flight, goal: Goal, nowMs: number): PlanSpan | null {
  const startsAtMs = flight.startsAtMs === 0 ? Number.NEGATIVE_INFINITY : flight.startsAtMs;
  if (goal.period === 'LIFETIME') {
    return Number.isFinite(flight.endsAtMs) ? { startMs: startsAtMs, endMs: flight.endsAtMs } : null;
  }
  const day = localDaySpan(flight.booked.timezone, nowMs);
  return { startMs: Math.max(day.startMs, startsAtMs), endMs: Math.min(day.endMs, flight.endsAtMs) };
}

/** Where delivery should stand at an instant. */
export function planTarget({ pacing, span, amount, base, timeline }: Plan, atMs: number): number {
  if (atMs >= span.endMs) return base + amount;
  const whole = timeline.between(span.startMs, span.endMs);
  if (atMs <= span.startMs || whole <= 0) return base;
  const share = timeline.between(span.startMs, atMs) / whole;
  return base + amount * (pacing === 'FRONT_LOADED' ? frontLoad(share) : share);
}

/** When pacing aims to reach the goal of a span: up to four hours before its end. */
export function aimMs({ startMs, endMs }: PlanSpan): number {
  return endMs - Math.min(LEAD_MS, LEAD_SHARE * (endMs - startMs));
}

/** Where delivery should stand at an instant, to be done a little before the end. */
export function leadTarget(plan: Plan, atMs: number): number {
  return planTarget({ ...plan, span: { ...plan.span, endMs: aimMs(plan.span) } }, atMs);
}

/**
 * The rate for the coming minute. Behind its plan, a line item gets what the plan has for the minute and the part of the deficit that falls
 * on it when that is spread over the next hours: at most 150 % of the plan, or what the rest of the span needs. Ahead of its plan, because
 * its end or its goal was changed for example, it spreads what is missing over the traffic that is expected up to the end.
 * @param expected delivered so far, plus what is expected of the responses still out
 */
export function planRate(plan: Plan, nowMs: number, expected: number): PlannedRate {
  const target = leadTarget(plan, nowMs);
  const deficit = target - expected;
  const left = plan.base + plan.amount - target;
  if (left <= 0) {
    const withinMs = Math.max(1, Math.min(LAST_CATCH_UP_MS, plan.span.endMs - nowMs));
    return { target, deficit, unitsPerMs: Math.max(0, deficit) / withinMs };
  }
  const stepMs = Math.max(1, Math.min(PLAN_STEP_MS, aimMs(plan.span) - nowMs));
  const even = leadTarget(plan, nowMs + stepMs) - target;
  const needed = Math.max(0, 1 + deficit / left);
  const ahead = leadTarget(plan, nowMs + CATCH_UP_MS) - target;
  const factor = deficit <= 0 || ahead <= 0 ? needed : Math.min(Math.max(RATE_MAX, needed), 1 + deficit / ahead);
  return { target, deficit, unitsPerMs: (even * factor) / stepMs };
}

/** Up to 40 % ahead of even at the start, even at the end. */
export function frontLoad(share: number): number {
  return share * (1 + FRONT_LOAD * (1 - share));
}
