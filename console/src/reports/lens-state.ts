import { type Granularity, isCalendarDate } from './calendar.ts';
import { type Comparison, COMPARISONS, isRangePreset, type RangeChoice } from './date-range.ts';

/** How a result is drawn. `table` alone, or a chart with the table below it. */
export const CHARTS = ['table', 'line', 'bar', 'stacked', 'pie', 'heatmap', 'number'] as const;
export type Chart = (typeof CHARTS)[number];

/** Operators that the Lens offers; the Reports API knows more. */
export const FILTER_OPERATORS = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'set',
  'notSet',
  'gt',
  'gte',
  'lt',
  'lte',
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** One condition. Members carry their cube: `campaign_overview.country`. */
export interface LensFilter {
  readonly member: string;
  readonly operator: FilterOperator;
  readonly values: readonly string[];
}

/** Everything that the Lens shows follows from this, and this is all in the address. */
export interface LensState {
  readonly measures: readonly string[];
  readonly dimensions: readonly string[];
  readonly granularity: Granularity | null;
  readonly range: RangeChoice;
  readonly comparison: Comparison;
  readonly filters: readonly LensFilter[];
  readonly order: { readonly member: string; readonly descending: boolean } | null;
  /** IANA name; null: the network's. */
  readonly timezone: string | null;
  readonly chart: Chart;
  /** The dimension (one of `dimensions`, or the time) whose values become columns. */
  readonly pivot: string | null;
}

/** Members of this cube are written without its name. */
export const DEFAULT_CUBE = 'campaign_overview';
export const TIME_MEMBER = `${DEFAULT_CUBE}.time`;
const MEMBERS_MAX = 20;
const FILTERS_MAX = 20;
const VALUES_MAX = 100;
const GRANULARITIES: readonly string[] = ['hour', 'day', 'week', 'month'];

/** The initial state. */
export const DEFAULT_LENS: LensState = {
  measures: ['impressions', 'clicks', 'ctr', 'revenue'].map((name) => `${DEFAULT_CUBE}.${name}`),
  dimensions: [],
  granularity: 'day',
  range: 'last_30_days',
  comparison: 'none',
  filters: [],
  order: null,
  timezone: null,
  chart: 'line',
  pivot: null,
};

/** Whether a state has a chart that the chart library draws. */
export function isDrawn({ chart }: Pick<LensState, 'chart'>): boolean {
  return chart !== 'table' && chart !== 'number';
}

/** The address's parameters that belong to the Lens. */
export const LENS_PARAMS = ['m', 'd', 'g', 'r', 'c', 'f', 's', 'tz', 'v', 'p'] as const;

/** Address parameters, by name. */
export type LensParams = Partial<Record<(typeof LENS_PARAMS)[number], string>>;

/** Writes a state as address parameters; what is at its default is left out. */
export function writeLensParams(state: LensState): LensParams {
  const all: Record<(typeof LENS_PARAMS)[number], string> = {
    m: state.measures.map(shorten).join(','),
    d: state.dimensions.map(shorten).join(','),
    g: state.granularity ?? 'none',
    r: typeof state.range === 'string' ? state.range : `${state.range.from}..${state.range.to}`,
    c: state.comparison,
    f: state.filters.map(writeFilter).join(';'),
    s: state.order === null ? '' : `${state.order.descending ? '-' : ''}${shorten(state.order.member)}`,
    tz: state.timezone ?? '',
    v: state.chart,
    p: state.pivot === null ? '' : shorten(state.pivot),
  };
  const written = Object.entries(all) as [(typeof LENS_PARAMS)[number], string][];
  return Object.fromEntries(written.filter(([name, value]) => value !== DEFAULT_TEXTS[name])) as LensParams;
}

/** Reads a state from address parameters. Whatever makes no sense falls back to its default: an address never breaks the page. */
export function readLensParams(params: LensParams): LensState {
  const base = DEFAULT_LENS;
  const dimensions = params.d === undefined ? base.dimensions : readMembers(params.d);
  const granularity =
    params.g === undefined ? base.granularity : GRANULARITIES.includes(params.g) ? (params.g as Granularity) : null;
  const pivot = params.p === undefined || params.p === '' ? null : lengthen(params.p);
  return {
    measures: params.m === undefined ? base.measures : readMembers(params.m),
    dimensions,
    granularity,
    range: readRange(params.r),
    comparison: oneOf(COMPARISONS, params.c) ?? base.comparison,
    filters: params.f === undefined ? [] : params.f.split(';').slice(0, FILTERS_MAX).flatMap(readFilter),
    order: readOrder(params.s),
    timezone: params.tz === undefined || !isTimezone(params.tz) ? null : params.tz,
    chart: oneOf(CHARTS, params.v) ?? base.chart,
    pivot:
      pivot !== null && (dimensions.includes(pivot) || (pivot === TIME_MEMBER && granularity !== null)) ? pivot : null,
  };
}

/** `campaign_overview.clicks` → `clicks`; members of other cubes stay whole. */
function shorten(member: string): string {
  return member.startsWith(`${DEFAULT_CUBE}.`) ? member.slice(DEFAULT_CUBE.length + 1) : member;
}

function lengthen(name: string): string {
  return name.includes('.') ? name : `${DEFAULT_CUBE}.${name}`;
}

function readMembers(text: string): string[] {
  const names = text.split(',').filter((name) => /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)?$/.test(name));
  return [...new Set(names.map(lengthen))].slice(0, MEMBERS_MAX);
}

function readRange(text: string | undefined): RangeChoice {
  if (text === undefined) return DEFAULT_LENS.range;
  if (isRangePreset(text)) return text;
  const [from = '', to = ''] = text.split('..');
  return isCalendarDate(from) && isCalendarDate(to) && from <= to ? { from, to } : DEFAULT_LENS.range;
}

function writeFilter({ member, operator, values }: LensFilter): string {
  return [shorten(member), operator, ...values.map(escapePart)].join('~');
}

function readFilter(text: string): LensFilter[] {
  const [name = '', operatorText, ...values] = text.split('~');
  const [member] = readMembers(name);
  const operator = oneOf(FILTER_OPERATORS, operatorText);
  return member === undefined || operator === null
    ? []
    : [{ member, operator, values: values.slice(0, VALUES_MAX).map(unescapePart) }];
}

function readOrder(text: string | undefined): LensState['order'] {
  if (text === undefined || text === '') return null;
  const descending = text.startsWith('-');
  const [member] = readMembers(descending ? text.slice(1) : text);
  return member === undefined ? null : { member, descending };
}

/** `~` and `;` part the pieces, so that inside a value they are written as `!1` and `!2`. */
function escapePart(value: string): string {
  return value.replaceAll('!', '!0').replaceAll('~', '!1').replaceAll(';', '!2');
}

function unescapePart(text: string): string {
  return text.replaceAll('!2', ';').replaceAll('!1', '~').replaceAll('!0', '!');
}

function oneOf<T extends string>(all: readonly T[], text: string | undefined): T | null {
  return all.find((one) => one === text) ?? null;
}

/** Whether this browser knows an IANA zone of this name. */
export function isTimezone(name: string): boolean {
  if (name === '') return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const DEFAULT_TEXTS: Readonly<Record<string, string>> = {
  m: DEFAULT_LENS.measures.map(shorten).join(','),
  d: '',
  g: 'day',
  r: 'last_30_days',
  c: 'none',
  f: '',
  s: '',
  tz: '',
  v: 'line',
  p: '',
};
