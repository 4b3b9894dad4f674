/** What was offered for a slot, CPM micros of the network's currency. */
export interface SlotOffer {
  /** A number of the user who made the request: those of one user belong together. */
  readonly user: number;
  /** The best PRICE line item that the floor of the ad unit binds; 0 = none. Its price is booked: a floor does not change it. */
  readonly booked: number;
  /** The best PRICE line item under a deal that has a floor of its own; 0 = none. The floor of the ad unit does not bind it. */
  readonly exempt: number;
  /** The header bid; 0 = none. */
  readonly headerBid: number;
  /** The caller's own floor, which binds as well. */
  readonly callerFloor: number;
}

/** How floors are compared. */
export interface FloorModel {
  readonly presentFloor: number;
  /** A header bidder bids its value times this, 0 < share ≤ 1: it pays a floor above its bid, up to its value. 1: bids stay as they are. */
  readonly bidShare: number;
}

/** The effect of a floor beside the present one, of the sampled slots. */
export interface FloorEffect {
  readonly floor: number;
  /** Slots that somebody pays for, with the present floor and with this one. */
  readonly paidBefore: number;
  readonly paidAfter: number;
  /** What the present floor earns, and what this one earns more: sums of CPM micros. */
  readonly revenueBefore: number;
  readonly gain: number;
  /** The 95 % interval of the gain. */
  readonly gainLow: number;
  readonly gainHigh: number;
}

/** Most floors that are compared: quantiles of the bids. */
const CANDIDATES_MAX = 200;
/** With fewer slots that anybody bids for, or fewer users in either half, nothing is suggested. */
export const BIDS_MIN = 200;
const USERS_MIN = 30;
/** Standard errors of a 95 % interval. */
const ERRORS = 1.96;

/** The earning of a slot with a floor: the header bidder's or the line item's payment, whichever is higher; 0 = neither reaches the floor. */
export function earnedWith(floor: number, offer: SlotOffer, bidShare: number): number {
  const { booked, exempt, headerBid, callerFloor } = offer;
  const lowest = Math.max(floor, callerFloor);
  const byLineItem = Math.max(exempt, booked >= lowest ? booked : 0);
  if (headerBid < callerFloor) return byLineItem;
  const byHeaderBid = headerBid >= floor ? headerBid : headerBid >= bidShare * floor ? floor : 0;
  return Math.max(byLineItem, byHeaderBid);
}

/**
 * The floor that earns most, chosen by one half of the users and measured with the other half, so that luck in the choice is not reported as a gain. Null
 * where too little was sampled, where no floor earns more in both halves, or where the 95 % interval of the gain includes 0.
 */
export function suggestFloor(offers: readonly SlotOffer[], model: FloorModel): FloorEffect | null {
  const withBids = offers.filter(({ booked, exempt, headerBid }) => Math.max(booked, exempt, headerBid) > 0);
  if (withBids.length < BIDS_MIN) return null;
  const chosenBy = withBids.filter(({ user }) => user % 2 === 0);
  const measuredBy = withBids.filter(({ user }) => user % 2 === 1);
  if (countUsers(chosenBy) < USERS_MIN || countUsers(measuredBy) < USERS_MIN) return null;
  const floor = bestFloor(chosenBy, model);
  if (floor === model.presentFloor) return null;
  const effect = measureFloor(floor, measuredBy, model);
  return effect.gainLow > 0 ? scaleEffect(effect, withBids.length / measuredBy.length) : null;
}

/** From the half that measured it to all slots. */
function scaleEffect({ floor, ...sums }: FloorEffect, by: number): FloorEffect {
  const { paidBefore, paidAfter, revenueBefore, gain, gainLow, gainHigh } = sums;
  return {
    floor,
    paidBefore: paidBefore * by,
    paidAfter: paidAfter * by,
    revenueBefore: revenueBefore * by,
    gain: gain * by,
    gainLow: gainLow * by,
    gainHigh: gainHigh * by,
  };
}

/** Of floors that earn the same, the one nearest to the present floor. */
export function bestFloor(offers: readonly SlotOffer[], { presentFloor, bidShare }: FloorModel): number {
  let best = presentFloor;
  let bestRevenue = revenueWith(presentFloor, offers, bidShare);
  for (const floor of candidateFloors(offers, bidShare)) {
    const revenue = revenueWith(floor, offers, bidShare);
    const isNearer = Math.abs(floor - presentFloor) < Math.abs(best - presentFloor);
    if (revenue < bestRevenue || (revenue === bestRevenue && !isNearer)) continue;
    best = floor;
    bestRevenue = revenue;
  }
  return best;
}

/** What was bid, and the values behind header bids: between two of these, a floor changes nothing but what bidders at the floor pay. */
function candidateFloors(offers: readonly SlotOffer[], bidShare: number): number[] {
  const found = new Set<number>();
  for (const { booked, headerBid } of offers) {
    if (booked > 0) found.add(booked);
    if (headerBid > 0) found.add(headerBid).add(Math.floor(headerBid / bidShare));
  }
  const sorted = [...found].sort((left, right) => left - right);
  if (sorted.length <= CANDIDATES_MAX) return sorted;
  const step = (sorted.length - 1) / (CANDIDATES_MAX - 1);
  return Array.from({ length: CANDIDATES_MAX }, (_none, at) => sorted[Math.round(at * step)] as number);
}

function revenueWith(floor: number, offers: readonly SlotOffer[], bidShare: number): number {
  return offers.reduce((sum, offer) => sum + earnedWith(floor, offer, bidShare), 0);
}

/** The effect of a floor, with an interval that counts users, because the slots of one user are alike. */
export function measureFloor(
  floor: number,
  offers: readonly SlotOffer[],
  { presentFloor, bidShare }: FloorModel,
): FloorEffect {
  const gains = new Map<number, number>();
  let [paidBefore, paidAfter, revenueBefore, gain] = [0, 0, 0, 0];
  for (const offer of offers) {
    const before = earnedWith(presentFloor, offer, bidShare);
    const after = earnedWith(floor, offer, bidShare);
    if (before > 0) paidBefore += 1;
    if (after > 0) paidAfter += 1;
    revenueBefore += before;
    gain += after - before;
    gains.set(offer.user, (gains.get(offer.user) ?? 0) + after - before);
  }
  const users = gains.size;
  let squares = 0;
  for (const ofUser of gains.values()) squares += (ofUser - gain / users) ** 2;
  const error = ERRORS * Math.sqrt((squares * users) / Math.max(1, users - 1));
  return { floor, paidBefore, paidAfter, revenueBefore, gain, gainLow: gain - error, gainHigh: gain + error };
}

function countUsers(offers: readonly SlotOffer[]): number {
  return new Set(offers.map(({ user }) => user)).size;
}
