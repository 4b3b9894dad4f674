import type { CompiledLineItem } from './compile-line-items.ts';
import { GroupOrders } from './group-orders.ts';

/**
 * The numbers by which line items compete, by their positions in the index. Every slot reads many of them, and adjacent numbers are read
 * ten times as fast as objects. Filled at the first use. Serves one decision at a time.
 */
export class Competition {
  /** The scores of the line items that compete at present. */
  readonly scores: Float64Array;
  readonly orders: GroupOrders;
  readonly #lineItems: readonly CompiledLineItem[];
  /** 0 = not computed yet. */
  readonly #seeds: Uint32Array;
  readonly #prices: Float64Array;
  readonly #startsAtMs: Float64Array;
  /** 0 = not computed yet. */
  readonly #endsAtMs: Float64Array;
  readonly #urgencies: Float64Array;
  readonly #urgentUntilMs: Float64Array;
  readonly #values: Float64Array;
  readonly #valuesUntilMs: Float64Array;
  #pacer: object | null = null;

  constructor(lineItems: readonly CompiledLineItem[], orders = new GroupOrders()) {
    this.orders = orders;
    this.scores = new Float64Array(lineItems.length);
    this.#lineItems = lineItems;
    this.#seeds = new Uint32Array(lineItems.length);
    this.#prices = new Float64Array(lineItems.length);
    this.#startsAtMs = new Float64Array(lineItems.length);
    this.#endsAtMs = new Float64Array(lineItems.length);
    this.#urgencies = new Float64Array(lineItems.length);
    this.#values = new Float64Array(lineItems.length);
    this.#valuesUntilMs = new Float64Array(lineItems.length);
    this.#urgentUntilMs = new Float64Array(lineItems.length);
  }

  lineItemAt(position: number): CompiledLineItem {
    return this.#lineItems[position] as CompiledLineItem;
  }

  /** Whether the flights of the line item and its campaign have begun and not ended. */
  isInFlightAt(position: number, nowMs: number): boolean {
    if (this.#endsAtMs[position] === 0) {
      const { startsAtMs, endsAtMs } = this.lineItemAt(position);
      this.#startsAtMs[position] = startsAtMs;
      this.#endsAtMs[position] = endsAtMs;
    }
    return nowMs < (this.#endsAtMs[position] as number) && nowMs >= (this.#startsAtMs[position] as number);
  }

  /** The next moment at which a flight begins or ends; infinite when none will. */
  nextFlightChangeMs(position: number, nowMs: number): number {
    const { startsAtMs, endsAtMs } = this.lineItemAt(position);
    if (nowMs < startsAtMs) return startsAtMs;
    return nowMs < endsAtMs ? endsAtMs : Number.POSITIVE_INFINITY;
  }

  /** When the urgency or the value of a line item must be computed again; infinite for one that never changes. */
  scoreUntilMs(position: number): number {
    const { booked, goal, staticPrice } = this.lineItemAt(position);
    if (booked.type === 'STANDARD')
      return goal === null ? Number.POSITIVE_INFINITY : (this.#urgentUntilMs[position] as number);
    return booked.type === 'PRICE' && !staticPrice
      ? (this.#valuesUntilMs[position] as number)
      : Number.POSITIVE_INFINITY;
  }

  /** A number of the line item for draws among equals. */
  seedAt(position: number): number {
    const known = this.#seeds[position] as number;
    return known === 0 ? (this.#seeds[position] = seedOf(this.lineItemAt(position).booked.id)) : known;
  }

  /** The earning of a thousand impressions, micros; NaN when it depends on counters. */
  priceAt(position: number): number {
    const known = this.#prices[position] as number;
    if (known !== 0) return known;
    const { staticPrice, priceMicros } = this.lineItemAt(position);
    return (this.#prices[position] = staticPrice ? priceMicros : Number.NaN);
  }

  /** The urgency that `pacer` returned, if it is still valid; NaN otherwise. */
  urgencyAt(position: number, pacer: object, nowMs: number): number {
    if (this.#pacer !== pacer || nowMs >= (this.#urgentUntilMs[position] as number)) return Number.NaN;
    return this.#urgencies[position] as number;
  }

  setUrgency(position: number, urgency: number, by: { readonly pacer: object; readonly untilMs: number }): void {
    this.#knowPacer(by.pacer);
    this.#urgencies[position] = urgency;
    this.#urgentUntilMs[position] = by.untilMs;
  }

  /** The cached value; NaN when there is none. */
  valueAt(position: number, pacer: object, nowMs: number): number {
    if (this.#pacer !== pacer || nowMs >= (this.#valuesUntilMs[position] as number)) return Number.NaN;
    return this.#values[position] as number;
  }

  setValue(position: number, value: number, by: { readonly pacer: object; readonly untilMs: number }): void {
    this.#knowPacer(by.pacer);
    this.#values[position] = value;
    this.#valuesUntilMs[position] = by.untilMs;
  }

  #knowPacer(pacer: object): void {
    if (this.#pacer === pacer) return;
    this.#pacer = pacer;
    this.#urgentUntilMs.fill(0);
    this.#valuesUntilMs.fill(0);
  }
}

/** The last 32 bits of the id, but never 0. */
function seedOf(lineItemId: string): number {
  return Number(BigInt.asUintN(32, BigInt(lineItemId))) || 1;
}
