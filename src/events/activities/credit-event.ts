import { earnedNanos } from '../../domain/money/earning.ts';
import { PlacardError } from '../../domain/errors.ts';
import { formatEventTime } from '../../domain/events/event.ts';
import type { ActivityColumns, EventRow } from '../../domain/events/event.ts';
import type { Log } from '../../domain/log/log.ts';
import { ALL_LIMITS } from '../../domain/money/reservation.ts';
import type { SegmentObserver } from '../../domain/targeting/segment.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import { laterThanArrived, withinTime } from '../../domain/time/time-limit.ts';
import type { CounterIncrement, HotStore } from '../../storage/hot/hot-store.ts';
import { asUnavailable, findAttribution } from './activity-facts.ts';
import type { Attributed, KnownEvent } from './activity-facts.ts';
import type { Attribution } from './attribution.ts';
import { touchRows } from './touch-path.ts';
import { claimOrderBill, isOrderBilled, ORDER_CLAIM_TTL_MS, orderBillIncrement } from './order-bills.ts';
import type { NamedOrder } from './order-bills.ts';
import { claimInterval, repeatKey } from './repeat-interval.ts';
import type { IntervalClaim } from './repeat-interval.ts';
import { NO_BILL, recordBilled, releaseBill, reserveBill } from '../billing/billing.ts';
import type { BilledEvent, Bill } from '../billing/billing.ts';
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

/** Dependencies of crediting. */
export interface CreditDeps {
  readonly recorder: EventRecorder;
  readonly hot: HotStore;
  readonly catalog: Catalog;
  /** Makes members of segments; absent = activities make none. */
  readonly memberships?: SegmentObserver;
  /** How long a caller waits for the hot store, in milliseconds; default 1,500. */
  readonly callerWaitMs?: number;
  readonly nowMs: () => number;
  readonly log: Log;
}

/** An event that a caller got an id for, by the rules of its activity at that moment. */
export interface AcceptedEvent extends KnownEvent {
  readonly reason: InvalidReason;
  readonly eventId: string;
}

/** The result of recording an activity event: `duplicate` names the first one of its kind. */
export interface RecordedActivity {
  readonly eventId: string;
  readonly status: 'accepted' | 'duplicate';
}

/** Without an order reference, the claim must outlive the repeat interval that points to it by this much. */
const ACTIVITY_CLAIM_TTL_MS = 9 * 86_400_000;
/** A caller waits at most this long for contacts and budgets to be read; then its event is credited later. */
const CALLER_WAIT_MS = 1_500;

/**
 * Credits an event to an ad, bills it and records it. A repeat with the same event, after a kill or beside another one, counts nothing twice.
 * @throws PlacardError `unavailable` while the hot store cannot tell what the event is credited to; `unavailable` or `overloaded` when the
 *   disk does not take it
 */
export async function creditEvent(deps: CreditDeps, event: AcceptedEvent): Promise<RecordedActivity> {
  return record(deps, event, await prepare(deps, event));
}

/** As {@link creditEvent} for a caller who waits: also throws `unavailable` when the hot store is slow. */
export async function creditInTime(deps: CreditDeps, event: AcceptedEvent): Promise<RecordedActivity> {
  const prepared = prepare(deps, event);
  let inTime: Prepared;
  try {
    inTime = await asUnavailable(withinTime(prepared, deps.callerWaitMs ?? CALLER_WAIT_MS, laterThanArrived));
  } catch (error) {
    prepared.then(
      (late) => (typeof late === 'string' ? undefined : releaseBill(deps, late.bill)),
      () => undefined,
    );
    throw error;
  }
  return record(deps, event, inTime);
}

/** What an event without an order reference claims; null where each event of the user counts. */
export function intervalOf({
  workspaceId,
  activity,
  input,
  userHash,
  reason,
  eventId,
}: AcceptedEvent): IntervalClaim | null {
  const intervalMs = activity.repeatIntervalSeconds * 1_000;
  if (input.ord !== null || userHash === '' || intervalMs <= 0 || reason !== '') return null;
  return { key: repeatKey(workspaceId, activity.id, input.event, userHash), eventId, intervalMs };
}

/** What is recorded, or the id of the event that this one repeats. */
type Prepared = BilledEvent | string;

async function prepare(deps: CreditDeps, event: AcceptedEvent): Promise<Prepared> {
  const { workspaceId, reason, timeMs, eventId } = event;
  const earlier = await findEarlier(deps, event);
  if (earlier !== null) return earlier;
  if (reason === '' && mayHaveContacts(event)) await checkContactsKnown(deps.recorder);
  const { attribution, path } = reason === '' ? await findAttribution(deps, event) : UNATTRIBUTED;
  const touch = attribution?.touch ?? null;
  const at = { catalog: deps.catalog, workspaceId, timeMs };
  const order = orderOf(event, touch);
  const bill = await billOf(deps, { touch, order, eventId }, at);
  const claim = claimOf(event, touch === null ? [] : creditIncrements({ touch, order, bill }, at));
  const row = activityRow(event, attribution, bill.nanos);
  return { row, claim, bill, ...(path.length === 0 ? {} : { touches: pathRows(event, path) }) };
}

async function record(deps: CreditDeps, event: AcceptedEvent, prepared: Prepared): Promise<RecordedActivity> {
  if (typeof prepared === 'string') return { eventId: prepared, status: 'duplicate' };
  const { first } = await recordBilled(deps, prepared);
  if (first && event.reason === '') recordSightings(deps, event);
  return { eventId: event.eventId, status: first ? 'accepted' : 'duplicate' };
}

/** The recorded event that this one repeats; null: none. An order that was counted is not looked up, billed or written again. */
async function findEarlier(deps: CreditDeps, event: AcceptedEvent): Promise<string | null> {
  const { eventId, input, reason } = event;
  const interval = intervalOf(event);
  if (interval !== null) return claimInterval(deps, interval);
  if (input.ord === null || reason !== '') return null;
  return (await asUnavailable(deps.hot.isCounted(eventKey(eventId)))) ? eventId : null;
}

/** The order of an event that credits an ad; null for an event without an order reference. */
export function orderOf({ workspaceId, input: { ord } }: KnownEvent, touch: Touch | null): NamedOrder | null {
  return ord === null || touch === null ? null : { workspaceId, advertiserId: touch.ad.advertiserId, ord };
}

/**
 * The earning of a conversion, within the headroom of money limits; an order earns once.
 * @throws PlacardError `unavailable` when the headroom is unknown, or whether the order was billed
 */
async function billOf(
  deps: CreditDeps,
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
  if (bill === null) throw new PlacardError('unavailable', 'The budget store is unavailable; retry shortly.');
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

function claimOf({ eventId, input, activity }: AcceptedEvent, increments: readonly CounterIncrement[]): Claim {
  const ttlMs = activity.repeatIntervalSeconds * 1_000 + ACTIVITY_CLAIM_TTL_MS;
  return { key: eventKey(eventId), ttlMs: input.ord === null ? ttlMs : ORDER_CLAIM_TTL_MS, increments, pushes: [] };
}

/** Uses the time of the contact for that of the decision, a moment earlier. The touch does not hold the reservations of the decision. */
function creditIncrements(
  {
    touch: { ad, timeMs },
    order,
    bill,
  }: { readonly touch: Touch; readonly order: NamedOrder | null; readonly bill: Bill },
  at: CountedAt,
): CounterIncrement[] {
  return [
    ...deliveryIncrements('activity', ad, at, bill.nanos),
    ...rateIncrements('activity', { ...ad, workspaceId: at.workspaceId }, at.catalog),
    ...releaseReservations('activity', { ...ad, decidedAtMs: timeMs, heldLimits: ALL_LIMITS }, at),
    ...(order === null || bill.nanos === 0n ? [] : [orderBillIncrement(order)]),
    ...bill.releases,
  ];
}

/** Only users who may be profiled have a user hash. */
function recordSightings({ memberships, catalog }: CreditDeps, event: AcceptedEvent): void {
  const { workspaceId, userHash, timeMs, activity, input } = event;
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
 * Runs before contacts are read: events acknowledged earlier are then counted.
 * @throws PlacardError `unavailable` while contacts from an outage of the hot store wait to be counted
 */
export async function checkContactsKnown(recorder: Pick<EventRecorder, 'hasUncounted'>): Promise<void> {
  if (!(await recorder.hasUncounted())) return;
  throw new PlacardError('unavailable', 'Contacts of users wait to be counted; retry shortly.');
}

/** The touches on the path to a conversion are in its line: the conversion's claim decides about all of them. */
function pathRows(event: AcceptedEvent, path: readonly Touch[]): string[] {
  const { workspaceId, activity, input, eventId, timeMs, userHash } = event;
  const end = { eventId, workspaceId, activityId: activity.id, event: input.event, timeMs };
  return touchRows(path, { ...end, npa: input.npa, userHash }).map(rowText);
}

function activityRow(
  event: AcceptedEvent,
  attribution: Attribution | null,
  revenueNanos: bigint,
): EventRow & ActivityColumns {
  const { workspaceId, activity, input, userHash, timeMs, reason, eventId } = event;
  const row = {
    ...EMPTY_EVENT_ROW,
    event_id: eventId,
    workspace_id: workspaceId,
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
