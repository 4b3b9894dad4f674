import { segmentDay, segmentDayKey } from '../../../domain/targeting/segment-membership.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { builder } from '../../kernel/builder.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { loaderOf } from '../../kernel/loaders.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';

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
