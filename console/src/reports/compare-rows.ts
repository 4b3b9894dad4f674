import { type Granularity, listBuckets } from './calendar.ts';
import type { DateRange } from './date-range.ts';
import { groupKey, type ReportRow, toNumber } from './report-rows.ts';

/** Pairs rows of one group whose buckets have the same position in their ranges. */
export interface ComparisonPlan {
  readonly dimensions: readonly string[];
  readonly timeKey: string | null;
  readonly granularity: Granularity | null;
  readonly current: DateRange;
  readonly other: DateRange;
}

/** Finds the row to compare with, for each row; null where there was nothing. */
export function matchComparison(
  rows: readonly ReportRow[],
  others: readonly ReportRow[],
  plan: ComparisonPlan,
): (ReportRow | null)[] {
  const positionsNow = bucketPositions(plan, plan.current);
  const positionsThen = bucketPositions(plan, plan.other);
  const keyOf = (row: ReportRow, positions: ReadonlyMap<string, number>): string => {
    const bucket =
      plan.timeKey === null
        ? ''
        : String(positions.get(String(row[plan.timeKey])) ?? `at ${String(row[plan.timeKey])}`);
    return `${bucket} ${groupKey(row, plan.dimensions)}`;
  };
  const byKey = new Map(others.map((row) => [keyOf(row, positionsThen), row]));
  return rows.map((row) => byKey.get(keyOf(row, positionsNow)) ?? null);
}

/** Rows of several groupings with those that they are compared with. */
export type ComparedRows = ReadonlyMap<ReportRow, ReportRow>;

/** The rows of a pivot and its totals, each with its row of the other dates. Rows that had none are left out. */
export function comparePivot(
  groupings: readonly {
    readonly rows: readonly ReportRow[];
    readonly others: readonly ReportRow[];
    readonly dimensions: readonly string[];
    readonly timeKey: string | null;
  }[],
  plan: Pick<ComparisonPlan, 'granularity' | 'current' | 'other'>,
): ComparedRows {
  const pairs = groupings.flatMap(({ rows, others, dimensions, timeKey }) => {
    const found = matchComparison(rows, others, { ...plan, dimensions, timeKey });
    return rows.flatMap((row, at) => {
      const other = found[at] ?? null;
      return other === null ? [] : [[row, other] as const];
    });
  });
  return new Map(pairs);
}

function bucketPositions({ granularity }: ComparisonPlan, range: DateRange): Map<string, number> {
  if (granularity === null) return new Map();
  return new Map(listBuckets(range.from, range.to, granularity).map((bucket, position) => [bucket, position]));
}

/** Relative change in per cent; null when there is nothing to relate to. */
export function changePercent(now: ReportRow[string] | undefined, then: ReportRow[string] | undefined): number | null {
  const [current, before] = [toNumber(now), toNumber(then)];
  if (current === null || before === null || before === 0) return null;
  return ((current - before) / Math.abs(before)) * 100;
}
