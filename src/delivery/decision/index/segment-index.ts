import { foldText } from '../../../domain/text/one-form.ts';
import type { Segment, SegmentCondition } from '../../../domain/targeting/segment.ts';
import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';

/** The segments of a workspace as requests need them, computed once. */
export interface SegmentIndex {
  /** The present generation of every segment in use, by id. */
  readonly generations: ReadonlyMap<string, number>;
  /** Whether any line item targets segments: only then is the user's list read. */
  readonly isTargeted: boolean;
  /** Segments that users join by key-values, by key. */
  readonly byKey: ReadonlyMap<string, readonly KeyValueRule[]>;
}

/** Values of a key that make a user a member of a segment. */
export interface KeyValueRule {
  readonly segment: Segment;
  /** Empty = any. */
  readonly values: ReadonlySet<string>;
}

/** Builds the index of a snapshot. @param isTargeted whether any line item targets segments */
export function indexSegments(snapshot: Pick<WorkspaceSnapshot, 'segments'>, isTargeted: boolean): SegmentIndex {
  const byKey = new Map<string, KeyValueRule[]>();
  for (const segment of snapshot.segments) {
    for (const condition of segment.rule?.any ?? []) addRule(byKey, segment, condition);
  }
  return {
    generations: new Map(snapshot.segments.map((segment) => [segment.id, segment.generation])),
    isTargeted,
    byKey,
  };
}

function addRule(byKey: Map<string, KeyValueRule[]>, segment: Segment, condition: SegmentCondition): void {
  if (condition.kind !== 'keyValue') return;
  const rule = { segment, values: new Set(condition.values.map(foldText)) };
  const key = foldText(condition.key);
  const known = byKey.get(key);
  if (known === undefined) byKey.set(key, [rule]);
  else known.push(rule);
}
