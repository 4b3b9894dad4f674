import { LABEL_LENGTH_MAX, LABELS_MAX } from '../../../domain/frequency/label-cap.ts';
import type { CustomValue } from '../../../domain/booking/custom-field.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import type { MEMBER_FIELDS } from '../../kernel/annotation-checks.sql.ts';
import { columnField, type Field, report } from '../../kernel/field.ts';
import type { Predicate } from '../../kernel/predicate.ts';
import { optionalTextField, referenceField, textListField } from '../../kernel/scalar-fields.ts';
import { anyOf, type Filter, overlaps } from '../../kernel/resource.ts';

const NOTES_LENGTH_MAX = 2_000;
const VALUES_MAX = 50;
const VALUE_LENGTH_MAX = 1_000;
const KEY = /^[A-Za-z][\w.-]{0,59}$/;

/** What people write on any booked object. A resource that has labels of its own keeps them. */
export function annotationFields(own: readonly Field[]): Field[] {
  return [...(own.some(({ name }) => name === 'labels') ? [] : [labels]), notes, owner, team, customFields];
}

/** The filters of these fields. */
export function annotationFilters(own: readonly Filter[]): Filter[] {
  const given = new Set(own.map(({ name }) => name));
  return [
    overlaps('labels', 'labels', 'String', 'Only with one of these labels.'),
    anyOf('owners', 'owner', 'String', 'Only of these owners.'),
    anyOf('teamIds', 'team_id', 'ID', 'Only of these teams.'),
    {
      name: 'customFields',
      description: 'Only with all of these values of custom fields, such as {"region": "North"}.',
      kind: 'holds' as const,
      type: 'JSON',
      predicate: (value: unknown): Predicate => ({
        kind: 'compare',
        column: 'custom_fields',
        operator: 'includes',
        value: JSON.stringify(value),
      }),
    },
  ].filter(({ name }) => !given.has(name));
}

const labels = textListField({
  name: 'labels',
  description: `Labels to find it by. At most ${LABELS_MAX}.`,
  lengthMax: LABEL_LENGTH_MAX,
  itemsMax: LABELS_MAX,
});

const notes = columnField(
  { name: 'notes', description: `Notes for people, with line breaks; at most ${NOTES_LENGTH_MAX} characters.` },
  {
    input: 'String',
    output: 'String',
    initial: '',
    clearable: false,
    check: (value, path, problems) => {
      const text = String(value).trim();
      if (text.length > NOTES_LENGTH_MAX)
        report(
          problems,
          path,
          'too_long',
          `Shorten it to at most ${NOTES_LENGTH_MAX} characters; it has ${text.length}.`,
        );
      return text;
    },
  },
);

/** A member of the network, by e-mail address. `checkAnnotations` compares each field of {@link MEMBER_FIELDS} with the members. */
export function memberField(name: keyof typeof MEMBER_FIELDS, description: string): Field {
  const field = optionalTextField({ name, description, lengthMax: 254 });
  return {
    ...field,
    write: (value: unknown, path: string, problems: FieldProblem[]) =>
      field.write(String(value).toLowerCase(), path, problems),
  };
}

const owner = memberField(
  'owner',
  'The e-mail address of the member of the network who looks after it; null = nobody.',
);

const team = referenceField({
  name: 'teamId',
  description: 'The team that looks after it; null = none.',
  link: 'The team that looks after it.',
  to: { table: 'teams', label: 'team' },
});

const customFields = columnField(
  {
    name: 'customFields',
    description: `Values of the custom fields of the network, by key; at most ${VALUES_MAX}. The whole set is replaced.`,
  },
  { input: 'JSON', output: 'JSON', initial: {}, clearable: false, isJson: true, check: checkValues },
);

/** Whether it is a set of single values; its keys are checked against the definitions of the network later. */
function checkValues(value: unknown, path: string, problems: FieldProblem[]): Record<string, CustomValue> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report(problems, path, 'malformed', 'Give an object such as {"region": "North"}.');
    return {};
  }
  const entries = Object.entries(value);
  if (entries.length > VALUES_MAX) report(problems, path, 'too_many', `Give at most ${VALUES_MAX} values.`);
  const kept = entries.slice(0, VALUES_MAX).filter(([key, one]) => {
    const at = `${path}.${key.slice(0, 60)}`;
    if (!KEY.test(key))
      report(problems, at, 'malformed', 'Keys begin with a letter, and have letters, digits and . _ -');
    else if (typeof one === 'string' ? one.length > VALUE_LENGTH_MAX : !['number', 'boolean'].includes(typeof one))
      report(
        problems,
        at,
        'malformed',
        `Give a text of at most ${VALUE_LENGTH_MAX} characters, a number, true or false.`,
      );
    else return true;
    return false;
  });
  return Object.fromEntries(kept) as Record<string, CustomValue>;
}
