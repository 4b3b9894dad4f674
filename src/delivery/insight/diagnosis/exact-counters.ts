import { countValue, moneyValue, termValue, textOf, type DeliveryText } from '../../../domain/booking/delivery-text.ts';
import { localDay } from '../../../domain/time/calendar.ts';
import { dayCounterKey, lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import type { CounterSubject } from '../../../domain/money/counter-key.ts';
import { capCounterKey, GOAL_COUNTERS } from '../../../domain/money/limit.ts';
import { formatNanos } from '../../../domain/money/money.ts';
import { planSpan, planTarget } from '../../../domain/pacing/pacing-plan.ts';
import type { Timelines } from '../../../domain/pacing/pacing-timeline.ts';
import type { TrafficCurve } from '../../../domain/pacing/traffic-curve.ts';
import { testOfCap } from '../../decision/failed-tests.ts';
import type { CompiledLineItem } from '../../decision/index/compile-line-items.ts';
import type { Cause } from './cause.ts';

/** The exact counters of a line item at a moment. */
export interface ExactCounters {
  /** Hard limits that are reached, and a goal that is reached. */
  readonly reached: readonly Cause[];
  /** Null without a goal. */
  readonly goal: GoalState | null;
  /** Ads of the goal's period in responses, and those that were shown. */
  readonly responses: number;
  readonly impressions: number;
  /** Impressions of all time. */
  readonly lifetimeImpressions: number;
}

/** A goal against its plan. */
export interface GoalState {
  readonly amount: number;
  readonly delivered: number;
  /** By the traffic curve; null without a plan: without an end, and for ASAP. */
  readonly expected: number | null;
}

/** Reads counters; missing ones are 0. */
export type ReadCounters = (keys: readonly string[]) => Promise<readonly bigint[]>;

/** What the counters are compared with. */
export interface PlanInput {
  readonly workspaceId: number;
  readonly nowMs: number;
  readonly curve: TrafficCurve;
  readonly timelines: Timelines;
}

/** The counters that {@link compareCounters} needs, in its order. */
export function listExactKeys(lineItem: CompiledLineItem, { workspaceId, nowMs }: PlanInput): string[] {
  const { booked, capChecks } = lineItem;
  const subject = { workspaceId, scope: 'li', id: booked.id } as const;
  const day = localDay(nowMs, booked.timezone);
  const kinds = ['imp', 'ans', booked.goal === null ? 'imp' : GOAL_COUNTERS[booked.goal.kind]] as const;
  const keyOf = (kind: CounterSubject['kind']): string =>
    booked.goal?.period === 'DAY' ? dayCounterKey({ ...subject, kind }, day) : lifetimeCounterKey({ ...subject, kind });
  return [
    lifetimeCounterKey({ ...subject, kind: 'imp' }),
    ...kinds.map(keyOf),
    ...capChecks.map((check) => capCounterKey(check, check.timezone === null ? '' : localDay(nowMs, check.timezone))),
  ];
}

/** Compares counters with limits and plan. @param counts in the order of {@link listExactKeys} */
export function compareCounters(
  lineItem: CompiledLineItem,
  counts: readonly bigint[],
  input: PlanInput,
): ExactCounters {
  const [lifetimeImpressions = 0, impressions = 0, responses = 0, delivered = 0, ...limited] = counts.map(Number);
  const reached = lineItem.capChecks.flatMap((check, at): Cause[] => {
    const count = limited[at] ?? 0;
    if (count < check.limit) return [];
    const code = testOfCap(check, lineItem);
    const isDaily = check.timezone !== null;
    const counted = { count, limit: check.limit, isMoney: check.subject.kind === 'spend', isDaily };
    return [{ code, detail: '', text: describeReached(code, counted), usedTimes: count / check.limit }];
  });
  const { goal } = lineItem.booked;
  if (goal === null || goal.amount <= 0) return { reached, goal: null, responses, impressions, lifetimeImpressions };
  const state = { amount: goal.amount, delivered, expected: expectedNow(lineItem, input) };
  const isDone = delivered >= goal.amount && reached.length === 0;
  const counted = { count: delivered, limit: goal.amount, isMoney: false, isDaily: goal.period === 'DAY' };
  const text = describeReached('goal_reached', counted);
  const done: Cause[] = isDone ? [{ code: 'goal_reached', detail: '', text, usedTimes: delivered / goal.amount }] : [];
  return { reached: [...reached, ...done], goal: state, responses, impressions, lifetimeImpressions };
}

interface Counted {
  readonly count: number;
  readonly limit: number;
  /** Both are nanos. */
  readonly isMoney: boolean;
  readonly isDaily: boolean;
}

/** `budget.campaign.spend_per_day` → "the daily budget of the campaign of today is reached (20 of 20)". */
function describeReached(code: string, { count, limit, isMoney, isDaily }: Counted): DeliveryText {
  const value = (number: number) => (isMoney ? moneyValue(formatNanos(BigInt(number))) : countValue(number));
  const numbers = { used: value(count), limit: value(limit) };
  if (code === 'goal_reached') return textOf(isDaily ? 'because_daily_goal_used' : 'because_goal_used', numbers);
  const [family, level = '', period = ''] = code.split('.');
  const object = termValue(level);
  if (family === 'budget')
    return textOf(isDaily ? 'because_daily_budget_reached' : 'because_budget_reached', { object, ...numbers });
  const unit = termValue(period.replace(/_(per_day|lifetime)$/, ''));
  return textOf(isDaily ? 'because_daily_cap_reached' : 'because_cap_reached', { unit, object, ...numbers });
}

function expectedNow(lineItem: CompiledLineItem, { nowMs, curve, timelines }: PlanInput): number | null {
  const { booked, goal } = lineItem;
  if (goal === null || booked.pacing === 'ASAP') return null;
  const span = planSpan(lineItem, goal, nowMs);
  if (span === null || !Number.isFinite(span.startMs) || span.endMs <= span.startMs) return null;
  const { timezone, dayParts, pacing } = booked;
  const timeline = timelines.find(curve, { timezone, dayParts }, nowMs);
  return planTarget({ pacing, span, amount: goal.amount, base: 0, timeline }, nowMs);
}
