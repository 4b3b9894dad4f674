import { allBits, copyBits, hasBit, setBit, setBits, wordsOf } from './bit-set.ts';
import { PositionMap, positionsStay } from './line-item-edits.ts';
import type { LineItemEdits } from './line-item-edits.ts';
import type { TargetingField } from '../../../domain/targeting/targeting-conjuncts.ts';
import type { WorkSteps } from './work-steps.ts';

/** The added line items that restrict one field: their present indexes, ascending, with the values (each once) that each admits. */
export interface FieldAdditions {
  readonly name: string;
  /** Null for `FIT_FIELD`. */
  readonly source: TargetingField | null;
  readonly restricted: ReadonlyMap<number, Iterable<string>>;
}

/** A value that many line items admit. */
export interface DenseValue {
  /** Bit set of the line items that admit it, and of those that do not restrict the field. */
  readonly bits: Uint32Array;
  /** How many line items restrict the field and admit the value. */
  readonly count: number;
}

/** Inverted lists of one field: for every value the line items that admit it, and the line items that admit any value. Immutable. */
export interface IndexField {
  readonly name: string;
  readonly source: TargetingField | null;
  /** Bit set of the line items that do not restrict this field. */
  readonly open: Uint32Array;
  readonly openCount: number;
  /** Numbers of values. Later versions of the field add to the map: numbers from `valueCount` on belong to them. */
  readonly values: Map<string, number>;
  readonly valueCount: number;
  /** The line items of value `v` are, ascending, in `indexes` from `starts[v]` up to `starts[v + 1]`; none of a dense value. */
  readonly starts: Int32Array;
  readonly indexes: Int32Array;
  /** By value; null = its line items are listed. */
  readonly dense: readonly (DenseValue | null)[];
}

/** A value with more than this share of all line items has a bit set, because ORing words is faster than setting bits. */
const DENSE_SHARE = 1 / 64;
/** A bit set stays until it has less than this share: a value at the limit must not change its form with each change. */
const SPARSE_SHARE = 1 / 96;
/** Up to this many unused values stay in the lists. */
const UNUSED_VALUES_MIN = 64;
const ENTRIES_PER_STEP = 65_536;

/** The number of line items that admit value `v`. */
export function countOf(field: IndexField, v: number): number {
  return field.dense[v]?.count ?? (field.starts[v + 1] as number) - (field.starts[v] as number);
}

/** The field after a change. @param before null: no line item restricted it */
export function* patchField(
  before: IndexField | null,
  edits: LineItemEdits,
  { name, source, restricted }: FieldAdditions,
): WorkSteps<IndexField> {
  if (before !== null && isUntouched(before, edits, restricted)) return before;
  const former = before === null ? emptyField(name, source, edits.countBefore) : withoutUnusedValues(before);
  const { values } = former;
  const added = new Map<number, number[]>();
  let addedCount = 0;
  for (const [index, wanted] of restricted) {
    for (const value of wanted) {
      const v = numberOf(values, value);
      const list = added.get(v);
      if (list === undefined) added.set(v, [index]);
      else list.push(index);
      addedCount += 1;
    }
    if (index % 1_024 === 0) yield;
  }
  const open = moveOpen(former, edits, restricted);
  yield;
  const known = yield* moveDense(former, edits, { open, added });
  const lists = yield* moveLists(former, edits, { open, added, known, addedCount });
  const openCount = edits.count - countRestricted(former, edits, restricted);
  return { name, source, open, openCount, values, valueCount: lists.starts.length - 1, ...lists };
}

/** All line items have their former indexes, and no added or removed one restricts the field. */
function isUntouched(before: IndexField, edits: LineItemEdits, restricted: FieldAdditions['restricted']): boolean {
  return positionsStay(edits) && restricted.size === 0 && edits.removed.every((index) => hasBit(before.open, index));
}

function emptyField(name: string, source: TargetingField | null, lineItemCount: number): IndexField {
  const none = { values: new Map(), valueCount: 0, starts: new Int32Array(1), indexes: new Int32Array(0), dense: [] };
  return { name, source, open: allBits(lineItemCount), openCount: lineItemCount, ...none };
}

function numberOf(values: Map<string, number>, value: string): number {
  const known = values.get(value);
  if (known !== undefined) return known;
  values.set(value, values.size);
  return values.size - 1;
}

/** Renumbers the values when most of them are unused. */
function withoutUnusedValues(field: IndexField): IndexField {
  let unused = 0;
  for (let v = 0; v < field.valueCount; v += 1) if (countOf(field, v) === 0) unused += 1;
  if (unused < UNUSED_VALUES_MIN || unused * 2 < field.valueCount) return field;
  const values = new Map<string, number>();
  const starts: number[] = [];
  const dense: (DenseValue | null)[] = [];
  for (const [value, v] of field.values) {
    if (v >= field.valueCount || countOf(field, v) === 0) continue;
    values.set(value, values.size);
    starts.push(field.starts[v] as number);
    dense.push(field.dense[v] ?? null);
  }
  starts.push(field.starts[field.valueCount] as number);
  return { ...field, values, valueCount: values.size, starts: Int32Array.from(starts), dense };
}

function moveOpen(former: IndexField, edits: LineItemEdits, restricted: FieldAdditions['restricted']): Uint32Array {
  const open = new Uint32Array(wordsOf(edits.count));
  for (const { before, now, length } of edits.runs) copyBits(former.open, open, { start: before, at: now, length });
  for (const index of edits.added) if (!restricted.has(index)) setBit(open, index);
  return open;
}

function countRestricted(
  former: IndexField,
  { countBefore, removed: gone }: LineItemEdits,
  restricted: FieldAdditions['restricted'],
): number {
  const removedCount = gone.reduce((count, index) => count + (hasBit(former.open, index) ? 0 : 1), 0);
  return countBefore - former.openCount - removedCount + restricted.size;
}

/** The line items of values that are added, by value and ascending. */
type Added = ReadonlyMap<number, readonly number[]>;
type DenseValues = readonly (DenseValue | null)[];
type Lists = Pick<IndexField, 'starts' | 'indexes' | 'dense'>;

/** The bit sets after a change. */
function* moveDense(
  former: IndexField,
  edits: LineItemEdits,
  { open, added }: { readonly open: Uint32Array; readonly added: Added },
): WorkSteps<DenseValues> {
  const dense: (DenseValue | null)[] = [];
  for (const [v, value] of former.dense.entries()) {
    dense.push(value);
    if (value === null) continue;
    const list = added.get(v) ?? [];
    const gone = edits.removed.reduce(
      (sum, index) => sum + (hasBit(value.bits, index) && !hasBit(former.open, index) ? 1 : 0),
      0,
    );
    const bits = new Uint32Array(wordsOf(edits.count));
    for (const { before, now, length } of edits.runs) copyBits(value.bits, bits, { start: before, at: now, length });
    for (const index of edits.added) if (hasBit(open, index)) setBit(bits, index);
    for (const index of list) setBit(bits, index);
    dense[v] = { bits, count: value.count - gone + list.length };
    yield;
  }
  return dense;
}

interface Moved {
  readonly open: Uint32Array;
  readonly added: Added;
  /** The bit sets of the values that had one. */
  readonly known: DenseValues;
  readonly addedCount: number;
}

/** The lists with the present indexes of the line items, without the removed and with the added ones. Values get the form that suits their number. */
function* moveLists(
  former: IndexField,
  edits: LineItemEdits,
  { open, added, known, addedCount }: Moved,
): WorkSteps<Lists> {
  const valueCount = former.values.size;
  const starts = new Int32Array(valueCount + 1);
  const thin = known.reduce((sum, one) => sum + (one !== null && isThin(one, edits) ? one.count : 0), 0);
  const indexes = new Int32Array(former.indexes.length + addedCount + thin);
  const dense: (DenseValue | null)[] = [];
  const positions = new PositionMap(edits);
  let end = 0;
  let stepAt = ENTRIES_PER_STEP;
  for (let v = 0; v < valueCount; v += 1) {
    starts[v] = end;
    const value = known[v] ?? null;
    if (value !== null && !isThin(value, edits)) {
      dense.push(value);
      continue;
    }
    end =
      value === null
        ? moveList({ former, v, list: added.get(v) ?? NO_INDEXES }, positions, { indexes, end })
        : listBits(value, open, { indexes, end });
    const start = starts[v] as number;
    const isDense = value === null && end - start > edits.count * DENSE_SHARE;
    dense.push(isDense ? makeDense(open, indexes.subarray(start, end)) : null);
    if (isDense) end = start;
    if (end + v < stepAt) continue;
    stepAt = end + v + ENTRIES_PER_STEP;
    yield;
  }
  starts[valueCount] = end;
  return { starts, indexes: trim(indexes, end), dense };
}

const NO_INDEXES: readonly number[] = [];
/** More unused entries than this share are not kept in memory. */
const SLACK_SHARE = 1 / 8;

function trim(indexes: Int32Array, end: number): Int32Array {
  return end < indexes.length * (1 - SLACK_SHARE) ? indexes.slice(0, end) : indexes.subarray(0, end);
}

function isThin({ count }: DenseValue, edits: LineItemEdits): boolean {
  return count <= edits.count * SPARSE_SHARE;
}

interface Output {
  readonly indexes: Int32Array;
  readonly end: number;
}

/** Writes the list of a value, and returns where it ends. */
function moveList(
  { former, v, list }: { readonly former: IndexField; readonly v: number; readonly list: readonly number[] },
  positions: PositionMap,
  { indexes, end: start }: Output,
): number {
  let end = start;
  let next = 0;
  const until = v < former.valueCount ? (former.starts[v + 1] as number) : 0;
  for (let at = v < former.valueCount ? (former.starts[v] as number) : 0; at < until; at += 1) {
    const index = positions.find(former.indexes[at] as number);
    if (index < 0) continue;
    for (; next < list.length && (list[next] as number) < index; next += 1) indexes[end++] = list[next] as number;
    indexes[end++] = index;
  }
  for (; next < list.length; next += 1) indexes[end++] = list[next] as number;
  return end;
}

/** Writes the line items of a bit set as a list, and returns where it ends. */
function listBits({ bits }: DenseValue, open: Uint32Array, { indexes, end: start }: Output): number {
  let end = start;
  for (let word = 0; word < bits.length; word += 1) {
    let left = (bits[word] as number) & ~(open[word] as number);
    for (; left !== 0; left &= left - 1) indexes[end++] = (word << 5) + (31 - Math.clz32(left & -left));
  }
  return end;
}

function makeDense(open: Uint32Array, list: Int32Array): DenseValue {
  const bits = open.slice();
  setBits(bits, list, 0, list.length);
  return { bits, count: list.length };
}
