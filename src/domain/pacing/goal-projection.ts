/** What a goal's plan had and has, and what was delivered. Units of the goal. */
export interface GoalCourse {
  readonly amount: number;
  readonly delivered: number;
  readonly deliveredToday: number;
  /** By the plan: up to now, since the local midnight, within the last 24 hours, and from now to the end. */
  readonly planned: number;
  readonly plannedToday: number;
  readonly plannedDay: number;
  readonly plannedLeft: number;
}

/** What is expected at the end of the span. */
export interface GoalProjection {
  readonly projected: number;
  /** An interval of 95 %, if days vary as {@link DAY_DEVIATION} and {@link DAY_CORRELATION} say. */
  readonly low: number;
  readonly high: number;
}

/** The pace of so many days before today counts. */
const REMEMBERED_DAYS = 5;
/** The standard deviation of a day's deliverable units, as a share of the plan, and the correlation of a day with the next. */
const DAY_DEVIATION = 0.25;
const DAY_CORRELATION = 0.5;
const ERRORS = 1.96;
/** A line item that is ahead and delivers at least this share of the pace that it needs is slowed by pacing. */
const SLOWED_MIN = 0.5;
/** Below this share of the goal, the plan so far says nothing. */
const PLANNED_SHARE_MIN = 0.005;

/**
 * Where delivery leads at its recent pace: that of today and of the days before, against the plan of the same time. A line item that is ahead
 * was slowed by pacing, so it keeps the pace that it needs. Null while the plan has too little to compare with.
 */
export function projectGoal(course: GoalCourse): GoalProjection | null {
  const { amount, delivered, planned, plannedDay, plannedLeft } = course;
  if (delivered >= amount) return { projected: amount, low: amount, high: amount };
  if (planned < amount * PLANNED_SHARE_MIN || planned <= 0) return null;
  const needed = plannedLeft <= 0 ? 0 : (amount - delivered) / plannedLeft;
  const recent = recentPace(course);
  const isSlowed = delivered >= planned && recent >= SLOWED_MIN * Math.min(1, needed);
  const pace = isSlowed ? Math.max(recent, needed) : recent;
  const daysLeft = plannedDay <= 0 ? 1 : plannedLeft / plannedDay;
  const daysSeen = plannedDay <= 0 ? 1 : Math.min(REMEMBERED_DAYS, planned / plannedDay);
  const spread = (1 + DAY_CORRELATION) / (1 - DAY_CORRELATION);
  const variance =
    DAY_DEVIATION ** 2 * spread * (1 / Math.max(1, daysLeft) + 1 / Math.max(0.5, daysSeen)) +
    1 / Math.max(1, delivered);
  const error = ERRORS * Math.sqrt(variance);
  const at = (factor: number): number => Math.min(amount, delivered + plannedLeft * pace * Math.max(0, factor));
  return { projected: at(1), low: at(1 - error), high: at(1 + error) };
}

/** Delivered units by planned ones, of today and of the remembered days before. */
function recentPace({ delivered, deliveredToday, planned, plannedToday, plannedDay }: GoalCourse): number {
  const plannedBefore = planned - plannedToday;
  const weight = Math.min(plannedBefore, REMEMBERED_DAYS * plannedDay);
  const before = plannedBefore <= 0 ? 0 : (delivered - deliveredToday) / plannedBefore;
  const sum = plannedToday + weight;
  return sum <= 0 ? 1 : (deliveredToday + before * weight) / sum;
}

/** Whether a goal will be reached. */
export type GoalStatus = 'NOT_STARTED' | 'ON_TRACK' | 'AHEAD' | 'BEHIND' | 'AT_RISK' | 'REACHED' | 'MISSED';

/** A projection below this share of the goal puts it at risk. */
const AT_RISK_SHARE = 0.97;
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
