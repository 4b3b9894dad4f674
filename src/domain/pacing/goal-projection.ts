import { bidSteps, boundSteps } from './goal-worth.ts';

/** What a plan had for a day, and what was delivered in it. Units of the goal. */
export interface CourseOfDay {
  readonly planned: number;
  readonly delivered: number;
}

/** What a goal's plan had and has, and what was delivered. Units of the goal. */
export interface GoalCourse {
  readonly amount: number;
  readonly delivered: number;
  /** By the plan: up to now, within the last 24 hours, and from now to the end. */
  readonly planned: number;
  readonly plannedDay: number;
  readonly plannedLeft: number;
  /** 1 to 16; its bids have a bound by its level. */
  readonly level: number;
  /** The part of its free traffic that its plan needs; 0: not known. */
  readonly tightness: number;
  /** Today, then the days before, the latest first. */
  readonly days: readonly CourseOfDay[];
}

/** What is expected at the end of the span. */
export interface GoalProjection {
  readonly projected: number;
  /** An interval of 95 %, if days vary as {@link DAY_DEVIATION} and {@link DAY_CORRELATION} say. */
  readonly low: number;
  readonly high: number;
}

/** The standard deviation of a day's deliverable units, as a share of the plan, and the correlation of a day with the next. */
const DAY_DEVIATION = 0.25;
const DAY_CORRELATION = 0.5;
const ERRORS = 1.96;
/** Below this share of the goal, the plan so far says nothing. */
const PLANNED_SHARE_MIN = 0.005;
/** What a goal delivers at its bound tells its pace once its plan had so much of a day, or this share of the goal if that is less. */
const SEEN_DAYS_MIN = 0.25;
const SEEN_SHARE_MIN = 0.1;

/**
 * Where delivery leads. A goal that is behind bids more until it catches up, so it is expected to be reached, unless it bids at its bound already: then it takes all
 * that it can get, and goes on at the pace that it has had there. Null while the plan has too little to compare with.
 */
export function projectGoal(course: GoalCourse): GoalProjection | null {
  const { amount, delivered, planned, plannedDay, plannedLeft, days } = course;
  if (delivered >= amount) return { projected: amount, low: amount, high: amount };
  if (planned < amount * PLANNED_SHARE_MIN || planned <= 0) return null;
  const needed = plannedLeft <= 0 ? 0 : (amount - delivered) / plannedLeft;
  const bound = seenAtBound(course);
  const isExhausted =
    bound.planned > 0 && bound.planned >= Math.min(SEEN_DAYS_MIN * plannedDay, SEEN_SHARE_MIN * amount);
  const seen = isExhausted ? bound : sumOf(days);
  const pace = seen.planned <= 0 ? needed : seen.delivered / seen.planned;
  const error = errorOf(course, seen.planned);
  const at = (ofPace: number, factor: number): number =>
    Math.min(amount, delivered + plannedLeft * ofPace * Math.max(0, factor));
  return {
    projected: isExhausted || plannedLeft <= 0 ? at(pace, 1) : amount,
    low: at(Math.min(needed, pace), 1 - error),
    high: isExhausted || plannedLeft <= 0 ? at(pace, 1 + error) : amount,
  };
}

/** What was planned and delivered since the goal has been bidding at its bound without a break. */
function seenAtBound({ amount, delivered, planned, level, tightness, days }: GoalCourse): CourseOfDay {
  const bound = boundSteps(level, tightness);
  const seen = { planned: 0, delivered: 0 };
  let now = { planned, delivered };
  let steps = stepsAt(amount, now);
  for (const day of days) {
    if (steps <= bound) return seen;
    const before = { planned: now.planned - day.planned, delivered: now.delivered - day.delivered };
    const stepsBefore = stepsAt(amount, before);
    // A deficit grows evenly within a day.
    const share = stepsBefore >= bound ? 1 : (steps - bound) / (steps - stepsBefore);
    seen.planned += share * day.planned;
    seen.delivered += share * day.delivered;
    [now, steps] = [before, stepsBefore];
  }
  return seen;
}

function stepsAt(amount: number, { planned, delivered }: CourseOfDay): number {
  return bidSteps({ deficit: planned - delivered, left: amount - planned, amount, unitsPerAd: 1 });
}

function sumOf(days: readonly CourseOfDay[]): CourseOfDay {
  return days.reduce((sum, day) => ({ planned: sum.planned + day.planned, delivered: sum.delivered + day.delivered }), {
    planned: 0,
    delivered: 0,
  });
}

/** Half the width of an interval of 95 %, as a share of the units to come. */
function errorOf({ plannedDay, plannedLeft, delivered }: GoalCourse, seenPlanned: number): number {
  const daysLeft = plannedDay <= 0 ? 1 : plannedLeft / plannedDay;
  const daysSeen = plannedDay <= 0 ? 1 : seenPlanned / plannedDay;
  const spread = (1 + DAY_CORRELATION) / (1 - DAY_CORRELATION);
  const variance =
    DAY_DEVIATION ** 2 * spread * (1 / Math.max(1, daysLeft) + 1 / Math.max(0.5, daysSeen)) +
    1 / Math.max(1, delivered);
  return ERRORS * Math.sqrt(variance);
}

/** Whether a goal will be reached. */
export type GoalStatus = 'NOT_STARTED' | 'ON_TRACK' | 'AHEAD' | 'BEHIND' | 'AT_RISK' | 'REACHED' | 'MISSED';

/** A projection below this share of the goal puts it at risk. */
const AT_RISK_SHARE = 0.95;
const AHEAD_SHARE = 1.05;
const BEHIND_SHARE = 0.95;

/** The status of a goal. @param phase of its span */
export function goalStatus(
  { amount, delivered, planned }: Pick<GoalCourse, 'amount' | 'delivered' | 'planned'>,
  projection: GoalProjection | null,
  phase: 'before' | 'within' | 'after',
): GoalStatus {
  if (delivered >= amount) return 'REACHED';
  if (phase === 'after') return 'MISSED';
  if (phase === 'before') return 'NOT_STARTED';
  if (projection === null) return 'ON_TRACK';
  if (projection.projected < amount * AT_RISK_SHARE) return 'AT_RISK';
  if (delivered > planned * AHEAD_SHARE) return 'AHEAD';
  return delivered < planned * BEHIND_SHARE ? 'BEHIND' : 'ON_TRACK';
}
