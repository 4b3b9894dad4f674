import { CHANGE_KINDS } from '../../../domain/booking/change-types.ts';
import type { CustomFieldType } from '../../../domain/booking/custom-field.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { LifecycleRef } from '../../fields/enumerations.ts';
import { builder } from '../../kernel/builder.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { anyOf, type Findings, type Resource, registerResource } from '../../kernel/resource.ts';
import { enumField, textField, textListField } from '../../kernel/scalar-fields.ts';

const TypeRef = builder.enumType('CustomFieldType', {
  description: 'What the values of a custom field are.',
  values: {
    TEXT: { description: 'A text of at most 1,000 characters.' },
    NUMBER: { description: 'A number.' },
    BOOLEAN: { description: 'true or false.' },
    DATE: { description: 'A day such as "2026-11-25".' },
    CHOICE: { description: 'One of `choices`.' },
  } satisfies Record<CustomFieldType, { description: string }>,
});

const KINDS = CHANGE_KINDS.filter((kind) => !['team', 'customField', 'targetingPreset'].includes(kind));

/** A field that a network adds to its objects. */
export const CUSTOM_FIELD: Resource = registerResource({
  type: 'CustomField',
  singular: 'customField',
  plural: 'customFields',
  description: 'A field that the network adds to its objects; their values are in `customFields`.',
  table: 'custom_fields',
  fields: [
    textField({
      name: 'key',
      description: 'Its key in `customFields`; unique in the network; cannot change.',
      lengthMax: 60,
      pattern: /^[A-Za-z][\w.-]*$/,
      wants: 'a letter, then letters, digits and . _ -',
      required: true,
      createOnly: true,
    }),
    textField({ name: 'name', description: 'Name for people.', lengthMax: 200, required: true }),
    textField({ name: 'description', description: 'What it means.', lengthMax: 2_000, initial: '' }),
    enumField({
      name: 'type',
      description: 'What its values are; cannot change.',
      type: TypeRef,
      required: true,
      createOnly: true,
    }),
    textListField({ name: 'choices', description: 'The values to choose from, for CHOICE.', lengthMax: 200 }),
    textListField({
      name: 'kinds',
      description: `The kinds of objects that have it, among ${KINDS.join(', ')}; empty = all.`,
      lengthMax: 40,
    }),
    enumField({ name: 'status', description: 'Whether it is in use.', type: LifecycleRef, initial: 'ACTIVE' }),
  ],
  filters: [
    anyOf('statuses', 'status', LifecycleRef, 'Only with one of these statuses.'),
    anyOf('keys', 'key', 'String', 'Only these keys.'),
  ],
  searchColumns: ['name', 'key'],
  uniqueFields: { custom_fields_workspace_id_key_key: 'key' },
  validate: validateCustomField,
});

function validateCustomField(row: StoredRow): Findings {
  const problems: FieldProblem[] = [];
  const { type, choices, kinds } = row as StoredRow & {
    readonly type: CustomFieldType;
    readonly choices: readonly string[];
    readonly kinds: readonly string[];
  };
  if (type === 'CHOICE' && choices.length === 0)
    problems.push({ path: 'choices', code: 'required', message: 'Give the values to choose from.' });
  if (type !== 'CHOICE' && choices.length > 0)
    problems.push({ path: 'choices', code: 'not_allowed', message: 'Only CHOICE has choices; leave them out.' });
  for (const [index, kind] of kinds.entries()) {
    if (KINDS.some((known) => known === kind)) continue;
    problems.push({ path: `kinds.${index}`, code: 'unknown', message: `Give kinds among ${KINDS.join(', ')}.` });
  }
  return { problems, warnings: [] };
}
