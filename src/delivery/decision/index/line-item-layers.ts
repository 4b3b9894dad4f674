import { PositionMap } from './line-item-edits.ts';
import type { LineItemEdits, Run } from './line-item-edits.ts';
import type { IndexRange } from './line-item-order.ts';

const BLOCK_BITS = 10;

/**
 * The order of line items in two layers: those of a base that stays as it is, and changed ones on top of it. A position in the order says where
 * its line item is: at `p` of the base, or at `~p` (negative) of the top. So a change of one line item moves no other one.
 */
export class LineItemLayers {
  /** From the base to the present order; its added line items are those of the top. */
  readonly edits: LineItemEdits;
  /** The first position of each segment: neighbours of one layer that stayed neighbours. */
  readonly #starts: Int32Array;
  /** Where the first line item of a segment is. */
  readonly #froms: Int32Array;
  /** By block of positions: the segment that its first position is in. */
  readonly #blocks: Int32Array;
  readonly #presents: PositionMap;

  /** @param edits from the base to the present order */
  constructor(edits: LineItemEdits) {
    this.edits = edits;
    this.#presents = new PositionMap(edits);
    const starts: number[] = [];
    const froms: number[] = [];
    let run = 0;
    for (let position = 0, top = 0; position < edits.count; ) {
      starts.push(position);
      const moved = edits.runs[run];
      if (moved?.now === position) {
        froms.push(moved.before);
        position += moved.length;
        run += 1;
        continue;
      }
      froms.push(~top);
      const end = moved?.now ?? edits.count;
      top += end - position;
      position = end;
    }
    this.#starts = Int32Array.from(starts);
    this.#froms = Int32Array.from(froms);
    this.#blocks = new Int32Array((edits.count >>> BLOCK_BITS) + 2).fill(Math.max(0, starts.length - 1));
    for (let block = 0, segment = 0; block << BLOCK_BITS < edits.count; block += 1) {
      while ((starts[segment + 1] ?? edits.count) <= block << BLOCK_BITS) segment += 1;
      this.#blocks[block] = segment;
    }
  }

  /** The line item at a position: its position in the base, or `~` its position in the top. */
  find(position: number): number {
    const starts = this.#starts;
    let low = this.#blocks[position >>> BLOCK_BITS] as number;
    let high = this.#blocks[(position >>> BLOCK_BITS) + 1] as number;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((starts[middle] as number) <= position) low = middle;
      else high = middle - 1;
    }
    const from = this.#froms[low] as number;
    const offset = position - (starts[low] as number);
    return from >= 0 ? from + offset : from - offset;
  }

  /** The position of a line item of the base; −1 = removed. */
  positionOfBase(base: number): number {
    return this.#presents.find(base);
  }

  /** The base's part of a range of positions: it may have removed line items. */
  baseRange({ from, to }: IndexRange): IndexRange {
    const { runs } = this.edits;
    const first = runs[searchRun(runs, from)];
    const last = runs[searchRun(runs, to) - (endsBefore(runs, to) ? 1 : 0)];
    if (first === undefined || last === undefined || to <= from) return { from: 0, to: 0 };
    const start = first.before + Math.max(0, from - first.now);
    return { from: start, to: Math.max(start, last.before + Math.min(last.length, to - last.now)) };
  }

  /** The top's part of a range of positions. */
  topRange({ from, to }: IndexRange): IndexRange {
    return { from: lowerBound(this.edits.added, from), to: lowerBound(this.edits.added, to) };
  }

  /**
   * Writes positions of line items that were found in both layers, and returns their number. Removed ones are left out.
   * @param base positions in the base, ascending. @param top positions in the top, ascending
   */
  join(base: Int32Array, top: Int32Array, into: Int32Array): number {
    const { added } = this.edits;
    let count = 0;
    let nextTop = 0;
    let topPosition = top.length > 0 ? (added[top[0] as number] as number) : Number.POSITIVE_INFINITY;
    for (let at = 0; at < base.length; at += 1) {
      const position = this.#presents.find(base[at] as number);
      if (position < 0) continue;
      while (topPosition < position) {
        into[count++] = topPosition;
        nextTop += 1;
        topPosition = nextTop < top.length ? (added[top[nextTop] as number] as number) : Number.POSITIVE_INFINITY;
      }
      into[count++] = position;
    }
    for (; nextTop < top.length; nextTop += 1) into[count++] = added[top[nextTop] as number] as number;
    return count;
  }
}

/** The first run that ends behind a position. */
function searchRun(runs: readonly Run[], position: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { now, length } = runs[middle] as Run;
    if (now + length <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether the first run that ends behind a position begins at or behind it too. */
function endsBefore(runs: readonly Run[], position: number): boolean {
  const run = runs[searchRun(runs, position)];
  return run === undefined || run.now >= position;
}

/** The number of ascending numbers below a bound. */
function lowerBound(numbers: readonly number[], bound: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
