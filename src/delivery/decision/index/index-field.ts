import { allBits, copyBits, hasBit, setBit, setBits, wordsOf } from './bit-set.ts';
import type { LineItemEdits } from './line-item-edits.ts';
import type { TargetingField } from '../../../domain/targeting/targeting-conjuncts.ts';
import { finishSteps } from './work-steps.ts';
import type { WorkSteps } from './work-steps.ts';

/** The added line items that restrict one field: their present indexes, ascending, with the values (each once) that each admits. */
export interface FieldAdditions {
  readonly name: string;
  /** Null for `FIT_FIELD`. */
  readonly source: TargetingField | null;
  readonly restricted: ReadonlyMap<number, Iterable<string>>;
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
  /** The line items of value `v` are, ascending, in `indexes` from `starts[v]` up to `starts[v + 1]`. */
  readonly starts: Int32Array;
  readonly indexes: Int32Array;
  /** By value: where it has many line items, the bit set of them and the open ones together. */
  readonly dense: readonly (Uint32Array | null)[];
}

/** A value with more than this share of all line items gets a bit set of its own, because ORing words is faster than setting bits. */
const DENSE_SHARE = 1 / 64;
/** Up to this many unused values stay in the lists. */
const UNUSED_VALUES_MIN = 64;
const ENTRIES_PER_STEP = 65_536;

/** The number of line items that admit value `v`. */
export function countOf(field: IndexField, v: number): number {
  return (field.starts[v + 1] as number) - (field.starts[v] as number);
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
  const lists = yield* moveLists(former, edits, { added, entriesMax: former.indexes.length + addedCount });
  yield;
  const dense = yield* makeDense(open, lists, edits.count);
  const openCount = edits.count - countRestricted(former, edits, restricted);
  return { name, source, open, openCount, values, valueCount: lists.starts.length - 1, ...lists, dense };
}

/** A field that was stored without its bit sets of values. */
export function restoreField(field: Omit<IndexField, 'dense'>, lineItemCount: number): IndexField {
  return { ...field, dense: finishSteps(makeDense(field.open, field, lineItemCount)) };
}

/** All line items have their former indexes, and no added or removed one restricts the field. */
function isUntouched(before: IndexField, edits: LineItemEdits, restricted: FieldAdditions['restricted']): boolean {
  const stayed = edits.count === edits.countBefore && edits.runs.every((run) => run.before === run.now);
  return stayed && restricted.size === 0 && edits.removed.every((index) => hasBit(before.open, index));
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
  for (const [value, v] of field.values) {
    if (v >= field.valueCount || countOf(field, v) === 0) continue;
    values.set(value, values.size);
    starts.push(field.starts[v] as number);
  }
  starts.push(field.starts[field.valueCount] as number);
  return { ...field, values, valueCount: values.size, starts: Int32Array.from(starts), dense: [] };
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

type Lists = Pick<IndexField, 'starts' | 'indexes'>;

/** The lists with the present indexes of the line items, without the removed and with the added ones. */
function* moveLists(
  former: IndexField,
  { newIndexOf: numberNow }: LineItemEdits,
  { added, entriesMax }: { readonly added: ReadonlyMap<number, readonly number[]>; readonly entriesMax: number },
): WorkSteps<Lists> {
  const valueCount = former.values.size;
  const starts = new Int32Array(valueCount + 1);
  const indexes = new Int32Array(entriesMax);
  let end = 0;
  let stepAt = ENTRIES_PER_STEP;
  for (let v = 0; v < valueCount; v += 1) {
    starts[v] = end;
    const list = added.get(v);
    let next = 0;
    const until = v < former.valueCount ? (former.starts[v + 1] as number) : 0;
    for (let at = v < former.valueCount ? (former.starts[v] as number) : 0; at < until; at += 1) {
      const index = numberNow[former.indexes[at] as number] as number;
      if (index < 0) continue;
      if (list !== undefined)
        for (; next < list.length && (list[next] as number) < index; next += 1) indexes[end++] = list[next] as number;
      indexes[end++] = index;
    }
    if (list !== undefined) for (; next < list.length; next += 1) indexes[end++] = list[next] as number;
    if (end + v < stepAt) continue;
    stepAt = end + v + ENTRIES_PER_STEP;
    yield;
  }
  starts[valueCount] = end;
  return { starts, indexes: end === entriesMax ? indexes : indexes.subarray(0, end) };
}

function* makeDense(
  open: Uint32Array,
  { starts, indexes }: Lists,
  lineItemCount: number,
): WorkSteps<(Uint32Array | null)[]> {
  const dense: (Uint32Array | null)[] = [];
  for (let v = 0; v + 1 < starts.length; v += 1) {
    const start = starts[v] as number;
    const end = starts[v + 1] as number;
    if (end - start <= lineItemCount * DENSE_SHARE) {
      dense.push(null);
      continue;
    }
    const bits = open.slice();
    setBits(bits, indexes, start, end);
    dense.push(bits);
    yield;
  }
  return dense;
}
