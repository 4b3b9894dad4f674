import type { NamedIds, NamedKind } from '../api/bookings/names.ts';
import type { DeliveryCaps, FrequencyCap, Goal } from '../api/bookings/desk-list.ts';
import type { DayPart } from '../api/bookings/line-item-settings.ts';
import type { TargetingTree } from '../api/bookings/targeting.ts';
import { formatCount, formatFullDay, formatGoal, formatMoney } from '../format/desk-format.ts';
import { currentLocale } from '../messages/language.ts';
import { isMessageKey, say } from '../messages/say.ts';
import type { NameOf } from '../pickers/use-names.ts';
import { describeDayParts } from '../targeting/day-part-words.ts';
import { describeConditions, idsIn } from '../targeting/targeting-words.ts';
import { describeCaps } from './bulk-plan.ts';
import { isSameValue } from './change-preview.ts';
import { fieldName } from './field-words.ts';

/** A field of an object before and after a logged change. Undefined: the object did not have the field. */
export interface LoggedField {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The facts on which the words of values depend. */
export interface LogContext {
  readonly currency: string | undefined;
  readonly timezone: string | undefined;
  /** The name of an object; its id while it is not known. */
  readonly nameOf: NameOf;
}

/** Fields whose values are ids, or lists of them, with the kinds of their objects. */
const OBJECTS: Readonly<Record<string, NamedKind>> = {
  advertiserId: 'advertisers',
  advertisingProductId: 'advertisingProducts',
  areaId: 'areas',
  campaignId: 'campaigns',
  dealId: 'deals',
  libraryCreativeId: 'libraryCreatives',
  lineItemId: 'lineItems',
  siteId: 'sites',
  teamId: 'teams',
  adUnitIds: 'adUnits',
  areaIds: 'areas',
  dealIds: 'deals',
  lineItemIds: 'lineItems',
  segmentIds: 'segments',
  siteIds: 'sites',
};

/** Fields whose values are words of the API, with the texts of those. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  status: ['status.'],
  reviewState: ['review.'],
  type: ['line_item_type.'],
  pricingModel: ['pricing.'],
  pacing: ['item_form.pacing_'],
  creativeRotation: ['item_form.rotation_'],
  optimisationGoal: ['item_form.optimise_'],
  roadblock: ['item_form.roadblock_'],
  companionMode: ['item_form.companions_'],
  goalStatus: ['delivery.'],
};

const MONEY: ReadonlySet<string> = new Set(['price', 'floor', 'budget']);
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const LISTED_MAX = 5;

/** The fields that an entry of the log changed. */
export function fieldsOfEntry(details: Readonly<Record<string, unknown>>): LoggedField[] {
  const [before, after] = [sideOf(details['before']), sideOf(details['after'])];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => ({ name, before: before[name], after: after[name] }))
    .filter((field) => !isSameValue(field.before, field.after));
}

function sideOf(side: unknown): Readonly<Record<string, unknown>> {
  return isPlain(side) ? side : {};
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects that the values of changed fields name by their ids. */
export function namedIn(fields: readonly LoggedField[]): NamedIds {
  const ids: Partial<Record<NamedKind, Set<string>>> = {};
  const add = (kind: NamedKind, values: readonly string[]): void => {
    ids[kind] = new Set([...(ids[kind] ?? []), ...values]);
  };
  for (const { name, before, after } of fields)
    for (const value of [before, after]) {
      const kind = OBJECTS[name];
      if (kind !== undefined) add(kind, textsOf(value));
      if (name === 'targeting' && isPlain(value))
        for (const [one, values] of Object.entries(idsIn(value as TargetingTree))) add(one as NamedKind, values);
      if (name === 'countedActivities') add('activities', activityIds(value));
    }
  return Object.fromEntries(Object.entries(ids).map(([kind, values]) => [kind, [...values].sort()]));
}

function textsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
}

function activityIds(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((one) => (isPlain(one) ? textsOf(one['activityId']) : [])) : [];
}

/** The title of a field, never its name in the API. */
export function fieldTitle(name: string): string {
  const known = fieldName(name);
  if (known !== name) return known;
  const key = [`catalog_column.${name}`, `audit_field.${name}`].find(isMessageKey);
  if (key !== undefined && isMessageKey(key)) return say(key);
  const words = name.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value of a field in words; null: it has no words, only its field can be named. */
export function valueWords(name: string, value: unknown, context: LogContext): string | null {
  if (value === null || value === undefined || value === '') return noneOf(name);
  if (typeof value === 'boolean') return say(value ? 'value.yes' : 'value.no');
  if (typeof value === 'number') return formatCount(value);
  const kind = OBJECTS[name];
  if (kind !== undefined) return listed(textsOf(value).map((id) => nameOrUnknown(context.nameOf, kind, id)));
  if (typeof value === 'string') return textWords(name, value, context);
  return Array.isArray(value) ? listWords(name, value, context) : objectWords(name, value, context);
}

function noneOf(name: string): string {
  return name === 'targeting' ? say('booking.targeting_all') : say('value.none');
}

function nameOrUnknown(nameOf: NameOf, kind: NamedKind, id: string): string {
  const name = nameOf(kind, id);
  return name === id ? say('feed.unnamed') : name;
}

function textWords(name: string, value: string, { currency, timezone }: LogContext): string {
  const key = WORDS[name]?.map((prefix) => `${prefix}${value}`).find(isMessageKey);
  if (key !== undefined && isMessageKey(key)) return say(key);
  if (INSTANT.test(value)) return formatFullDay(value, timezone);
  return MONEY.has(name) ? formatMoney(value, currency) : value;
}

function listWords(name: string, values: readonly unknown[], context: LogContext): string | null {
  switch (name) {
    case 'frequencyCaps':
      return describeCaps(values.map((cap) => ({ ...USUAL_CAP, ...(cap as Partial<FrequencyCap>) })));
    case 'dayParts':
      return describeDayParts(values as readonly DayPart[]);
    case 'countedActivities':
      return listed(activityIds(values).map((id) => nameOrUnknown(context.nameOf, 'activities', id)));
    case 'sizes':
      return listed(values.map((size) => (isPlain(size) ? `${String(size['width'])}×${String(size['height'])}` : '')));
    default: {
      const texts = values.filter((one) => typeof one === 'string' || typeof one === 'number').map(String);
      return texts.length === values.length ? listed(texts) : null;
    }
  }
}

const USUAL_CAP: FrequencyCap = { event: 'IMPRESSIONS', count: 1, window: 'DAY', every: 1, per: 'USER' };

function listed(texts: readonly string[]): string {
  if (texts.length === 0) return say('value.none');
  const rest = texts.length - LISTED_MAX;
  const shown = texts.slice(0, LISTED_MAX);
  return new Intl.ListFormat(currentLocale()).format(
    rest > 0 ? [...shown, say('targeting.more', { count: rest })] : shown,
  );
}

function objectWords(name: string, value: object, { currency, nameOf }: LogContext): string | null {
  if (!isPlain(value)) return null;
  if (name === 'targeting')
    return describeConditions(value as TargetingTree, (kind, id) => nameOrUnknown(nameOf, kind, id));
  if (name === 'goal') return formatGoal(value as unknown as Goal);
  if (name === 'caps') return capWords(value as unknown as DeliveryCaps, currency);
  if (name !== 'customFields') return null;
  const set = Object.entries(value).filter(([, one]) => one !== null && one !== '');
  return listed(set.map(([key, one]) => `${key}: ${String(one)}`));
}

function capWords(caps: DeliveryCaps, currency: string | undefined): string {
  const set = Object.entries(caps).filter(([, limit]) => limit !== null && limit !== undefined);
  return listed(
    set.map(([name, limit]) => {
      const text = typeof limit === 'number' ? formatCount(limit) : formatMoney(String(limit), currency);
      return `${fieldName(`caps.${name}`)}: ${text}`;
    }),
  );
}
