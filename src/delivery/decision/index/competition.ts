import type { LineItemType } from '../../../domain/booking/line-item.ts';
import type { CompiledLineItem } from './compile-line-items.ts';
import { ContextMemories } from './context-memories.ts';
import { GroupOrders } from './group-orders.ts';
import type { LineItemColumns } from './line-item-columns.ts';
import type { LineItemLayers } from './line-item-layers.ts';
import { findTier, groupOfBucket, isStaticBucket, typeOfBucket } from './line-item-order.ts';
import type { IndexRange } from './line-item-order.ts';
import type { LineItemTable } from './line-item-table.ts';

/** Where the processor stores the low half of a 64-bit number. */
const LOW_HALF = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 0 : 1;

const NONE = new Float64Array(0);
const UNIT_MICROS = 1_000_000;
/** So many PRICE line items may be dearer than the usual price. */
const DEAR_SHARE = 0.1;
/** More scores than there are line items, so that a few more use the same memory. */
const SCORES_SPARE = 1_024;

/** Urgencies and values of the line items of a layer, by position in it. */
class KnownScores {
  /** Empty until the first of them is set. */
  urgencies = NONE;
  urgentUntilMs = NONE;
  values = NONE;
  valuesUntilMs = NONE;
  readonly #length: number;
  #pacer: object | null = null;

  constructor(length: number) {
    this.#length = length;
  }

  isBy(pacer: object): boolean {
    return this.#pacer === pacer;
  }

  /** Forgets what another pacer said. */
  use(pacer: object): void {
    if (this.#pacer === pacer) return;
    this.#pacer = pacer;
    this.urgentUntilMs.fill(0);
    this.valuesUntilMs.fill(0);
    if (this.urgencies.length === this.#length) return;
    const numbers = () => new Float64Array(this.#length);
    [this.urgencies, this.urgentUntilMs, this.values, this.valuesUntilMs] = [
      numbers(),
      numbers(),
      numbers(),
      numbers(),
    ];
  }
}

/** A layer of line items: its numbers, the low and the high half of each id, and what is known of their scores. */
class Layer {
  readonly columns: LineItemColumns;
  readonly idHalves: Uint32Array;
  readonly known: KnownScores;

  constructor(columns: LineItemColumns) {
    const { ids } = columns;
    this.columns = columns;
    this.idHalves = new Uint32Array(ids.buffer, ids.byteOffset, ids.length * 2);
    this.known = new KnownScores(columns.length);
  }
}

/**
 * The numbers by which line items compete, by their positions in the index. Serves one decision at a time.
 */
export class Competition {
  #scores: Float64Array | null;
  readonly orders: GroupOrders;
  /** For values that depend on the context. */
  readonly contexts: ContextMemories;
  readonly #lineItems: LineItemTable;
  readonly #layers: LineItemLayers | null;
  readonly #base: Layer;
  readonly #top: Layer;
  #usualCpmMicros = Number.NaN;
  #ratedCount = Number.NaN;
  /** The line items of STANDARD and of PRICE. */
  readonly standard: IndexRange;
  readonly price: IndexRange;

  /** @param former of a table with the same base: what it knows of line items that stay is kept */
  constructor(lineItems: LineItemTable, orders = new GroupOrders(), former: Competition | null = null) {
    const { base, top, layers } = lineItems.columns;
    this.orders = orders;
    this.contexts = new ContextMemories(() => orders.empty());
    this.#lineItems = lineItems;
    this.#layers = layers;
    const layer = former === null ? null : former.#base;
    this.#base = layer?.columns === base ? layer : new Layer(base);
    this.#top = new Layer(top);
    const scores = former === null ? null : former.#scores;
    this.#scores = scores !== null && scores.length >= lineItems.length ? scores : null;
    this.standard = findTier(lineItems, 'STANDARD');
    this.price = findTier(lineItems, 'PRICE');
  }

  /** The scores of the line items that compete at present. */
  get scores(): Float64Array {
    return (this.#scores ??= new Float64Array(this.#lineItems.length + SCORES_SPARE));
  }

  /**
   * The bid of a goal on its plan, micros: the price that the dearest tenth of PRICE line items with fixed prices pay at least. Without any, the mean of all fixed prices;
   * one unit of the currency where nothing has a price.
   */
  get usualCpmMicros(): number {
    if (Number.isNaN(this.#usualCpmMicros))
      this.#usualCpmMicros = this.#highPrice() || this.#meanPrice() || UNIT_MICROS;
    return this.#usualCpmMicros;
  }

  /** The line items of PRICE whose value depends on rates that are learnt. They come before those with fixed prices. */
  get ratedCount(): number {
    if (Number.isNaN(this.#ratedCount)) {
      const { from, to } = this.price;
      let rated = 0;
      while (from + rated < to && !this.#isStaticAt(from + rated)) rated += 1;
      this.#ratedCount = rated;
    }
    return this.#ratedCount;
  }

  /** Fixed prices of PRICE come last, the dearest first; 0 without any. */
  #highPrice(): number {
    const from = this.price.from + this.ratedCount;
    const { to } = this.price;
    return from === to ? 0 : this.priceAt(from + Math.floor(DEAR_SHARE * (to - from)));
  }

  #meanPrice(): number {
    let [sum, count] = [0, 0];
    for (let position = 0; position < this.#lineItems.length; position += 1) {
      const price = this.priceAt(position);
      if (!(price > 0)) continue;
      sum += price;
      count += 1;
    }
    return count === 0 ? 0 : sum / count;
  }

  idAt(position: number): string {
    return this.#lineItems.idAt(position);
  }

  /** Line items of one group compete; lower groups go first. */
  groupAt(position: number): number {
    return groupOfBucket(this.#lineItems.bucketAt(position));
  }

  lineItemAt(position: number): CompiledLineItem {
    return this.#lineItems.at(position);
  }

  typeAt(position: number): LineItemType {
    return typeOfBucket(this.#lineItems.bucketAt(position));
  }

  hasGoalAt(position: number): boolean {
    const at = this.#at(position);
    return (at >= 0 ? this.#base.columns.goals[at] : this.#top.columns.goals[~at]) === 1;
  }

  /** In percent; NaN = none. */
  shareAt(position: number): number {
    const at = this.#at(position);
    return (at >= 0 ? this.#base.columns.sharesPercent[at] : this.#top.columns.sharesPercent[~at]) as number;
  }

  /** Whether the flights of the line item and its campaign have begun and not ended. */
  isInFlightAt(position: number, nowMs: number): boolean {
    const at = this.#at(position);
    const { startsAtMs, endsAtMs } = (at >= 0 ? this.#base : this.#top).columns;
    const own = at >= 0 ? at : ~at;
    return nowMs < (endsAtMs[own] as number) && nowMs >= (startsAtMs[own] as number);
  }

  /** The next moment at which a flight begins or ends; infinite when none will. */
  nextFlightChangeMs(position: number, nowMs: number): number {
    const at = this.#at(position);
    const { startsAtMs, endsAtMs } = (at >= 0 ? this.#base : this.#top).columns;
    const own = at >= 0 ? at : ~at;
    const startMs = startsAtMs[own] as number;
    const endMs = endsAtMs[own] as number;
    if (nowMs < startMs) return startMs;
    return nowMs < endMs ? endMs : Number.POSITIVE_INFINITY;
  }

  /** When the urgency or the value of a line item must be computed again; infinite for one that never changes. */
  scoreUntilMs(position: number): number {
    const type = this.typeAt(position);
    const at = this.#at(position);
    const { known } = at >= 0 ? this.#base : this.#top;
    const own = at >= 0 ? at : ~at;
    if (type === 'STANDARD')
      return this.hasGoalAt(position) ? (known.urgentUntilMs[own] ?? 0) : Number.POSITIVE_INFINITY;
    return type === 'PRICE' && !this.#isStaticAt(position) ? (known.valuesUntilMs[own] ?? 0) : Number.POSITIVE_INFINITY;
  }

  /** A number of the line item for draws among equals: the last 32 bits of its id, but never 0. */
  seedAt(position: number): number {
    const at = this.#at(position);
    const half = at >= 0 ? this.#base.idHalves[2 * at + LOW_HALF] : this.#top.idHalves[2 * ~at + LOW_HALF];
    return (half as number) || 1;
  }

  /** The earning of a thousand impressions, micros; NaN when it depends on counters. */
  priceAt(position: number): number {
    const at = this.#at(position);
    const { buckets, pricesMicros } = (at >= 0 ? this.#base : this.#top).columns;
    const own = at >= 0 ? at : ~at;
    return isStaticBucket(buckets[own] as number) ? (pricesMicros[own] as number) : Number.NaN;
  }

  #isStaticAt(position: number): boolean {
    return isStaticBucket(this.#lineItems.bucketAt(position));
  }

  /** The urgency that `pacer` returned, if it is still valid; NaN otherwise. */
  urgencyAt(position: number, pacer: object, nowMs: number): number {
    const at = this.#at(position);
    const { known } = at >= 0 ? this.#base : this.#top;
    const own = at >= 0 ? at : ~at;
    if (!known.isBy(pacer) || nowMs >= (known.urgentUntilMs[own] as number)) return Number.NaN;
    return known.urgencies[own] as number;
  }

  setUrgency(position: number, urgency: number, by: { readonly pacer: object; readonly untilMs: number }): void {
    const at = this.#at(position);
    const { known } = at >= 0 ? this.#base : this.#top;
    const own = at >= 0 ? at : ~at;
    known.use(by.pacer);
    known.urgencies[own] = urgency;
    known.urgentUntilMs[own] = by.untilMs;
  }

  /** The cached value; NaN when there is none. */
  valueAt(position: number, pacer: object, nowMs: number): number {
    const at = this.#at(position);
    const { known } = at >= 0 ? this.#base : this.#top;
    const own = at >= 0 ? at : ~at;
    if (!known.isBy(pacer) || nowMs >= (known.valuesUntilMs[own] as number)) return Number.NaN;
    return known.values[own] as number;
  }

  setValue(position: number, value: number, by: { readonly pacer: object; readonly untilMs: number }): void {
    const at = this.#at(position);
    const { known } = at >= 0 ? this.#base : this.#top;
    const own = at >= 0 ? at : ~at;
    known.use(by.pacer);
    known.values[own] = value;
    known.valuesUntilMs[own] = by.untilMs;
  }

  /** Where the line item at a position is: `p` in the base, or `~p` in the top. */
  #at(position: number): number {
    return this.#layers === null ? position : this.#layers.find(position);
  }
}
