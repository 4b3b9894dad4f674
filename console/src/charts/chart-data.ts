import type { LensState } from '../reports/lens-state.ts';
import { groupKeysOf, timeKeyOf } from '../reports/lens-query.ts';
import { groupKey, type ReportRow, toNumber } from '../reports/report-rows.ts';

/** Most lines or bars of one kind in a chart; the table below always has all. */
export const SERIES_MAX = 12;
/** Most positions along an axis without time. */
export const CATEGORIES_MAX = 40;

/** One line of a chart: a measure of one group. */
export interface Series {
  readonly measure: string;
  /** The group's row, for its name; null when there is but one group. */
  readonly group: ReportRow | null;
  /** The sum of the groups that have no series of their own. */
  readonly isRest: boolean;
  readonly values: readonly (number | null)[];
  /** Values of the comparison, at the same positions. */
  readonly before: readonly (number | null)[] | null;
}

/** The data of line and bar charts. */
export interface ChartData {
  /** One row for each position along the axis. */
  readonly positions: readonly ReportRow[];
  readonly positionKeys: readonly string[];
  readonly series: readonly Series[];
  readonly groupKeys: readonly string[];
  readonly seriesLeftOut: number;
  readonly positionsLeftOut: number;
  /** The position whose time is not over yet; null: there is none. */
  readonly unfinished: number | null;
}

/** Rows, and for each the row that it is compared with. */
export interface ChartInput {
  readonly state: Pick<LensState, 'measures' | 'dimensions' | 'granularity'>;
  readonly rows: readonly ReportRow[];
  readonly before: readonly (ReportRow | null)[] | null;
  /** Every bucket of the range, so that days without rows are shown as such; null without time. */
  readonly buckets: readonly string[] | null;
  /** The position of the bucket whose time is not over yet; absent: there is none. */
  readonly unfinished?: number | null;
  /** Whether the groups of a measure add up; others have no sum of the rest. Absent: none does. */
  readonly isAdditive?: (measure: string) => boolean;
}

/** Sorts rows into positions (time, or the first dimension) and series (measures by the other dimensions). */
export function arrangeSeries({
  state,
  rows,
  before,
  buckets,
  unfinished = null,
  isAdditive = () => false,
}: ChartInput): ChartData {
  const time = timeKeyOf(state);
  const positionKeys = time === null ? state.dimensions.slice(0, 1) : [time];
  const groupKeys = groupKeysOf(state).filter((key) => !positionKeys.includes(key));
  const allPositions: ReportRow[] =
    time !== null && buckets !== null ? buckets.map((bucket) => ({ [time]: bucket })) : distinct(rows, positionKeys);
  const positions = time === null ? allPositions.slice(0, CATEGORIES_MAX) : allPositions;
  const positionOf = new Map(positions.map((row, position) => [groupKey(row, positionKeys), position]));
  const groups = largestGroups(rows, groupKeys, state.measures[0] ?? '');
  const sums = state.measures.filter(isAdditive);
  const perMeasure = Math.max(1, Math.floor(SERIES_MAX / Math.max(1, state.measures.length)));
  // One of them is the sum of the rest, where there is one.
  const fitting = groups.length > perMeasure && sums.length > 0 ? Math.max(1, perMeasure - 1) : perMeasure;
  const shown = groups.slice(0, groupKeys.length === 0 ? 1 : fitting);
  const rest = groupKeys.length === 0 ? [] : groups.slice(fitting);
  const rowsByGroup = Map.groupBy(
    rows.map((row, index) => ({ row, other: before?.[index] ?? null })),
    ({ row }) => groupKey(row, groupKeys),
  );
  const add = (measure: string, members: readonly ReportRow[]): Pick<Series, 'values' | 'before'> => {
    const values = Array.from({ length: positions.length }, (): number | null => null);
    const old = Array.from({ length: positions.length }, (): number | null => null);
    for (const { row, other } of members.flatMap((group) => rowsByGroup.get(groupKey(group, groupKeys)) ?? [])) {
      const position = positionOf.get(groupKey(row, positionKeys));
      if (position === undefined) continue;
      values[position] = sum(values[position], toNumber(row[measure]));
      old[position] = sum(old[position], other === null ? null : toNumber(other[measure]));
    }
    return { values, before: before === null ? null : old };
  };
  const series = state.measures.flatMap((measure): Series[] => [
    ...shown.map((group) => ({
      measure,
      group: groupKeys.length === 0 ? null : group,
      isRest: false,
      ...add(measure, [group]),
    })),
    ...(rest.length > 0 && sums.includes(measure) ? [{ measure, group: {}, isRest: true, ...add(measure, rest) }] : []),
  ]);
  return {
    positions,
    positionKeys,
    series,
    groupKeys,
    seriesLeftOut: sums.length === state.measures.length ? 0 : rest.length,
    positionsLeftOut: allPositions.length - positions.length,
    unfinished: time === null ? null : unfinished,
  };
}

function sum(one: number | null | undefined, other: number | null): number | null {
  return one === null || one === undefined ? other : other === null ? one : one + other;
}

function distinct(rows: readonly ReportRow[], keys: readonly string[]): ReportRow[] {
  return [...new Map(rows.map((row) => [groupKey(row, keys), row])).values()];
}

/** Groups with the most of a measure first: only to choose which ones are drawn. */
function largestGroups(rows: readonly ReportRow[], keys: readonly string[], measure: string): ReportRow[] {
  const sizes = new Map<string, { row: ReportRow; size: number }>();
  for (const row of rows) {
    const key = groupKey(row, keys);
    const known = sizes.get(key) ?? { row, size: 0 };
    known.size += toNumber(row[measure]) ?? 0;
    sizes.set(key, known);
  }
  return [...sizes.values()].sort((a, b) => b.size - a.size).map(({ row }) => row);
}
