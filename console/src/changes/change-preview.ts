import { dateFormat } from '../format/intl-formats.ts';
import type { DeliveryChange } from '../api/bookings/diagnosis.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';

/** One field that a change sets. */
export interface ChangedField {
  readonly name: string;
  /** undefined: the object does not exist yet. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Whether a change can be sent as it is. */
export function isApplicable({ document, variables, missing }: DeliveryChange): boolean {
  return document !== null && variables !== null && missing.length === 0;
}

/** The fields that a change sets, with what they are now. Members of limits stand for themselves, so that equal ones are left out. */
export function changedFields(
  { variables }: Pick<DeliveryChange, 'variables'>,
  before: Readonly<Record<string, unknown>> | null,
): ChangedField[] {
  return Object.entries(variables?.input ?? {})
    .flatMap(([name, after]) => {
      const now = before?.[name];
      if (!isPlain(after) || !isPlain(now) || name === 'targeting') return [{ name, before: now, after }];
      return Object.keys({ ...now, ...after }).map((member) => ({
        name: `${name}.${member}`,
        before: now[member],
        after: after[member],
      }));
    })
    .filter((field) => !isSameValue(field.before, field.after));
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without members that are null: the server writes those that a client leaves out. */
function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean);
  if (!isPlain(value)) return value ?? null;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null && member !== undefined)
      .map(([name, member]) => [name, clean(member)]),
  );
}

/** Whether two values of a field are the same for the API: an instant in each of its forms, members in any order. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));
}

function canonical(value: unknown): unknown {
  if (typeof value === 'string') {
    const atMs = INSTANT.test(value) ? Date.parse(value) : Number.NaN;
    return Number.isNaN(atMs) ? value : { atMs };
  }
  if (Array.isArray(value)) return value.map(canonical);
  if (!isPlain(value)) return value ?? null;
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  const sorted = members.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, member]) => [name, canonical(member)]));
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** A value of a field for people. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return say('value.none');
  if (typeof value === 'boolean') return say(value ? 'value.yes' : 'value.no');
  if (typeof value !== 'string') return JSON.stringify(clean(value));
  if (!INSTANT.test(value)) return value;
  return dateFormat(currentLocale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(value));
}
