import type { HeaderBid } from '../../domain/requests/opportunity.ts';
import type { SlotContext } from './eligibility.ts';

/** The result of a slot that a header bidder wins. */
export const HEADER_BID_WINS = Symbol('the header bidder wins');

/** The header bid that competes for a slot: at or above the floors of the request, the network and the ad unit; null = none. */
export function competingHeaderBid({
  slot,
  ownFloorMicros,
}: Pick<SlotContext, 'slot' | 'ownFloorMicros'>): HeaderBid | null {
  const { headerBid } = slot;
  if (headerBid === undefined || slot.mediaTypes.length === 0) return null;
  return headerBid.cpmMicros >= Math.max(ownFloorMicros, slot.floorMicros) ? headerBid : null;
}
