import type { PlacardHeaderBid } from '../../tag.d.ts';
import type { GptSlot } from './slot.ts';

interface PrebidBid extends PlacardHeaderBid {
  readonly adUnitCode?: string;
}
interface Prebid {
  getBidResponses?(): Readonly<Record<string, { readonly bids?: readonly PrebidBid[] }>>;
}

/**
 * The header bid that a page chose for a slot: Prebid.js names it in the key-value `hb_adid`, and this finds its exact price. Where the page
 * rounds prices into `hb_pb` alone, that counts.
 */
export function headerBidsOf(slot: GptSlot): PlacardHeaderBid[] {
  const [adId] = slot.getTargeting('hb_adid');
  if (adId === undefined) return [];
  const { pbjs } = window as { readonly pbjs?: Prebid };
  const all = Object.values(pbjs?.getBidResponses?.() ?? {}).flatMap(({ bids = [] }) => bids);
  const known = all.find((bid) => bid.adId === adId);
  if (known !== undefined) return [known];
  const cpm = Number(slot.getTargeting('hb_pb')[0]);
  const [bidder = 'prebid'] = slot.getTargeting('hb_bidder');
  const [size] = slot.getTargeting('hb_size');
  return cpm > 0 ? [{ bidder, adId, cpm, size }] : [];
}
