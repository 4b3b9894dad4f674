import type { DeliveryCaps } from '../../api/bookings/desk-list.ts';
import type { CountedActivity, DayPart, LineItemSettings } from '../../api/bookings/line-item-settings.ts';
import { formatCount, formatFullDay, formatMoney } from '../../format/desk-format.ts';
import { currentLocale } from '../../messages/language.ts';
import { say } from '../../messages/say.ts';
import type { NameOf } from '../../pickers/use-names.ts';
import { CAP_NAMES } from './item-draft.ts';

/** What values are told with. */
export interface WordContext {
  readonly currency: string | undefined;
  /** Of the line item. */
  readonly zone: string;
  readonly nameOf: NameOf;
  readonly teams: ReadonlyMap<string, string>;
  readonly customFields: ReadonlyMap<string, string>;
}

/** The first Monday of 2024: its week names the days. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

export function listOf(values: readonly string[]): string {
  return values.length === 0 ? say('value.none') : new Intl.ListFormat(currentLocale()).format(values);
}

export function describeText(text: string | null): string {
  return text === null || text.trim() === '' ? say('value.none') : text;
}

export function describeFlag(flag: boolean): string {
  return say(flag ? 'value.yes' : 'value.no');
}

/** @param open what no instant means */
export function describeInstant(iso: string | null, zone: string, open: string): string {
  return iso === null ? open : formatFullDay(iso, zone);
}

/** `Mon–Fri 08:00–18:00; Sat 10:00–12:00`. */
export function describeDayParts(parts: readonly DayPart[]): string {
  if (parts.length === 0) return say('item_form.always');
  return parts.map((part) => `${daysOf(part.days)} ${clockOf(part.startMinute)}–${clockOf(part.endMinute)}`).join('; ');
}

/** Three days or more that follow each other are a span. */
function daysOf(days: readonly number[]): string {
  if (days.length === WEEK_DAYS) return say('item_form.every_day');
  const spans: [first: number, last: number][] = [];
  for (const day of days.toSorted((one, other) => one - other)) {
    const span = spans.at(-1);
    if (span?.[1] === day - 1) span[1] = day;
    else spans.push([day, day]);
  }
  const names = new Intl.DateTimeFormat(currentLocale(), { weekday: 'short', timeZone: 'UTC' });
  const name = (day: number): string => names.format(MONDAY_MS + (day - 1) * DAY_MS);
  return spans
    .flatMap(([first, last]) => {
      if (last - first >= 2) return [`${name(first)}–${name(last)}`];
      return first === last ? [name(first)] : [name(first), name(last)];
    })
    .join(', ');
}

function clockOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** The hard limits that are set: `Impressions a day: 5,000; Budget in total: PLN 100.00`. */
export function describeLimits(caps: DeliveryCaps, currency: string | undefined): string {
  const set = CAP_NAMES.flatMap((name) => {
    const value = caps[name];
    if (value === null) return [];
    const text = typeof value === 'number' ? formatCount(value) : formatMoney(value, currency);
    return [`${say(`field.caps.${name}`)}: ${text}`];
  });
  return set.length === 0 ? say('value.none') : set.join('; ');
}

export function describeActivities(activities: readonly CountedActivity[], nameOf: NameOf): string {
  if (activities.length === 0) return say('item_form.every_activity');
  return listOf(
    activities.map(({ activityId, events }) => {
      const name = nameOf('activities', activityId);
      return events.length === 0 ? name : `${name} (${events.join(', ')})`;
    }),
  );
}

export function describeCustom(fields: LineItemSettings['customFields'], names: WordContext['customFields']): string {
  const set = Object.entries(fields).filter(([, value]) => value !== null && value !== '');
  if (set.length === 0) return say('value.none');
  return set
    .map(([key, value]) => {
      const text = typeof value === 'boolean' ? describeFlag(value) : String(value);
      return `${names.get(key) ?? key}: ${text}`;
    })
    .join('; ');
}
