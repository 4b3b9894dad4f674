import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import { lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import { COUNTED_EVENTS, PRICING } from '../../../domain/pricing/pricing-models.ts';
import type { Opportunity, Slot } from '../../../domain/requests/opportunity.ts';
import { decide } from '../../decision/decide.ts';
import type { DeliveryState } from '../../decision/delivery-state.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import type { SnapshotLists } from '../../decision/index/snapshot-lists.ts';
import type { SampleEntry } from '../../traffic/parse-sample.ts';
import type { SlotOffer } from './floor-effects.ts';

/** The bookings that compete by price, which floors are for. */
export function narrowToPrice(snapshot: SnapshotLists): WorkspaceSnapshot {
  const lineItems = [...snapshot.lineItems].filter(({ type, status }) => type === 'PRICE' && status === 'ACTIVE');
  const ids = new Set(lineItems.map(({ id }) => id));
  return {
    ...snapshot,
    workspace: { ...snapshot.workspace, status: 'ACTIVE' },
    lineItems,
    creatives: [...snapshot.creatives].filter(({ lineItemId }) => ids.has(lineItemId)),
    activities: [],
  };
}

/** The same without the floors of ad units: bids below them are to be seen. Floors of the network and rules stay. */
export function withoutUnitFloors(snapshot: WorkspaceSnapshot): WorkspaceSnapshot {
  return { ...snapshot, adUnits: snapshot.adUnits.map((adUnit) => ({ ...adUnit, floorMicros: 0 })) };
}

/** The counters of the rates by which line items bid that are not paid by impressions. */
export function listRateCounters({ workspace: { workspaceId }, lineItems }: WorkspaceSnapshot): string[] {
  return lineItems.flatMap(({ id, pricingModel }) => {
    const { event } = PRICING[pricingModel];
    if (event === null || event === 'impression') return [];
    const keyOf = (kind: 'imp' | (typeof COUNTED_EVENTS)[typeof event]['counter']) =>
      lifetimeCounterKey({ workspaceId, scope: 'li', id, kind });
    return [keyOf('imp'), keyOf(COUNTED_EVENTS[event].counter)];
  });
}

/** An offer for one slot of an ad unit. */
export interface UnitOffer extends SlotOffer {
  readonly adUnitId: string;
}

/**
 * What was offered for the slots of a sampled request: its own header bids, and the bid of the best PRICE line item as it is booked now. Pacing, caps and
 * frequency are left out, and so are goals.
 */
export function* findOffers(
  compiled: CompiledWorkspace,
  { atMs, opportunity }: SampleEntry,
  { user, counter }: { readonly user: number; readonly counter: (key: string) => number },
): Generator<UnitOffer> {
  const state: DeliveryState = {
    counter,
    pace: () => ({ mayDeliver: true, urgency: 0 }),
    capCount: () => 0,
    isUsedUp: () => false,
  };
  const networkFloor = compiled.snapshot.workspace.floorMicros;
  for (const slot of opportunity.slots) {
    if (slot.adUnitId === '') continue;
    const alone: Opportunity = { ...opportunity, slots: [withoutHeaderBid(slot)] };
    const [placement = null] = decide(compiled, alone, { state, nowMs: atMs, random: () => 0.5 }).placements;
    const bid = placement?.bidMicros ?? 0;
    const isExempt = (placement?.dealCode ?? '') !== '';
    yield {
      adUnitId: slot.adUnitId,
      user,
      booked: isExempt ? 0 : bid,
      exempt: isExempt ? bid : 0,
      headerBid: slot.mediaTypes.length === 0 ? 0 : (slot.headerBid?.cpmMicros ?? 0),
      callerFloor: Math.max(slot.floorMicros, networkFloor),
    };
  }
}

function withoutHeaderBid({ headerBid: _headerBid, ...slot }: Slot): Slot {
  return slot;
}
