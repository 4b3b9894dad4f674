import { SEGMENT_SIZE_DAYS } from '../../../domain/targeting/segment.ts';
import { segmentDay, segmentDayKey } from '../../../domain/targeting/segment-membership.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { localDay } from '../../../domain/time/calendar.ts';
import { startOfDayBefore } from '../../../domain/time/time-zone.ts';
import { builder } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { validationFailed } from '../../kernel/drafts.ts';
import { report, type StoredRow } from '../../kernel/field.ts';
import { loaderOf } from '../../kernel/loaders.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import { loadNetworkTimezone } from '../delivery-progress/delivery-figures.ts';
import { type MeasuredSegment, readSizes, type SegmentDay } from './segment-sizes.sql.ts';

const { most: DAYS_MAX, usual: DAYS_DEFAULT } = SEGMENT_SIZE_DAYS;

const SegmentSizeRef = builder.objectRef<SegmentDay>('SegmentSize').implement({
  description: 'The size of a segment at the beginning of one day of the network’s time zone.',
  fields: (t) => ({
    day: t.exposeString('day', { description: 'The day, `YYYY-MM-DD`.' }),
    size: t.field({
      type: 'Long',
      description: 'Approximate number of members, as `sizeEstimate` counts them.',
      resolve: ({ size }) => Number(size),
    }),
  }),
});

/** Adds `sizeEstimate` and `sizeHistory` to segments. */
export function defineSegmentSize(): void {
  builder.objectField(objectRefOf('Segment'), 'sizeEstimate', (t) =>
    t.field({
      type: 'Long',
      description:
        'Approximate number of members: uploaded less removed ones (expired ones still count), plus the users who matched the rule in the last `membershipDays` days.',
      resolve: (row, _args, context) => estimateSize(context, row),
    }),
  );
  builder.objectField(objectRefOf('Segment'), 'sizeHistory', (t) =>
    t.field({
      type: [SegmentSizeRef],
      description:
        'Its size at the beginning of each of the last days, oldest first; of the day on which it was made, soon after that. Days without a size are left out.',
      args: {
        days: t.arg.int({
          defaultValue: DAYS_DEFAULT,
          description: `How many days up to today, 1…${DAYS_MAX}; default ${DAYS_DEFAULT}.`,
        }),
      },
      resolve: (row, { days }, context) => loadHistory(context, row.id, days ?? DAYS_DEFAULT),
    }),
  );
}

/** The counters of the hot store that count the members that a rule made; the list is empty if there is no rule. */
export function sizeCounters(workspaceId: number, segment: MeasuredSegment, nowMs: number): string[] {
  if (!segment.hasRule) return [];
  const today = segmentDay(nowMs);
  const counted = { id: String(segment.id), generation: segment.generation };
  return Array.from({ length: segment.membershipDays }, (_day, back) =>
    segmentDayKey(workspaceId, counted, today - back),
  );
}

async function estimateSize(context: ManagementContext, row: StoredRow): Promise<number> {
  const segment: MeasuredSegment = {
    id: row.id,
    generation: row['generation'] as number,
    membershipDays: row['membership_days'] as number,
    hasRule: row['rule'] !== null,
    uploaded: row['member_count'] as bigint,
  };
  const { hot } = context;
  if (hot === null) return Number(segment.uploaded);
  const keys = sizeCounters(context.principal.workspaceId, segment, context.nowMs());
  const counts = await loaderOf<string, bigint>(context, 'segmentDays', (batch) => hot.readCounters(batch)).loadMany(
    keys,
  );
  return counts.reduce<number>((sum, count) => {
    if (count instanceof Error) throw count;
    return sum + Number(count);
  }, Number(segment.uploaded));
}

/** One statement for the segments of a page that ask for as many days. */
async function loadHistory(
  context: ManagementContext,
  segmentId: bigint,
  days: number,
): Promise<readonly SegmentDay[]> {
  const problems: FieldProblem[] = [];
  if (days < 1 || days > DAYS_MAX) report(problems, 'days', 'out_of_range', `Give 1 to ${DAYS_MAX} days.`);
  if (problems.length > 0) throw validationFailed(problems);
  const timezone = await loadNetworkTimezone(context);
  const from = localDay(startOfDayBefore(timezone, context.nowMs(), days - 1), timezone);
  const load = async (segmentIds: readonly bigint[]): Promise<SegmentDay[][]> => {
    const sizes = await readSizes(queryableOf(context), context.principal.workspaceId, { segmentIds, from });
    const bySegment = Map.groupBy(sizes, (one) => one.segmentId);
    return segmentIds.map((id) => bySegment.get(id) ?? []);
  };
  return loaderOf<bigint, SegmentDay[]>(context, `segmentSizes/${days}`, load, days).load(segmentId);
}
