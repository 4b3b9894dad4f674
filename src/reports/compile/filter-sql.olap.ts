import { isDecimalId } from '../../domain/ids/ids.ts';
import { queryProblem } from '../model/member-index.ts';
import type { MemberType } from '../model/cube.ts';
import { parseIsoDate } from '../query/local-time.ts';
import { boundAfter, boundAt, type TimeBound } from '../query/time-bound.ts';
import type { FilterLeaf } from '../query/query.ts';
import type { ColumnSql } from './column.olap.ts';
import type { SqlParams } from './sql-params.ts';

/** The input of a condition. */
export interface FilterTarget {
  readonly column: ColumnSql;
  readonly type: MemberType;
}

/** The context of a condition. */
export interface FilterScope {
  readonly params: SqlParams;
  readonly timezone: string;
  /** Called with every instant that rows are compared with: roll-ups must be cut there. */
  onInstant(epochMs: number): void;
}

const BARE_DATE = /^\d{4}-\d{2}-\d{2}$/;
const NUMBER = /^[+-]?(\d{1,40})(?:\.(\d{1,18}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * The SQL of one condition. Several values: one of them (positive operators), none of them (negative ones). Negative operators
 * keep rows without a value unless null is among the values.
 * @throws PlacardError `invalid_request` for a value that does not fit the member's type
 */
export function compileFilter(leaf: FilterLeaf, target: FilterTarget, scope: FilterScope): string {
  const { operator } = leaf;
  const values = unique(leaf.values ?? []);
  switch (operator) {
    case 'set':
      return `NOT (${target.column.isNull})`;
    case 'notSet':
      return `(${target.column.isNull})`;
    case 'equals':
    case 'in':
      return target.column.isId === true
        ? isAnyId(values, target.column, scope)
        : positive(values, target, (given) => membership(given, target, scope));
    case 'notEquals':
    case 'notIn':
      return negative(values, target, (given) => `NOT (${membership(given, target, scope)})`);
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return positive(values, target, (given) => anyMatch(operator, given, target, scope));
    case 'notContains':
    case 'notStartsWith':
    case 'notEndsWith':
      return negative(values, target, (given) => `NOT (${anyMatch(POSITIVE_OF[operator], given, target, scope)})`);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return compare(operator, values, target, scope);
    case 'measureFilter':
      return '1';
    default:
      return compareDates(leaf, target, scope);
  }
}

const POSITIVE_OF = { notContains: 'contains', notStartsWith: 'startsWith', notEndsWith: 'endsWith' } as const;
type Values = readonly (string | null)[];

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
const isText = (value: string | null): value is string => value !== null;

function positive(values: Values, target: FilterTarget, build: (given: readonly string[]) => string): string {
  const given = values.filter(isText);
  const parts = [
    ...(given.length > 0 ? [`(NOT (${target.column.isNull}) AND ${build(given)})`] : []),
    ...(given.length < values.length ? [`(${target.column.isNull})`] : []),
  ];
  return `(${parts.join(' OR ')})`;
}

/** As {@link positive}: an id that is any of the values is a value. */
function isAnyId(values: Values, column: ColumnSql, scope: FilterScope): string {
  const any = idMembership(values.filter(isText), column.sql, scope);
  return values.includes(null) ? `(${any} OR ${column.isNull})` : `(${any})`;
}

function negative(values: Values, target: FilterTarget, build: (given: readonly string[]) => string): string {
  const given = values.filter(isText);
  const holds = given.length > 0 ? build(given) : '1';
  return given.length < values.length
    ? `(NOT (${target.column.isNull}) AND ${holds})`
    : `(${target.column.isNull} OR ${holds})`;
}

/** Exactly one of the values, case-sensitive. */
function membership(given: readonly string[], target: FilterTarget, scope: FilterScope): string {
  const { sql, text } = target.column;
  if (target.type === 'number') {
    return isAnyNumber(unique(given.map((value) => value.trim())), sql, scope);
  }
  if (target.type === 'time') {
    return `(${given.map((value) => withinMillisecond(value, sql, scope)).join(' OR ')})`;
  }
  if (target.column.isId === true) return idMembership(given, sql, scope);
  return `${text} IN (${given.map((value) => scope.params.bind('String', value)).join(', ')})`;
}

/**
 * Equal to one of the numbers. IN would not do: it takes no decimals beside integers and compares floats otherwise than `=`, and a chain of
 * `=` is made an IN by the store.
 */
function isAnyNumber(given: readonly string[], sql: string, scope: FilterScope): string {
  const [only = '', another] = given;
  if (another === undefined) return `(${sql} = ${bindNumber(only, scope)})`;
  const isFloat = (value: string): boolean => /e/i.test(value);
  const lists = [given.filter((value) => !isFloat(value)), given.filter(isFloat)].filter(({ length }) => length > 0);
  const tests = lists.map((values) => {
    const numbers = values.map((value) => bindNumber(value, scope)).join(', ');
    return `arrayExists(number -> ifNull(number = ${sql}, 0), [${numbers}])`;
  });
  return `(${tests.join(' OR ')})`;
}

/** Ids are compared as texts: a value in another notation matches no id. 0, which means no value, matches none. */
function idMembership(given: readonly string[], sql: string, scope: FilterScope): string {
  const ids = given.filter(isDecimalId);
  const [only] = ids;
  if (only === undefined) return '0';
  if (ids.length === 1) return `${sql} = ${scope.params.bind('UInt64', only)}`;
  return `${sql} IN (${ids.map((value) => scope.params.bind('UInt64', value)).join(', ')})`;
}

/** Case-insensitive; no pattern language, so nothing needs escaping. */
function anyMatch(
  operator: 'contains' | 'startsWith' | 'endsWith',
  given: readonly string[],
  target: FilterTarget,
  scope: FilterScope,
): string {
  const lower = `lowerUTF8(${target.column.text})`;
  const tests = given.map((value) => {
    const wanted = `lowerUTF8(${scope.params.bind('String', value)})`;
    return operator === 'contains' ? `position(${lower}, ${wanted}) > 0` : `${operator}(${lower}, ${wanted})`;
  });
  return `(${tests.join(' OR ')})`;
}

const SYMBOLS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** The first value counts. */
function compare(operator: keyof typeof SYMBOLS, values: Values, target: FilterTarget, scope: FilterScope): string {
  const value = values.find(isText);
  if (value === undefined) throw queryProblem('invalid_query', `The operator ${operator} needs a value.`);
  const { sql, text } = target.column;
  const present = `NOT (${target.column.isNull})`;
  if (target.type === 'time') {
    const date = parseIsoDate(value);
    const isAfter = operator === 'gt' || operator === 'lte';
    const bound = isAfter ? boundAfter(date, scope.timezone) : boundAt(date, scope.timezone);
    return `(${present} AND ${operator.startsWith('g') ? since(bound, sql, scope) : before(bound, sql, scope)})`;
  }
  if (target.type === 'number') return `(${present} AND ${sql} ${SYMBOLS[operator]} ${bindNumber(value, scope)})`;
  return `(${present} AND ${text} ${SYMBOLS[operator]} ${scope.params.bind('String', value)})`;
}

/** A range of written dates, both ends inclusive, as a condition on instants. */
export function withinRange(range: readonly [string, string], sql: string, scope: FilterScope): string {
  return `(${since(startOf(range[0], scope), sql, scope)} AND ${before(endOf(range[1], scope), sql, scope)})`;
}

function compareDates(leaf: FilterLeaf, target: FilterTarget, scope: FilterScope): string {
  const { sql } = target.column;
  const given = (leaf.values ?? []).filter(isText);
  const [first, last = first] = given;
  if (first === undefined || last === undefined) {
    throw queryProblem('invalid_date', `The operator ${leaf.operator} needs a date.`);
  }
  if (target.type !== 'time') {
    throw queryProblem(
      'invalid_query',
      `The operator ${leaf.operator} works on time dimensions only, not on ${leaf.member}.`,
    );
  }
  const present = `NOT (${target.column.isNull})`;
  switch (leaf.operator) {
    case 'beforeDate':
      return `(${present} AND ${before(startOf(first, scope), sql, scope)})`;
    case 'afterOrOnDate':
      return `(${present} AND ${since(startOf(first, scope), sql, scope)})`;
    case 'beforeOrOnDate':
      return `(${present} AND ${before(endOf(first, scope), sql, scope)})`;
    case 'afterDate':
      return `(${present} AND ${since(endOf(first, scope), sql, scope)})`;
    case 'notInDateRange':
      return `(${present} AND NOT ${withinRange([first, last], sql, scope)})`;
    default:
      return `(${present} AND ${withinRange([first, last], sql, scope)})`;
  }
}

/** The bound at which a written date begins. */
function startOf(text: string, { timezone }: FilterScope): TimeBound {
  return boundAt(parseIsoDate(text), timezone);
}

/** The bound after a written date: after its day when the date is bare, otherwise after its millisecond. */
function endOf(text: string, { timezone }: FilterScope): TimeBound {
  const date = parseIsoDate(text);
  return BARE_DATE.test(text)
    ? boundAt({ local: date.local.add({ days: 1 }), offset: null }, timezone)
    : boundAfter(date, timezone);
}

function withinMillisecond(text: string, sql: string, scope: FilterScope): string {
  const date = parseIsoDate(text);
  const [from, until] = [boundAt(date, scope.timezone), boundAfter(date, scope.timezone)];
  return `(${since(from, sql, scope)} AND ${before(until, sql, scope)})`;
}

/** Rows whose wall clock is at the bound or later. */
function since({ epochMs, repeated }: TimeBound, sql: string, scope: FilterScope): string {
  const later = `${sql} >= ${bindInstant(epochMs, scope)}`;
  if (repeated === null) return later;
  return `(${later} AND NOT ${isWithin(repeated, sql, scope)})`;
}

/** Rows whose wall clock is before the bound. */
function before({ epochMs, repeated }: TimeBound, sql: string, scope: FilterScope): string {
  const earlier = `${sql} < ${bindInstant(epochMs, scope)}`;
  if (repeated === null) return earlier;
  return `(${earlier} OR ${isWithin(repeated, sql, scope)})`;
}

function isWithin({ fromMs, untilMs }: NonNullable<TimeBound['repeated']>, sql: string, scope: FilterScope): string {
  return `(${sql} >= ${bindInstant(fromMs, scope)} AND ${sql} < ${bindInstant(untilMs, scope)})`;
}

function bindInstant(epochMs: number, scope: FilterScope): string {
  scope.onInstant(epochMs);
  return scope.params.bindInstant(epochMs);
}

/** @throws PlacardError `invalid_request` naming a text that is not a number */
function bindNumber(value: string, scope: FilterScope): string {
  const match = NUMBER.exec(value.trim());
  if (match === null)
    throw queryProblem(
      'invalid_query',
      `invalid input syntax for type numeric: ${JSON.stringify(value.slice(0, 100))}`,
    );
  const exponent = Number(match[3] ?? 0);
  if (exponent === 0) return `toDecimal256(${scope.params.bind('String', value.trim())}, 18)`;
  return scope.params.bind('Float64', Number(value));
}
