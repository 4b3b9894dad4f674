import { PlacardError } from '../../domain/errors.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';
import type { InvalidReason } from '../recording/event-rows.ts';
import { checkActivity, hashInputUser } from './activity-facts.ts';
import type { ActivityInput } from './activity-input.ts';
import { creditInTime, intervalOf } from './credit-event.ts';
import type { AcceptedEvent, CreditDeps, RecordedActivity } from './credit-event.ts';
import { newEventId, orderEventId, releaseInterval } from './repeat-interval.ts';

/** Dependencies of the activity recorder. */
export interface ActivityDeps extends CreditDeps {
  /** Takes the events that cannot be credited now. */
  readonly uncredited: UncreditedSink;
  readonly userHashSecret: Buffer;
}

/** Holds events on disk until they can be credited. */
export interface UncreditedSink {
  /** Resolves once the event is on stable storage. @throws PlacardError `unavailable` or `overloaded` when the disk does not take it */
  add(event: AcceptedEvent): Promise<void>;
}

/**
 * Records an activity event of a workspace: finds its activity, attributes it, and puts it on disk. De-duplicated by order
 * reference, else by user within the activity's repeat interval. While the hot store cannot tell what it is credited to, the event itself
 * goes to the disk, and is credited later.
 * @throws PlacardError `unknown_activity`, `validation_failed` (currency), `network_suspended`; `unavailable` or `overloaded` when the disk
 *   does not take it
 */
export async function recordActivity(
  deps: ActivityDeps,
  workspace: Workspace,
  input: ActivityInput,
  reason: InvalidReason,
): Promise<RecordedActivity> {
  const event = acceptEvent(deps, workspace, input, reason);
  try {
    return await creditInTime(deps, event);
  } catch (error) {
    try {
      if (!(error instanceof PlacardError) || error.code !== 'unavailable') throw error;
      await deps.uncredited.add(event);
      return { eventId: event.eventId, status: 'accepted' };
    } catch (refusal) {
      const interval = intervalOf(event);
      if (interval !== null) await releaseInterval(deps.hot, interval).catch(() => undefined);
      throw refusal;
    }
  }
}

function acceptEvent(
  { catalog, userHashSecret, nowMs }: ActivityDeps,
  workspace: Workspace,
  input: ActivityInput,
  reason: InvalidReason,
): AcceptedEvent {
  const { workspaceId } = workspace;
  const { id, clickWindowSeconds, viewWindowSeconds, repeatIntervalSeconds, advertiserId } = checkActivity(
    catalog,
    workspace,
    input,
  );
  const eventId = input.ord === null ? newEventId(nowMs()) : orderEventId(workspaceId, input, input.ord);
  const { actgid, event, costMicros, ord, clickId, itemCount, taxMicros, products, npa } = input;
  return {
    workspaceId,
    activity: { id, clickWindowSeconds, viewWindowSeconds, repeatIntervalSeconds, advertiserId },
    // Without the ids of the user: they never reach the disk.
    input: { actgid, event, costMicros, ord, clickId, itemCount, taxMicros, products, npa },
    userHash: hashInputUser(userHashSecret, workspaceId, input),
    timeMs: input.timeMs ?? nowMs(),
    reason,
    eventId: reason === '' ? eventId : `${eventId}:${reason}`,
  };
}
