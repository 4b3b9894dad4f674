import type { Segment, SegmentCondition } from '../../../domain/targeting/segment.ts';
import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';

/** What a workspace's segments mean for requests, worked out once. */
export interface SegmentIndex {
  /** The present generation of every segment in use, by id. */
  readonly generations: ReadonlyMap<string, number>;
  /** Whether any line item looks at segments: only then is the user's list read. */
  readonly isTargeted: boolean;
  /** Segments that key-values make members of, by key. */
  readonly byKey: ReadonlyMap<string, readonly KeyValueRule[]>;
}

/** Values of a key that make a member of a segment. */
export interface KeyValueRule {
  readonly segment: Segment;
  /** Empty = any. */
  readonly values: ReadonlySet<string>;
}

/** Works out the index of a snapshot. @param isTargeted whether any row looks at segments */
export function indexSegments(snapshot: WorkspaceSnapshot, isTargeted: boolean): SegmentIndex {
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
  const rule = { segment, values: new Set(condition.values) };
  const known = byKey.get(condition.key);
  if (known === undefined) byKey.set(condition.key, [rule]);
  else known.push(rule);
}
