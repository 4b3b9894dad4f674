import { wallTextAt } from '../../domain/time/time-zone.ts';
import { queryProblem } from '../model/member-index.ts';
import { findNaturalDate } from './natural-date.ts';
import {
  endOf,
  formatLocal,
  parseIsoDate,
  isStorableYear,
  startOf,
  durationOf,
  unparsableDate,
  type CalendarUnit,
  type LocalTime,
} from './local-time.ts';
import { boundAt, lastMsOf } from './time-bound.ts';

/** The instant and the time zone of a query: relative dates depend on both. */
export interface QueryClock {
  readonly nowMs: number;
  /** IANA name of the query. */
  readonly timezone: string;
}

/**
 * First and last millisecond, inclusive, wall clock of the query's zone: `YYYY-MM-DDTHH:mm:ss.SSS`. A bound that was an instant carries its
 * offset (`…+02:00`) where clocks show its time twice.
 */
export type DateRange = readonly [start: string, end: string];

const UNIT = '(day|week|month|year|quarter|hour|minute|second)';
const ONE_UNIT = new RegExp(`(this|last|next)\\s+${UNIT}`);
const MANY_UNITS = new RegExp(`(last|next)\\s+(\\d{1,6})\\s+${UNIT}`);
const BARE_DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads a relative or written range ("last 7 days", "from 7 days ago to now", "May 2026").
 * @throws PlacardError `invalid_request` when it is none
 */
export function parseRelativeRange(input: string, clock: QueryClock): DateRange {
  try {
    const range = readRelativeRange(input, clock);
    if (range.every((bound) => isStorableYear(Number(bound.slice(0, 4))) && /^\d/.test(bound))) return range;
  } catch (error) {
    // The calendar ends long after the years that are kept.
    if (!(error instanceof RangeError)) throw error;
  }
  throw unparsableDate(input);
}

function readRelativeRange(input: string, clock: QueryClock): DateRange {
  const text = input.toLowerCase();
  const now = Temporal.Instant.fromEpochMilliseconds(clock.nowMs).toZonedDateTimeISO(clock.timezone);
  const one = ONE_UNIT.exec(text);
  if (one !== null) {
    const steps = one[1] === 'last' ? -1 : one[1] === 'next' ? 1 : 0;
    return unitRange(now, one[2] as CalendarUnit, steps, steps);
  }
  const many = MANY_UNITS.exec(text);
  if (many !== null) {
    const count = Number(many[2]);
    const [from, to] = many[1] === 'last' ? [-count, -1] : [1, count];
    return unitRange(now, many[3] as CalendarUnit, from, to);
  }
  const named = (
    [
      ['today', 0],
      ['yesterday', -1],
      ['tomorrow', 1],
    ] as const
  ).find(([word]) => text.includes(word));
  if (named !== undefined) return unitRange(now, 'day', named[1], named[1]);
  return parseWrittenRange(text, now.toPlainDateTime());
}

/**
 * Resolves the value of `dateRange`: a text, `[date]` or `[start, end]`. Bare dates are whole days.
 * @throws PlacardError `invalid_request` naming a text that is not a date
 */
export function resolveDateRange(input: string | readonly string[], clock: QueryClock): DateRange {
  if (typeof input === 'string') return parseRelativeRange(input, clock);
  const [start = '', end = start] = input;
  const range: DateRange = [
    resolveBound(start, '00:00:00.000', clock.timezone),
    resolveBound(end, '23:59:59.999', clock.timezone),
  ];
  if (!isInOrder(range, clock.timezone))
    throw queryProblem('invalid_date', `The dateRange ends before it begins: '${shorten(start)}' to '${shorten(end)}'`);
  return range;
}

function isInOrder([start, end]: DateRange, timezone: string): boolean {
  const [from, to] = [parseIsoDate(start), parseIsoDate(end)];
  if (from.offset === null && to.offset === null) return start <= end;
  return boundAt(from, timezone).epochMs <= lastMsOf(boundAt(to, timezone));
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** A date with an offset is an instant, read by the clocks of the query. */
function resolveBound(text: string, clockOfBareDate: string, timezone: string): string {
  const date = parseIsoDate(text);
  if (BARE_DATE.test(text)) return `${text}T${clockOfBareDate}`;
  if (date.offset === null) return formatLocal(date.local);
  return wallTextAt(boundAt(date, timezone).epochMs, timezone);
}

function unitRange(now: Temporal.ZonedDateTime, unit: CalendarUnit, from: number, to: number): DateRange {
  const first = now.add(durationOf(unit, from));
  const last = now.add(durationOf(unit, to));
  if (unit !== 'hour' && unit !== 'minute' && unit !== 'second') {
    return [formatLocal(startOf(unit, first.toPlainDateTime())), formatLocal(endOf(unit, last.toPlainDateTime()))];
  }
  const floor = { smallestUnit: unit, roundingMode: 'floor' } as const;
  const end = last.round(floor).add(durationOf(unit, 1)).subtract({ milliseconds: 1 });
  return [first.round(floor), end].map((at) => wallTextAt(at.epochMilliseconds, now.timeZoneId)) as [string, string];
}

function parseWrittenRange(text: string, now: LocalTime): DateRange {
  const exact = (['second', 'minute', 'hour'] as const).find((unit) => text.includes(unit)) ?? 'day';
  const [start, end] = findBounds(text, now);
  return [formatLocal(startOf(exact, start)), formatLocal(endOf(exact, end))];
}

function findBounds(text: string, now: LocalTime): [LocalTime, LocalTime] {
  // One expression for all of this would search a long text once for each ` to ` in it.
  if (text.startsWith('from ') && text.includes(' to ', 5) && !/[\n\r\u2028\u2029]/.test(text)) {
    const match = /^from(.{0,50})to(.{0,50})$/.exec(text);
    if (match === null) throw unparsableDate(text);
    return [findOne(match[1] ?? '', now), findOne(match[2] ?? '', now)];
  }
  const found = findNaturalDate(text, now);
  if (found === null) throw unparsableDate(text);
  return [found.start, found.end ?? found.start];
}

function findOne(text: string, now: LocalTime): LocalTime {
  const trimmed = text.trim();
  const found = findNaturalDate(trimmed, now);
  if (found === null) throw unparsableDate(trimmed);
  return found.start;
}
