import type { Candidate } from './eligibility.ts';
import type { Competition } from './index/competition.ts';
import type { Fallen, GroupOrder } from './index/group-orders.ts';
import { NOT_ELIGIBLE, shareAt } from './tiers.ts';
import type { Group } from './tiers.ts';

/** How many draws within a run are made before all of its line items are scored. */
const DRAWS_MAX = 16;
/** Runs of one line item that a decision looks at. */
const RUNS_MAX = 8;
/** An order is used for a second for each thousand line items, so that scoring them all takes the same part of a worker's time whatever their number. */
const USED_MS_PER_LINE_ITEM = 1;
/** It is not used longer than a step of a pacing plan takes. */
const USED_MS_MAX = 60_000;
/** Most line items that left their runs, before an order is made again. */
const FALLEN_MAX = 2_048;
const DROPPED_SHARE_MAX = 1 / 8;
/** Most line items that leave their runs within one decision. */
const MOVES_MAX = 512;

/**
 * The order of all line items of a group, whether or not a request admits them: so the winner of a request is found by looking at a few.
 * Null when some scores are NaN or not valid beyond this moment, and for tiers whose draw needs all eligible line items.
 */
export function makeOrder(group: Group): GroupOrder | null {
  const { competition, positions, start, end, nowMs } = group;
  const type = competition.typeAt(positions[start] as number);
  if (type === 'SPONSORSHIP') return null;
  const { scores } = competition;
  const ordered = new Int32Array(end - start);
  let count = 0;
  let untilMs = Number.POSITIVE_INFINITY;
  let checkedFromMs = Number.POSITIVE_INFINITY;
  for (let at = start; at < end; at += 1) {
    const position = positions[at] as number;
    untilMs = Math.min(untilMs, competition.nextFlightChangeMs(position, nowMs));
    if (!competition.isInFlightAt(position, nowMs)) continue;
    const score = scoreOf(group, position);
    if (Number.isNaN(score)) return null;
    scores[position] = score;
    checkedFromMs = Math.min(checkedFromMs, competition.scoreUntilMs(position));
    if (score !== NOT_ELIGIBLE) ordered[count++] = position;
  }
  if (untilMs <= nowMs || checkedFromMs <= nowMs) return null;
  const usedMs = Math.min(USED_MS_MAX, (end - start) * USED_MS_PER_LINE_ITEM);
  const lastMs = Number.isFinite(checkedFromMs) ? Math.max(checkedFromMs, nowMs + usedMs) : checkedFromMs;
  return {
    ...cutRuns(ordered.subarray(0, count), scores),
    sharesUpTo: type === 'HOUSE' ? sumShares(competition, ordered.subarray(0, count)) : null,
    firstRun: 0,
    fallen: [],
    dropped: 0,
    fromMs: nowMs,
    untilMs: Math.min(untilMs, lastMs),
    checkedFromMs,
  };
}

/** The score by which a line item competes in its tier; `NOT_ELIGIBLE` when pacing filters it or it has no share. */
function scoreOf({ competition, urgencyAt, valueAt }: ScoreInput, position: number): number {
  const type = competition.typeAt(position);
  if (type === 'STANDARD') return urgencyAt(position);
  if (type === 'HOUSE') return shareAt(competition, position) > 0 ? 0 : NOT_ELIGIBLE;
  const price = competition.priceAt(position);
  return Number.isNaN(price) ? valueAt(position) : price;
}

type ScoreInput = Pick<Group, 'competition' | 'urgencyAt' | 'valueAt'>;
type Runs = Pick<GroupOrder, 'positions' | 'runStarts' | 'runEnds' | 'runScores'>;

function cutRuns(positions: Int32Array, scores: Float64Array): Runs {
  const scoreAt = (at: number): number => scores[positions[at] as number] as number;
  let isLevel = true;
  for (let at = 1; at < positions.length && isLevel; at += 1) isLevel = scoreAt(at) === scoreAt(0);
  if (!isLevel) positions.sort((one, other) => (scores[other] as number) - (scores[one] as number) || one - other);
  const starts: number[] = [];
  for (let at = 0; at < positions.length; at += 1) if (at === 0 || scoreAt(at) !== scoreAt(at - 1)) starts.push(at);
  return {
    positions,
    runStarts: Int32Array.from(starts),
    runEnds: Int32Array.from(starts, (_start, run) => starts[run + 1] ?? positions.length),
    runScores: Float64Array.from(starts, scoreAt),
  };
}

/** Null where all shares are equal: an even draw needs no search in a long list. */
function sumShares(competition: Competition, positions: Int32Array): Float64Array | null {
  const sums = new Float64Array(positions.length);
  const first = positions.length === 0 ? 0 : shareAt(competition, positions[0] as number);
  let isEven = true;
  let sum = 0;
  for (let at = 0; at < positions.length; at += 1) {
    const share = shareAt(competition, positions[at] as number);
    isEven &&= share === first;
    sum += share;
    sums[at] = sum;
  }
  return isEven ? null : sums;
}

/** The input of a pick by an order. */
export interface OrderedInput extends ScoreInput, Pick<Group, 'check' | 'random' | 'nowMs'> {
  /** Whether the request admits the line item at a position. */
  readonly admits: (position: number) => boolean;
}

/**
 * The winner by an order. Each draw within a run is even, or weighted by share, over all of its line items; drawing again after one that
 * is not eligible gives each eligible one its part. Null when it takes too many draws: then all must be scored.
 */
export function pickFromOrder(order: GroupOrder, input: OrderedInput): Candidate | null {
  const picked = new OrderedPick(order, input).pick();
  // Then it is made again.
  if (picked === null && input.nowMs >= order.checkedFromMs) order.untilMs = order.fromMs;
  return picked;
}

/** Goes from the highest score down, through the runs and the line items that left theirs. */
class OrderedPick {
  readonly #order: GroupOrder;
  readonly #input: OrderedInput;
  /** Whether a score may have changed since the order was made. */
  readonly #isChecked: boolean;
  #run: number;
  #fallen = 0;
  #moves = 0;

  constructor(order: GroupOrder, input: OrderedInput) {
    this.#order = order;
    this.#input = input;
    this.#isChecked = input.nowMs >= order.checkedFromMs;
    this.#run = order.firstRun;
    this.#skipEmpty();
    order.firstRun = this.#run;
  }

  pick(): Candidate | null {
    const { runScores, fallen } = this.#order;
    for (let looks = 0; looks < RUNS_MAX && this.#moves < MOVES_MAX; ) {
      this.#skipEmpty();
      const ofRun = runScores[this.#run] ?? NOT_ELIGIBLE;
      const ofFallen = fallen[this.#fallen]?.score ?? NOT_ELIGIBLE;
      // Equals in both must be drawn together, which takes a new order.
      if (ofRun === ofFallen) return null;
      const picked = ofRun > ofFallen ? this.#pickInRun(this.#run) : this.#pickFallen();
      if (picked === 'moved') continue;
      if (picked !== 'none') return picked;
      looks += 1;
    }
    return null;
  }

  #skipEmpty(): void {
    const { runStarts, runEnds } = this.#order;
    while (this.#run < runStarts.length && runStarts[this.#run] === runEnds[this.#run]) this.#run += 1;
  }

  /** `moved`: a line item left the run. `none`: its only line item does not win. Null: an eligible one may be left in it. */
  #pickInRun(run: number): Candidate | 'moved' | 'none' | null {
    const order = this.#order;
    const start = order.runStarts[run] as number;
    const end = order.runEnds[run] as number;
    const isAlone = end - start === 1;
    for (let draws = 0; draws < (isAlone ? 1 : DRAWS_MAX); draws += 1) {
      const at = isAlone ? start : drawWithin(order, { start, end }, this.#input.random);
      const position = order.positions[at] as number;
      if (!this.#input.admits(position)) continue;
      const score = this.#scoreNow(position, order.runScores[run] as number);
      if (score < (order.runScores[run] as number)) {
        // It changes with the last one of the run: all of a run are equal.
        order.positions[at] = order.positions[end - 1] as number;
        order.positions[end - 1] = position;
        order.runEnds[run] = end - 1;
        return this.#move(position, score);
      }
      const candidate = this.#input.check(this.#input.competition.lineItemAt(position), position);
      if (candidate !== null) return candidate;
    }
    if (!isAlone) return null;
    this.#run += 1;
    return 'none';
  }

  #pickFallen(): Candidate | 'moved' | 'none' | null {
    const { fallen } = this.#order;
    const first = this.#fallen;
    const { score: best } = fallen[first] as Fallen;
    let end = first + 1;
    while (fallen[end]?.score === best) end += 1;
    for (let draws = 0; draws < (end - first === 1 ? 1 : DRAWS_MAX); draws += 1) {
      const at = end - first === 1 ? first : first + Math.floor(this.#input.random() * (end - first));
      const { position } = fallen[at] as Fallen;
      if (!this.#input.admits(position)) continue;
      const score = this.#scoreNow(position, best);
      if (score < best) {
        fallen.splice(at, 1);
        return this.#move(position, score);
      }
      const candidate = this.#input.check(this.#input.competition.lineItemAt(position), position);
      if (candidate !== null) return candidate;
    }
    if (end - first > 1) return null;
    this.#fallen += 1;
    return 'none';
  }

  /** A drawn value holds for the life of the order: one that is drawn again and may only fall becomes the least of its draws, and loses. */
  #scoreNow(position: number, known: number): number {
    const canFall = this.#isChecked && this.#input.competition.typeAt(position) !== 'PRICE';
    return canFall ? scoreOf(this.#input, position) : known;
  }

  #move(position: number, score: number): 'moved' | null {
    const order = this.#order;
    this.#moves += 1;
    if (score === NOT_ELIGIBLE) {
      order.dropped += 1;
      return order.dropped > order.positions.length * DROPPED_SHARE_MAX ? null : 'moved';
    }
    if (order.fallen.length >= FALLEN_MAX) return null;
    order.fallen.splice(lowerThan(order.fallen, score), 0, { position, score });
    return 'moved';
  }
}

/** Where a score comes, behind its equals. */
function lowerThan(fallen: readonly Fallen[], score: number): number {
  let low = 0;
  let high = fallen.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((fallen[middle] as Fallen).score >= score) low = middle + 1;
    else high = middle;
  }
  return low;
}

function drawWithin(
  { sharesUpTo }: GroupOrder,
  { start, end }: { readonly start: number; readonly end: number },
  random: () => number,
): number {
  if (sharesUpTo === null) return start + Math.floor(random() * (end - start));
  const drawn = random() * (sharesUpTo[end - 1] as number);
  let low = start;
  let high = end - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sharesUpTo[middle] as number) > drawn) high = middle;
    else low = middle + 1;
  }
  return low;
}
