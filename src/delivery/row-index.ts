import type { Requirement, TargetingFacts } from './targeting.ts';
import { valuesOf } from './targeting.ts';
import type { WorkSteps } from './work-steps.ts';

/** Pseudo-field of the formats and sizes that a row's creatives have. */
export const FIT_FIELD = 'fit';

interface IndexField {
  readonly name: string;
  readonly source: Requirement | null;
  /** Bit set of the rows that do not restrict this field. */
  readonly open: Uint32Array;
  readonly openCount: number;
  /** By value: ascending row numbers, or, where they are many, the bit set of them and the open rows together. */
  readonly rowsByValue: ReadonlyMap<string, ValueRows>;
  readonly scratch: Uint32Array;
}

interface ValueRows {
  readonly rows: Int32Array;
  readonly dense: Uint32Array | null;
}

/** A value with more than this share of all rows gets a bit set of its own: ORing words beats setting bits. */
const DENSE_SHARE = 1 / 64;

interface Operand {
  bits: Uint32Array;
  count: number;
}

/**
 * Which rows can match at all, by inverted lists: for every indexed field, the rows that do not care plus those that want a value
 * at hand; all fields are ANDed word by word, the most selective first. Rows keep their order.
 * One index serves one decision at a time (it reuses its buffers).
 */
export class RowIndex {
  readonly rowCount: number;
  readonly #words: number;
  readonly #fields: readonly IndexField[];
  readonly #operands: Operand[];

  private constructor(rowCount: number, fields: readonly IndexField[]) {
    this.rowCount = rowCount;
    this.#words = (rowCount + 31) >>> 5;
    this.#fields = fields;
    this.#operands = this.#fields.map(() => ({ bits: new Uint32Array(0), count: 0 }));
  }

  /** Builds the index of `rowCount` rows. */
  static *build(rowCount: number, fields: readonly FieldRows[]): WorkSteps<RowIndex> {
    const built: IndexField[] = [];
    for (const field of fields) built.push(yield* buildField(field, rowCount));
    return new RowIndex(rowCount, built);
  }

  /**
   * Writes the numbers of the rows that can match into `into` (at least `rowCount` long), ascending, and returns how many.
   * `fitValues` are the slot's values of `FIT_FIELD`.
   */
  collect(facts: TargetingFacts, fitValues: readonly string[], into: Int32Array): number {
    const operands = this.#operands;
    for (let index = 0; index < this.#fields.length; index += 1) {
      const field = this.#fields[index] as IndexField;
      const values = field.source === null ? fitValues : valuesOf(facts, field.source.dimension, field.source.key);
      select(field, values, operands[index] as Operand);
    }
    operands.sort((left, right) => left.count - right.count);
    return operands.length === 0 ? fillAll(into, this.rowCount) : intersect(operands, this.#words, into);
  }
}

/** The rows that restrict one field, with the values that each admits. */
export interface FieldRows {
  readonly name: string;
  /** Null for `FIT_FIELD`. */
  readonly source: Requirement | null;
  readonly restricted: ReadonlyMap<number, Iterable<string>>;
}

function* buildField(field: FieldRows, rowCount: number): WorkSteps<IndexField> {
  const words = (rowCount + 31) >>> 5;
  const open = new Uint32Array(words);
  const lists = new Map<string, number[]>();
  for (let row = 0; row < rowCount; row += 1) {
    if (row % 4_096 === 4_095) yield;
    const values = field.restricted.get(row);
    if (values === undefined) {
      open[row >>> 5] = (open[row >>> 5] as number) | (1 << (row & 31));
      continue;
    }
    for (const value of values) {
      const list = lists.get(value);
      if (list === undefined) lists.set(value, [row]);
      else list.push(row);
    }
  }
  const rowsByValue = new Map<string, ValueRows>();
  for (const [value, list] of lists) {
    const rows = Int32Array.from(list);
    const isDense = rows.length > rowCount * DENSE_SHARE;
    rowsByValue.set(value, { rows, dense: isDense ? withBits(open.slice(), rows) : null });
    if (isDense || rowsByValue.size % 256 === 0) yield;
  }
  const openCount = rowCount - field.restricted.size;
  return { name: field.name, source: field.source, open, openCount, rowsByValue, scratch: new Uint32Array(words) };
}

function withBits(bits: Uint32Array, rows: Int32Array): Uint32Array {
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] as number;
    bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31));
  }
  return bits;
}

function select(field: IndexField, values: readonly string[], operand: Operand): void {
  operand.bits = field.open;
  operand.count = field.openCount;
  for (const value of values) {
    const found = field.rowsByValue.get(value);
    if (found === undefined) continue;
    operand.count += found.rows.length;
    if (operand.bits === field.open && found.dense !== null) {
      operand.bits = found.dense;
      continue;
    }
    if (operand.bits !== field.scratch) {
      field.scratch.set(operand.bits);
      operand.bits = field.scratch;
    }
    if (found.dense === null) withBits(field.scratch, found.rows);
    else orWords(field.scratch, found.dense);
  }
}

function orWords(into: Uint32Array, from: Uint32Array): void {
  for (let word = 0; word < into.length; word += 1) into[word] = (into[word] as number) | (from[word] as number);
}

function intersect(operands: readonly Operand[], words: number, into: Int32Array): number {
  const first = (operands[0] as Operand).bits;
  let count = 0;
  for (let word = 0; word < words; word += 1) {
    let bits = first[word] as number;
    for (let index = 1; bits !== 0 && index < operands.length; index += 1) {
      bits &= (operands[index] as Operand).bits[word] as number;
    }
    while (bits !== 0) {
      into[count] = (word << 5) + (31 - Math.clz32(bits & -bits));
      count += 1;
      bits &= bits - 1;
    }
  }
  return count;
}

function fillAll(into: Int32Array, rowCount: number): number {
  for (let row = 0; row < rowCount; row += 1) into[row] = row;
  return rowCount;
}
