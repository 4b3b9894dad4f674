import { startOfDayAfter, zoneOffsetMs } from '../time/time-zone.ts';
import type { GoalProjection } from './goal-projection.ts';
import { planTarget } from './pacing-plan.ts';
import type { Plan } from './pacing-plan.ts';

/** How much time a point of a course covers: an hour, or one or more days. */
export type CourseStep = 'HOUR' | 'DAY';

/** A course by its end, or by now in the time that goes on. Cumulative units of the goal. */
export interface DrawnPoint {
  /** When its time begins: the start of the span, of a local hour or of a local day. */
  readonly startMs: number;
  readonly planned: number;
  /** The expected units with their interval of 95 %; null for times that are over, and without a projection. */
  readonly projection: GoalProjection | null;
}

/** The units of a plan from the start to the end of its span. */
export interface DrawnCourse {
  readonly step: CourseStep;
  /** Whether the plan is the least of the promise, as for ASAP, and not all of it. */
  readonly isLeast: boolean;
  /** At most {@link COURSE_POINTS_MAX}, in order, without gaps. */
  readonly points: readonly DrawnPoint[];
}

/** The input of a course, beside its plan. */
export interface DrawnFrom {
  /** Of the hours and days. */
  readonly timezone: string;
  readonly nowMs: number;
  readonly delivered: number;
  /** At the end of the span; null: not known. */
  readonly projection: GoalProjection | null;
}

export const COURSE_POINTS_MAX = 400;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer spans are drawn by day. */
const HOURLY_MS_MAX = 7 * DAY_MS + HOUR_MS;

/**
 * Draws a plan over its span, and a projection from now to its end: it follows the plan, as delivery does. A course of ASAP is that of EVEN, which
 * ASAP bids to keep. Empty for an empty span. @throws RangeError for an unknown time zone
 */
export function drawCourse(plan: Plan, { timezone, nowMs, delivered, projection }: DrawnFrom): DrawnCourse {
  const { span, pacing } = plan;
  const lastMs = span.endMs - span.startMs;
  const step = lastMs <= HOURLY_MS_MAX ? 'HOUR' : 'DAY';
  // One more, because the first and the last day of a span are cut.
  const days = Math.ceil((lastMs / DAY_MS + 1) / (COURSE_POINTS_MAX - 1));
  const planned = planTarget(plan, nowMs);
  const left = plan.base + plan.amount - planned;
  const points: DrawnPoint[] = [];
  for (let startMs = span.startMs; startMs < span.endMs; ) {
    const nextMs = step === 'HOUR' ? nextHour(timezone, startMs) : startOfDayAfter(timezone, startMs, days);
    const endMs = Math.min(nextMs, span.endMs);
    const isPresent = startMs <= nowMs && nowMs < endMs;
    const target = isPresent ? planned : planTarget(plan, endMs);
    const share = left <= 0 ? 1 : (target - planned) / left;
    const at = (value: number): number => (isPresent ? delivered : delivered + share * (value - delivered));
    const isOver = endMs <= nowMs;
    points.push({
      startMs,
      planned: target,
      projection:
        projection === null || isOver
          ? null
          : { projected: at(projection.projected), low: at(projection.low), high: at(projection.high) },
    });
    startMs = endMs;
  }
  return { step, isLeast: pacing === 'ASAP', points };
}

/** The next full hour on the clocks of a zone. */
function nextHour(timezone: string, atMs: number): number {
  const offset = zoneOffsetMs(timezone, atMs);
  return (Math.floor((atMs + offset) / HOUR_MS) + 1) * HOUR_MS - offset;
}
