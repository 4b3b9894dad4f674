import type { LineItemLayers } from './line-item-layers.ts';
import type { IndexRange } from './line-item-order.ts';
import type { TargetingIndex } from './targeting-index.ts';
import type { TargetingFacts } from './targeting.ts';
import type { TargetingDimension } from '../../../domain/targeting/targeting-dimensions.ts';

/** The index of line items in two layers: it asks the index of each. The base may have fields that no present line item restricts. */
export class PatchedIndex {
  readonly base: TargetingIndex;
  /** Its fields are those that are indexed. */
  readonly top: TargetingIndex;
  readonly #layers: LineItemLayers;
  #topFound: Int32Array | null = null;

  constructor(base: TargetingIndex, top: TargetingIndex, layers: LineItemLayers) {
    this.base = base;
    this.top = top;
    this.#layers = layers;
  }

  get lineItemCount(): number {
    return this.#layers.edits.count;
  }

  /** The number of distinct values of its fields. */
  get valueCount(): number {
    return this.base.valueCount + this.top.valueCount;
  }

  has(fieldName: string): boolean {
    return this.top.has(fieldName);
  }

  /** As `TargetingIndex.setRequest`. */
  setRequest(facts: TargetingFacts, fitValues: readonly string[]): void {
    this.base.setRequest(facts, fitValues);
    this.top.setRequest(facts, fitValues);
  }

  /** The most line items that the request admits; removed ones of the base count. */
  get admittedMax(): number {
    return this.base.admittedMax + this.top.admittedMax;
  }

  /** The share of all line items that the request admits, at most. */
  get admittedShareMax(): number {
    return Math.min(1, this.admittedMax / Math.max(1, this.lineItemCount));
  }

  /** Prepares `admits` for positions of a range. */
  select(range: IndexRange): void {
    this.base.select(this.#layers.baseRange(range));
    this.top.select(this.#layers.topRange(range));
  }

  /** Whether the line item at a position of the selected range can match. */
  admits(position: number): boolean {
    const at = this.#layers.find(position);
    return at >= 0 ? this.base.admits(at) : this.top.admits(~at);
  }

  /** Prepares `conditionOf` for all positions. */
  selectAllFields(): void {
    this.base.selectAllFields();
    this.top.selectAllFields();
  }

  /** The condition of a field, for the request and until the next one; null when the field is not indexed. */
  conditionOf(
    fieldName: string,
  ): { readonly admits: (position: number) => boolean; readonly dimension: TargetingDimension } | null {
    const top = this.top.conditionOf(fieldName);
    if (top === null) return null;
    const base = this.base.conditionOf(fieldName);
    return {
      admits: (position) => {
        const at = this.#layers.find(position);
        return at >= 0 ? base === null || base.admits(at) : top.admits(~at);
      },
      dimension: top.dimension,
    };
  }

  /** Writes the matching line items of a range into `into` as ascending positions, and returns their number. */
  collect(range: IndexRange, into: Int32Array): number {
    const { found } = this.base;
    const topFound = (this.#topFound ??= new Int32Array(this.top.lineItemCount));
    const baseCount = this.base.collect(this.#layers.baseRange(range), found);
    const topCount = this.top.collect(this.#layers.topRange(range), topFound);
    return this.#layers.join(found.subarray(0, baseCount), topFound.subarray(0, topCount), into);
  }
}
