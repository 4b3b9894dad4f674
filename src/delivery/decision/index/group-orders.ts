/** Line items of a group from the highest score down. Equal scores are a run, and each of a run wins equally often, or by its share. */
export interface GroupOrder {
  /** Positions in the index. */
  readonly positions: Int32Array;
  /** The end of each run (exclusive), ascending. */
  readonly runEnds: readonly number[];
  /** The sum of the shares up to each line item; null when those of a run win equally often. */
  readonly sharesUpTo: Float64Array | null;
  /** The order is valid from then … */
  readonly fromMs: number;
  /** … until then. */
  readonly untilMs: number;
}

interface OrderState {
  order: GroupOrder | null;
  pacer: object;
  /** Line items that were scored one by one since then. */
  scored: number;
  sinceMs: number;
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

  find(start: number, pacer: object, nowMs: number): GroupOrder | null {
    const state = this.#states.get(start);
    if (state === undefined || state.pacer !== pacer || state.order === null) return null;
    if (nowMs >= state.order.fromMs && nowMs < state.order.untilMs) return state.order;
    state.order = null;
    return null;
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
      state = { order: null, pacer, scored: 0, sinceMs: nowMs };
      this.#states.set(start, state);
    }
    if (nowMs - state.sinceMs >= WINDOW_MS || nowMs < state.sinceMs) {
      state.scored = 0;
      state.sinceMs = nowMs;
    }
    state.scored += scan.scored;
    // A valid order that gave no winner is not made again.
    if (state.order !== null || state.scored < scan.size * this.#rule.scans) return false;
    state.scored = 0;
    return true;
  }

  set(start: number, order: GroupOrder): void {
    const state = this.#states.get(start);
    if (state !== undefined) state.order = order;
  }
}
