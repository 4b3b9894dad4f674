import type { LensState } from './lens-state.ts';
import { groupKeysOf, timeKeyOf } from './lens-query.ts';
import { groupKey, type ReportRow, toNumber } from './report-rows.ts';

/** Most lines or bars of one kind in a chart; the table below always has all. */
export const SERIES_MAX = 12;
/** Most places along an axis without time. */
export const CATEGORIES_MAX = 40;

/** One line of a chart: a measure of one group. */
export interface Series {
  readonly measure: string;
  /** The group's row, for its name; null when there is but one group. */
  readonly group: ReportRow | null;
  readonly values: readonly (number | null)[];
  /** Values of the comparison, at the same places. */
  readonly before: readonly (number | null)[] | null;
}

/** What line and bar charts draw. */
export interface ChartData {
  /** Rows that stand for the places along the axis. */
  readonly places: readonly ReportRow[];
  readonly placeKeys: readonly string[];
  readonly series: readonly Series[];
  readonly groupKeys: readonly string[];
  readonly seriesLeftOut: number;
  readonly placesLeftOut: number;
}

/** Rows, and for each the row that it is compared with. */
export interface ChartInput {
  readonly state: Pick<LensState, 'measures' | 'dimensions' | 'granularity'>;
  readonly rows: readonly ReportRow[];
  readonly before: readonly (ReportRow | null)[] | null;
  /** Every bucket of the range, so that days without rows are shown as such; null without time. */
  readonly buckets: readonly string[] | null;
}

/** Sorts rows into places (time, or the first dimension) and series (measures of what is left). */
export function arrangeSeries({ state, rows, before, buckets }: ChartInput): ChartData {
  const time = timeKeyOf(state);
  const placeKeys = time === null ? state.dimensions.slice(0, 1) : [time];
  const groupKeys = groupKeysOf(state).filter((key) => !placeKeys.includes(key));
  const allPlaces: ReportRow[] =
    time !== null && buckets !== null ? buckets.map((bucket) => ({ [time]: bucket })) : distinct(rows, placeKeys);
  const places = time === null ? allPlaces.slice(0, CATEGORIES_MAX) : allPlaces;
  const placeOf = new Map(places.map((row, place) => [groupKey(row, placeKeys), place]));
  const groups = largestGroups(rows, groupKeys, state.measures[0] ?? '');
  const perMeasure = Math.max(1, Math.floor(SERIES_MAX / Math.max(1, state.measures.length)));
  const shown = groups.slice(0, groupKeys.length === 0 ? 1 : perMeasure);
  const rowsByGroup = Map.groupBy(
    rows.map((row, index) => ({ row, other: before?.[index] ?? null })),
    ({ row }) => groupKey(row, groupKeys),
  );
  const series = state.measures.flatMap((measure) =>
    shown.map((group): Series => {
      const members = rowsByGroup.get(groupKey(group, groupKeys)) ?? [];
      const values = Array.from({ length: places.length }, (): number | null => null);
      const old = Array.from({ length: places.length }, (): number | null => null);
      for (const { row, other } of members) {
        const place = placeOf.get(groupKey(row, placeKeys));
        if (place === undefined) continue;
        values[place] = toNumber(row[measure]);
        old[place] = other === null ? null : toNumber(other[measure]);
      }
      return { measure, group: groupKeys.length === 0 ? null : group, values, before: before === null ? null : old };
    }),
  );
  return {
    places,
    placeKeys,
    series,
    groupKeys,
    seriesLeftOut: groups.length - shown.length,
    placesLeftOut: allPlaces.length - places.length,
  };
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
