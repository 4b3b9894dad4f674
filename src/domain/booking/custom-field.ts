import { isCalendarDay } from '../time/calendar.ts';
import { findNearestName } from '../nearest-name.ts';
import type { ProblemCode } from '../problem-codes.ts';

/** What the values of a custom field are. */
export const CUSTOM_FIELD_TYPES = ['TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'CHOICE'] as const;
export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number];

/** The value of a custom field. */
export type CustomValue = string | number | boolean;

/** A field that a network adds to its objects. */
export interface CustomField {
  readonly key: string;
  readonly type: CustomFieldType;
  readonly choices: readonly string[];
  /** The kinds of objects that have it; empty: all. */
  readonly kinds: readonly string[];
  readonly isArchived: boolean;
}

/** What is wrong with one value. */
export interface CustomFault {
  readonly key: string;
  readonly code: ProblemCode;
  readonly message: string;
}

const TEXT_LENGTH_MAX = 1_000;

/** What is wrong with the values of an object of a kind, by the definitions of its network. */
export function checkCustomValues(
  values: Readonly<Record<string, CustomValue>>,
  kind: string,
  fields: readonly CustomField[],
): CustomFault[] {
  const own = fields.filter((field) => field.kinds.length === 0 || field.kinds.includes(kind));
  return Object.entries(values).flatMap(([key, value]): CustomFault[] => {
    const field = own.find((one) => one.key === key);
    if (field === undefined) {
      const nearest = findNearestName(
        key.slice(0, 60),
        own.map((one) => one.key),
      );
      const hint = nearest === null ? 'Define it by createCustomField.' : `Did you mean ${JSON.stringify(nearest)}?`;
      return [{ key, code: 'unknown', message: `There is no such custom field of this kind. ${hint}` }];
    }
    if (field.isArchived) return [{ key, code: 'archived', message: 'The custom field is archived; leave it out.' }];
    const wants = faultOf(value, field);
    return wants === null ? [] : [{ key, code: 'malformed', message: `Give ${wants}.` }];
  });
}

function faultOf(value: CustomValue, { type, choices }: CustomField): string | null {
  switch (type) {
    case 'TEXT':
      return typeof value === 'string' && value.length <= TEXT_LENGTH_MAX
        ? null
        : `a text of at most ${TEXT_LENGTH_MAX} characters`;
    case 'NUMBER':
      return typeof value === 'number' && Number.isFinite(value) ? null : 'a number';
    case 'BOOLEAN':
      return typeof value === 'boolean' ? null : 'true or false';
    case 'DATE':
      return typeof value === 'string' && isCalendarDay(value) ? null : 'a date such as "2026-11-25"';
    case 'CHOICE':
      return typeof value === 'string' && choices.includes(value) ? null : `one of ${choices.join(', ')}`;
  }
}
