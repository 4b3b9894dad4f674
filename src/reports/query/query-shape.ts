/**
 * Checks the shape of a query as it came in, with the sentences that Cube's gateway uses. Each check returns the fault, or null. The checks
 * are independent of the model.
 */
import { canonicalTimezone } from './local-time.ts';
import { FILTER_OPERATORS, RESPONSE_FORMATS } from './query.ts';

/** A member's full name; with a granularity behind it; and as a query can be ordered by it. */
export const MEMBER = /^[a-zA-Z0-9_]+\.[a-zA-Z0-9_]+$/;
const MEMBER_TEXT = '/^[a-zA-Z0-9_]+\\.[a-zA-Z0-9_]+$/';
export const TIMED_MEMBER = /^[a-zA-Z0-9_]+\.[a-zA-Z0-9_]+(\.[a-zA-Z0-9_]+)?$/;
const TIMED_MEMBER_TEXT = '/^[a-zA-Z0-9_]+\\.[a-zA-Z0-9_]+(\\.[a-zA-Z0-9_]+)?$/';
export const ORDER_MEMBER = /^[a-zA-Z0-9_]+(\.[a-zA-Z0-9_]+){0,2}$/;
const ORDER_MEMBER_TEXT =
  '/^[a-zA-Z0-9_]+\\.[a-zA-Z0-9_]+$|^[a-zA-Z0-9_]+$|^[a-zA-Z0-9_]+\\.[a-zA-Z0-9_]+\\.[a-zA-Z0-9_]+$/';
/** How fresh a response must be. */
export const CACHE_MODES = ['stale-if-slow', 'stale-while-revalidate', 'must-revalidate', 'no-cache'] as const;
/** Deepest tree of filters. */
export const FILTER_DEPTH_MAX = 16;
/** Most members, filters or values in one list: far above any sensible query, and still harmless. */
export const ITEMS_MAX = 1000;

/** Conditions in all filters of a request, however deep they stand, each once for every range that it is compared over. */
export const CONDITIONS_MAX = 1_000;

/** Values in all filters of a request, each once for every range and query: each becomes a part of a statement. */
export const FILTER_VALUES_MAX = 5_000;

/** Longest text that a filter compares with, in characters. */
export const FILTER_VALUE_CHARS_MAX = 10_000;
/** Time dimensions of one query: each may hold a text that is searched for a date. */
export const TIME_DIMENSIONS_MAX = 10;
/** Longest text of a date, in characters: as much as a search for a date reads. */
export const DATE_CHARS_MAX = 200;
/** Longest name of a granularity, in bytes. */
export const GRANULARITY_BYTES_MAX = 128;

type Check = (value: unknown, label: string) => string | null;

/** A JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fault in the shape of one query ("limit" must be a number); null for a valid shape. */
export function findShapeProblem(query: unknown): string | null {
  if (!isObject(query)) return '"value" must be of type object';
  for (const [key, check] of Object.entries(QUERY_KEYS)) {
    const value = query[key];
    if (value === undefined) continue;
    const problem = check(value, key);
    if (problem !== null) return problem;
  }
  const unknown = Object.keys(query).find((key) => !Object.hasOwn(QUERY_KEYS, key));
  return unknown === undefined ? null : `"${shorten(unknown)}" is not allowed`;
}

const anything: Check = () => null;

const isBoolean: Check = (value, label) =>
  typeof value === 'boolean' || value === 'true' || value === 'false' ? null : `"${label}" must be a boolean`;

const isCount: Check = (value, label) => {
  if (typeof value !== 'number' || Number.isNaN(value)) return `"${label}" must be a number`;
  if (!Number.isInteger(value)) return `"${label}" must be an integer`;
  if (!Number.isSafeInteger(value)) return `"${label}" must be a safe number`;
  return value < 0 ? `"${label}" must be greater than or equal to 0` : null;
};

function oneOf(allowed: readonly string[]): Check {
  return (value, label) =>
    typeof value === 'string' && allowed.includes(value) ? null : `"${label}" must be one of [${allowed.join(', ')}]`;
}

function listOf(item: Check, itemsMax: number = ITEMS_MAX): Check {
  return (value, label) => {
    if (!Array.isArray(value)) return `"${label}" must be an array`;
    if (value.length > itemsMax) return `"${label}" must contain less than or equal to ${itemsMax} items`;
    for (const [index, element] of value.entries()) {
      const problem = item(element, `${label}[${index}]`);
      if (problem !== null) return problem;
    }
    return null;
  };
}

function memberName(pattern: RegExp, patternText: string, types: string | null): Check {
  return (value, label) => {
    if (typeof value !== 'string')
      return types === null ? `"${label}" must be a string` : `"${label}" must be one of [${types}]`;
    if (value === '') return `"${label}" is not allowed to be empty`;
    if (pattern.test(value)) return null;
    return `"${label}" with value "${shorten(value)}" fails to match the required pattern: ${patternText}`;
  };
}

const isMember = memberName(MEMBER, MEMBER_TEXT, 'string, object');
const isTimedMember = memberName(TIMED_MEMBER, TIMED_MEMBER_TEXT, 'string, object');

const isFilter: Check = (value, label) =>
  isFilterTree(value, 0) ? null : `"${label}" does not match any of the allowed types`;

function isFilterTree(value: unknown, depth: number): boolean {
  if (!isObject(value) || depth > FILTER_DEPTH_MAX) return false;
  const keys = Object.keys(value);
  if ('or' in value || 'and' in value) {
    const items = value['or'] ?? value['and'];
    return (
      keys.length === 1 &&
      Array.isArray(items) &&
      items.length <= ITEMS_MAX &&
      items.every((item) => isFilterTree(item, depth + 1))
    );
  }
  if (keys.some((key) => !['member', 'dimension', 'operator', 'values'].includes(key))) return false;
  if ('member' in value === 'dimension' in value) return false;
  const member = value['member'] ?? value['dimension'];
  if (typeof member !== 'string' || !MEMBER.test(member)) return false;
  if (!(FILTER_OPERATORS as readonly unknown[]).includes(value['operator'])) return false;
  const values = value['values'];
  return values === undefined || (Array.isArray(values) && values.length <= ITEMS_MAX && values.every(isFilterValue));
}

/** The conditions of a filter tree. Its depth is bounded by its parser. */
export function countConditions(filters: unknown): number {
  if (!Array.isArray(filters)) return 0;
  let count = 0;
  for (const filter of filters as unknown[]) {
    const inner = isObject(filter) ? (filter['or'] ?? filter['and']) : undefined;
    count += inner === undefined ? 1 : countConditions(inner);
  }
  return count;
}

/** The values in a filter tree, as {@link countConditions}. */
export function countFilterValues(filters: unknown): number {
  if (!Array.isArray(filters)) return 0;
  let count = 0;
  for (const filter of filters as unknown[]) {
    if (!isObject(filter)) continue;
    const values = filter['values'];
    count += Array.isArray(values) ? values.length : countFilterValues(filter['or'] ?? filter['and']);
  }
  return count;
}

/** The first operator of a filter tree that does not exist; null when all do. Cube's sentence does not name it. */
export function findUnknownOperator(filters: unknown, depth: number = 0): string | null {
  if (depth > FILTER_DEPTH_MAX || !Array.isArray(filters)) return null;
  for (const filter of filters.slice(0, ITEMS_MAX)) {
    if (!isObject(filter)) continue;
    const { operator } = filter;
    if (typeof operator === 'string' && !(FILTER_OPERATORS as readonly string[]).includes(operator))
      return shorten(operator);
    const inner = findUnknownOperator(filter['or'] ?? filter['and'], depth + 1);
    if (inner !== null) return inner;
  }
  return null;
}

function isFilterValue(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' && value.length <= FILTER_VALUE_CHARS_MAX;
}

const isDateRange: Check = (value, label) => {
  if (typeof value === 'string')
    return value === '' ? `"${label}" is not allowed to be empty` : findDateTextProblem(value, label);
  if (!Array.isArray(value)) return `"${label}" must be one of [array, string]`;
  const strange = value.findIndex((item) => typeof item !== 'string');
  if (strange !== -1) return `"${label}[${strange}]" must be a string`;
  if (value.length < 1) return `"${label}" must contain at least 1 items`;
  if (value.length > 2) return `"${label}" must contain less than or equal to 2 items`;
  return (
    findDateTextProblem(String(value[0]), `${label}[0]`) ?? findDateTextProblem(String(value[1] ?? ''), `${label}[1]`)
  );
};

function findDateTextProblem(text: string, label: string): string | null {
  if (text.length <= DATE_CHARS_MAX) return null;
  return `"${label}" length must be less than or equal to ${DATE_CHARS_MAX} characters long`;
}

const isTimeDimension: Check = (value, label) => {
  if (!isObject(value)) return `"${label}" must be of type object`;
  if (value['dimension'] === undefined) return `"${label}.dimension" is required`;
  const member = memberName(MEMBER, MEMBER_TEXT, null)(value['dimension'], `${label}.dimension`);
  if (member !== null) return member;
  const { granularity, dateRange, compareDateRange } = value;
  if (granularity !== undefined && granularity !== null) {
    if (typeof granularity !== 'string') return `"${label}.granularity" must be a string`;
    if (granularity === '') return `"${label}.granularity" is not allowed to be empty`;
    if (Buffer.byteLength(granularity) > GRANULARITY_BYTES_MAX) {
      return `"${label}.granularity" length must be less than or equal to ${GRANULARITY_BYTES_MAX} characters long`;
    }
  }
  if (dateRange !== undefined && dateRange !== null) {
    const problem = isDateRange(dateRange, `${label}.dateRange`);
    if (problem !== null) return problem;
  }
  if (compareDateRange !== undefined) {
    const problem = listOf(isDateRange)(compareDateRange, `${label}.compareDateRange`);
    if (problem !== null) return problem;
  }
  const unknown = Object.keys(value).find((key) => !TIME_DIMENSION_KEYS.includes(key));
  if (unknown !== undefined) return `"${label}.${shorten(unknown)}" is not allowed`;
  if (dateRange === undefined || dateRange === null || compareDateRange === undefined) return null;
  return `"${label}" contains a conflict between optional exclusive peers [dateRange, compareDateRange]`;
};
const TIME_DIMENSION_KEYS = ['dimension', 'granularity', 'dateRange', 'compareDateRange'];

const isDirection = oneOf(['asc', 'desc']);

/** `{member: direction}`, `[[member, direction], …]`, or the `[{id, desc}, …]` that our own responses carry. */
const isOrder: Check = (value, label) => {
  if (Array.isArray(value)) return listOf(isOrderItem)(value, label);
  if (!isObject(value)) return `"${label}" must be one of [object, array]`;
  for (const [member, direction] of Object.entries(value)) {
    if (!ORDER_MEMBER.test(member)) return `"${label}.${shorten(member)}" is not allowed`;
    const problem = isDirection(direction, `${label}.${member}`);
    if (problem !== null) return problem;
  }
  return null;
};

const isOrderItem: Check = (value, label) => {
  if (isObject(value)) {
    return typeof value['id'] === 'string' && typeof value['desc'] === 'boolean' ? null : `"${label}" must be an array`;
  }
  if (!Array.isArray(value)) return `"${label}" must be an array`;
  if (value.length < 2) return `"${label}" must contain at least 2 items`;
  if (value.length > 2) return `"${label}" must contain at most 2 items`;
  return (
    memberName(ORDER_MEMBER, ORDER_MEMBER_TEXT, null)(value[0], `${label}[0]`) ?? isDirection(value[1], `${label}[1]`)
  );
};

const isTimezone: Check = (value, label) => {
  if (value === null) return null;
  if (value === '') return `"${label}" is not allowed to be empty`;
  if (typeof value !== 'string') return `"${label}" must be a string`;
  return canonicalTimezone(value) === null
    ? `"${label}" must be a valid IANA time zone, got "${shorten(value)}"`
    : null;
};

const isCacheMode: Check = (value) => (value === null ? null : oneOf(CACHE_MODES)(value, 'cacheMode'));

function findFiltersProblem(filters: unknown, label: string): string | null {
  if (countConditions(filters) > CONDITIONS_MAX) return `"${label}" must hold at most ${CONDITIONS_MAX} conditions`;
  const count = countFilterValues(filters);
  if (count <= FILTER_VALUES_MAX) return null;
  return `"${label}" must hold at most ${FILTER_VALUES_MAX} values in all, not ${count}: send several requests`;
}

const QUERY_KEYS: Readonly<Record<string, Check>> = {
  measures: listOf(isMember),
  dimensions: listOf(isTimedMember),
  filters: (value, label) => listOf(isFilter)(value, label) ?? findFiltersProblem(value, label),
  timeDimensions: listOf(isTimeDimension, TIME_DIMENSIONS_MAX),
  order: (value, label) => (value === null ? null : isOrder(value, label)),
  segments: listOf(isMember),
  timezone: isTimezone,
  limit: isCount,
  offset: isCount,
  total: isBoolean,
  cacheMode: isCacheMode,
  cache: isCacheMode,
  ungrouped: isBoolean,
  responseFormat: oneOf(RESPONSE_FORMATS),
  /** Sent by older clients, and by clients that send the query of a response again; without effect. */
  renewQuery: anything,
  rowLimit: anything,
  queryType: anything,
};

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
