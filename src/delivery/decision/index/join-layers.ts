import type { LineItemDraft } from './compile-line-items.ts';
import type { CompiledLineItems } from './compiled-workspace.ts';
import { editColumns } from './edit-columns.ts';
import { gatherAdditions } from './index-fields.ts';
import type { IndexedField } from './index-fields.ts';
import { NO_COLUMNS } from './line-item-columns.ts';
import type { LineItemColumns } from './line-item-columns.ts';
import { editLineItems } from './line-item-edits.ts';
import type { LineItemEdits } from './line-item-edits.ts';
import { LineItemLayers } from './line-item-layers.ts';
import type { LineItemRank } from './line-item-order.ts';
import { LineItemTable, plainColumns } from './line-item-table.ts';
import { PatchedIndex } from './patched-index.ts';
import type { SnapshotLists } from './snapshot-lists.ts';
import { TargetingIndex } from './targeting-index.ts';
import type { WorkSteps } from './work-steps.ts';

const LINE_ITEMS_PER_STEP = 128;
/** With fewer line items, moving all of them costs no more than a second layer. */
const LAYERED_FROM = 16_384;
/** The top has at most this share of the line items, and at most so many. */
const LAYERED_SHARE = 1 / 64;
const LAYERED_MAX = 4_096;

/** A change of line items, by layer. */
export interface LayeredChange {
  /** Positions in the base of all its removed line items, ascending: those of earlier changes as well. */
  readonly removedBase: readonly number[];
  /** Positions in the top of the line items that this change removes, ascending. */
  readonly removedTop: readonly number[];
  /** The added line items in their order. */
  readonly sorted: readonly LineItemDraft[];
  /** The fields to index. */
  readonly fields: readonly IndexedField[];
  /** The snapshot after the change. */
  readonly snapshot: SnapshotLists;
}

/** What a change gives. */
export type LayeredResult = Pick<CompiledLineItems, 'lineItems' | 'index'>;
interface JoinedResult extends Pick<CompiledLineItems, 'lineItems'> {
  readonly index: TargetingIndex;
}
type Before = Pick<CompiledLineItems, 'lineItems' | 'index'>;

/** The layers of removed line items. @param removed positions, ascending */
export function splitRemoved(
  { lineItems }: Before,
  removed: readonly number[],
): Pick<LayeredChange, 'removedBase' | 'removedTop'> {
  const ofBase: number[] = [...(lineItems.columns.layers?.edits.removed ?? [])];
  const removedTop: number[] = [];
  for (const position of removed) {
    const at = lineItems.layerAt(position);
    if (at >= 0) ofBase.push(at);
    else removedTop.push(~at);
  }
  return { removedBase: ofBase.sort((left, right) => left - right), removedTop };
}

/** How many line items of both layers a change leaves that are not simply those of the base. */
export function countLayered({ lineItems }: Before, { removedBase, removedTop, sorted }: LayeredChange): number {
  return removedBase.length + lineItems.columns.top.length - removedTop.length + sorted.length;
}

/** The most of them before all line items are joined in one layer. */
export function layeredMaxOf({ lineItems }: Before): number {
  const { length } = lineItems.columns.base;
  return length < LAYERED_FROM ? 0 : Math.min(LAYERED_MAX, Math.floor(length * LAYERED_SHARE));
}

/** Changes the top alone. The base's line items keep their memory, and other workspaces that share it stay as they are. */
export function* patchTop({ lineItems, index }: Before, change: LayeredChange): WorkSteps<LayeredResult> {
  const { removedBase, removedTop, sorted, fields, snapshot } = change;
  const { base, top } = lineItems.columns;
  const { base: baseIndex, top: topIndex } = layersOf(index);
  const topEdits = yield* editLineItems(top, removedTop, sorted);
  const topColumns = yield* editColumns(top, topEdits, sorted);
  const patchedTop = yield* topIndex.patch(topEdits, yield* gatherAdditions(fields, topEdits, sorted));
  const layers = new LineItemLayers(yield* editLineItems(base, removedBase, ranksOf(topColumns)));
  const columns = { base, top: topColumns, layers };
  return {
    lineItems: lineItems.patch(topEdits, { snapshot, columns, indexedFields: namesOf(fields) }),
    index: new PatchedIndex(baseIndex, patchedTop, layers),
  };
}

/** All line items in one layer. @param isPatch whether the indexed fields stay, so that only added line items are read */
export function* joinLayers(
  before: Before,
  { isPatch, ...change }: LayeredChange & { readonly isPatch: boolean },
): WorkSteps<JoinedResult> {
  const { removedBase, fields, snapshot } = change;
  const { base, top } = before.lineItems.columns;
  const { drafts, origins } = yield* mergeTop(before, change);
  const edits = yield* editLineItems(base, removedBase, drafts);
  const columns = plainColumns(yield* editColumns(base, edits, drafts));
  const input = { snapshot, columns, indexedFields: namesOf(fields) };
  if (!isPatch) {
    const all = yield* mergeBase(before, edits, drafts);
    const rebuilt = yield* editLineItems(NO_COLUMNS, [], all);
    const index = yield* TargetingIndex.empty.patch(rebuilt, yield* gatherAdditions(fields, rebuilt, all));
    // Compiled line items test what the former index did not: none is kept.
    return { lineItems: LineItemTable.restore(input), index };
  }
  const topPositions: number[] = Array.from({ length: top.length }, () => -1);
  for (const [at, origin] of origins.entries()) if (origin >= 0) topPositions[origin] = edits.added[at] as number;
  const former = layersOf(before.index).base;
  return {
    lineItems: before.lineItems.edit(edits, topPositions, input),
    index: yield* former.patch(edits, yield* gatherAdditions(fields, edits, drafts)),
  };
}

function layersOf(index: CompiledLineItems['index']): { readonly base: TargetingIndex; readonly top: TargetingIndex } {
  return index instanceof PatchedIndex ? index : { base: index, top: TargetingIndex.empty };
}

function namesOf(fields: readonly IndexedField[]): ReadonlySet<string> {
  return new Set(fields.map(({ fieldName }) => fieldName));
}

function ranksOf({ length, ids, buckets, pricesMicros }: LineItemColumns): LineItemRank[] {
  return Array.from({ length }, (_none, at) => {
    return { bucket: buckets[at] as number, priceMicros: pricesMicros[at] as number, rankId: ids[at] as bigint };
  });
}

/** The line items of the top that stay and the added ones, in their order, and the positions in the top that the former had; −1 = added. */
function* mergeTop(
  { lineItems }: Before,
  { removedTop, sorted }: LayeredChange,
): WorkSteps<{ readonly drafts: readonly LineItemDraft[]; readonly origins: readonly number[] }> {
  const { top, layers } = lineItems.columns;
  const edits = yield* editLineItems(top, removedTop, sorted);
  const drafts: LineItemDraft[] = [];
  drafts.length = edits.count;
  const origins: number[] = Array.from({ length: edits.count }, () => -1);
  for (const [at, draft] of sorted.entries()) drafts[edits.added[at] as number] = draft;
  for (const { before, now, length } of edits.runs) {
    for (let at = 0; at < length; at += 1) {
      drafts[now + at] = lineItems.draftAt(layers?.edits.added[before + at] as number);
      origins[now + at] = before + at;
      if (at % LINE_ITEMS_PER_STEP === 0) yield;
    }
  }
  return { drafts, origins };
}

/** All line items after a change, in their order. @param edits from the former base. @param added as `edits.added` */
function* mergeBase(
  { lineItems }: Before,
  edits: LineItemEdits,
  added: readonly LineItemDraft[],
): WorkSteps<LineItemDraft[]> {
  const { layers } = lineItems.columns;
  const drafts: LineItemDraft[] = [];
  drafts.length = edits.count;
  for (const [at, draft] of added.entries()) drafts[edits.added[at] as number] = draft;
  for (const { before, now, length } of edits.runs) {
    for (let at = 0; at < length; at += 1) {
      const position = layers === null ? before + at : layers.positionOfBase(before + at);
      drafts[now + at] = lineItems.draftAt(position);
      if (at % LINE_ITEMS_PER_STEP === 0) yield;
    }
  }
  return drafts;
}

/** Line items in one layer. */
export interface OneLayer {
  readonly columns: LineItemColumns;
  readonly indexedFields: ReadonlySet<string>;
  readonly index: TargetingIndex;
}

/** The same line items in one layer, as they are stored. */
export function* inOneLayer(compiled: CompiledLineItems & { readonly snapshot: SnapshotLists }): WorkSteps<OneLayer> {
  const { lineItems, index, tallies, snapshot } = compiled;
  if (!(index instanceof PatchedIndex))
    return { columns: lineItems.columns.base, indexedFields: lineItems.indexedFields, index };
  const fields = [...tallies.values()].flatMap(({ source }) => (index.has(source.fieldName) ? [source] : []));
  const change = { ...splitRemoved(compiled, []), sorted: [], fields, snapshot, isPatch: true };
  const joined = yield* joinLayers(compiled, change);
  const { columns, indexedFields } = joined.lineItems;
  return { columns: columns.base, indexedFields, index: joined.index };
}
