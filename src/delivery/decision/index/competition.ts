import type { LineItemType } from '../../../domain/booking/line-item.ts';
import type { CompiledLineItem } from './compile-line-items.ts';
import { GroupOrders } from './group-orders.ts';
import type { LineItemColumns } from './line-item-columns.ts';
import { findTier, groupOfBucket, isStaticBucket, typeOfBucket } from './line-item-order.ts';
import type { IndexRange } from './line-item-order.ts';
import type { LineItemTable } from './line-item-table.ts';
import { PlannedColumns } from './planned-columns.ts';

/** Where the processor stores the low half of a 64-bit number. */
const LOW_HALF = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 0 : 1;

const NONE = new Float64Array(0);

/**
 * The numbers by which line items compete, by their positions in the index. Serves one decision at a time.
 */
export class Competition {
  #scores: Float64Array | null = null;
  readonly orders: GroupOrders;
  readonly #lineItems: LineItemTable;
  readonly #columns: LineItemColumns;
  /** The low and the high half of each id. */
  readonly #idHalves: Uint32Array;
  /** Empty until the first of them is set. */
  #urgencies = NONE;
  #urgentUntilMs = NONE;
  #values = NONE;
  #valuesUntilMs = NONE;
  #pacer: object | null = null;
  #planned: PlannedColumns | null = null;
  /** The line items of STANDARD and of PRICE. */
  readonly standard: IndexRange;
  readonly price: IndexRange;

  constructor(lineItems: LineItemTable, orders = new GroupOrders()) {
    const { ids } = lineItems.columns;
    this.orders = orders;
    this.#lineItems = lineItems;
    this.#columns = lineItems.columns;
    this.#idHalves = new Uint32Array(ids.buffer, ids.byteOffset, ids.length * 2);
    this.standard = findTier(lineItems.columns, 'STANDARD');
    this.price = findTier(lineItems.columns, 'PRICE');
  }

  /** The scores of the line items that compete at present. */
  get scores(): Float64Array {
    return (this.#scores ??= new Float64Array(this.#columns.length));
  }

  /** The allocation plan of the line items of STANDARD. */
  get planned(): PlannedColumns {
    return (this.#planned ??= new PlannedColumns(this.standard));
  }

  idAt(position: number): string {
    return this.#lineItems.idAt(position);
  }

  /** Line items of one group compete; lower groups go first. */
  groupAt(position: number): number {
    return groupOfBucket(this.#columns.buckets[position] as number);
  }

  lineItemAt(position: number): CompiledLineItem {
    return this.#lineItems.at(position);
  }

  typeAt(position: number): LineItemType {
    return typeOfBucket(this.#columns.buckets[position] as number);
  }

  hasGoalAt(position: number): boolean {
    return this.#columns.goals[position] === 1;
  }

  /** In percent; NaN = none. */
  shareAt(position: number): number {
    return this.#columns.sharesPercent[position] as number;
  }

  /** Whether the flights of the line item and its campaign have begun and not ended. */
  isInFlightAt(position: number, nowMs: number): boolean {
    const { startsAtMs, endsAtMs } = this.#columns;
    return nowMs < (endsAtMs[position] as number) && nowMs >= (startsAtMs[position] as number);
  }

  /** The next moment at which a flight begins or ends; infinite when none will. */
  nextFlightChangeMs(position: number, nowMs: number): number {
    const startMs = this.#columns.startsAtMs[position] as number;
    const endMs = this.#columns.endsAtMs[position] as number;
    if (nowMs < startMs) return startMs;
    return nowMs < endMs ? endMs : Number.POSITIVE_INFINITY;
  }

  /** When the urgency or the value of a line item must be computed again; infinite for one that never changes. */
  scoreUntilMs(position: number): number {
    const type = this.typeAt(position);
    if (type === 'STANDARD')
      return this.hasGoalAt(position) ? (this.#urgentUntilMs[position] ?? 0) : Number.POSITIVE_INFINITY;
    return type === 'PRICE' && !this.#isStaticAt(position)
      ? (this.#valuesUntilMs[position] ?? 0)
      : Number.POSITIVE_INFINITY;
  }

  /** A number of the line item for draws among equals: the last 32 bits of its id, but never 0. */
  seedAt(position: number): number {
    return (this.#idHalves[2 * position + LOW_HALF] as number) || 1;
  }

  /** The earning of a thousand impressions, micros; NaN when it depends on counters. */
  priceAt(position: number): number {
    return this.#isStaticAt(position) ? (this.#columns.pricesMicros[position] as number) : Number.NaN;
  }

  #isStaticAt(position: number): boolean {
    return isStaticBucket(this.#columns.buckets[position] as number);
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
    const { length } = this.#columns;
    if (this.#urgencies.length === length) return;
    this.#urgencies = new Float64Array(length);
    this.#urgentUntilMs = new Float64Array(length);
    this.#values = new Float64Array(length);
    this.#valuesUntilMs = new Float64Array(length);
  }
}
