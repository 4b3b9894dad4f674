import { inNfc } from '../text/one-form.ts';

/** The condition for members of a segment: a key with one of some values in a request, or an activity that was recorded. */
export type SegmentCondition =
  | {
      readonly kind: 'keyValue';
      /** Lower case, as requests are compared. */
      readonly key: string;
      /** Lower case; any of them is enough, empty = whatever the value. */
      readonly values: readonly string[];
    }
  | {
      readonly kind: 'activity';
      readonly activityId: string;
      /** Only this event of the activity; null = every one. */
      readonly event: string | null;
    };

/** Any of the conditions makes a member, for the segment's days from the last time that one was met. */
export interface SegmentRule {
  readonly any: readonly SegmentCondition[];
}

/** Most conditions of one rule. */
export const SEGMENT_CONDITIONS_MAX = 50;

/** Days of sizes of a segment that are stored, today included; and how many are returned when the caller does not say. */
export const SEGMENT_SIZE_DAYS = { most: 400, usual: 90 } as const;

/** An audience segment as delivery and event counting need it. */
export interface Segment {
  readonly id: string;
  /** Members of other generations do not count. */
  readonly generation: number;
  /** How long a member stays after it was last seen to meet the rule. */
  readonly membershipDays: number;
  /** Null: only uploads make members. */
  readonly rule: SegmentRule | null;
}

/** A user who was seen to meet a segment's rule. */
export interface SegmentSighting {
  readonly workspaceId: number;
  /** As in `user-hash.ts`; never of somebody who is not to be profiled. */
  readonly userHash: string;
  readonly segment: Segment;
  /** Unix time in milliseconds. */
  readonly seenAtMs: number;
}

/** Records sightings and soon makes members of them: it never waits, and may leave some out under load. */
export interface SegmentObserver {
  record(sighting: SegmentSighting): void;
}

/** Whether an activity event makes members of a segment. @param event in NFC, as pixels are read */
export function isMetByActivity(segment: Segment, activityId: string, event: string): boolean {
  return (
    segment.rule?.any.some(
      (condition) =>
        condition.kind === 'activity' &&
        condition.activityId === activityId &&
        (condition.event === null || inNfc(condition.event) === event),
    ) === true
  );
}
