import type { Creative } from '../../../domain/booking/creative.ts';
import type { SnapshotLists } from './snapshot-lists.ts';
import { LineItemDraft } from './compile-line-items.ts';
import type { CompileContext, CompiledLineItems, CompiledWorkspace } from './compiled-workspace.ts';
import { chooseFields, tallyFields } from './index-fields.ts';
import type { FieldTallies } from './index-fields.ts';
import { countLayered, joinLayers, layeredMaxOf, patchTop, splitRemoved } from './join-layers.ts';
import type { LineItemColumns } from './line-item-columns.ts';
import { sortByRank } from './line-item-order.ts';
import type { LineItemTable } from './line-item-table.ts';
import { findById, patchById } from './sorted-by-id.ts';
import { changeCreatives, findTouched, gatherCreatives, resolveLineItem, sortIds } from './touched-line-items.ts';
import type { IdleLineItem, Touched } from './touched-line-items.ts';
import type { WorkSteps } from './work-steps.ts';

const LINE_ITEMS_PER_STEP = 128;
const NONE_GATHERED: ReadonlyMap<string, readonly Creative[]> = new Map();

/** The effect of a change on the line items that it touches. */
interface Changes {
  /** Former indexes of the removed line items, ascending. */
  readonly removed: readonly number[];
  /** In ascending order of line item ids. */
  readonly added: readonly LineItemDraft[];
  /** By line item, in ascending order; null = it is no longer idle. */
  readonly idle: ReadonlyMap<string, IdleLineItem | null>;
}

/** The line items after a change, in steps. Only line items that the change touches are compiled; the others are reused. */
export function* changeLineItems(
  before: CompiledWorkspace,
  snapshot: SnapshotLists,
  context: CompileContext,
): WorkSteps<CompiledLineItems> {
  const touched = yield* findTouched(before.snapshot, snapshot);
  const anEndPassed = context.nowMs >= before.nextEndMs;
  if (anEndPassed) for (const id of findEnded(before, context.nowMs)) touched.ids.add(id);
  if (context.previous !== null) before.memory.changes.add(touched.ids, context.nowMs);
  const formers = yield* findFormers(before, touched.ids);
  const changes = yield* resolveFormers(formers, { before, snapshot, touched, context });
  const indexed = yield* indexLineItems(before, { ...changes, snapshot, layeredMax: context.layeredMax });
  const idle = patchById(before.idle, changes.idle);
  yield;
  const nextEndMs = anEndPassed
    ? Math.min(earliestOf(indexed.lineItems), yield* findEarliestEnd([idle]))
    : Math.min(before.nextEndMs, yield* findEarliestEnd([changes.added, changes.idle.values()]));
  return { ...indexed, idle, nextEndMs };
}

/** Line items that have ended since they were compiled. */
function findEnded({ lineItems, idle }: CompiledLineItems, nowMs: number): string[] {
  const ended: string[] = [];
  for (const [{ ids, endsAtMs }, from, to] of stretchesOf(lineItems))
    for (let at = from; at < to; at += 1) if ((endsAtMs[at] as number) <= nowMs) ended.push(String(ids[at]));
  for (const { id, endsAtMs: endMs } of idle) if (endMs <= nowMs) ended.push(id);
  return ended;
}

function earliestOf(lineItems: LineItemTable): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const [{ endsAtMs }, from, to] of stretchesOf(lineItems))
    for (let at = from; at < to; at += 1) earliest = Math.min(earliest, endsAtMs[at] as number);
  return earliest;
}

/** The present line items as parts of columns. */
function stretchesOf({ columns: { base, top, layers } }: LineItemTable): [LineItemColumns, number, number][] {
  const runs = layers?.edits.runs ?? [{ before: 0, length: base.length }];
  const ofBase = runs.map(({ before, length }): [LineItemColumns, number, number] => [base, before, before + length]);
  return [...ofBase, [top, 0, top.length]];
}

function* findEarliestEnd(lists: readonly Iterable<{ readonly endsAtMs: number } | null>[]): WorkSteps<number> {
  let earliest = Number.POSITIVE_INFINITY;
  let seen = 0;
  for (const list of lists) {
    for (const one of list) {
      if (one !== null && one.endsAtMs < earliest) earliest = one.endsAtMs;
      seen += 1;
      if (seen % 4_096 === 0) yield;
    }
  }
  return earliest;
}

/** A line item before a change. */
interface Former {
  readonly id: string;
  /** Its index; null = it was not compiled. */
  readonly index: number | null;
  /** Null = unknown: the line item is new. */
  readonly creatives: readonly Creative[] | null;
}

function* findFormers(before: CompiledWorkspace, ids: ReadonlySet<string>): WorkSteps<Former[]> {
  const formers: Former[] = [];
  for (const id of sortIds(ids)) {
    const index = findLineItemIndex(before, id);
    const creatives = index === null ? findById(before.idle, id)?.creatives : before.lineItems.creativesAt(index);
    if (formers.push({ id, index, creatives: creatives ?? null }) % LINE_ITEMS_PER_STEP === 0) yield;
  }
  return formers;
}

interface Change {
  readonly before: CompiledWorkspace;
  readonly snapshot: SnapshotLists;
  readonly touched: Touched;
  readonly context: CompileContext;
}

function* resolveFormers(formers: readonly Former[], change: Change): WorkSteps<Changes> {
  const { before, snapshot, touched, context } = change;
  const removed: number[] = [];
  const added: LineItemDraft[] = [];
  const idle = new Map<string, IdleLineItem | null>();
  const unknown = new Set<string>();
  for (const [position, { id, creatives }] of formers.entries()) {
    if (position % 4_096 === 4_095) yield;
    if (creatives === null) unknown.add(id);
  }
  const gathered = unknown.size === 0 ? NONE_GATHERED : yield* gatherCreatives(snapshot.creatives, unknown);
  for (const [position, { id, index, creatives: former }] of formers.entries()) {
    if (position % LINE_ITEMS_PER_STEP === 0) yield;
    const creatives = former === null ? (gathered.get(id) ?? []) : changeCreatives(id, former, touched.creatives);
    const lineItem = findById(snapshot.lineItems, id);
    const found =
      lineItem === undefined ? null : resolveLineItem(lineItem, snapshot, { creatives, nowMs: context.nowMs });
    if (found !== null && 'reason' in found) idle.set(id, found);
    else if (index === null && former !== null) idle.set(id, null);
    const live = found === null || 'reason' in found ? null : found;
    if (live !== null && index !== null && before.lineItems.draftAt(index).isMadeOf(live)) continue;
    if (index !== null) removed.push(index);
    if (live === null) continue;
    try {
      const draft = new LineItemDraft(live);
      draft.validate(snapshot.workspace, before.memory);
      added.push(draft);
    } catch (error) {
      context.reportUnusable(id, error);
    }
  }
  return { removed: removed.sort((left, right) => left - right), added, idle };
}

/** The position of a compiled line item; null when there is none. */
function findLineItemIndex({ lineItems, snapshot }: CompiledWorkspace, lineItemId: string): number | null {
  const lineItem = findById(snapshot.lineItems, lineItemId);
  return lineItem === undefined ? null : lineItems.findPosition(lineItem);
}

/**
 * Whether unchanged line items can be reused. Each chosen field is indexed or was not restricted. No line item restricts a field that
 * leaves the index, because the compiled line items do not test the fields that the index checked.
 */
function canPatch(before: CompiledLineItems, tallies: FieldTallies, chosen: ReadonlySet<string>): boolean {
  for (const name of chosen) if (!before.index.has(name) && before.tallies.has(name)) return false;
  for (const name of tallies.keys()) if (before.index.has(name) && !chosen.has(name)) return false;
  return true;
}

type Indexed = Omit<CompiledLineItems, 'idle' | 'nextEndMs'>;

/** Updates the index, or rebuilds it when other fields are to be indexed. */
function* indexLineItems(
  before: CompiledWorkspace,
  { snapshot, removed, added, layeredMax }: Changes & IndexInput,
): WorkSteps<Indexed> {
  if (removed.length === 0 && added.length === 0) return before;
  const left = removed.map((index) => before.lineItems.draftAt(index));
  const tallies = yield* tallyFields(before.tallies, left, added);
  const segmentTargetedCount = before.segmentTargetedCount + countTargeting(added) - countTargeting(left);
  const fields = chooseFields(tallies, (name) => before.index.has(name));
  const change = { ...splitRemoved(before, removed), sorted: yield* sortByRank(added), fields, snapshot };
  const isPatch = canPatch(before, tallies, new Set(fields.map(({ fieldName }) => fieldName)));
  const isLayered = isPatch && countLayered(before, change) <= (layeredMax ?? layeredMaxOf(before));
  const indexed = yield* isLayered ? patchTop(before, change) : joinLayers(before, { ...change, isPatch });
  return { ...indexed, tallies, segmentTargetedCount };
}

interface IndexInput {
  readonly snapshot: SnapshotLists;
  readonly layeredMax: number | undefined;
}

function countTargeting(drafts: readonly LineItemDraft[]): number {
  return drafts.reduce((count, { targetsSegments }) => count + (targetsSegments ? 1 : 0), 0);
}
