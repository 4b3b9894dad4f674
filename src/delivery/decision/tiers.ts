import type { CompiledLineItem } from './index/compile-line-items.ts';
import type { Candidate } from './eligibility.ts';

/**
 * One group of competing rows: positions `start` up to `end` (exclusive), of which `check` tells the eligible ones. It may pass
 * over rows whose urgency is below `leastUrgency`.
 */
export interface Group {
  readonly start: number;
  readonly end: number;
  readonly check: (at: number, leastUrgency: number) => Candidate | null;
  readonly random: () => number;
}

/** Share of a HOUSE line item that names none, and of voice of a SPONSORSHIP that names none. */
const FULL_SHARE = 100;

/** The winner of a group by the rule of its tier; null when nobody is eligible or the draw falls through. */
export function pickCandidate(first: CompiledLineItem, group: Group): Candidate | null {
  switch (first.booked.type) {
    case 'SPONSORSHIP':
      return drawByShare(collect(group), FULL_SHARE, group.random);
    case 'STANDARD':
      return pickMostUrgent(group);
    case 'PRICE':
      return pickDearest(group);
    case 'HOUSE':
      return drawByShare(collect(group), 0, group.random);
  }
}

function collect({ start, end, check }: Group): Candidate[] {
  const found: Candidate[] = [];
  for (let at = start; at < end; at += 1) {
    const candidate = check(at, Number.NEGATIVE_INFINITY);
    if (candidate !== null) found.push(candidate);
  }
  return found;
}

/** A draw weighted by share; what is left over up to `whole` falls through. */
function drawByShare(candidates: readonly Candidate[], whole: number, random: () => number): Candidate | null {
  if (candidates.length === 0) return null;
  const shareOf = ({ lineItem }: Candidate) => lineItem.sharePercent ?? FULL_SHARE;
  const total = candidates.reduce((sum, candidate) => sum + shareOf(candidate), 0);
  let draw = random() * Math.max(whole, total);
  for (const candidate of candidates) {
    draw -= shareOf(candidate);
    if (draw < 0) return candidate;
  }
  return null;
}

/** Furthest behind its goal; equals by an even draw. */
function pickMostUrgent(group: Group): Candidate | null {
  return pickBest(group, (candidate) => candidate.urgency, false);
}

/** Highest expected earning; equals by an even draw. Rows of a fixed price come last, dearest first, so the scan can end early. */
function pickDearest(group: Group): Candidate | null {
  return pickBest(group, (candidate) => candidate.valueMicros, true);
}

function pickBest(
  { start, end, check, random }: Group,
  scoreOf: (candidate: Candidate) => number,
  sorted: boolean,
): Candidate | null {
  let best: Candidate | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  let equals = 0;
  for (let at = start; at < end; at += 1) {
    const candidate = check(at, sorted ? Number.NEGATIVE_INFINITY : bestScore);
    if (candidate === null) continue;
    const score = scoreOf(candidate);
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
      equals = 1;
    } else if (score === bestScore) {
      equals += 1;
      // Keeps each of n equals with chance 1/n without collecting them.
      if (random() * equals < 1) best = candidate;
    } else if (sorted && candidate.lineItem.staticPrice) {
      return best;
    }
  }
  return best;
}
