/** Draws that are remembered of a line item: a few hundred tell a quantile well enough, and are soon those of the present. */
const DRAWS_MAX = 256;
/** With fewer draws nothing is known of their quantiles. */
const DRAWS_MIN = 32;
/** The most line items whose draws are remembered; beyond, all are learned again. */
const LINE_ITEMS_MAX = 20_000;

/** The bar that a draw of a rate must reach, so that about a given share of opportunities does. */
export interface UnitBar {
  /** @param share above 0 and below 1. @returns 0 while nothing is known */
  at(share: number): number;
}

/** The last draws of one line item, over all opportunities that it could have. */
class LineItemDraws implements UnitBar {
  /** The draws in ascending order, and in the order in which they came. */
  readonly #sorted = new Float64Array(DRAWS_MAX);
  readonly #ring = new Float64Array(DRAWS_MAX);
  #count = 0;
  #next = 0;

  at(share: number): number {
    if (this.#count < DRAWS_MIN) return 0;
    const below = Math.floor((1 - share) * this.#count);
    return this.#sorted[Math.min(this.#count - 1, Math.max(0, below))] as number;
  }

  add(drawn: number): void {
    if (this.#count === DRAWS_MAX) this.#remove(this.#ring[this.#next] as number);
    this.#ring[this.#next] = drawn;
    this.#next = (this.#next + 1) % DRAWS_MAX;
    const at = this.#find(drawn);
    this.#sorted.copyWithin(at + 1, at, this.#count);
    this.#sorted[at] = drawn;
    this.#count += 1;
  }

  #remove(drawn: number): void {
    const at = this.#find(drawn);
    this.#sorted.copyWithin(at, at + 1, this.#count);
    this.#count -= 1;
  }

  /** The first position whose draw is not below this one. */
  #find(drawn: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] as number) < drawn) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** What one worker remembers of the draws by which line items choose their units. */
export class RecentDraws {
  readonly #byLineItem = new Map<string, LineItemDraws>();

  /** The bar of a line item. */
  barOf(lineItemId: string): UnitBar {
    return this.#byLineItem.get(lineItemId) ?? NO_BAR;
  }

  record(lineItemId: string, drawn: number): void {
    let draws = this.#byLineItem.get(lineItemId);
    if (draws === undefined) {
      if (this.#byLineItem.size >= LINE_ITEMS_MAX) this.#byLineItem.clear();
      draws = new LineItemDraws();
      this.#byLineItem.set(lineItemId, draws);
    }
    draws.add(drawn);
  }
}

const NO_BAR: UnitBar = { at: () => 0 };
