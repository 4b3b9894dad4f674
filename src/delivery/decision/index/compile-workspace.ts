import type { Workspace } from '../../../domain/tenancy/workspace.ts';
import { changeLineItems } from './change-line-items.ts';
import type { ReportUnusable } from './compile-line-items.ts';
import type { CompileContext, CompiledLineItems, CompiledWorkspace, Inventory } from './compiled-workspace.ts';
import { Competition } from './competition.ts';
import { DecisionMemory } from './decision-memory.ts';
import { sortFloors } from './floors.ts';
import { TargetingIndex } from './targeting-index.ts';
import { cutStretches } from './line-item-order.ts';
import { LineItemTable } from './line-item-table.ts';
import { emptySnapshot, sortSnapshot } from './snapshot-parts.ts';
import type { SnapshotLists } from './snapshot-lists.ts';
import { indexInventory } from './inventory.ts';
import { indexSegments } from './segment-index.ts';
import type { SegmentIndex } from './segment-index.ts';
import type { WorkSteps } from './work-steps.ts';
import { finishSteps } from './work-steps.ts';

/** Longer than the line items need, so that a few more use the same memory. */
const MATCHES_SPARE = 1_024;

/** Compiles a snapshot without a break. */
export function compileWorkspace(
  snapshot: SnapshotLists,
  nowMs: number,
  reportUnusable: ReportUnusable,
): CompiledWorkspace {
  return finishSteps(compileSteps(snapshot, { nowMs, reportUnusable, previous: null }));
}

/**
 * Whether line items compile to the same with both settings: they use the id, the time zone and the caps of labels, and what is remembered of
 * them follows from how goals compete.
 */
export function compileAlike(one: Workspace, other: Workspace): boolean {
  if (one.workspaceId !== other.workspaceId || one.timezone !== other.timezone) return false;
  if (one.goalCompetition !== other.goalCompetition) return false;
  return one.labelCaps === other.labelCaps || JSON.stringify(one.labelCaps) === JSON.stringify(other.labelCaps);
}

/**
 * Compiles a snapshot in steps of about a millisecond, so that requests are served in between. Parts that are unchanged since the previous
 * compilation are reused: objects of a snapshot are replaced, never changed. With a previous compilation, the lists must be in ascending
 * order of id.
 */
export function* compileSteps(received: SnapshotLists, context: CompileContext): WorkSteps<CompiledWorkspace> {
  const { previous } = context;
  const isSequel = previous !== null && compileAlike(previous.snapshot.workspace, received.workspace);
  const snapshot = isSequel ? received : yield* sortSnapshot(received);
  const before = isSequel
    ? previous
    : compileNothing(received, previous?.memory ?? context.memory ?? new DecisionMemory());
  yield;
  const changed = yield* changeLineItems(before, snapshot, context);
  const stays = changed.lineItems === before.lineItems;
  return {
    ...changed,
    snapshot,
    stretches: stays ? before.stretches : cutStretches(changed.lineItems),
    matches: reuseMatches(before, changed),
    competition: stays ? before.competition : new Competition(changed.lineItems, undefined, before.competition),
    inventory: reuseInventory(before, snapshot) ?? indexInventory(snapshot),
    segments: reuseSegments(before, snapshot, changed) ?? indexSegments(snapshot, changed.segmentTargetedCount > 0),
    floors: before.snapshot.floors === snapshot.floors ? before.floors : sortFloors(snapshot.floors),
    memory: before.memory,
  };
}

function compileNothing({ workspace }: SnapshotLists, memory: DecisionMemory): CompiledWorkspace {
  const snapshot = emptySnapshot(workspace);
  const lineItems = LineItemTable.empty(snapshot);
  return {
    snapshot,
    lineItems,
    idle: [],
    index: TargetingIndex.empty,
    tallies: new Map(),
    segmentTargetedCount: 0,
    nextEndMs: Number.POSITIVE_INFINITY,
    stretches: [],
    matches: new Int32Array(0),
    competition: new Competition(lineItems),
    inventory: indexInventory(snapshot),
    segments: indexSegments(snapshot, false),
    floors: [],
    memory,
  };
}

function reuseInventory({ snapshot: before, inventory }: CompiledWorkspace, after: SnapshotLists): Inventory | null {
  const stays = before.sites === after.sites && before.areas === after.areas && before.adUnits === after.adUnits;
  return stays ? inventory : null;
}

function reuseSegments(
  before: CompiledWorkspace,
  after: SnapshotLists,
  { segmentTargetedCount }: CompiledLineItems,
): SegmentIndex | null {
  const isTargeted = segmentTargetedCount > 0;
  const stays = before.snapshot.segments === after.segments && before.segments.isTargeted === isTargeted;
  return stays ? before.segments : null;
}

/** Memory of former matches: it is large, and a decision needs it only while it is made. */
function reuseMatches({ matches }: CompiledWorkspace, { lineItems }: Pick<CompiledWorkspace, 'lineItems'>): Int32Array {
  return matches.length >= lineItems.length ? matches : new Int32Array(lineItems.length + MATCHES_SPARE);
}
