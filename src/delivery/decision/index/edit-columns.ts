import type { LineItemDraft } from './compile-line-items.ts';
import type { LineItemColumns } from './line-item-columns.ts';
import { positionsStay } from './line-item-edits.ts';
import type { LineItemEdits } from './line-item-edits.ts';
import type { WorkSteps } from './work-steps.ts';

const LINE_ITEMS_PER_STEP = 4_096;
const SHAPES_MAX = 4_096;

type Column = BigInt64Array | Float64Array | Int32Array | Uint16Array | Uint8Array;

/** The columns after a change. A column that the change leaves as it is stays the same array. @param added the line items at `edits.added`, in the same order */
export function* editColumns(
  before: LineItemColumns,
  edits: LineItemEdits,
  added: readonly LineItemDraft[],
): WorkSteps<LineItemColumns> {
  const shapeNumbers = numberShapes(before.shapeNames, added);
  // A step for each column: copying one of a million line items takes a millisecond or two.
  const move = function* <C extends Column>(column: C, valueOf: (draft: LineItemDraft) => C[number]): WorkSteps<C> {
    const values: C[number][] = [];
    for (const draft of added) if (values.push(valueOf(draft)) % LINE_ITEMS_PER_STEP === 0) yield;
    yield;
    return moveColumn(column, edits, values);
  };
  return {
    length: edits.count,
    ids: yield* move(before.ids, ({ rankId }) => rankId),
    buckets: yield* move(before.buckets, ({ bucket }) => bucket),
    pricesMicros: yield* move(before.pricesMicros, ({ priceMicros }) => priceMicros),
    startsAtMs: yield* move(before.startsAtMs, ({ startsAtMs }) => startsAtMs),
    endsAtMs: yield* move(before.endsAtMs, ({ endsAtMs }) => endsAtMs),
    sharesPercent: yield* move(before.sharesPercent, ({ live }) => live.lineItem.sharePercent ?? Number.NaN),
    goals: yield* move(before.goals, ({ live }) => (live.lineItem.goal === null ? 0 : 1)),
    shapes: yield* move(before.shapes, ({ shape }) => shapeNumbers.get(shape) ?? 0),
    shapeNames: [...shapeNumbers.keys()],
    ...(yield* moveCreatives(before, edits, added)),
  };
}

function moveColumn<C extends Column>(before: C, edits: LineItemEdits, values: readonly C[number][]): C {
  const { count, runs, added } = edits;
  if (positionsStay(edits) && added.every((position, at) => Object.is(before[position], values[at]))) return before;
  const moved = new (before.constructor as new (length: number) => C)(count);
  for (const run of runs) moved.set(before.subarray(run.before, run.before + run.length) as never, run.now);
  for (const [at, position] of added.entries()) moved[position] = values[at] as C[number];
  return moved;
}

type Creatives = Pick<LineItemColumns, 'creativeStarts' | 'creativeIds'>;

/** The line items in their order: those of a run, or an added one. */
function* moveCreatives(
  before: LineItemColumns,
  edits: LineItemEdits,
  added: readonly LineItemDraft[],
): WorkSteps<Creatives> {
  if (positionsStay(edits) && edits.added.every((position, at) => hasCreatives(before, position, added[at])))
    return { creativeStarts: before.creativeStarts, creativeIds: before.creativeIds };
  const { count, runs } = edits;
  const creativeStarts = new Int32Array(count + 1);
  const creativeIds = new BigInt64Array(countAllCreatives(before, edits, added));
  let end = 0;
  let run = 0;
  for (let position = 0, at = 0; position < count; ) {
    const moved = runs[run];
    if (moved?.now === position) {
      end = moveRun(before, { creativeStarts, creativeIds }, { ...moved, end });
      position += moved.length;
      run += 1;
      yield;
      continue;
    }
    creativeStarts[position] = end;
    for (const { id } of added[at]?.live.creatives ?? []) creativeIds[end++] = BigInt(id);
    if (at % LINE_ITEMS_PER_STEP === LINE_ITEMS_PER_STEP - 1) yield;
    at += 1;
    position += 1;
  }
  creativeStarts[count] = end;
  return { creativeStarts, creativeIds };
}

/** Copies the creatives of a run of line items to position `end`, and returns where they end. */
function moveRun(
  from: LineItemColumns,
  to: Creatives,
  { before, now, length, end }: LineItemEdits['runs'][number] & { readonly end: number },
): number {
  const first = from.creativeStarts[before] as number;
  const last = from.creativeStarts[before + length] as number;
  const shift = end - first;
  to.creativeIds.set(from.creativeIds.subarray(first, last), end);
  if (shift === 0) to.creativeStarts.set(from.creativeStarts.subarray(before, before + length), now);
  else
    for (let at = 0; at < length; at += 1)
      to.creativeStarts[now + at] = (from.creativeStarts[before + at] as number) + shift;
  return last + shift;
}

function hasCreatives(
  { creativeStarts, creativeIds }: LineItemColumns,
  position: number,
  draft: LineItemDraft | undefined,
): boolean {
  const start = creativeStarts[position] as number;
  const creatives = draft?.live.creatives ?? [];
  return (
    creatives.length === (creativeStarts[position + 1] as number) - start &&
    creatives.every(({ id }, at) => creativeIds[start + at] === BigInt(id))
  );
}

/** The numbers of shapes, by their names; shapes beyond the most stay unknown. */
function numberShapes(names: readonly string[], added: readonly LineItemDraft[]): ReadonlyMap<string, number> {
  const numbers = new Map(names.map((name, number) => [name, number]));
  for (const { shape } of added) if (!numbers.has(shape) && numbers.size < SHAPES_MAX) numbers.set(shape, numbers.size);
  return numbers;
}

function countAllCreatives(
  { creativeStarts, creativeIds }: LineItemColumns,
  { removed }: LineItemEdits,
  added: readonly LineItemDraft[],
): number {
  let count = creativeIds.length;
  for (const position of removed)
    count -= (creativeStarts[position + 1] as number) - (creativeStarts[position] as number);
  for (const { live } of added) count += live.creatives.length;
  return count;
}
