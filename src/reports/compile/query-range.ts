import { queryProblem } from '../model/member-index.ts';
import type { CubeDefinition } from '../model/cube.ts';
import type { DateRange } from '../query/date-range.ts';
import { parseIsoDate } from '../query/local-time.ts';
import type { NormalizedQuery } from '../query/query.ts';
import { boundAfter, boundAt, lastMsOf } from '../query/time-bound.ts';

/** From the first to after the last instant that any dateRange of the query lets through; null without one. */
export function rangeInstants(query: NormalizedQuery): readonly [number, number] | null {
  const ranges = query.timeDimensions.flatMap((item) => (item.dateRange === undefined ? [] : [item.dateRange]));
  if (ranges.length === 0) return null;
  const spans = ranges.map((range) => spanOf(range, query.timezone));
  return [Math.min(...spans.map(([from]) => from)), Math.max(...spans.map(([, until]) => until))];
}

/** From the first to after the last instant of a range. */
function spanOf([from, to]: DateRange, timezone: string): readonly [number, number] {
  return [boundAt(parseIsoDate(from), timezone).epochMs, lastMsOf(boundAfter(parseIsoDate(to), timezone))];
}

const DAY_MS = 86_400_000;

/** Checks that a query has a dateRange, and none of more days than the cube allows. @throws PlacardError */
export function checkRange(cube: CubeDefinition, query: NormalizedQuery): void {
  if (cube.rangeDaysMax === null) return;
  const ranges = query.timeDimensions.flatMap((item) => (item.dateRange === undefined ? [] : [item.dateRange]));
  if (ranges.length === 0) {
    throw queryProblem(
      'date_range_required',
      'A dateRange is required: name one in timeDimensions, such as {"dimension": "campaign_overview.time", "dateRange": ["2026-01-01", "2026-01-31"]}.',
    );
  }
  for (const [from, to] of ranges) {
    const days = countDays([from, to], query.timezone);
    if (days > cube.rangeDaysMax) {
      throw queryProblem(
        'date_range_too_long',
        `The dateRange spans ${days} days (${from} to ${to}); at most ${cube.rangeDaysMax} days are allowed in one request.`,
      );
    }
  }
}

/** Days of a range by the calendar, or of 24 hours where that gives fewer: clocks that change do not make a range longer. */
function countDays([from, to]: DateRange, timezone: string): number {
  const wallMs = (text: string): number => parseIsoDate(text).local.toZonedDateTime('UTC').epochMilliseconds;
  const [start, end] = spanOf([from, to], timezone);
  return Math.ceil(Math.min(wallMs(to) + 1 - wallMs(from), end - start) / DAY_MS);
}
