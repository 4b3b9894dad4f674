import type { ArmDifference } from '../api/inventory/experiments.ts';

/** A difference in percent of the rest. */
export interface PercentDifference {
  readonly value: number;
  /** Null: there are too few days. */
  readonly low: number | null;
  readonly high: number | null;
}

/** A difference in percent of the rest; null where the rest had nothing, or no day is over. */
export function percentOf({ value, low, high, rest }: ArmDifference): PercentDifference | null {
  if (value === null || rest === null || rest === 0) return null;
  const percent = (one: number | null): number | null => (one === null ? null : (100 * one) / rest);
  return { value: (100 * value) / rest, low: percent(low), high: percent(high) };
}

/** What the revenue says: the interval holds 0, or lies on one side of it; with too few days it says nothing. */
export function verdictOf(difference: PercentDifference | null): 'early' | 'none' | 'less' | 'more' {
  if (difference === null || difference.low === null || difference.high === null) return 'early';
  if (difference.low <= 0 && difference.high >= 0) return 'none';
  return difference.high < 0 ? 'less' : 'more';
}

const STEPS = [1, 2, 5, 10, 20, 50, 100] as const;

/** The end of an axis from minus that to plus that, in percent: the least round number that holds every interval, at most 100. */
export function axisEnd(differences: readonly (PercentDifference | null)[]): number {
  const reach = Math.max(
    0,
    ...differences.flatMap((one) => (one === null ? [] : [one.value, one.low ?? 0, one.high ?? 0].map(Math.abs))),
  );
  return STEPS.find((step) => step >= reach) ?? 100;
}

/** Where a number stands on the axis, in percent of its width; what lies beyond stands at the end. */
export function positionOf(value: number, end: number): number {
  return 50 + (50 * Math.max(-end, Math.min(end, value))) / end;
}
