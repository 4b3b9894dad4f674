import { LifecycleRef } from '../../fields/enumerations.ts';
import { oneByOne } from '../../kernel/checks.ts';
import { columnField, type Field } from '../../kernel/field.ts';
import { registerBooked } from '../annotations/booked-resource.ts';
import { anyOf, type Resource } from '../../kernel/resource.ts';
import { enumField, integerField, textField } from '../../kernel/scalar-fields.ts';
import { validateSegment, loadSegmentFacts, segmentRuleField } from './segment-rule.ts';

function readOnlyField(
  base: { name: string; column: string; description: string },
  output: string,
  nullable: boolean,
): Field {
  return columnField(base, {
    input: null,
    output,
    initial: null,
    clearable: nullable,
    show: (stored) => (typeof stored === 'bigint' ? Number(stored) : stored),
  });
}

/** A named set of users that line items can target. */
export const SEGMENT: Resource = registerBooked({
  type: 'Segment',
  singular: 'segment',
  plural: 'segments',
  description:
    'A named set of users. Members are uploaded to `POST /segments/<id>/members` or match a rule; only keyed hashes of their ids are stored.',
  table: 'segments',
  fields: [
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    textField({ name: 'description', description: 'Who is in it.', lengthMax: 2_000, initial: '' }),
    enumField({ name: 'status', description: 'Whether it is in use.', type: LifecycleRef, initial: 'ACTIVE' }),
    integerField({
      name: 'membershipDays',
      description:
        'How long a user stays a member, in days: from the upload (which may set another time), or from the last match of the rule.',
      min: 1,
      max: 365,
      initial: 30,
    }),
    segmentRuleField(),
    readOnlyField(
      { name: 'uploadedAt', column: 'uploaded_at', description: 'When members were last uploaded; null = never.' },
      'DateTime',
      true,
    ),
  ],
  filters: [anyOf('statuses', 'status', LifecycleRef, 'Only with one of these statuses.')],
  searchColumns: ['name'],
  validate: validateSegment,
  loadFacts: oneByOne(loadSegmentFacts),
});
