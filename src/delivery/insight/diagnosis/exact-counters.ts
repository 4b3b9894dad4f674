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
    const isMoney = check.subject.kind === 'spend';
    const text = (value: number): string => (isMoney ? formatNanos(BigInt(value)) : String(value));
    const code = testOfCap(check, lineItem);
    const when = check.timezone === null ? '' : ' of today';
    const what = code === 'goal_reached' ? 'its goal' : `the ${describeLimit(code)}`;
    const because = `${what}${when} is reached (${text(count)} of ${text(check.limit)})`;
    return [{ code, detail: '', because, usedTimes: count / check.limit }];
  });
  const { goal } = lineItem.booked;
  if (goal === null || goal.amount <= 0) return { reached, goal: null, responses, impressions, lifetimeImpressions };
  const state = { amount: goal.amount, delivered, expected: expectedNow(lineItem, input) };
  const isDone = delivered >= goal.amount && reached.length === 0;
  const because = `its goal${goal.period === 'DAY' ? ' of today' : ''} is reached (${delivered} of ${goal.amount})`;
  const done: Cause[] = isDone
    ? [{ code: 'goal_reached', detail: '', because, usedTimes: delivered / goal.amount }]
    : [];
  return { reached: [...reached, ...done], goal: state, responses, impressions, lifetimeImpressions };
}

/** `budget.campaign.spend_per_day` → "daily spending limit of its campaign". */
function describeLimit(code: string): string {
  const [, level = '', unit = ''] = code.split('.');
  const kind = unit.replace(/_(per_day|lifetime)$/, '').replace('_', ' ');
  const what = code.startsWith('budget.') ? 'budget' : `cap on ${kind}`;
  const whose = { line_item: 'line item', campaign: 'campaign', advertiser: 'advertiser' }[level] ?? level;
  return `${unit.endsWith('per_day') ? 'daily ' : ''}${what} of the ${whose}`;
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
