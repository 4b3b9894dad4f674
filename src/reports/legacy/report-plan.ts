import { PlacardError, type FieldProblem } from '../../domain/errors.ts';
import type { ProblemCode } from '../../domain/problem-codes.ts';
import type { ReportTaskAttributes } from '../../domain/reporting/report-task.ts';
import type { CubeDefinition } from '../model/cube.ts';
import { parseRelativeRange, type DateRange } from '../query/date-range.ts';
import { readIdValues } from '../query/id-values.ts';
import { canonicalTimezone, readIsoDate } from '../query/local-time.ts';
import type { NormalizedQuery } from '../query/query.ts';
import {
  FILTER_TYPES,
  legacyDimensions,
  legacyMetrics,
  RANGE_DAYS_MAX,
  RANGE_NAMES,
  type LegacyDefinition,
  type LegacyFilterType,
  type LegacyGranularity,
} from './definitions.ts';

/**
 * The plan of a report: defaults filled in, everything checked, dates resolved. Stored with its task, so that every try computes the same.
 */
export interface ReportPlan {
  /** IANA name. */
  readonly timezone: string;
  /** First and last millisecond, wall clock of `timezone`. */
  readonly range: DateRange;
  readonly granularity: LegacyGranularity;
  readonly split: readonly string[];
  /** As the client named them. */
  readonly metrics: readonly string[];
  readonly filters: readonly ReportPlanFilter[];
}

/** A query of the Reports API that a schedule runs: normalized, dates resolved. */
export interface SavedQueryPlan {
  readonly savedQuery: NormalizedQuery;
}

/** The stored plan of a task. */
export type StoredPlan = ReportPlan | SavedQueryPlan;

/** One condition on one dimension. */
export interface ReportPlanFilter {
  readonly dimension: string;
  readonly type: LegacyFilterType;
  readonly values: readonly string[];
}

/** The context in which attributes are parsed. */
export interface PlanClock {
  readonly nowMs: number;
  /** The network's own zone, for reports that name none. */
  readonly timezoneDefault: string;
  /** The members that the network can query. */
  readonly cube: CubeDefinition;
}

const SPLIT_MAX = 20;
const METRICS_MAX = 50;
const FILTERS_MAX = 50;
const FILTER_VALUES_MAX = 1_000;
const FILTER_VALUE_LENGTH_MAX = 1_000;
const DAY_MS = 86_400_000;
const WRITTEN_DATE = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}:\d{2})?$/;
const COUNTED_RANGE = /^last_([1-9]\d{0,2})_(day|week|month)s$/;

/** Collects the faults, so that a client learns of all of them together. */
class Problems {
  readonly found: FieldProblem[] = [];

  add(path: string, code: ProblemCode, message: string): void {
    this.found.push({ path: `task.attributes.${path}`, code, message });
  }
}

/**
 * Reads the attributes of a task (conformance R5).
 * @throws PlacardError `validation_failed` with every wrong attribute, named with its value
 */
export function readPlan(definition: LegacyDefinition, attributes: ReportTaskAttributes, clock: PlanClock): ReportPlan {
  const problems = new Problems();
  const dimensions = legacyDimensions(clock.cube);
  const timezone = readTimezone(attributes.timezone, clock, problems);
  const plan: ReportPlan = {
    timezone,
    range: readRange(attributes.date_range, { nowMs: clock.nowMs, timezone }, problems),
    granularity: readGranularity(definition, attributes.granularity, problems),
    split: readNames(attributes.split, {
      path: 'split',
      kind: 'dimension',
      known: dimensions,
      fallback: definition.splitDefault,
      max: SPLIT_MAX,
      problems,
    }),
    metrics: readMetrics(definition, attributes.metric, { known: legacyMetrics(clock.cube), problems }),
    filters: readFilters(attributes.filters, clock.cube, problems),
  };
  if (problems.found.length > 0) throw refusal(problems.found);
  return plan;
}

function refusal(fields: readonly FieldProblem[]): PlacardError {
  return new PlacardError('validation_failed', fields.map(({ message }) => message).join(' '), { fields });
}

function readTimezone(given: string | null | undefined, clock: PlanClock, problems: Problems): string {
  if (given === null || given === undefined) return clock.timezoneDefault;
  const known = canonicalTimezone(given);
  if (known !== null) return known;
  problems.add(
    'timezone',
    'unknown_timezone',
    `Unknown timezone ${quote(given)}: give an IANA name such as Europe/Warsaw.`,
  );
  return 'UTC';
}

type GivenRange = ReportTaskAttributes['date_range'];

function readRange(given: GivenRange, clock: { nowMs: number; timezone: string }, problems: Problems): DateRange {
  const nothing: DateRange = ['', ''];
  if (given === null || given === undefined) {
    problems.add('date_range', 'required', 'date_range is required: give kind, date_from and date_to.');
    return nothing;
  }
  const kind = given.kind ?? 'static';
  const relative = kind === 'dynamic' ? relativeName(given) : isRelativeName(kind) ? kind : null;
  if (kind !== 'static' && kind !== 'dynamic' && relative === null) {
    problems.add('date_range.kind', 'unknown_kind', `Unknown date_range kind ${quote(kind)}: give static or dynamic.`);
    return nothing;
  }
  if (relative !== null && !isRelativeName(relative)) {
    problems.add(
      'date_range.date_from',
      'invalid_date',
      `${quote(relative)} is neither a date (YYYY-MM-DD HH:MM:SS) nor a relative range such as last_7_days.`,
    );
    return nothing;
  }
  const range =
    relative === null ? readDates(given, problems) : parseRelativeRange(relative.replaceAll('_', ' '), clock);
  if (range === null) return nothing;
  checkSpan(range, problems);
  return range;
}

/** The text of a dynamic range; null when the range has dates. */
function relativeName(given: NonNullable<GivenRange>): string | null {
  const from = given.date_from ?? null;
  if (from === null || /^\d/.test(from)) return null;
  return from;
}

function isRelativeName(name: string): boolean {
  return (RANGE_NAMES as readonly string[]).includes(name) || COUNTED_RANGE.test(name);
}

function readDates(given: NonNullable<GivenRange>, problems: Problems): DateRange | null {
  const from = readDate('date_from', given.date_from, ['00:00:00', '.000'], problems);
  const to = readDate('date_to', given.date_to, ['23:59:59', '.999'], problems);
  if (from === null || to === null) return null;
  if (from <= to) return [from, to];
  problems.add(
    'date_range.date_to',
    'invalid_date',
    `date_to ${quote(given.date_to ?? '')} is before date_from ${quote(given.date_from ?? '')}.`,
  );
  return null;
}

/** `rest`: the clock of a bare date, and the milliseconds of any. */
function readDate(
  name: 'date_from' | 'date_to',
  given: string | null | undefined,
  rest: readonly [string, string],
  problems: Problems,
): string | null {
  if (given === null || given === undefined || given === '') {
    problems.add(`date_range.${name}`, 'required', `${name} is required: give it as YYYY-MM-DD HH:MM:SS.`);
    return null;
  }
  if (!WRITTEN_DATE.test(given) || readIsoDate(given) === null) {
    problems.add(
      `date_range.${name}`,
      'invalid_date',
      `${name} ${quote(given)} is not a date: give it as YYYY-MM-DD HH:MM:SS.`,
    );
    return null;
  }
  const clock = given.length > 10 ? given.slice(11) : rest[0];
  return `${given.slice(0, 10)}T${clock}${rest[1]}`;
}

function checkSpan([from, to]: DateRange, problems: Problems): void {
  const days = Math.ceil((Date.parse(`${to}Z`) + 1 - Date.parse(`${from}Z`)) / DAY_MS);
  if (days <= RANGE_DAYS_MAX) return;
  problems.add(
    'date_range',
    'range_too_long',
    `date_range spans ${days} days; at most ${RANGE_DAYS_MAX} are allowed in one report.`,
  );
}

function readGranularity(
  definition: LegacyDefinition,
  given: string | null | undefined,
  problems: Problems,
): LegacyGranularity {
  if (given === null || given === undefined) return definition.granularityDefault;
  const known = definition.granularities.find((name) => name === given);
  if (known !== undefined) return known;
  const allowed = definition.granularities.join(', ');
  problems.add(
    'granularity',
    'unknown_granularity',
    `Unknown granularity ${quote(given)}: ${definition.name} takes ${allowed}.`,
  );
  return definition.granularityDefault;
}

interface NameList {
  readonly path: string;
  readonly kind: 'dimension' | 'metric';
  readonly known: readonly string[];
  readonly fallback: readonly string[];
  readonly max: number;
  readonly problems: Problems;
}

function readNames(given: readonly string[] | null | undefined, list: NameList): readonly string[] {
  if (given === null || given === undefined) return list.fallback;
  if (given.length > list.max) {
    list.problems.add(list.path, 'too_many', `${list.path} may name at most ${list.max} of them.`);
    return list.fallback;
  }
  for (const [position, name] of given.entries()) {
    if (list.known.includes(name)) continue;
    list.problems.add(`${list.path}[${position}]`, `unknown_${list.kind}`, `Unknown ${list.kind} ${quote(name)}.`);
  }
  return [...new Set(given)];
}

function readMetrics(
  definition: LegacyDefinition,
  given: readonly string[] | null | undefined,
  { known, problems }: { readonly known: readonly string[]; readonly problems: Problems },
): readonly string[] {
  const names = readNames(given, {
    path: 'metric',
    kind: 'metric',
    known,
    fallback: definition.metricDefault,
    max: METRICS_MAX,
    problems,
  });
  return names.length === 0 ? definition.metricDefault : names;
}

function readFilters(
  given: ReportTaskAttributes['filters'],
  cube: CubeDefinition,
  problems: Problems,
): ReportPlanFilter[] {
  if (given === null || given === undefined) return [];
  if (given.length > FILTERS_MAX) {
    problems.add('filters', 'too_many', `filters may have at most ${FILTERS_MAX} of them.`);
    return [];
  }
  const dimensions = legacyDimensions(cube);
  return given.map((filter, position) => {
    const path = `filters[${position}]`;
    const { dimension = '', type } = filter;
    if (dimension === null || !dimensions.includes(dimension)) {
      problems.add(`${path}.dimension`, 'unknown_dimension', `Unknown dimension ${quote(dimension ?? '')}.`);
    }
    const read = {
      dimension: dimension ?? '',
      type: readFilterType(type, path, problems),
      values: readFilterValues(filter.values, path, problems),
    };
    const problem = idProblem(read, cube);
    if (problem !== null) problems.add(`${path}.values`, 'invalid_values', problem);
    return read;
  });
}

/** What is wrong with the global ids among the values of a filter; null: nothing. The query itself takes them. */
function idProblem({ dimension, type, values }: ReportPlanFilter, { dimensions }: CubeDefinition): string | null {
  const definition = Object.hasOwn(dimensions, dimension) ? dimensions[dimension] : undefined;
  const leaf = { member: dimension, operator: FILTER_TYPES[type], values };
  return definition === undefined ? null : readIdValues(leaf, definition).problem;
}

function readFilterType(given: string | null | undefined, path: string, problems: Problems): LegacyFilterType {
  if (given === null || given === undefined) return 'in';
  if (Object.hasOwn(FILTER_TYPES, given)) return given as LegacyFilterType;
  const allowed = Object.keys(FILTER_TYPES).join(', ');
  problems.add(`${path}.type`, 'unknown_filter_type', `Unknown filter type ${quote(given)}: give one of ${allowed}.`);
  return 'in';
}

function readFilterValues(
  given: readonly { readonly value?: string | null | undefined }[] | null | undefined,
  path: string,
  problems: Problems,
): string[] {
  const values = (given ?? []).map(({ value }) => value ?? null);
  const isUsable = values.every((value) => value !== null && value.length <= FILTER_VALUE_LENGTH_MAX);
  if (values.length > 0 && values.length <= FILTER_VALUES_MAX && isUsable) return values.map((value) => value ?? '');
  problems.add(
    `${path}.values`,
    'invalid_values',
    `A filter needs 1 to ${FILTER_VALUES_MAX} values, each {"value": "…"} of at most ${FILTER_VALUE_LENGTH_MAX} characters.`,
  );
  return [];
}

function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
