import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PlacardError } from '../../domain/errors.ts';
import { newUlid, timeOfUlid } from '../../domain/ids/ids.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { eventKey } from '../recording/recorder.ts';
import type { EventRecorder } from '../recording/recorder.ts';
import { asUnavailable } from './activity-facts.ts';
import type { ActivityInput } from './activity-input.ts';

/** How long a repeat waits for the earlier event to reach the disk. */
const PRECEDING_WAIT_STEP_MS = 20;
const PRECEDING_WAIT_STEPS_MAX = 25;
/** After this time, the process of an event that is not on disk has ended: an event waits for a stalled disk far shorter. */
const ABANDONED_AFTER_MS = 60_000;
const EVENT_ID_PREFIX = 'a:';

/** A new id of an event without an order reference; it tells when the event came. */
export function newEventId(nowMs: number): string {
  return `${EVENT_ID_PREFIX}${newUlid(nowMs)}`;
}

/** The id of an event that carries an order reference: the same for each copy of it. */
export function orderEventId(workspaceId: number, input: Pick<ActivityInput, 'actgid' | 'event'>, ord: string): string {
  const text = JSON.stringify([workspaceId, input.actgid, input.event, ord]);
  return `${EVENT_ID_PREFIX}${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

export function repeatKey(workspaceId: number, activityId: string, event: string, userHash: string): string {
  return `ar/${workspaceId}/${activityId}/${userHash}/${event}`;
}

/** What an event claims: the user's interval. */
export interface IntervalClaim {
  readonly key: string;
  readonly eventId: string;
  readonly intervalMs: number;
}

interface IntervalDeps {
  readonly hot: Pick<HotStore, 'applyOnce' | 'isCounted' | 'set'>;
  readonly recorder: Pick<EventRecorder, 'hasUncounted'>;
  readonly nowMs: () => number;
}

/**
 * Claims a user's repeat interval. Returns null when this event holds it now, else the id of the event that holds it, which is certainly on
 * disk. A repeat of the call has the same result. A claim whose event never reached the disk (its process died in between) is taken over, by
 * one event. Events that are credited late come in any order: the time in their ids tells whether one repeats the other.
 * @throws PlacardError `unavailable` while nobody knows whether the event that holds it reaches the disk
 */
export async function claimInterval(
  deps: IntervalDeps,
  { key, eventId, intervalMs }: IntervalClaim,
): Promise<string | null> {
  const { hot } = deps;
  /** Null when this event holds it. */
  const holderOf = async (claimed: string, ttlMs: number): Promise<string | null> => {
    const { first, value } = await asUnavailable(hot.applyOnce({ key: claimed, value: eventId, ttlMs }));
    return first || value === eventId ? null : value;
  };
  const holder = await holderOf(key, intervalMs);
  if (holder === null) return null;
  const laterMs = timeOfEvent(eventId) - timeOfEvent(holder);
  // It came an interval or more before the event that holds this one: another event of that time may do the same.
  if (laterMs <= -intervalMs) return holderOf(`${key}/before/${holder}`, intervalMs);
  if (laterMs < intervalMs) {
    if (await isSoonCounted(hot, holder)) return holder;
    await checkAbandoned(deps, holder);
  }
  if ((await holderOf(`${key}/after/${holder}`, ABANDONED_AFTER_MS)) !== null) throw beingRecorded();
  await asUnavailable(hot.set(key, eventId, intervalMs));
  return null;
}

/** Ends the claim of an event that was not recorded. A claim that was taken over meanwhile stays. */
export async function releaseInterval(
  hot: Pick<HotStore, 'get' | 'delete'>,
  { key, eventId }: IntervalClaim,
): Promise<void> {
  if ((await hot.get(key)) === eventId) await hot.delete(key);
}

async function isSoonCounted(hot: IntervalDeps['hot'], eventId: string): Promise<boolean> {
  for (let step = 0; step < PRECEDING_WAIT_STEPS_MAX; step += 1) {
    if (await asUnavailable(hot.isCounted(eventKey(eventId)))) return true;
    await sleep(PRECEDING_WAIT_STEP_MS);
  }
  return false;
}

async function checkAbandoned({ recorder, nowMs }: IntervalDeps, eventId: string): Promise<void> {
  if (nowMs() - timeOfEvent(eventId) < ABANDONED_AFTER_MS || (await recorder.hasUncounted())) throw beingRecorded();
}

function timeOfEvent(eventId: string): number {
  return timeOfUlid(eventId.slice(EVENT_ID_PREFIX.length));
}

function beingRecorded(): PlacardError {
  return new PlacardError('unavailable', 'Another event of this user is being recorded; retry shortly.');
}
