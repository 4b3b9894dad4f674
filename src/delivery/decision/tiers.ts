import type { CompiledLineItem } from './index/compile-line-items.ts';
import type { Candidate } from './eligibility.ts';
import type { Competition } from './index/competition.ts';
import type { Draw } from './draws/quota-draws.ts';

/** The line items that compete for a slot, in the order of the index, and the functions that check and score them. */
export interface Group {
  readonly competition: Competition;
  /** Positions in the index: those from `start` up to `end` (exclusive) compete. */
  readonly positions: Int32Array;
  readonly start: number;
  readonly end: number;
  readonly nowMs: number;
  /** Checks all rules of the line item at a position; null when it is not eligible. */
  readonly check: (lineItem: CompiledLineItem, position: number) => Candidate | null;
  /** The share of its goal by which the line item at a position is behind; `NOT_ELIGIBLE` when pacing filters it. */
  readonly urgencyAt: (position: number) => number;
  /** The expected earning of a thousand impressions of the line item at a position, micros. */
  readonly valueAt: (position: number) => number;
  readonly random: Draw;
  readonly workspaceId: number;
}

/** Share of a HOUSE line item without a share, and share of voice of a SPONSORSHIP without one. */
const FULL_SHARE = 100;
/** A score below all others. */
export const NOT_ELIGIBLE = Number.NEGATIVE_INFINITY;
/** This many of the best scores are found by scans; after that the rest is sorted once. */
const SCANS_MAX = 8;

/** The winner of a group by the rule of its tier; null when no line item is eligible or the draw falls through. */
export function pickCandidate(group: Group): Candidate | null {
  switch (group.competition.typeAt(group.positions[group.start] as number)) {
    case 'SPONSORSHIP':
      return drawByShare(group);
    case 'STANDARD':
      return pickMostUrgent(group);
    case 'PRICE':
      return pickDearest(group);
    case 'HOUSE':
      return raceByShare(group);
  }
}

function checkAt({ competition, positions, check }: Group, at: number): Candidate | null {
  const position = positions[at] as number;
  return check(competition.lineItemAt(position), position);
}

/** A draw weighted by share of voice. The remainder up to 100 falls through. */
function drawByShare(group: Group): Candidate | null {
  const candidates: Candidate[] = [];
  for (let at = group.start; at < group.end; at += 1) {
    const candidate = checkAt(group, at);
    if (candidate !== null) candidates.push(candidate);
  }
  if (candidates.length === 0) return null;
  const total = candidates.reduce((sum, { lineItem }) => sum + shareOf(lineItem), 0);
  // The same candidates share one quota.
  const quota = `${group.workspaceId}/${candidates.map(({ lineItem }) => lineItem.booked.id).join()}`;
  let draw = group.random(quota) * Math.max(FULL_SHARE, total);
  for (const candidate of candidates) {
    draw -= shareOf(candidate.lineItem);
    if (draw < 0) return candidate;
  }
  return null;
}

function shareOf({ sharePercent }: CompiledLineItem): number {
  return sharePercent ?? FULL_SHARE;
}

/** Its share in draws: a line item without one has a full share. */
export function shareAt(competition: Competition, position: number): number {
  const share = competition.shareAt(position);
  return Number.isNaN(share) ? FULL_SHARE : share;
}

/** The line item furthest behind its goal; an even draw decides between equals. */
function pickMostUrgent(group: Group): Candidate | null {
  const { competition, positions, start, end, nowMs, urgencyAt } = group;
  const { scores } = competition;
  for (let at = start; at < end; at += 1) {
    const position = positions[at] as number;
    scores[at] = competition.isInFlightAt(position, nowMs) ? urgencyAt(position) : NOT_ELIGIBLE;
  }
  return pickBestScore(group, new Tickets(group));
}

/**
 * A draw weighted by share, as a race: the time of each line item is exponential with its share as the rate, so each eligible one wins in
 * proportion to its share. Only line items that can still win are checked.
 */
function raceByShare(group: Group): Candidate | null {
  const { competition, positions, start, end, nowMs } = group;
  const { scores } = competition;
  const tickets = new Tickets(group);
  for (let at = start; at < end; at += 1) {
    scores[at] = NOT_ELIGIBLE;
    const position = positions[at] as number;
    if (!competition.isInFlightAt(position, nowMs)) continue;
    const share = shareAt(competition, position);
    if (share > 0) scores[at] = Math.log((tickets.at(position) + 0.5) / TICKETS) / share;
  }
  return pickBestScore(group, tickets);
}

/**
 * The highest expected earning; an even draw decides between equals. Line items whose value depends on counters come first. The others are
 * sorted, the dearest first: those of one price compete only when no line item of a higher value is eligible.
 */
function pickDearest(group: Group): Candidate | null {
  const { competition, positions, start, end, nowMs, valueAt } = group;
  const { scores } = competition;
  const tickets = new Tickets(group);
  let at = start;
  for (; at < end; at += 1) {
    const position = positions[at] as number;
    if (!Number.isNaN(competition.priceAt(position))) break;
    scores[at] = competition.isInFlightAt(position, nowMs) ? valueAt(position) : NOT_ELIGIBLE;
  }
  for (let runs = 1; at < end; runs += 1) {
    const price = competition.priceAt(positions[at] as number);
    for (; at < end; at += 1) {
      const position = positions[at] as number;
      const own = competition.priceAt(position);
      // After some prices without an eligible line item, all remaining ones compete at once.
      if (own !== price && runs <= SCANS_MAX) break;
      scores[at] = competition.isInFlightAt(position, nowMs) ? own : NOT_ELIGIBLE;
    }
    const candidate = pickBestScore({ ...group, end: at }, tickets, at < end ? price : NOT_ELIGIBLE);
    if (candidate !== null) return candidate;
  }
  return pickBestScore(group, tickets);
}

/** The eligible line item of the highest score; the highest ticket decides between equals. Null when no score reaches `least`. */
function pickBestScore(group: Group, tickets: Tickets, least = NOT_ELIGIBLE): Candidate | null {
  const { scores } = group.competition;
  for (let scan = 0; scan < SCANS_MAX; scan += 1) {
    const at = findBestScore(group, tickets, least);
    if (at < 0) return null;
    const candidate = checkAt(group, at);
    if (candidate !== null) return candidate;
    scores[at] = NOT_ELIGIBLE;
  }
  for (const at of sortByScore(group, tickets, least)) {
    const candidate = checkAt(group, at);
    if (candidate !== null) return candidate;
    scores[at] = NOT_ELIGIBLE;
  }
  return null;
}

/** -1 when no score is high enough. */
function findBestScore({ competition, positions, start, end }: Group, tickets: Tickets, least: number): number {
  const { scores } = competition;
  let best = -1;
  let bestScore = least;
  /** -1 until two are equal: only then a ticket is needed. */
  let bestTicket = -1;
  for (let at = start; at < end; at += 1) {
    const score = scores[at] as number;
    if (score < bestScore || score === NOT_ELIGIBLE) continue;
    if (score > bestScore || best < 0) {
      best = at;
      bestScore = score;
      bestTicket = -1;
      continue;
    }
    if (bestTicket < 0) bestTicket = tickets.at(positions[best] as number);
    const ticket = tickets.at(positions[at] as number);
    if (ticket <= bestTicket) continue;
    best = at;
    bestTicket = ticket;
  }
  return best;
}

function sortByScore({ competition, positions, start, end }: Group, tickets: Tickets, least: number): number[] {
  const { scores } = competition;
  const left: number[] = [];
  for (let at = start; at < end; at += 1) {
    const score = scores[at] as number;
    if (score >= least && score !== NOT_ELIGIBLE) left.push(at);
  }
  return left.sort(
    (one, other) =>
      (scores[other] as number) - (scores[one] as number) ||
      tickets.at(positions[other] as number) - tickets.at(positions[one] as number),
  );
}

const TICKETS = 2 ** 32;

/**
 * A ticket for each line item of a group, from 0 up to 2^32 (exclusive): one draw for the group, made at the first use and mixed with a
 * number of the line item. So an even draw among the eligible ones needs no list of them, and a ticket does not depend on the other line
 * items.
 */
class Tickets {
  readonly #competition: Competition;
  readonly #random: () => number;
  #drawn = -1;

  constructor({ competition, random }: Group) {
    this.#competition = competition;
    this.#random = random;
  }

  at(position: number): number {
    if (this.#drawn < 0) this.#drawn = Math.floor(this.#random() * TICKETS);
    return mix(this.#drawn ^ this.#competition.seedAt(position));
  }
}

/** The finalizer of MurmurHash3: each bit of the number changes half of the bits. */
function mix(number: number): number {
  let bits = number;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
