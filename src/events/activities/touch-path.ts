import { formatEventTime } from '../../domain/events/event.ts';
import type { ActivityColumns, EventRow } from '../../domain/events/event.ts';
import { EMPTY_EVENT_ROW, setAdColumns, userHashColumn } from '../recording/event-rows.ts';
import type { NewEventRow } from '../recording/event-rows.ts';
import type { Touch } from '../tracking/touch.ts';
import { attribute, creditedTouches } from './attribution.ts';
import type { AttributionRule, Touches } from './attribution.ts';

/** Most touches of one path; the newest are kept, and the one that the event is attributed to. */
export const PATH_TOUCHES_MAX = 16;

/** The position of a touch in its path; attribution models are computed from it and the length of the path. */
export const PATH_POSITIONS = ['only', 'first', 'middle', 'last'] as const;
export type PathPosition = (typeof PATH_POSITIONS)[number];

/**
 * The touches on the path to an event, oldest first: those that attribution may credit, one for each ad, its click where it was clicked. Empty
 * exactly when the event is not attributed.
 */
export function findPath(touches: Touches, rule: AttributionRule, eventTimeMs: number): Touch[] {
  const attribution = attribute(touches, rule, eventTimeMs);
  if (attribution === null) return [];
  const { named, clicks, impressions } = creditedTouches(touches, rule, eventTimeMs);
  const byImpression = new Map<string, Touch>();
  for (const touch of [...impressions, ...clicks, ...named]) byImpression.set(touch.ad.impressionId, touch);
  const path = [...byImpression.values()].sort((left, right) => left.timeMs - right.timeMs);
  const credited = byImpression.get(attribution.touch.ad.impressionId);
  // The touch that the event is attributed to may be the oldest one: a click that the event names.
  const isLost = credited !== undefined && path.indexOf(credited) < path.length - PATH_TOUCHES_MAX;
  return isLost ? [credited, ...path.slice(1 - PATH_TOUCHES_MAX)] : path.slice(-PATH_TOUCHES_MAX);
}

/** The position of a touch in a path of this length, counted from 0. */
export function positionOf(index: number, length: number): PathPosition {
  if (length === 1) return 'only';
  if (index === 0) return 'first';
  return index === length - 1 ? 'last' : 'middle';
}

/** A conversion whose path is recorded. */
export interface PathEnd {
  readonly eventId: string;
  readonly workspaceId: number;
  readonly activityId: string;
  readonly event: string;
  readonly timeMs: number;
  readonly npa: boolean;
  readonly userHash: string;
}

/** The rows of a path: each has the ad of its touch, and the time, activity and user of the conversion. */
export function touchRows(
  path: readonly Touch[],
  end: PathEnd,
): (EventRow & Pick<ActivityColumns, 'activity_event' | 'item_count'>)[] {
  return path.map((touch, index) => {
    const row: NewEventRow = {
      ...EMPTY_EVENT_ROW,
      // Includes the length: a path that has grown before the conversion is sent again does not mix with the earlier one.
      event_id: `${end.eventId}/${index + 1}-${path.length}`,
      workspace_id: end.workspaceId,
      kind: 'touch',
      time: formatEventTime(end.timeMs),
      npa: end.npa,
      user_hash: userHashColumn(end.userHash),
      activity_id: end.activityId,
      attribution: positionOf(index, path.length),
    };
    setAdColumns(row, touch.ad);
    return { ...row, activity_event: end.event, item_count: path.length };
  });
}
