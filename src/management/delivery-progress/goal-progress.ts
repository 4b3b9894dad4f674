import { localDay } from '../../domain/calendar.ts';
import type { Goal, GoalKind } from '../../domain/line-item.ts';
import type { StoredRow } from '../noun/field.ts';
import type { DeliveryFigures } from './delivery-figures.ts';

/** How far a line item is. `expected` and `pacingPercent` are null where nothing can be expected yet. */
export interface GoalProgress {
  readonly goal: number;
  readonly delivered: number;
  readonly expected: number | null;
  readonly percent: number;
  readonly pacingPercent: number | null;
}

const COUNTED: Readonly<Record<GoalKind, keyof Omit<DeliveryFigures, 'spendNanos'>>> = {
  IMPRESSIONS: 'impressions',
  VIEWABLE_IMPRESSIONS: 'viewableImpressions',
  CLICKS: 'clicks',
  CONVERSIONS: 'conversions',
};
const HOUR_MS = 3_600_000;

/** Measures a line item against its goal; null without one. Daily goals are measured over the local day, lifetime ones over the flight. */
export function measureProgress(
  row: StoredRow,
  now: {
    readonly lifetime: DeliveryFigures;
    readonly today: DeliveryFigures;
    readonly timezone: string;
    readonly nowMs: number;
  },
): GoalProgress | null {
  const goal = row['goal'] as Goal | null;
  if (goal === null) return null;
  const daily = goal.period === 'DAY';
  const delivered = (daily ? now.today : now.lifetime)[COUNTED[goal.kind]];
  const elapsed = daily ? dayElapsed(now.nowMs, now.timezone) : flightElapsed(row, now.nowMs);
  const expected = elapsed === null ? null : Math.round(goal.amount * elapsed);
  return {
    goal: goal.amount,
    delivered,
    expected,
    percent: toPercent(delivered, goal.amount),
    pacingPercent: expected === null || expected === 0 ? null : toPercent(delivered, expected),
  };
}

function toPercent(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 100;
}

/** 0…1 of the flight, null without an end. A flight without a start begins when the line item was made. */
function flightElapsed(row: StoredRow, nowMs: number): number | null {
  const endsAt = row['ends_at'];
  if (!(endsAt instanceof Date)) return null;
  const startsAt = row['starts_at'] instanceof Date ? row['starts_at'] : row.created_at;
  const length = endsAt.getTime() - startsAt.getTime();
  if (length <= 0) return 1;
  return Math.min(1, Math.max(0, (nowMs - startsAt.getTime()) / length));
}

/** 0…1 of the local day, right on days of 23 and 25 hours. */
function dayElapsed(nowMs: number, timezone: string): number {
  const day = localDay(nowMs, timezone);
  const startMs = edgeOf(nowMs - 26 * HOUR_MS, nowMs, (atMs) => localDay(atMs, timezone) === day);
  const endMs = edgeOf(nowMs, nowMs + 26 * HOUR_MS, (atMs) => localDay(atMs, timezone) !== day);
  return (nowMs - startMs) / (endMs - startMs);
}

/** The first millisecond in (low, high] from which on `holds` is true. `holds` must be false at `low` and true at `high`. */
function edgeOf(low: number, high: number, holds: (atMs: number) => boolean): number {
  let falseAt = low;
  let trueAt = high;
  while (trueAt - falseAt > 1) {
    const middle = Math.floor((falseAt + trueAt) / 2);
    if (holds(middle)) trueAt = middle;
    else falseAt = middle;
  }
  return trueAt;
}
