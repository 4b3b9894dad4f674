import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../domain/log/log.ts';
import { earnedNanos } from '../../domain/money/earning.ts';
import { PlacardError } from '../../domain/errors.ts';
import { formatEventTime } from '../../domain/events/event.ts';
import type { ActivityColumns, EventRow } from '../../domain/events/event.ts';
import { newUlid, timeOfUlid } from '../../domain/ids/ids.ts';
import { ALL_LIMITS } from '../../domain/money/reservation.ts';
import type { SegmentObserver } from '../../domain/targeting/segment.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';
import type { CounterIncrement, HotStore } from '../../storage/hot/hot-store.ts';
import { asUnavailable, checkActivity, findAttribution, hashInputUser } from './activity-facts.ts';
import type { Attributed, KnownEvent } from './activity-facts.ts';
import type { ActivityInput } from './activity-input.ts';
import type { Attribution } from './attribution.ts';
import { touchRows } from './touch-path.ts';
import { claimOrderBill, isOrderBilled, ORDER_CLAIM_TTL_MS, orderBillIncrement } from './order-bills.ts';
import type { NamedOrder } from './order-bills.ts';
import { NO_BILL, recordBilled, releaseBill, reserveBill } from '../billing/billing.ts';
import type { Bill } from '../billing/billing.ts';
import { deliveryIncrements, limitsOf, releaseReservations } from '../billing/delivery-counters.ts';
import type { CountedAt } from '../billing/delivery-counters.ts';
import { rateIncrements } from '../billing/rotation-counters.ts';
import { EMPTY_EVENT_ROW, setAdColumns, userHashColumn } from '../recording/event-rows.ts';
import type { InvalidReason } from '../recording/event-rows.ts';
import { eventKey } from '../recording/recorder.ts';
import type { EventRecorder } from '../recording/recorder.ts';
import { rowText } from '../spool/spool-line.ts';
import type { Claim } from '../spool/spool-line.ts';
import type { Touch } from '../tracking/touch.ts';

/** Dependencies of the activity recorder. */
export interface ActivityDeps {
  readonly recorder: EventRecorder;
  readonly hot: HotStore;
  readonly catalog: Catalog;
  readonly userHashSecret: Buffer;
  /** Makes members of segments; absent = activities make none. */
  readonly memberships?: SegmentObserver;
  readonly nowMs: () => number;
  readonly log: Log;
}

/** The result of recording an activity event: `duplicate` names the first one of its kind. */
export interface RecordedActivity {
  readonly eventId: string;
  readonly status: 'accepted' | 'duplicate';
}

/** Without an order reference, the claim must outlive the repeat interval that points to it by this much. */
const ACTIVITY_CLAIM_TTL_MS = 9 * 86_400_000;

/** How long a repeat waits for the earlier event to reach the disk. */
const PRECEDING_WAIT_STEP_MS = 20;
const PRECEDING_WAIT_STEPS_MAX = 25;
/** After this time, the process of an event that is not on disk has ended: an event waits for a stalled disk far shorter. */
const ABANDONED_AFTER_MS = 60_000;
const EVENT_ID_PREFIX = 'a:';

/**
 * Records an activity event of a workspace: finds its activity, attributes it, and puts it on disk. De-duplicated by order
 * reference, else by user within the activity's repeat interval.
 * @throws PlacardError `unknown_activity`, `validation_failed` (currency), `network_suspended`, `unavailable`, `overloaded`
 */
export async function recordActivity(
  deps: ActivityDeps,
  workspace: Workspace,
  input: ActivityInput,
  reason: InvalidReason,
): Promise<RecordedActivity> {
  const activity = checkActivity(deps.catalog, workspace, input);
  const userHash = hashInputUser(deps.userHashSecret, workspace.workspaceId, input);
  const timeMs = input.timeMs ?? deps.nowMs();
  if (input.ord !== null || userHash === '' || activity.repeatIntervalSeconds <= 0 || reason !== '') {
    const eventId =
      input.ord === null
        ? `${EVENT_ID_PREFIX}${newUlid(deps.nowMs())}`
        : orderEventId(workspace.workspaceId, input, input.ord);
    return recordAs(deps, { workspace, activity, input, userHash, timeMs, reason, eventId });
  }
  const eventId = `${EVENT_ID_PREFIX}${newUlid(deps.nowMs())}`;
  const interval = repeatKey(workspace.workspaceId, activity.id, input.event, userHash);
  const preceding = await claimInterval(deps, interval, eventId, activity.repeatIntervalSeconds * 1_000);
  if (preceding !== null) return { eventId: preceding, status: 'duplicate' };
  try {
    return await recordAs(deps, { workspace, activity, input, userHash, timeMs, reason, eventId });
  } catch (error) {
    await releaseInterval(deps.hot, interval, eventId).catch(() => undefined);
    throw error;
  }
}

/** The id of an event that carries an order reference: the same for each copy of it. */
export function orderEventId(workspaceId: number, input: Pick<ActivityInput, 'actgid' | 'event'>, ord: string): string {
  const text = JSON.stringify([workspaceId, input.actgid, input.event, ord]);
  return `${EVENT_ID_PREFIX}${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

export function repeatKey(workspaceId: number, activityId: string, event: string, userHash: string): string {
  return `ar/${workspaceId}/${activityId}/${userHash}/${event}`;
}

/**
 * Claims a user's repeat interval. Returns null when this event holds it now, else the id of the event that holds it, which is certainly on
 * disk. A claim whose event never reached the disk (its process died in between) is taken over, by one event.
 * @throws PlacardError `unavailable` while nobody knows whether the event that holds it reaches the disk
 */
async function claimInterval(
  { hot, recorder, nowMs }: ActivityDeps,
  key: string,
  eventId: string,
  intervalMs: number,
): Promise<string | null> {
  const claim = await asUnavailable(hot.applyOnce({ key, value: eventId, ttlMs: intervalMs }));
  if (claim.first) return null;
  for (let step = 0; step < PRECEDING_WAIT_STEPS_MAX; step += 1) {
    if (await asUnavailable(hot.isCounted(eventKey(claim.value)))) return claim.value;
    await sleep(PRECEDING_WAIT_STEP_MS);
  }
  const claimedAtMs = timeOfUlid(claim.value.slice(EVENT_ID_PREFIX.length));
  const isAbandoned = nowMs() - claimedAtMs >= ABANDONED_AFTER_MS && !(await recorder.hasUncounted());
  const heirOf = `${key}/after/${claim.value}`;
  const isHeir =
    isAbandoned &&
    (await asUnavailable(hot.applyOnce({ key: heirOf, value: eventId, ttlMs: ABANDONED_AFTER_MS }))).first;
  if (!isHeir) {
    throw new PlacardError(
      'unavailable',
      'Another event of this user is being recorded; send the event again shortly.',
    );
  }
  await asUnavailable(hot.set(key, eventId, intervalMs));
  return null;
}

/** Ends the claim of an event that was not recorded. One that was taken over meanwhile stays. */
async function releaseInterval(hot: HotStore, key: string, eventId: string): Promise<void> {
  if ((await hot.get(key)) === eventId) await hot.delete(key);
}

interface ActivityEvent extends KnownEvent {
  readonly reason: InvalidReason;
  readonly eventId: string;
}

async function recordAs(deps: ActivityDeps, event: ActivityEvent): Promise<RecordedActivity> {
  const { workspace, activity, reason, timeMs, input } = event;
  const eventId = reason === '' ? event.eventId : `${event.eventId}:${reason}`;
  if (reason === '' && input.ord !== null && (await isCounted(deps.hot, eventId)))
    return { eventId, status: 'duplicate' };
  if (reason === '' && mayHaveContacts(event)) await checkContactsKnown(deps.recorder);
  const { attribution, path } = reason === '' ? await findAttribution(deps, event) : UNATTRIBUTED;
  const touch = attribution?.touch ?? null;
  const at = { catalog: deps.catalog, workspaceId: workspace.workspaceId, timeMs };
  const order = orderOf(event, touch);
  const bill = await billOf(deps, { touch, order, eventId }, at);
  const claim: Claim = {
    key: eventKey(eventId),
    ttlMs: input.ord === null ? activity.repeatIntervalSeconds * 1_000 + ACTIVITY_CLAIM_TTL_MS : ORDER_CLAIM_TTL_MS,
    increments:
      touch === null
        ? []
        : [
            ...conversionIncrements(touch, at, bill),
            ...(order === null || bill.nanos === 0n ? [] : [orderBillIncrement(order)]),
            ...bill.releases,
          ],
    pushes: [],
  };
  const row = activityRow({ ...event, eventId }, attribution, bill.nanos);
  const touches = path.length === 0 ? {} : { touches: pathRows({ ...event, eventId }, path) };
  const { first } = await recordBilled(deps, { row, claim, bill, ...touches });
  if (first && reason === '') recordSightings(deps, event);
  return { eventId, status: first ? 'accepted' : 'duplicate' };
}

/** An order that was counted before is not looked up, billed or written again: its first copy is on disk. */
async function isCounted(hot: HotStore, eventId: string): Promise<boolean> {
  return asUnavailable(hot.isCounted(eventKey(eventId)));
}

/** The order of an event that credits an ad; null for an event without an order reference. */
export function orderOf(
  { workspace: { workspaceId }, input: { ord } }: KnownEvent,
  touch: Touch | null,
): NamedOrder | null {
  return ord === null || touch === null ? null : { workspaceId, advertiserId: touch.ad.advertiserId, ord };
}

/**
 * The earning of a conversion, within the headroom of money limits; an order earns once.
 * @throws PlacardError `unavailable` when the headroom is unknown, or whether the order was billed
 */
async function billOf(
  deps: ActivityDeps,
  {
    touch,
    order,
    eventId,
  }: { readonly touch: Touch | null; readonly order: NamedOrder | null; readonly eventId: string },
  at: CountedAt,
): Promise<Bill> {
  const nanos = touch === null ? 0n : earnedNanos('activity', touch.ad);
  if (touch === null || nanos === 0n) return NO_BILL;
  if (order !== null && (await asUnavailable(isOrderBilled(deps.hot, order)))) return NO_BILL;
  const bill = await reserveBill(deps, limitsOf(touch.ad, at), { nanos, timeMs: at.timeMs });
  if (bill === null)
    throw new PlacardError('unavailable', 'The budget store is unavailable; send the event again shortly.');
  // An event that earns nothing leaves the price to a later event of its order.
  if (order === null || bill.nanos === 0n) return bill;
  let isOwn = false;
  try {
    isOwn = await asUnavailable(claimOrderBill(deps.hot, order, eventId));
  } finally {
    if (!isOwn) await releaseBill(deps, bill);
  }
  return isOwn ? bill : NO_BILL;
}

/** Uses the time of the contact for that of the decision, a moment earlier. The touch does not hold the reservations of the decision. */
function conversionIncrements({ ad, timeMs }: Touch, at: CountedAt, bill: Bill): CounterIncrement[] {
  return [
    ...deliveryIncrements('activity', ad, at, bill.nanos),
    ...rateIncrements('activity', { ...ad, workspaceId: at.workspaceId }, at.catalog),
    ...releaseReservations('activity', { ...ad, decidedAtMs: timeMs, heldLimits: ALL_LIMITS }, at),
  ];
}

/** Only users who may be profiled have a user hash. */
function recordSightings({ memberships, catalog }: ActivityDeps, event: ActivityEvent): void {
  const { userHash, timeMs, activity, input } = event;
  const { workspaceId } = event.workspace;
  if (memberships === undefined || userHash === '') return;
  for (const segment of catalog.findSegmentsOfActivity(workspaceId, activity.id, input.event))
    memberships.record({ workspaceId, userHash, segment, seenAtMs: timeMs });
}

/** Whether an event names a user or a click. */
export function mayHaveContacts({ userHash, input }: KnownEvent): boolean {
  return userHash !== '' || input.clickId !== null;
}

const UNATTRIBUTED: Attributed = { attribution: null, path: [] };

/**
 * Runs before contacts are read: events acknowledged earlier are then counted, or the caller sends the event again.
 * @throws PlacardError `unavailable` while contacts from an outage of the hot store wait to be counted
 */
export async function checkContactsKnown(recorder: Pick<EventRecorder, 'hasUncounted'>): Promise<void> {
  if (!(await recorder.hasUncounted())) return;
  throw new PlacardError('unavailable', 'Contacts of users wait to be counted; send the event again shortly.');
}

/** The touches on the path to a conversion are in its line: the conversion's claim decides about all of them. */
function pathRows(event: ActivityEvent, path: readonly Touch[]): string[] {
  const { workspace, activity, input, eventId, timeMs, userHash } = event;
  const end = { eventId, workspaceId: workspace.workspaceId, activityId: activity.id, event: input.event, timeMs };
  return touchRows(path, { ...end, npa: input.npa, userHash }).map(rowText);
}

function activityRow(
  event: ActivityEvent,
  attribution: Attribution | null,
  revenueNanos: bigint,
): EventRow & ActivityColumns {
  const { workspace, activity, input, userHash, timeMs, reason, eventId } = event;
  const row = {
    ...EMPTY_EVENT_ROW,
    event_id: eventId,
    workspace_id: workspace.workspaceId,
    kind: 'activity' as const,
    time: formatEventTime(timeMs),
    npa: input.npa,
    user_hash: userHashColumn(userHash),
    activity_id: activity.id,
    attribution: attribution?.kind ?? '',
    value_micros: input.costMicros.toString(),
    revenue_nanos: revenueNanos.toString(),
    invalid_reason: reason,
    activity_event: input.event,
    order_reference: input.ord ?? '',
    item_count: input.itemCount,
    tax_micros: input.taxMicros.toString(),
    products: input.products,
  };
  if (attribution !== null) setAdColumns(row, attribution.touch.ad);
  return row;
}
