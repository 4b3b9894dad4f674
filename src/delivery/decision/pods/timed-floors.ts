import { isPlayed } from '../../../domain/booking/creative.ts';
import type { Slot } from '../../../domain/requests/opportunity.ts';
import type { CompiledCreative } from '../index/compile-line-items.ts';

/** The floor of a slot for the duration of a creative, CPM micros; 0 = none. Of ranges that overlap, the highest counts. */
export function timedFloorOf({ creative: { content }, mediaType }: CompiledCreative, { timedFloors }: Slot): number {
  const floors = timedFloors?.[mediaType];
  if (floors === undefined) return 0;
  if (!isPlayed(content)) return floors.otherwiseMicros;
  const { durationMs } = content;
  const ranges = floors.ranges.filter(({ minMs, maxMs }) => minMs <= durationMs && durationMs <= maxMs);
  const ranged = ranges.length === 0 ? floors.otherwiseMicros : Math.max(...ranges.map((range) => range.floorMicros));
  return Math.max(ranged, Math.ceil((floors.perSecondMicros * durationMs) / 1_000));
}
