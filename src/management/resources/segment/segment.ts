import { segmentDay, segmentDayKey } from '../../../domain/targeting/segment-membership.ts';
import { LifecycleRef } from '../../fields/enumerations.ts';
import { oneByOne } from '../../kernel/checks.ts';
import { builder } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { columnField, type Field, type StoredRow } from '../../kernel/field.ts';
import { loaderOf } from '../../kernel/loaders.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
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

/** Adds `sizeEstimate` to segments. */
export function defineSegmentSize(): void {
  builder.objectField(objectRefOf('Segment'), 'sizeEstimate', (t) =>
    t.field({
      type: 'Long',
      description:
        'Approximate number of members: uploaded less removed ones (expired ones still count), plus the users who matched the rule in the last `membershipDays` days.',
      resolve: (row, _args, context) => estimateSize(context, row),
    }),
  );
}

async function estimateSize(context: ManagementContext, row: StoredRow): Promise<number> {
  const uploaded = Number(row['member_count'] as bigint);
  const { hot } = context;
  if (hot === null || row['rule'] === null) return uploaded;
  const { workspaceId } = context.principal;
  const segment = { id: String(row.id), generation: row['generation'] as number };
  const today = segmentDay(context.nowMs());
  const days = row['membership_days'] as number;
  const keys = Array.from({ length: days }, (_day, back) => segmentDayKey(workspaceId, segment, today - back));
  const counts = await loaderOf<string, bigint>(context, 'segmentDays', (batch) => hot.readCounters(batch)).loadMany(
    keys,
  );
  return counts.reduce<number>((sum, count) => {
    if (count instanceof Error) throw count;
    return sum + Number(count);
  }, uploaded);
}
