import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../domain/log/log.ts';
import type { VideoEvent } from '../../domain/events/ad-links.ts';
import { earnedNanos, isBeside, nanosEach } from '../../domain/money/earning.ts';
import { COUNTED_EVENTS, countedKind, PRICING } from '../../domain/pricing/pricing-models.ts';
import type { CountedKind } from '../../domain/pricing/pricing-models.ts';
import type { ActivityColumns, EventKind } from '../../domain/events/event.ts';
import { isReservationOpen } from '../../domain/money/reservation.ts';
import { CLICK_WINDOW_MS, IMPRESSION_WINDOW_MS } from '../../domain/events/served-ad.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { NO_BILL, recordBilled, reserveBill } from '../billing/billing.ts';
import type { Bill } from '../billing/billing.ts';
import { SharedIncrementsCache } from '../billing/shared-increments.ts';
import { limitsOf } from '../billing/delivery-counters.ts';
import { servedAdRow } from '../recording/event-rows.ts';
import type { InvalidReason } from '../recording/event-rows.ts';
import { FlatDays } from '../billing/flat-days.ts';
import { frequencyIncrements } from '../billing/frequency-counters.ts';
import { rateIncrements, sequenceIncrements } from '../billing/rotation-counters.ts';
import { eventKey } from '../recording/recorder.ts';
import type { EventRecorder } from '../recording/recorder.ts';
import type { Claim, SharedIncrements } from '../spool/spool-line.ts';
import { touchPushes } from './touch.ts';
import { UNDEFINED_ERROR, videoErrorColumns } from './video-errors.ts';

/** Dependencies of the recorder of ad events. */
export interface AdEventDeps {
  readonly recorder: EventRecorder;
  readonly hot: HotStore;
  readonly catalog: Catalog;
  readonly nowMs: () => number;
  readonly log: Log;
}

/** Events of a served ad. Each resolves once the event is on disk; `reason` is the result of the traffic filter. */
export interface AdEvents {
  impression(ad: ServedAd, reason: InvalidReason): Promise<void>;
  viewable(ad: ServedAd, reason: InvalidReason): Promise<void>;
  measurable(ad: ServedAd, reason: InvalidReason): Promise<void>;
  /** @param timeMs when the user clicked; default now */
  click(ad: ServedAd, reason: InvalidReason, timeMs?: number): Promise<void>;
  /** @param errorCode of VAST, of an error */
  video(ad: ServedAd, event: VideoEvent, reason: InvalidReason, errorCode?: number): Promise<void>;
}

/** Viewability and video events may come this long after the decision: an ad that was loaded in time may be seen late. */
export const EXPOSURE_WINDOW_MS = 4 * IMPRESSION_WINDOW_MS;

/** How long the claim of an event is kept: well beyond the window in which its link counts. */
const EXPOSURE_CLAIM_TTL_MS = 2 * 86_400_000;
const CLICK_CLAIM_TTL_MS = CLICK_WINDOW_MS + 2 * 86_400_000;

/** The impression and what needs it race on two connections: the later event waits this long for the impression. */
const IMPRESSION_WAIT_STEP_MS = 25;
const IMPRESSION_WAIT_STEPS_MAX = 10;
const IMPRESSION_WAITERS_MAX = 1_000;

/** Most repeated clicks on one impression that are stored (as not billed); further ones are not stored. */
const REPEATED_CLICKS_MAX = 20;

/** An event before it has an id: what, when, and why it would not count. */
interface Draft {
  readonly kind: EventKind;
  /** Part of the event id behind the impression id. */
  readonly suffix: string;
  readonly claimTtlMs: number;
  readonly reason: InvalidReason;
  /** Default now. */
  readonly timeMs?: number;
  /** Further columns of the row. */
  readonly columns?: Partial<ActivityColumns>;
}

/** Records the events of served ads: rows, claims, delivery counters, frequency counters and touches. */
export function createAdEvents(adEventDeps: AdEventDeps): AdEvents {
  const deps: RecordDeps = { ...adEventDeps, sharedIncrements: new SharedIncrementsCache() };
  const { hot, nowMs } = deps;
  const flatDays = new FlatDays(deps);
  let waiters = 0;

  /** The impression is on disk: the response says so, even when recording its day fails. */
  const recordDay = async (ad: ServedAd): Promise<void> => {
    try {
      await flatDays.recordImpression(ad, { catalog: deps.catalog, workspaceId: ad.workspaceId });
    } catch (error) {
      deps.log.event('billing.flat_day_waits', { err: error, lineItemId: ad.lineItemId });
    }
  };

  /**
   * True when the impression is recorded; waits a moment for it. While the hot store is unavailable, or impressions of such a time wait
   * to be counted, the signature is proof enough.
   */
  const hasImpression = async (ad: ServedAd): Promise<boolean> => {
    const key = eventKey(`${ad.impressionId}:imp`);
    for (let step = 0; ; step += 1) {
      const isLast = step >= IMPRESSION_WAIT_STEPS_MAX || waiters >= IMPRESSION_WAITERS_MAX;
      // Runs before the last look: events acknowledged earlier are then counted.
      if (isLast && (await deps.recorder.hasUncounted())) return true;
      try {
        if (await hot.isCounted(key)) return true;
      } catch {
        return true;
      }
      if (isLast) return false;
      waiters += 1;
      await sleep(IMPRESSION_WAIT_STEP_MS);
      waiters -= 1;
    }
  };
  const exposure = async (ad: ServedAd, event: ExposureDraft, filtered: InvalidReason): Promise<void> => {
    const counted = countedKind(event.kind);
    const asksImpression = counted !== null && COUNTED_EVENTS[counted].needsImpression;
    const isMatched = !asksImpression || filtered !== '' || ad.test || (await hasImpression(ad));
    const reason = reasonAt(nowMs(), ad, EXPOSURE_WINDOW_MS, isMatched ? filtered : 'unmatched');
    await record(deps, ad, { ...event, claimTtlMs: EXPOSURE_CLAIM_TTL_MS, reason });
  };

  return {
    impression: async (ad, filtered) => {
      const reason = reasonAt(nowMs(), ad, IMPRESSION_WINDOW_MS, filtered);
      // A cached page shows its pixel again the next day: that makes no further impression, not even a late one.
      if (reason === 'late' && (await isCounted(deps, `${ad.impressionId}:imp`))) return;
      await record(deps, ad, { kind: 'impression', suffix: 'imp', claimTtlMs: EXPOSURE_CLAIM_TTL_MS, reason });
      if (reason === '' && !ad.companion) await recordDay(ad);
    },
    viewable: (ad, filtered) => exposure(ad, { kind: 'viewable', suffix: 'view' }, filtered),
    measurable: (ad, filtered) => exposure(ad, { kind: 'measurable', suffix: 'meas' }, filtered),
    video: (ad, event, filtered, errorCode) => exposure(ad, videoDraft(deps, ad, event, errorCode), filtered),
    click: async (ad, filtered, timeMs = nowMs()) => {
      const reason = reasonAt(timeMs, ad, CLICK_WINDOW_MS, filtered);
      const draft: Draft = { kind: 'click', suffix: 'clk', claimTtlMs: CLICK_CLAIM_TTL_MS, reason, timeMs };
      if (reason !== '' || !(await isCounted(deps, `${ad.impressionId}:clk`))) return record(deps, ad, draft);
      const [repeats = 0n] = await hot.addToCounters([
        { key: `rc/${ad.impressionId}`, by: 1n, ttlMs: CLICK_CLAIM_TTL_MS },
      ]);
      if (repeats <= REPEATED_CLICKS_MAX)
        await record(deps, ad, { ...draft, suffix: `clk:r${repeats}`, reason: 'repeat' });
    },
  };
}

type ExposureDraft = Pick<Draft, 'kind' | 'suffix' | 'columns'>;

function videoDraft(
  { catalog }: AdEventDeps,
  ad: ServedAd,
  event: VideoEvent,
  errorCode: number = UNDEFINED_ERROR,
): ExposureDraft {
  const draft: ExposureDraft = { kind: `video_${event}`, suffix: `v:video_${event}` };
  if (event !== 'error') return draft;
  return { ...draft, columns: videoErrorColumns(errorCode, catalog.findCreative(ad.workspaceId, ad.creativeId)) };
}

function reasonAt(timeMs: number, ad: ServedAd, windowMs: number, filtered: InvalidReason): InvalidReason {
  if (ad.test) return 'test';
  return timeMs - ad.decidedAtMs > windowMs ? 'late' : filtered;
}

/** While the hot store is unavailable, no event is known to be counted: the shipper decides. */
async function isCounted(deps: AdEventDeps, eventId: string): Promise<boolean> {
  try {
    return await deps.hot.isCounted(eventKey(eventId));
  } catch {
    return false;
  }
}

interface RecordDeps extends AdEventDeps {
  readonly sharedIncrements: SharedIncrementsCache;
}

async function record(deps: RecordDeps, ad: ServedAd, draft: Draft): Promise<void> {
  const timeMs = draft.timeMs ?? deps.nowMs();
  // An event that does not count must not use up the id of one that does: it has its own id, one for each reason.
  const isValid = draft.reason === '';
  const suffix = isValid || draft.reason === 'repeat' ? draft.suffix : `${draft.suffix}:${draft.reason}`;
  const eventId = `${ad.impressionId}:${suffix}`;
  const counted = isValid ? countedKind(draft.kind) : null;
  const bill = counted === null ? NO_BILL : (heldBill(ad, counted, timeMs) ?? (await reservedBill(deps, ad, timeMs)));
  const claim: Claim = {
    key: eventKey(eventId),
    ttlMs: draft.claimTtlMs,
    ...(counted === null || isBeside(counted, ad) ? {} : { shared: sharedOf(deps, ad, { counted, timeMs, bill }) }),
    increments: counted === null ? [] : incrementsOf(deps, ad, { counted, bill }),
    pushes: counted === null ? [] : pushesOf(deps, ad, counted, timeMs),
  };
  const { kind, reason } = draft;
  const row = servedAdRow(ad, { eventId, kind, timeMs, revenueNanos: bill.nanos, invalidReason: reason });
  await recordBilled(deps, { row: draft.columns === undefined ? row : { ...row, ...draft.columns }, claim, bill });
}

/** The earning of a counted event that asks no limit: nothing, or the amount that its response reserved; null for any other. */
function heldBill(ad: ServedAd, counted: CountedKind, timeMs: number): Bill | null {
  const nanos = isBeside(counted, ad) ? 0n : earnedNanos(counted, ad);
  const isHeld = PRICING[ad.pricingModel].hold === 'firm' && isReservationOpen(ad.decidedAtMs, timeMs);
  return nanos === 0n || isHeld ? { nanos, releases: [] } : null;
}

/** The earning of an event of the kind that earns, within the headroom of money limits. While the hot store is unavailable, its whole price. */
async function reservedBill(deps: AdEventDeps, ad: ServedAd, timeMs: number): Promise<Bill> {
  const nanos = nanosEach(ad);
  const limits = limitsOf(ad, { catalog: deps.catalog, workspaceId: ad.workspaceId });
  return (await reserveBill(deps, limits, { nanos, timeMs })) ?? { nanos, releases: [] };
}

interface CountedEvent {
  readonly counted: CountedKind;
  readonly timeMs: number;
  readonly bill: Bill;
}

function sharedOf(deps: RecordDeps, ad: ServedAd, { counted, timeMs, bill }: CountedEvent): SharedIncrements {
  const at = { catalog: deps.catalog, workspaceId: ad.workspaceId, timeMs };
  return deps.sharedIncrements.find(counted, ad, at, bill.nanos);
}

function incrementsOf(
  deps: AdEventDeps,
  ad: ServedAd,
  { counted, bill }: Omit<CountedEvent, 'timeMs'>,
): Claim['increments'] {
  const releases = isBeside(counted, ad) ? [] : bill.releases;
  const learned = rateIncrements(counted, ad, deps.catalog);
  if (counted !== 'impression' && counted !== 'click')
    return learned.length === 0 ? releases : [...releases, ...learned];
  return [
    ...releases,
    ...frequencyIncrements(counted, ad, deps.catalog),
    ...learned,
    ...(counted === 'impression' ? sequenceIncrements(ad, deps.catalog) : []),
  ];
}

/** The event after which a conversion may be credited to an ad that is not clicked. */
function creditedImpression(workspace: Workspace | undefined): CountedKind {
  return workspace?.impressionTouches === 'VIEWABLE_IMPRESSIONS' ? 'viewable' : 'impression';
}

function pushesOf(deps: AdEventDeps, ad: ServedAd, counted: CountedKind, timeMs: number): Claim['pushes'] {
  const isImpression = counted === creditedImpression(deps.catalog.findWorkspaceById(ad.workspaceId));
  if ((counted !== 'click' && !isImpression) || isBeside(counted, ad)) return [];
  const hasOwnActivity = deps.catalog.hasOwnActivity(ad.workspaceId, ad.advertiserId);
  return touchPushes(ad, { kind: isImpression ? 'view' : 'click', timeMs, hasOwnActivity });
}
