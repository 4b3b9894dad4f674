/** Line items of a group from the highest score down. Equal scores are a run, and each of a run wins equally often, or by its share. */
export interface GroupOrder {
  /** Positions in the index. Those that left a run are behind its end. */
  readonly positions: Int32Array;
  /** The begin of each run, and the end of the last one. */
  readonly runStarts: Int32Array;
  /** The end of each run (exclusive). */
  readonly runEnds: Int32Array;
  readonly runScores: Float64Array;
  /** All runs before it are empty. */
  firstRun: number;
  /** The sum of the shares up to each line item; null when those of a run win equally often. */
  readonly sharesUpTo: Float64Array | null;
  /** Line items that left their run because their score fell, the highest first. */
  readonly fallen: Fallen[];
  /** How many line items left it because pacing filters them. */
  dropped: number;
  /** The order is valid from then … */
  readonly fromMs: number;
  /** … until then, if it is not ended before. */
  untilMs: number;
  /** From then on, the score of a line item is checked before it wins. */
  readonly checkedFromMs: number;
}

/** A line item whose score fell since the order was made. */
export interface Fallen {
  readonly position: number;
  readonly score: number;
}

interface OrderState {
  order: GroupOrder | null;
  pacer: object;
  /** Line items that were scored one by one since then. */
  scored: number;
  sinceMs: number;
  /** How often the present order, or the last one, was found. */
  uses: number;
}

/** When an order of a group is made. */
export interface OrderRule {
  /** A smaller group is scored as fast as its order is read. */
  readonly sizeMin: number;
  /** An order costs about as much as this many scans of its group. */
  readonly scans: number;
}

const RULE: OrderRule = { sizeMin: 64, scans: 4 };
const WINDOW_MS = 1_000;
const PAID_USES = 16;

/**
 * The orders of large groups, by the position at which a group starts. An order is made only for a group that is scored so often within a
 * second that its order costs less.
 */
export class GroupOrders {
  readonly #states = new Map<number, OrderState>();
  readonly #rule: OrderRule;

  constructor(rule: OrderRule = RULE) {
    this.#rule = rule;
  }

  /** Orders by the same rule, none yet. */
  empty(): GroupOrders {
    return new GroupOrders(this.#rule);
  }

  find(start: number, pacer: object, nowMs: number): GroupOrder | null {
    const state = this.#states.get(start);
    if (state === undefined || state.pacer !== pacer || state.order === null) return null;
    if (nowMs >= state.order.fromMs && nowMs < state.order.untilMs) {
      state.uses += 1;
      return state.order;
    }
    state.order = null;
    return null;
  }

  /** Whether the last order of a group has ended and paid: its next one is made at once, without a scan of the group before. */
  isRenewed(start: number, pacer: object): boolean {
    const state = this.#states.get(start);
    return state !== undefined && state.pacer === pacer && state.order === null && state.uses >= PAID_USES;
  }

  /** Records a scan of a group; returns whether an order of it is due: once for each so many scans. */
  recordScan(
    start: number,
    scan: { readonly size: number; readonly scored: number },
    by: { readonly pacer: object; readonly nowMs: number },
  ): boolean {
    const { pacer, nowMs } = by;
    if (scan.size < this.#rule.sizeMin) return false;
    let state = this.#states.get(start);
    if (state === undefined || state.pacer !== pacer) {
      state = { order: null, pacer, scored: 0, sinceMs: nowMs, uses: 0 };
      this.#states.set(start, state);
    }
    if (nowMs - state.sinceMs >= WINDOW_MS || nowMs < state.sinceMs) {
      state.scored = 0;
      state.sinceMs = nowMs;
    }
    state.scored += scan.scored;
    // A valid order that gave no winner is not made again.
    if (state.order !== null && nowMs < state.order.untilMs) return false;
    // One that was used often has paid, and will again.
    const hasPaid = state.uses >= PAID_USES;
    if (!hasPaid && state.scored < scan.size * this.#rule.scans) return false;
    state.scored = 0;
    state.uses = 0;
    return true;
  }

  set(start: number, order: GroupOrder): void {
    const state = this.#states.get(start);
    if (state === undefined) return;
    state.order = order;
    state.uses = 0;
  }
}
