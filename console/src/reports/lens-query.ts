import type { CalendarDate } from './calendar.ts';
import { checkRange, comparisonRange, type DateRange, resolveRange } from './date-range.ts';
import { type LensFilter, type LensState, TIME_MEMBER } from './lens-state.ts';

/** A query in the form that the Reports API takes. */
export interface CubeQuery {
  readonly measures: readonly string[];
  readonly dimensions: readonly string[];
  readonly timeDimensions: readonly {
    readonly dimension: string;
    readonly dateRange: readonly [string, string];
    readonly granularity?: string;
  }[];
  readonly filters: readonly {
    readonly member: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
  readonly order: readonly (readonly [string, 'asc' | 'desc'])[];
  readonly timezone: string;
  readonly limit: number;
  readonly offset?: number;
  readonly total?: boolean;
}

/** Most rows of one response of the Reports API, and of one table. */
export const ROWS_MAX = 50_000;

/** When and where a state is looked at. */
export interface LensMoment {
  readonly today: CalendarDate;
  /** IANA name: the state's, or the network's. */
  readonly timezone: string;
}

/** A grouping of one query. `grain`: buckets of time too. */
interface Grouping {
  readonly dimensions: readonly string[];
  readonly grain: boolean;
}

/** All that is asked to draw one state. Totals are asked, never added up: a ratio of sums is not a sum of ratios. */
export interface LensQueries {
  readonly rows: CubeQuery;
  readonly totals: CubeQuery;
  /** Per row of a pivot, over its columns. */
  readonly rowTotals: CubeQuery | null;
  /** Per column of a pivot, over its rows. */
  readonly columnTotals: CubeQuery | null;
  /** The same of the dates that are compared with. */
  readonly comparison: Omit<LensQueries, 'comparison'> | null;
}

/** The queries of a state; null where there is nothing to ask: no metric, or dates that the Reports API refuses. */
export function askableQueries(state: LensState, moment: LensMoment): LensQueries | null {
  const isAskable = state.measures.length > 0 && checkRange(resolveRange(state.range, moment.today)) === null;
  return isAskable ? buildLensQueries(state, moment) : null;
}

/** The queries of a state. */
export function buildLensQueries(state: LensState, moment: LensMoment): LensQueries {
  const range = resolveRange(state.range, moment.today);
  const other = comparisonRange(range, state.comparison);
  const all: Grouping = { dimensions: state.dimensions, grain: state.granularity !== null };
  const none: Grouping = { dimensions: [], grain: false };
  const build = (dates: DateRange, grouping: Grouping): CubeQuery => buildQuery(state, moment, { dates, grouping });
  const pivot = state.pivot;
  const byPivot: Grouping =
    pivot === TIME_MEMBER
      ? { dimensions: [], grain: true }
      : { dimensions: pivot === null ? [] : [pivot], grain: false };
  const withoutPivot: Grouping = {
    dimensions: state.dimensions.filter((name) => name !== pivot),
    grain: all.grain && pivot !== TIME_MEMBER,
  };
  const buildAll = (dates: DateRange) => ({
    rows: build(dates, all),
    totals: build(dates, none),
    rowTotals: pivot === null ? null : build(dates, withoutPivot),
    columnTotals: pivot === null ? null : build(dates, byPivot),
  });
  return { ...buildAll(range), comparison: other === null ? null : buildAll(other) };
}

function buildQuery(
  state: LensState,
  { timezone }: LensMoment,
  { dates, grouping }: { dates: DateRange; grouping: Grouping },
): CubeQuery {
  const granularity = grouping.grain ? state.granularity : null;
  return {
    measures: state.measures,
    dimensions: grouping.dimensions,
    timeDimensions: [
      { dimension: TIME_MEMBER, dateRange: [dates.from, dates.to], ...(granularity === null ? {} : { granularity }) },
    ],
    filters: state.filters.filter(isComplete).map(toCubeFilter),
    order: buildOrder(state, grouping),
    timezone,
    limit: ROWS_MAX,
    total: true,
  };
}

/** The asked-for order first, then everything else that rows differ by: so that the pages of a long export neither overlap nor miss. */
function buildOrder(state: LensState, grouping: Grouping): [string, 'asc' | 'desc'][] {
  const grain = grouping.grain && state.granularity !== null;
  const groups = grain ? [TIME_MEMBER, ...grouping.dimensions] : [...grouping.dimensions];
  if (groups.length === 0) return [];
  const [firstMeasure] = state.measures;
  const chosen =
    state.order !== null && [...groups, ...state.measures].includes(state.order.member) ? state.order : null;
  const usual =
    grain || firstMeasure === undefined
      ? { member: groups[0] ?? '', descending: false }
      : { member: firstMeasure, descending: true };
  const first = chosen ?? usual;
  const rest = groups.filter((name) => name !== first.member).map((name): [string, 'asc'] => [name, 'asc']);
  return [[first.member, first.descending ? 'desc' : 'asc'], ...rest];
}

/** Whether a filter says something yet: one without values is still being written. */
export function isComplete(filter: LensFilter): boolean {
  return needsNoValue(filter.operator) || filter.values.some((value) => value !== '');
}

/** Operators that stand alone. */
export function needsNoValue(operator: LensFilter['operator']): boolean {
  return operator === 'set' || operator === 'notSet';
}

function toCubeFilter({ member, operator, values }: LensFilter): CubeQuery['filters'][number] {
  return needsNoValue(operator)
    ? { member, operator }
    : { member, operator, values: values.filter((value) => value !== '') };
}

/** The key of a row's time bucket, for a state; null without granularity. */
export function timeKeyOf(state: Pick<LensState, 'granularity'>): string | null {
  return state.granularity === null ? null : `${TIME_MEMBER}.${state.granularity}`;
}

/** The keys by which rows of a state differ, as rows name them. */
export function groupKeysOf(state: Pick<LensState, 'granularity' | 'dimensions'>): string[] {
  const time = timeKeyOf(state);
  return time === null ? [...state.dimensions] : [time, ...state.dimensions];
}
