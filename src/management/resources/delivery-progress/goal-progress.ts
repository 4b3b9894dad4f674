import type { DayPart, Goal, GoalKind, Pacing } from '../../../domain/booking/line-item.ts';
import type { COUNTED_EVENTS, CountedKind } from '../../../domain/pricing/pricing-models.ts';
import { drawCourse } from '../../../domain/pacing/drawn-course.ts';
import type { DrawnCourse } from '../../../domain/pacing/drawn-course.ts';
import { goalStatus, projectGoal } from '../../../domain/pacing/goal-projection.ts';
import type { CourseOfDay, GoalProjection, GoalStatus } from '../../../domain/pacing/goal-projection.ts';
import { freeCurve, FreeTimeline } from '../../../domain/pacing/free-timeline.ts';
import type { FreeTraffic } from '../../../domain/pacing/free-timeline.ts';
import { planSpan, planTarget } from '../../../domain/pacing/pacing-plan.ts';
import type { Plan } from '../../../domain/pacing/pacing-plan.ts';
import { Timelines } from '../../../domain/pacing/pacing-timeline.ts';
import type { TrafficCurve } from '../../../domain/pacing/traffic-curve.ts';
import { localDaySpan } from '../../../domain/time/time-zone.ts';
import type { StoredRow } from '../../kernel/field.ts';

/** The name of a counted event's figure. */
export type CountFigure = (typeof COUNTED_EVENTS)[CountedKind]['figure'];

/** The delivery of a span. Spend in nanos. */
export interface DeliveryFigures extends Readonly<Record<CountFigure, number>> {
  readonly spendNanos: bigint;
}

/** The progress of a line item. `expected` and `pacingPercent` are null while no delivery is expected yet. */
export interface GoalProgress {
  readonly goal: number;
  readonly delivered: number;
  readonly expected: number | null;
  readonly percent: number;
  readonly pacingPercent: number | null;
  /** What is expected at the end of its span, with an interval; null without a plan, and before it says anything. */
  readonly projection: GoalProjection | null;
  /** Null without a plan, and while the history is loading unless it is sure. */
  readonly status: GoalStatus | null;
  /** Whether the counters still get the history of the workspace: nothing is known of its pacing. */
  readonly isHistoryLoading: boolean;
  /** Draws its plan, and for ASAP the EVEN one, from the start to the end of its span; null without an end. */
  readonly course: () => DrawnCourse | null;
}

const DAY_MS = 86_400_000;
/** Days before today whose delivery a projection looks at. */
export const DAYS_BEFORE = 2;

const COUNTED: Readonly<Record<GoalKind, CountFigure>> = {
  IMPRESSIONS: 'impressions',
  VIEWABLE_IMPRESSIONS: 'viewableImpressions',
  CLICKS: 'clicks',
  CONVERSIONS: 'conversions',
};

/** The measures of a line item's progress. */
export interface ProgressBasis {
  readonly lifetime: DeliveryFigures;
  readonly today: DeliveryFigures;
  /** Units of the goal on the {@link DAYS_BEFORE} days before today, the latest first; fewer: they are unknown. */
  readonly daysBefore: readonly number[];
  /** What other goals leave to it, by the plan of delivery; null: all. */
  readonly freeTraffic: FreeTraffic | null;
  /** The day-parts of the line item. */
  readonly timezone: string;
  /** The traffic that it is paced by. */
  readonly curve: TrafficCurve;
  /** Null when unknown. */
  readonly campaign: StoredRow | null;
  /** Whether the counters still get the history of the workspace. */
  readonly isHistoryLoading: boolean;
  readonly nowMs: number;
}

/**
 * Measures a line item against its goal, by the plan that delivery paces it by: the traffic curve, day-parts, FRONT_LOADED; daily
 * goals over the local day, lifetime ones over the flight. Null without a goal.
 */
export function measureProgress(row: StoredRow, basis: ProgressBasis): GoalProgress | null {
  const goal = row['goal'] as Goal | null;
  if (goal === null) return null;
  const delivered = (goal.period === 'DAY' ? basis.today : basis.lifetime)[COUNTED[goal.kind]];
  // A line item of ASAP is never behind: its EVEN plan is a minimum, which is only drawn.
  const plan = row['pacing'] === 'ASAP' ? null : planOf(row, goal, basis);
  const expected = plan === null ? null : Math.round(planTarget(plan, basis.nowMs));
  const projected = projectProgress(plan, { row, delivered, deliveredToday: basis.today[COUNTED[goal.kind]] }, basis);
  const { timezone, nowMs, isHistoryLoading } = basis;
  const found = isHistoryLoading ? { projection: null, status: sureStatus(projected.status) } : projected;
  const { projection } = found;
  return {
    goal: goal.amount,
    delivered,
    expected,
    percent: toPercent(delivered, goal.amount),
    pacingPercent: expected === null || expected === 0 || isHistoryLoading ? null : toPercent(delivered, expected),
    ...found,
    isHistoryLoading,
    course: () => {
      const drawn = plan ?? planOf(row, goal, basis);
      return drawn === null ? null : drawCourse(drawn, { timezone, nowMs, delivered, projection });
    },
  };
}

/** What stays true however much of the history is still to come. */
function sureStatus(status: GoalStatus | null): GoalStatus | null {
  return status === 'NOT_STARTED' || status === 'REACHED' ? status : null;
}

function projectProgress(
  plan: Plan | null,
  {
    row,
    delivered,
    deliveredToday,
  }: { readonly row: StoredRow; readonly delivered: number; readonly deliveredToday: number },
  { nowMs, timezone, daysBefore, freeTraffic }: ProgressBasis,
): Pick<GoalProgress, 'projection' | 'status'> {
  if (plan === null || plan.amount <= 0) return { projection: null, status: null };
  const { span, amount } = plan;
  const planned = planTarget(plan, nowMs);
  const days: CourseOfDay[] = [];
  let untilMs = nowMs;
  for (const counted of [deliveredToday, ...daysBefore]) {
    const { startMs } = localDaySpan(timezone, days.length === 0 ? untilMs : untilMs - 1);
    days.push({ planned: planTarget(plan, untilMs) - planTarget(plan, startMs), delivered: counted });
    untilMs = startMs;
    if (untilMs <= span.startMs) break;
  }
  const course = {
    delivered,
    amount,
    planned,
    plannedDay: planned - planTarget(plan, nowMs - DAY_MS),
    plannedLeft: amount - planned,
    level: typeof row['level'] === 'number' ? row['level'] : MIDDLE_LEVEL,
    tightness: freeTraffic?.tightness ?? 0,
    days,
  };
  const phase = nowMs < span.startMs ? 'before' : nowMs >= span.endMs ? 'after' : 'within';
  const projection = phase === 'within' ? projectGoal(course) : null;
  return { projection, status: goalStatus(course, projection, phase) };
}

function toPercent(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 100;
}

/** The level of a line item that states none. */
const MIDDLE_LEVEL = 8;

/** A timeline takes most of a request's time to build: the cache keeps timelines beyond the request, by the content of their curve. */
const timelines = new Timelines();
const curves = new Map<string, TrafficCurve>();
const CURVES_MAX = 200;

/** The curves that were looked up by their content before, such as those of all line items of a request. */
const firstOfCurve = new WeakMap<TrafficCurve, TrafficCurve>();

/** Returns the first curve with the same content: timelines are cached by identity, and each request reads its curves again. */
function keptCurve(curve: TrafficCurve): TrafficCurve {
  const seen = firstOfCurve.get(curve);
  if (seen !== undefined) return seen;
  const key = JSON.stringify(curve);
  const known = curves.get(key) ?? curve;
  if (known === curve) {
    if (curves.size >= CURVES_MAX) curves.clear();
    curves.set(key, curve);
  }
  firstOfCurve.set(curve, known);
  return known;
}

/** Null without an end. A flight without a start begins at the creation of the line item. */
function planOf(
  row: StoredRow,
  goal: Goal,
  { campaign, timezone, curve, freeTraffic, nowMs }: ProgressBasis,
): Plan | null {
  const pacing = row['pacing'] as Pacing;
  const starts = [row['starts_at'], campaign?.['starts_at']].map((at) => instantOf(at) ?? Number.NEGATIVE_INFINITY);
  const ends = [row['ends_at'], campaign?.['ends_at']].map((at) => instantOf(at) ?? Number.POSITIVE_INFINITY);
  const begun = Math.max(...starts);
  const startsAtMs = Number.isFinite(begun) ? begun : goal.period === 'DAY' ? 0 : row.created_at.getTime();
  const planned = planSpan({ startsAtMs, endsAtMs: Math.min(...ends), booked: { timezone } }, goal, nowMs);
  if (planned === null) return null;
  // Delivery reads the instant 0 as "no start".
  const span = Number.isFinite(planned.startMs) ? planned : { ...planned, startMs: row.created_at.getTime() };
  const ofFree = freeTraffic === null ? curve : freeCurve(curve, freeTraffic, nowMs);
  const all = timelines.find(keptCurve(ofFree), { timezone, dayParts: row['day_parts'] as DayPart[] }, nowMs);
  const timeline = freeTraffic === null ? all : new FreeTimeline(all, freeTraffic.shares);
  // On a day that the flight does not touch, nothing is planned.
  const amount = span.endMs <= span.startMs ? 0 : goal.amount;
  return { pacing, span, amount, base: 0, timeline };
}

function instantOf(value: unknown): number | null {
  return value instanceof Date ? value.getTime() : null;
}
