import { countOf, patchField } from './index-field.ts';
import type { FieldAdditions, IndexField } from './index-field.ts';
import { hasBit, setBits, wordsOf } from './bit-set.ts';
import type { LineItemEdits } from './line-item-edits.ts';
import type { IndexRange } from './line-item-order.ts';
import type { TargetingFacts } from './targeting.ts';
import { valuesOf } from '../../../domain/targeting/targeting-dimensions.ts';
import type { TargetingDimension } from '../../../domain/targeting/targeting-dimensions.ts';
import type { WorkSteps } from './work-steps.ts';

/** Pseudo-field of the formats and sizes of a line item's creatives. */
export const FIT_FIELD = 'fit';

/** The part of one field in a search. */
interface Operand {
  readonly field: IndexField;
  readonly scratch: Uint32Array;
  /** Numbers of the request's values that any line item has. */
  found: number[];
  /** The most line items that it admits: a line item with two of the values counts twice. */
  count: number;
  /** The admitted line items; valid only within the present range. */
  bits: Uint32Array;
}

/**
 * Finds the line items that can match, by inverted lists: each indexed field yields the line items that do not restrict it and those that
 * target a value of the request. All fields are ANDed word by word, the most selective first. The order of line items is preserved. One
 * index serves one decision at a time, because it reuses its buffers.
 */
export class TargetingIndex {
  readonly lineItemCount: number;
  readonly #fields: ReadonlyMap<string, IndexField>;
  readonly #operands: Operand[];
  /** The operands that filter any line item, the most selective first. */
  #selective: Operand[] = [];
  #found: Int32Array | null = null;

  private constructor(lineItemCount: number, fields: ReadonlyMap<string, IndexField>) {
    this.lineItemCount = lineItemCount;
    this.#fields = fields;
    const words = wordsOf(lineItemCount);
    this.#operands = Array.from(fields.values(), (field) => {
      return { field, scratch: new Uint32Array(words), found: [], count: 0, bits: field.open };
    });
  }

  /** The index of no line items. */
  static readonly empty = new TargetingIndex(0, new Map());

  /**
   * The index after a change. This one stays as it is.
   * @param fields all fields to index; no line item that stays may restrict a field that this index lacks
   */
  *patch(edits: LineItemEdits, fields: readonly FieldAdditions[]): WorkSteps<TargetingIndex> {
    const patched = new Map<string, IndexField>();
    for (const field of fields) {
      patched.set(field.name, yield* patchField(this.#fields.get(field.name) ?? null, edits, field));
      yield;
    }
    return new TargetingIndex(edits.count, patched);
  }

  /** An index whose fields were stored. */
  static restore(lineItemCount: number, fields: readonly IndexField[]): TargetingIndex {
    return new TargetingIndex(lineItemCount, new Map(fields.map((field) => [field.name, field])));
  }

  get fields(): readonly IndexField[] {
    return [...this.#fields.values()];
  }

  /** The number of distinct values of its fields. */
  get valueCount(): number {
    return this.#operands.reduce((sum, { field }) => sum + field.valueCount, 0);
  }

  has(fieldName: string): boolean {
    return this.#fields.has(fieldName);
  }

  /** Sets the request for the following calls of `collect`. `fitValues` are the slot's values of `FIT_FIELD`. */
  setRequest(facts: TargetingFacts, fitValues: readonly string[]): void {
    const selective: Operand[] = [];
    for (const operand of this.#operands) {
      const { source } = operand.field;
      find(operand, source === null ? fitValues : valuesOf(facts, source.dimension, source.key));
      // With one value at most, every line item is counted once.
      const admitsAll = operand.found.length <= 1 && operand.count === this.lineItemCount;
      if (!admitsAll) insertByCount(selective, operand);
    }
    this.#selective = selective;
  }

  /** The most line items that the request admits. */
  get admittedMax(): number {
    return this.#selective[0]?.count ?? this.lineItemCount;
  }

  /** The share of all line items that the request admits, at most. */
  get admittedShareMax(): number {
    return Math.min(1, this.admittedMax / Math.max(1, this.lineItemCount));
  }

  /** Takes all positions, for those who use this index as a layer of theirs. */
  get found(): Int32Array {
    return (this.#found ??= new Int32Array(this.lineItemCount));
  }

  /** Prepares `admits` for positions of a range. */
  select(range: IndexRange): void {
    for (const operand of this.#selective) select(operand, range);
  }

  /** Whether the line item at a position of the selected range can match. */
  admits(position: number): boolean {
    for (const { bits } of this.#selective) if (!hasBit(bits, position)) return false;
    return true;
  }

  /** Prepares `conditionOf` for all positions. */
  selectAllFields(): void {
    for (const operand of this.#operands) select(operand, { from: 0, to: this.lineItemCount });
  }

  /** The condition of a field, for the request and until the next one; null when the field is not indexed. */
  conditionOf(
    fieldName: string,
  ): { readonly admits: (position: number) => boolean; readonly dimension: TargetingDimension } | null {
    const operand = this.#operands.find(({ field }) => field.name === fieldName);
    const source = operand?.field.source ?? null;
    if (operand === undefined || source === null) return null;
    return { admits: (position) => hasBit(operand.bits, position), dimension: source.dimension };
  }

  /** Writes the matching line items of a range into `into` as ascending indexes, and returns their number. */
  collect(range: IndexRange, into: Int32Array): number {
    const [first] = this.#selective;
    if (first === undefined) return fillAll(into, range);
    if (first.count === 0) return 0;
    for (const operand of this.#selective) select(operand, range);
    return intersect(this.#selective, range, into);
  }
}

/** Operands are few and sorted for every slot: this is faster than a sort. */
function insertByCount(sorted: Operand[], operand: Operand): void {
  let at = sorted.length;
  sorted.push(operand);
  for (; at > 0 && (sorted[at - 1] as Operand).count > operand.count; at -= 1) sorted[at] = sorted[at - 1] as Operand;
  sorted[at] = operand;
}

function find(operand: Operand, values: readonly string[]): void {
  const { field } = operand;
  const found: number[] = [];
  operand.found = found;
  operand.count = field.openCount;
  for (const value of values) {
    const v = field.values.get(value);
    if (v === undefined || v >= field.valueCount) continue;
    const count = countOf(field, v);
    if (count === 0) continue;
    found.push(v);
    operand.count += count;
  }
}

/** From this many words on, one copy is faster than a loop. */
const COPY_WORDS_MIN = 128;

/** Computes the operand's bits for the words of a range. */
function select(operand: Operand, range: IndexRange): void {
  const { field, found, scratch } = operand;
  const { open, dense } = field;
  operand.bits = open;
  if (found.length === 0) return;
  const only = dense[found[0] as number]?.bits ?? null;
  if (found.length === 1 && only !== null) {
    operand.bits = only;
    return;
  }
  const firstWord = range.from >>> 5;
  const endWord = wordsOf(range.to);
  operand.bits = scratch;
  if (endWord - firstWord > COPY_WORDS_MIN) scratch.set(open.subarray(firstWord, endWord), firstWord);
  else for (let word = firstWord; word < endWord; word += 1) scratch[word] = open[word] as number;
  for (const v of found) {
    const many = dense[v]?.bits ?? null;
    if (many === null) {
      const end = field.starts[v + 1] as number;
      const start = lowerBound(field.indexes, field.starts[v] as number, end, range.from);
      setBits(scratch, field.indexes, start, lowerBound(field.indexes, start, end, range.to));
      continue;
    }
    for (let word = firstWord; word < endWord; word += 1)
      scratch[word] = (scratch[word] as number) | (many[word] as number);
  }
}

function lowerBound(indexes: Int32Array, start: number, end: number, index: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((indexes[middle] as number) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function intersect(operands: readonly Operand[], { from, to }: IndexRange, into: Int32Array): number {
  const first = (operands[0] as Operand).bits;
  const endWord = wordsOf(to);
  let count = 0;
  for (let word = from >>> 5; word < endWord; word += 1) {
    let bits = first[word] as number;
    for (let at = 1; bits !== 0 && at < operands.length; at += 1)
      bits &= (operands[at] as Operand).bits[word] as number;
    if (bits === 0) continue;
    // A range may begin and end within a word.
    if (word === from >>> 5) bits &= -1 << (from & 31);
    if (word === to >>> 5) bits &= ~(-1 << (to & 31));
    while (bits !== 0) {
      into[count] = (word << 5) + (31 - Math.clz32(bits & -bits));
      count += 1;
      bits &= bits - 1;
    }
  }
  return count;
}

function fillAll(into: Int32Array, { from, to }: IndexRange): number {
  for (let index = from; index < to; index += 1) into[index - from] = index;
  return to - from;
}
