/** A calendar date, `YYYY-MM-DD`, of no particular time zone. */
export type CalendarDate = string;

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a date that exists. */
export function isCalendarDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const parsed = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && toDate(parsed.getTime()) === text;
}

/** The date that clocks in `timezone` (IANA) show at an instant. */
export function dateIn(timezone: string, atMs: number): CalendarDate {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(atMs);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** A date moved by whole days, back when negative. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return toDate(toMs(date) + days * DAY_MS);
}

/** A date moved by whole months; past the end of a shorter month it becomes that month's last day. */
export function addMonths(date: CalendarDate, months: number): CalendarDate {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return toDate(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), Math.min(day, last)));
}

/** How many days a range has, both ends included. */
export function countDays(from: CalendarDate, to: CalendarDate): number {
  return Math.round((toMs(to) - toMs(from)) / DAY_MS) + 1;
}

/** The Monday of a date's week. */
export function startOfWeek(date: CalendarDate): CalendarDate {
  const weekday = new Date(toMs(date)).getUTCDay();
  return addDays(date, -((weekday + 6) % 7));
}

/** The first day of a date's month. */
export function startOfMonth(date: CalendarDate): CalendarDate {
  return `${date.slice(0, 7)}-01`;
}

/** Sizes of time buckets that the Lens offers. */
export type Granularity = 'hour' | 'day' | 'week' | 'month';

/** The starts of all buckets that a range touches, as the Reports API writes them (`2026-01-31T00:00:00.000`). At most 2,400. */
export function listBuckets(from: CalendarDate, to: CalendarDate, granularity: Granularity): string[] {
  const starts: string[] = [];
  let date = granularity === 'week' ? startOfWeek(from) : granularity === 'month' ? startOfMonth(from) : from;
  while (date <= to && starts.length < 2_400) {
    if (granularity === 'hour') {
      for (let hour = 0; hour < 24; hour += 1) starts.push(`${date}T${String(hour).padStart(2, '0')}:00:00.000`);
    } else starts.push(`${date}T00:00:00.000`);
    date = granularity === 'month' ? addMonths(date, 1) : addDays(date, granularity === 'week' ? 7 : 1);
  }
  return starts;
}

/** What clocks in `timezone` (IANA) show at an instant, as the Reports API writes it. */
export function clockIn(timezone: string, atMs: number): string {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(atMs);
  return `${dateIn(timezone, atMs)}T${time}.000`;
}

/** The position of the bucket that contains a moment by the same clocks: its values are not final. Null: none does. */
export function findUnfinished(buckets: readonly string[], granularity: Granularity, clock: string): number | null {
  const at = buckets.findLastIndex((start) => start <= clock);
  const start = buckets[at];
  if (start === undefined) return null;
  const date = start.slice(0, 10);
  if (granularity === 'hour') return start.slice(0, 13) === clock.slice(0, 13) ? at : null;
  const next = granularity === 'month' ? addMonths(date, 1) : addDays(date, granularity === 'week' ? 7 : 1);
  return clock.slice(0, 10) < next ? at : null;
}

function toMs(date: CalendarDate): number {
  return Date.parse(`${date}T00:00:00Z`);
}

function toDate(ms: number): CalendarDate {
  return new Date(ms).toISOString().slice(0, 10);
}
