import type { LineItemDraft } from './compile-line-items.ts';
import { makeColumns } from './line-item-columns.ts';
import type { LineItemColumns } from './line-item-columns.ts';
import type { LineItemEdits } from './line-item-edits.ts';
import type { WorkSteps } from './work-steps.ts';

const LINE_ITEMS_PER_STEP = 4_096;
const SHAPES_MAX = 4_096;

function copyRun(from: LineItemColumns, to: LineItemColumns, run: LineItemEdits['runs'][number]): void {
  const { before, now, length } = run;
  const end = before + length;
  to.ids.set(from.ids.subarray(before, end), now);
  to.buckets.set(from.buckets.subarray(before, end), now);
  to.pricesMicros.set(from.pricesMicros.subarray(before, end), now);
  to.startsAtMs.set(from.startsAtMs.subarray(before, end), now);
  to.endsAtMs.set(from.endsAtMs.subarray(before, end), now);
  to.sharesPercent.set(from.sharesPercent.subarray(before, end), now);
  to.shapes.set(from.shapes.subarray(before, end), now);
  to.goals.set(from.goals.subarray(before, end), now);
  // Counts first: `editColumns` makes positions of them.
  for (let at = 0; at < length; at += 1) to.creativeStarts[now + at + 1] = countCreatives(from, before + at);
}

function countCreatives({ creativeStarts }: LineItemColumns, position: number): number {
  return (creativeStarts[position + 1] as number) - (creativeStarts[position] as number);
}

/** The columns after a change. @param added the line items at `edits.added`, in the same order */
export function* editColumns(
  before: LineItemColumns,
  edits: LineItemEdits,
  added: readonly LineItemDraft[],
): WorkSteps<LineItemColumns> {
  const shapeNumbers = numberShapes(before.shapeNames, added);
  const columns = makeColumns(edits.count, {
    creativeCount: countAllCreatives(before, edits, added),
    shapeNames: [...shapeNumbers.keys()],
  });
  for (const run of edits.runs) {
    copyRun(before, columns, run);
    yield;
  }
  for (const [at, draft] of added.entries()) {
    if (at % LINE_ITEMS_PER_STEP === LINE_ITEMS_PER_STEP - 1) yield;
    addDraft(columns, edits.added[at] as number, draft);
    columns.shapes[edits.added[at] as number] = shapeNumbers.get(draft.shape) ?? 0;
  }
  yield;
  const { creativeStarts, creativeIds } = columns;
  for (let p = 0; p < edits.count; p += 1)
    creativeStarts[p + 1] = (creativeStarts[p + 1] as number) + (creativeStarts[p] as number);
  for (const { before: from, now, length } of edits.runs) {
    const start = before.creativeStarts[from] as number;
    const end = before.creativeStarts[from + length] as number;
    creativeIds.set(before.creativeIds.subarray(start, end), creativeStarts[now] as number);
  }
  for (const [at, { live }] of added.entries()) {
    if (at % LINE_ITEMS_PER_STEP === LINE_ITEMS_PER_STEP - 1) yield;
    let to = creativeStarts[edits.added[at] as number] as number;
    for (const { id } of live.creatives) creativeIds[to++] = BigInt(id);
  }
  return columns;
}

/** The numbers of shapes, by their names; shapes beyond the most stay unknown. */
function numberShapes(names: readonly string[], added: readonly LineItemDraft[]): ReadonlyMap<string, number> {
  const numbers = new Map(names.map((name, number) => [name, number]));
  for (const { shape } of added) if (!numbers.has(shape) && numbers.size < SHAPES_MAX) numbers.set(shape, numbers.size);
  return numbers;
}

function countAllCreatives(
  before: LineItemColumns,
  { removed }: LineItemEdits,
  added: readonly LineItemDraft[],
): number {
  let count = before.creativeIds.length;
  for (const position of removed) count -= countCreatives(before, position);
  for (const { live } of added) count += live.creatives.length;
  return count;
}

function addDraft(columns: LineItemColumns, position: number, draft: LineItemDraft): void {
  const { lineItem, creatives } = draft.live;
  columns.ids[position] = draft.rankId;
  columns.buckets[position] = draft.bucket;
  columns.pricesMicros[position] = draft.priceMicros;
  columns.startsAtMs[position] = draft.startsAtMs;
  columns.endsAtMs[position] = draft.endsAtMs;
  columns.sharesPercent[position] = lineItem.sharePercent ?? Number.NaN;
  columns.goals[position] = lineItem.goal === null ? 0 : 1;
  columns.creativeStarts[position + 1] = creatives.length;
}
