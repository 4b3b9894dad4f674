import type { DeliveryCaps } from '../../api/bookings/desk-list.ts';
import type { CountedActivity, LineItemSettings } from '../../api/bookings/line-item-settings.ts';
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
