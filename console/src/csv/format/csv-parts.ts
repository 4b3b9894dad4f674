/** Fields of several parts as text: each part as a person writes it, parts separated by semicolons. */
import type { FrequencyCap } from '../../api/bookings/desk-list.ts';
import type { DayPart } from '../../api/bookings/line-item-settings.ts';

/** Why none of these texts can be read: null. */
type Read<Value> = Value | null;

const SEPARATOR = /[;\n]/;

function partsOf(text: string): string[] {
  return text
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Reads every part; null when one of them cannot be read. */
function readParts<Part>(texts: readonly string[], read: (text: string) => Read<Part>): Read<Part[]> {
  const parts = texts.map(read);
  return parts.includes(null) ? null : (parts as Part[]);
}

/** `3 per day; 10 per 7 days; 1 click per week per household`. */
export function writeFrequencyCaps(caps: readonly FrequencyCap[]): string {
  return caps
    .map(({ event, count, window, every, per }) => {
      const counted = event === 'CLICKS' ? `${count} ${count === 1 ? 'click' : 'clicks'}` : String(count);
      const unit = window.toLowerCase();
      return `${counted} per ${every === 1 ? unit : `${every} ${unit}s`}${per === 'HOUSEHOLD' ? ' per household' : ''}`;
    })
    .join('; ');
}

const FREQUENCY_CAP =
  /^(\d{1,9})(?: (impression|click)s?)? per (?:(\d{1,9}) )?(minute|hour|day|week|month|lifetime)s?(?: per (user|household))?$/;

/** Frequency caps as {@link writeFrequencyCaps} writes them, in any case; `1 day` is `day`. */
export function readFrequencyCaps(text: string): Read<FrequencyCap[]> {
  return readParts(partsOf(text), (part) => {
    const match = FREQUENCY_CAP.exec(part.toLowerCase().replaceAll(/\s+/g, ' '));
    if (match === null) return null;
    const [, count, event = 'impression', every = '1', window = '', per = 'user'] = match;
    return {
      event: event === 'click' ? 'CLICKS' : 'IMPRESSIONS',
      count: Number(count),
      window: window.toUpperCase() as FrequencyCap['window'],
      every: Number(every),
      per: per === 'household' ? 'HOUSEHOLD' : 'USER',
    };
  });
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const WEEK = DAYS.length;
const DAY_MINUTES = 1_440;

/** `mon-fri 08:00-18:00; sat,sun 10:00-12:00`; a whole day has no times. */
export function writeDayParts(parts: readonly DayPart[]): string {
  return parts
    .map(({ days, startMinute, endMinute }) => {
      const isWhole = startMinute === 0 && endMinute === DAY_MINUTES;
      const times = `${clockOf(startMinute)}-${clockOf(endMinute)}`;
      return isWhole ? writeDays(days) : `${writeDays(days)} ${times}`;
    })
    .join('; ');
}

function clockOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Three days or more that follow each other are a span. */
function writeDays(days: readonly number[]): string {
  const spans: [first: number, last: number][] = [];
  for (const day of days) {
    const span = spans.at(-1);
    if (span !== undefined && span[1] === day - 1) span[1] = day;
    else spans.push([day, day]);
  }
  const name = (day: number): string => DAYS[day - 1] ?? String(day);
  return spans
    .flatMap(([first, last]) => {
      if (last - first >= 2) return [`${name(first)}-${name(last)}`];
      return first === last ? [name(first)] : [name(first), name(last)];
    })
    .join(',');
}

const DAY = `(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|[1-7]`;
const DAY_SPAN = String.raw`(?:${DAY})(?: ?[-–] ?(?:${DAY}))?`;
const CLOCK = String.raw`(\d{1,2}):(\d\d)`;
const DAY_PART = new RegExp(String.raw`^(${DAY_SPAN}(?:(?: ?, ?| )${DAY_SPAN})*)(?: ${CLOCK} ?[-–] ?${CLOCK})?$`);

/** Day-parts as {@link writeDayParts} writes them, in any case; days also by their whole English names or as 1 (Monday) to 7. */
export function readDayParts(text: string): Read<DayPart[]> {
  return readParts(partsOf(text), (part) => {
    const match = DAY_PART.exec(part.toLowerCase().replaceAll(/\s+/g, ' '));
    if (match === null) return null;
    const [, days = '', startHour = '0', startPart = '0', endHour = '24', endPart = '0'] = match;
    const startMinute = Number(startHour) * 60 + Number(startPart);
    const endMinute = Number(endHour) * 60 + Number(endPart);
    const isSpan = Number(startPart) < 60 && Number(endPart) < 60 && startMinute < endMinute;
    return isSpan && endMinute <= DAY_MINUTES ? { days: readDays(days), startMinute, endMinute } : null;
  });
}

function readDays(text: string): number[] {
  const spans = text.match(new RegExp(DAY_SPAN, 'g')) ?? [];
  const days = spans.flatMap((span) => {
    const [first = 0, last = first] = span.split(/[-–]/).map((name) => dayOf(name.trim()));
    // From Friday to Monday goes over the end of the week.
    return Array.from({ length: ((last - first + WEEK) % WEEK) + 1 }, (_, at) => ((first - 1 + at) % WEEK) + 1);
  });
  return [...new Set(days)].toSorted((left, right) => left - right);
}

function dayOf(name: string): number {
  const named = DAYS.findIndex((day) => name.startsWith(day));
  return named < 0 ? Number(name) : named + 1;
}

type CustomValues = Readonly<Record<string, string | number | boolean>>;

/** `region=North; score=7; code="7"`: a text that looks like something else is in quotation marks, as in JSON. */
export function writeCustomFields(values: CustomValues): string {
  return Object.entries(values)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => `${key}=${typeof value === 'string' && !isPlain(value) ? JSON.stringify(value) : value}`)
    .join('; ');
}

/** Whether a text is read as itself without quotation marks. */
function isPlain(text: string): boolean {
  return text !== '' && text.trim() === text && !/^"|[;\r\n]/.test(text) && typeof scalarOf(text) === 'string';
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

function scalarOf(text: string): string | number | boolean {
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return NUMBER.test(text) ? Number(text) : text;
}

const CUSTOM_FIELD = /\s*([A-Za-z][\w.-]*)\s*=[^\S\n]*("(?:[^"\\\n]|\\.)*"|[^";\n][^;\n]*|)\s*(?:[;\n]|$)|[;\s]+/y;

/** Values of custom fields as {@link writeCustomFields} writes them; a field without a value is left out. Null also when a field is there twice. */
export function readCustomFields(text: string): Read<CustomValues> {
  const pattern = new RegExp(CUSTOM_FIELD);
  const values = new Map<string, string | number | boolean>();
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    const [, key, given = ''] = match ?? [];
    if (match === null || (key !== undefined && values.has(key))) return null;
    if (key === undefined || given.trim() === '') continue;
    const value = given.startsWith('"') ? readQuoted(given) : scalarOf(given.trim());
    if (value === null) return null;
    values.set(key, value);
  }
  return Object.fromEntries(values);
}

function readQuoted(text: string): string | null {
  try {
    return JSON.parse(text) as string;
  } catch {
    return null;
  }
}

/** A value of several parts as JSON, without members that are null and lists that are empty. */
export function writeJson(value: unknown): string {
  if (Array.isArray(value) && value.length === 0) return '';
  return JSON.stringify(value, (_name, one: unknown) => (isNothing(one) ? undefined : one));
}

const isNothing = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** A list or an object of JSON; null for any other text. */
export function readJson(text: string): Read<object> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
