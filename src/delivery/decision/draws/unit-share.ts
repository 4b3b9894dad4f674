import type { CompiledLineItem } from '../index/compile-line-items.ts';
import type { LocalMoment } from '../index/local-clock.ts';
import { aimMs } from '../../../domain/pacing/pacing-plan.ts';
import type { PlanSpan } from '../../../domain/pacing/pacing-plan.ts';

/** How far a line item may be behind its plan while it waits for better units, as a share of its goal: within these bounds, so many units of the goal. */
const LAG_MIN = 0.005;
const LAG_MAX = 0.02;
const LAG_UNITS = 10;
/** At most so much of its time left: it can always be made up for. */
const LAG_OF_TIME_LEFT = 0.25;
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

type Paced = Pick<CompiledLineItem, 'goal' | 'startsAtMs' | 'endsAtMs'> & {
  readonly booked: Pick<CompiledLineItem['booked'], 'pacing' | 'type'>;
};

/**
 * The share of its opportunities that a line item needs to stay on its plan, from 0 to 1. It is its lag by the lag that it may have, so that the lag comes
 * to rest where the line item gets just what its plan has for it. 1 for one that waits for nothing: without a plan, as soon as possible, or near its end.
 * @param urgency the share of its goal by which it is behind
 */
export function neededShare(
  { goal, startsAtMs, endsAtMs, booked }: Paced,
  urgency: number,
  at: { readonly nowMs: number; readonly local: () => LocalMoment },
): number {
  if (goal === null || goal.amount <= 0 || booked.pacing === 'ASAP') return 1;
  // A sponsorship has its share of voice, and HOUSE what is left over.
  if (booked.type !== 'STANDARD' && booked.type !== 'PRICE') return 1;
  if (!Number.isFinite(urgency)) return 1;
  const flight = { startMs: startsAtMs, endMs: endsAtMs };
  const span = goal.period === 'DAY' ? daySpan(flight, at.nowMs, at.local()) : flight;
  if (!Number.isFinite(span.endMs) || span.startMs <= 0) return 1;
  const allowed = allowedLag(span, goal.amount, at.nowMs);
  return allowed <= 0 ? 1 : Math.min(1, Math.max(0, urgency / allowed));
}

/** The lag that a line item may have, as a share of its goal: none from when its pacing aims to be done. */
export function allowedLag(span: PlanSpan, amount: number, nowMs: number): number {
  const left = (aimMs(span) - nowMs) / (span.endMs - span.startMs);
  return Math.min(Math.max(LAG_MIN, Math.min(LAG_MAX, LAG_UNITS / amount)), left * LAG_OF_TIME_LEFT);
}

/** The part of the local day within the flight. Days of 23 and 25 hours count as others. */
function daySpan({ startMs, endMs }: PlanSpan, nowMs: number, { minute }: LocalMoment): PlanSpan {
  const midnightMs = nowMs - minute * MINUTE_MS;
  return { startMs: Math.max(startMs, midnightMs), endMs: Math.min(endMs, midnightMs + DAY_MS) };
}
