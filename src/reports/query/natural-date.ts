import { durationOf, type CalendarUnit, type LocalTime } from './local-time.ts';

/** A date, or a range of two, that was found in a text. */
export interface NaturalDate {
  readonly start: LocalTime;
  readonly end: LocalTime | null;
}

const TEXT_MAX = 200;
const NUMBER_WORDS = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|an?'.split('|');
const NUMBER = `(\\d{1,6}|${NUMBER_WORDS.join('|')})`;
const UNIT = '(seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|quarters?|years?|yrs?)';
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\\.?';
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const WEEKDAY =
  '(sunday|monday|tuesday|wednesday|thursday|friday|saturday|sun|mon|tues|tue|wed|thurs|thur|thu|fri|sat)';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';

interface Form {
  readonly pattern: RegExp;
  /** The date that a match means, from the present wall clock; null when the numbers make no date. */
  readonly read: (match: RegExpExecArray, now: LocalTime) => LocalTime | null;
}

const form = (source: string, read: Form['read']): Form => ({
  pattern: new RegExp(`\\b${source}(?![\\w])`, 'g'),
  read,
});

const FORMS: readonly Form[] = [
  form(
    '(\\d{4})[-/](\\d{1,2})[-/](\\d{1,2})(?:[t ](\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.\\d+)?)?(?:z|[+-]\\d{2}:?\\d{2})?)?',
    (m) => makeDate(Number(m[1]), Number(m[2]), Number(m[3]), clockOf(m.slice(4, 7))),
  ),
  form('(\\d{1,2})/(\\d{1,2})/(\\d{4})', (m) => makeDate(Number(m[3]), Number(m[1]), Number(m[2]))),
  form(`${DAY}\\s+(?:of\\s+)?${MONTH}(?:,?\\s+(\\d{4}))?`, (m, now) => makeMonthDay(m[2], Number(m[1]), m[3], now)),
  form(`${MONTH}\\s+${DAY}(?:,?\\s+(\\d{4}))?`, (m, now) => makeMonthDay(m[1], Number(m[2]), m[3], now)),
  form(`${MONTH}(?:,?\\s+(\\d{4}))?`, (m, now) => makeMonthDay(m[1], 1, m[2], now)),
  form(`${NUMBER}\\s*${UNIT}\\s+(ago|before|earlier)`, (m, now) => move(now, m[1], m[2], -1)),
  form(`${NUMBER}\\s*${UNIT}\\s+(from\\s+now|later|after|from\\s+today)`, (m, now) => move(now, m[1], m[2], 1)),
  form(`in\\s+${NUMBER}\\s*${UNIT}`, (m, now) => move(now, m[1], m[2], 1)),
  form(`(last|past|next|this)\\s+${NUMBER}\\s*${UNIT}`, (m, now) =>
    move(now, m[2], m[3], m[1] === 'last' || m[1] === 'past' ? -1 : 1),
  ),
  form(`(?:(last|past|next|this)\\s+)?${WEEKDAY}`, (m, now) => makeWeekday(m[1], m[2], now)),
  form('(now|today|tonight)', (_m, now) => now),
  form('tomorrow', (_m, now) => now.add({ days: 1 })),
  form('yesterday', (_m, now) => now.subtract({ days: 1 })),
  form('(\\d{1,2}):(\\d{2})(?::(\\d{2}))?(?:\\s*(am|pm))?', (m, now) => makeClock(m, now)),
];

/**
 * Finds the first date in an English text ("15 May 2026", "2 weeks ago", "last monday", "May 1 2026 - May 10 2026"), as people
 * write them to Cube. What it does not know is null. The text must be lower case; at most 200 characters are looked at.
 */
export function findNaturalDate(text: string, now: LocalTime): NaturalDate | null {
  const looked = text.slice(0, TEXT_MAX);
  const first = findFirst(looked, now, 0);
  if (first === null) return null;
  const connector = /^\s*(?:to|-|–|~|until|through|till)\s*/.exec(looked.slice(first.end));
  if (connector === null) return { start: first.date, end: null };
  const from = first.end + connector[0].length;
  const second = findFirst(looked, now, from);
  return { start: first.date, end: second?.index === from ? second.date : null };
}

interface Found {
  readonly index: number;
  readonly end: number;
  readonly date: LocalTime;
}

function findFirst(text: string, now: LocalTime, from: number): Found | null {
  let best: Found | null = null;
  for (const { pattern, read } of FORMS) {
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    if (match === null) continue;
    const end = match.index + match[0].length;
    if (best !== null && (match.index > best.index || (match.index === best.index && end <= best.end))) continue;
    const date = read(match, now);
    if (date !== null) best = { index: match.index, end, date };
  }
  return best;
}

interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const NOON: Clock = { hour: 12, minute: 0, second: 0 };

function clockOf(parts: readonly (string | undefined)[]): Clock {
  if (parts[0] === undefined) return NOON;
  return { hour: Number(parts[0]), minute: Number(parts[1] ?? 0), second: Number(parts[2] ?? 0) };
}

function makeDate(year: number, month: number, day: number, clock: Clock = NOON): LocalTime | null {
  try {
    return Temporal.PlainDateTime.from({ year, month, day, ...clock }, { overflow: 'reject' });
  } catch {
    return null;
  }
}

/** Without a year: the year that puts the date closest to now. */
function makeMonthDay(
  month: string | undefined,
  day: number,
  year: string | undefined,
  now: LocalTime,
): LocalTime | null {
  const monthNumber = MONTHS.indexOf((month ?? '').slice(0, 3)) + 1;
  if (year !== undefined) return makeDate(Number(year), monthNumber, day);
  const candidates = [now.year, now.year + 1, now.year - 1].map((candidate) => makeDate(candidate, monthNumber, day));
  return candidates.reduce((best, candidate) => {
    if (best === null || candidate === null) return best ?? candidate;
    return distanceDays(candidate, now) < distanceDays(best, now) ? candidate : best;
  }, null);
}

function distanceDays(date: LocalTime, now: LocalTime): number {
  return Math.abs(now.until(date, { largestUnit: 'day' }).total({ unit: 'day', relativeTo: now }));
}

function makeWeekday(modifier: string | undefined, name: string | undefined, now: LocalTime): LocalTime {
  const wanted = WEEKDAYS.indexOf((name ?? '').slice(0, 3));
  const present = now.dayOfWeek % 7;
  const forward = (wanted - present + 7) % 7;
  const backward = forward - 7;
  const days = ((): number => {
    if (modifier === 'last' || modifier === 'past') return backward;
    if (modifier === 'this') return forward;
    if (modifier === 'next') return nextWeekdayDays(wanted, present, forward);
    return forward < -backward ? forward : backward;
  })();
  return now.add({ days }).with(NOON);
}

/** "next friday" is the one of the coming week, not of this one. */
function nextWeekdayDays(wanted: number, present: number, forward: number): number {
  if (present === 0) return wanted === 0 ? 7 : wanted;
  if (present === 6) return wanted === 6 ? 7 : wanted === 0 ? 8 : 1 + wanted;
  return wanted < present && wanted !== 0 ? forward : forward + 7;
}

function makeClock(match: RegExpExecArray, now: LocalTime): LocalTime | null {
  const clock = clockOf(match.slice(1, 4));
  const hour = match[4] === undefined ? clock.hour : (clock.hour % 12) + (match[4] === 'pm' ? 12 : 0);
  return makeDate(now.year, now.month, now.day, { ...clock, hour });
}

function move(now: LocalTime, count: string | undefined, unit: string | undefined, sign: 1 | -1): LocalTime {
  const word = NUMBER_WORDS.indexOf(count ?? '');
  const number = /^\d/.test(count ?? '') ? Number(count) : word >= 0 && word < 12 ? word + 1 : 1;
  return now.add(durationOf(unitOf(unit ?? 'day'), sign * number));
}

function unitOf(written: string): CalendarUnit {
  if (written.startsWith('sec')) return 'second';
  if (written.startsWith('min')) return 'minute';
  if (written.startsWith('h')) return 'hour';
  if (written.startsWith('w')) return 'week';
  if (written.startsWith('mo')) return 'month';
  if (written.startsWith('q')) return 'quarter';
  if (written.startsWith('y')) return 'year';
  return 'day';
}
