import { localDay } from '../../domain/time/calendar.ts';
import { nanosEach } from '../../domain/money/earning.ts';
import { PRICING } from '../../domain/pricing/pricing-models.ts';
import { formatEventTime } from '../../domain/events/event.ts';
import type { CapCheck } from '../../domain/money/limit.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';
import { recordBilled, reserveBill } from './billing.ts';
import type { BillingDeps } from './billing.ts';
import { limitsOf, spendIncrements, zoneOf } from './delivery-counters.ts';
import type { CountedAt } from './delivery-counters.ts';
import { EMPTY_EVENT_ROW } from '../recording/event-rows.ts';
import { eventKey } from '../recording/recorder.ts';
import type { EventRecorder } from '../recording/recorder.ts';

/** Days that one worker remembers as recorded, so that it does not try again with each impression. */
const KNOWN_MAX = 10_000;
/** The claim outlives every late event of the day. */
const CLAIM_TTL_MS = 21 * 86_400_000;

/** Dependencies of the FLAT day recorder. */
export interface FlatDayDeps extends BillingDeps {
  readonly recorder: EventRecorder;
}

/**
 * Records the day price of FLAT line items: once for each day (in the line item's time zone) with an impression, by the worker that counts
 * the first one. The day is that of the decision, which checked the headroom of that day's budget, so an impression after midnight records
 * no other day. The price is that of the ad shown.
 */
export class FlatDays {
  readonly #deps: FlatDayDeps;
  readonly #booked = new Set<string>();

  constructor(deps: FlatDayDeps) {
    this.#deps = deps;
  }

  /**
   * Call it when a valid impression was counted, now or before. Resolves once its day is on disk, if it earns one. When a money limit has
   * no headroom for the day, the next impression tries again.
   * @throws PlacardError `unavailable` or `overloaded` when the disk did not take it: the next impression tries again
   */
  async recordImpression(ad: ServedAd, where: Omit<CountedAt, 'timeMs'>): Promise<void> {
    if (PRICING[ad.pricingModel].bills !== 'day' || ad.priceMicros === 0) return;
    const at = { ...where, timeMs: ad.decidedAtMs };
    const day = localDay(at.timeMs, zoneOf(ad, at));
    const eventId = `flat:${at.workspaceId}:${ad.lineItemId}:${day}`;
    if (this.#booked.has(eventId)) return;
    const bill = await this.#reserveBill(ad, at, eventId);
    if (bill === 'booked') return this.#remember(eventId);
    if (bill === null || bill.nanos === 0n) return;
    await recordBilled(this.#deps, {
      row: flatDayRow(ad, { eventId, timeMs: at.timeMs, nanos: bill.nanos }),
      claim: {
        key: eventKey(eventId),
        ttlMs: CLAIM_TTL_MS,
        increments: [...spendIncrements(bill.nanos, ad, at), ...bill.releases],
        pushes: [],
      },
      bill,
    });
    this.#remember(eventId);
  }

  /**
   * Null when the hot store is unavailable and the day has money limits: the day is not recorded yet. Without limits each worker records
   * the day, and the claim lets one of them count when the store is back.
   */
  async #reserveBill(
    ad: ServedAd,
    at: CountedAt,
    eventId: string,
  ): Promise<Awaited<ReturnType<typeof reserveBill>> | 'booked'> {
    const limits = limitsOf(ad, at);
    try {
      if (await this.#deps.hot.isCounted(eventKey(eventId))) return 'booked';
    } catch (error) {
      if (limits !== null && !hasMoneyLimit(limits)) return { nanos: nanosEach(ad), releases: [] };
      this.#deps.log.event('billing.flat_day_not_booked', { err: error, eventId });
      return null;
    }
    return reserveBill(this.#deps, limits, { nanos: nanosEach(ad), timeMs: at.timeMs });
  }

  #remember(eventId: string): void {
    if (this.#booked.size >= KNOWN_MAX) this.#booked.clear();
    this.#booked.add(eventId);
  }
}

function hasMoneyLimit(limits: readonly CapCheck[]): boolean {
  return limits.some(({ subject }) => subject.kind === 'spend');
}

/** A day belongs to the line item, not to the ad unit, creative or user of its first impression. */
function flatDayRow(ad: ServedAd, { eventId, timeMs, nanos }: { eventId: string; timeMs: number; nanos: bigint }) {
  return {
    ...EMPTY_EVENT_ROW,
    event_id: eventId,
    workspace_id: ad.workspaceId,
    kind: 'flat_day' as const,
    time: formatEventTime(timeMs),
    advertiser_id: ad.advertiserId,
    campaign_id: ad.campaignId,
    line_item_id: ad.lineItemId,
    line_item_type: ad.lineItemType,
    deal_id: ad.dealId,
    advertising_product_id: ad.advertisingProductId,
    revenue_nanos: nanos.toString(),
  };
}
