import { wallTextAt } from '../../domain/time/time-zone.ts';
import { SQLSTATE, SqlError } from '../wire/sql-error.ts';

/** A filter of a report query, as POST /load reads it. */
export type ReportFilter =
  | { readonly member: string; readonly operator: string; readonly values?: readonly (string | null)[] }
  | { readonly and: readonly ReportFilter[] }
  | { readonly or: readonly ReportFilter[] };

/** A condition: known already, on times, or for the report. NULL counts as false, as at the end of every WHERE. */
export type Condition =
  | { readonly kind: 'constant'; readonly value: boolean }
  | TimeCondition
  | { readonly kind: 'filter'; readonly filter: ReportFilter }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] };

/** Times from `from` on and before `until`, on the clocks of the query. */
export interface TimeCondition {
  readonly kind: 'time';
  readonly member: string;
  readonly from: SqlTime | null;
  readonly until: SqlTime | null;
}

/** A time of a statement: what clocks show, or an instant by the clocks of the query. */
export type SqlTime = Temporal.PlainDateTime | Temporal.ZonedDateTime;

export const NEVER: Condition = { kind: 'constant', value: false };
export const ALWAYS: Condition = { kind: 'constant', value: true };

/** All or any of several conditions, with what is known left out. */
export function join(kind: 'and' | 'or', parts: readonly Condition[]): Condition {
  const decisive = kind === 'or';
  const open = parts.filter((part) => part.kind !== 'constant' || part.value === decisive);
  if (open.some((part) => part.kind === 'constant')) return { kind: 'constant', value: decisive };
  const [only] = open;
  if (only === undefined) return { kind: 'constant', value: !decisive };
  return open.length === 1 ? only : { kind, parts: open };
}

/** Characters of all values in the filters of a report: many of them can use one parameter. */
const FILTER_TEXT_MAX = 1_000_000;

/** @throws SqlError `54000` for filters that would be a huge request together */
export function checkFilters(filters: readonly ReportFilter[]): void {
  const open = [...filters];
  let length = 0;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if ('and' in one) open.push(...one.and);
    else if ('or' in one) open.push(...one.or);
    else for (const value of one.values ?? []) length += value?.length ?? 0;
  }
  if (length <= FILTER_TEXT_MAX) return;
  throw new SqlError(SQLSTATE.programLimit, `The conditions have more than ${FILTER_TEXT_MAX} characters of values.`, {
    hint: 'Write each value once, or use shorter lists.',
  });
}

/** What a report is restricted to. */
export interface Restriction {
  /** No row can fulfil it. */
  readonly isNever: boolean;
  readonly times: readonly TimeCondition[];
  readonly filters: readonly ReportFilter[];
}

/** Splits a condition into the time range that all rows lie in, and filters. */
export function restrictionOf(condition: Condition): Restriction {
  const parts = condition.kind === 'and' ? condition.parts.flatMap(flatten) : [condition];
  return {
    isNever: parts.some((part) => part.kind === 'constant' && !part.value),
    times: parts.filter((part) => part.kind === 'time'),
    filters: parts.flatMap((part) => (part.kind === 'time' || part.kind === 'constant' ? [] : [filterOf(part)])),
  };
}

function flatten(condition: Condition): readonly Condition[] {
  return condition.kind === 'and' ? condition.parts.flatMap(flatten) : [condition];
}

function filterOf(condition: Exclude<Condition, { kind: 'constant' }>): ReportFilter {
  if (condition.kind === 'filter') return condition.filter;
  if (condition.kind === 'time') {
    const { member, from, until } = condition;
    const bounds: ReportFilter[] = [];
    if (from !== null) bounds.push({ member, operator: 'gte', values: [textOf(from)] });
    if (until !== null) bounds.push({ member, operator: 'lt', values: [textOf(until)] });
    return { and: bounds };
  }
  // Constants inside were joined before.
  const parts = condition.parts.flatMap((part) => (part.kind === 'constant' ? [] : [filterOf(part)]));
  return condition.kind === 'and' ? { and: parts } : { or: parts };
}

/** `YYYY-MM-DDTHH:mm:ss.SSS`, with the offset of an instant where clocks show that time twice. */
export function textOf(time: SqlTime): string {
  if (time instanceof Temporal.ZonedDateTime) return wallTextAt(time.epochMilliseconds, time.timeZoneId);
  return time.toString({ fractionalSecondDigits: 3, roundingMode: 'trunc' });
}
