import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import { changeRows } from './change-line-items.ts';
import type { RefuseRow } from './compile-line-items.ts';
import type { CompileContext, CompiledRows, CompiledWorkspace, Inventory } from './compiled-workspace.ts';
import { DecisionMemory } from './decision-memory.ts';
import { sortFloors } from './floors.ts';
import { RowIndex } from './targeting-index.ts';
import { cutStretches } from './line-item-order.ts';
import { emptySnapshot, sortSnapshot } from './snapshot-parts.ts';
import { indexSegments } from './segment-index.ts';
import type { SegmentIndex } from './segment-index.ts';
import type { WorkSteps } from './work-steps.ts';
import { finishSteps } from './work-steps.ts';

/** Compiles a snapshot at a stretch. */
export function compileWorkspace(snapshot: WorkspaceSnapshot, nowMs: number, refuse: RefuseRow): CompiledWorkspace {
  return finishSteps(compileSteps(snapshot, { nowMs, refuse, previous: null }));
}

/**
 * Compiles a snapshot in steps of about a millisecond, so that requests can be answered in between. What did not change since
 * the previous compilation is taken over: rows of a snapshot are replaced, never changed. With a previous one, the lists must
 * be in ascending order of id.
 */
export function* compileSteps(given: WorkspaceSnapshot, context: CompileContext): WorkSteps<CompiledWorkspace> {
  const { previous } = context;
  const isSequel = previous !== null && previous.snapshot.workspace === given.workspace;
  const snapshot = isSequel ? given : yield* sortSnapshot(given);
  const before = isSequel
    ? previous
    : compileNothing(given, previous?.memory ?? context.memory ?? new DecisionMemory());
  yield;
  const changed = yield* changeRows(before, snapshot, context);
  const stays = changed.rows === before.rows;
  return {
    ...changed,
    snapshot,
    stretches: stays ? before.stretches : cutStretches(changed.rows),
    matches: stays ? before.matches : new Int32Array(changed.rows.length),
    inventory: keepInventory(before, snapshot) ?? indexInventory(snapshot),
    segments: keepSegments(before, snapshot, changed) ?? indexSegments(snapshot, changed.segmentRowCount > 0),
    floors: before.snapshot.floors === snapshot.floors ? before.floors : sortFloors(snapshot.floors),
    memory: before.memory,
  };
}

function compileNothing({ workspace }: WorkspaceSnapshot, memory: DecisionMemory): CompiledWorkspace {
  const snapshot = emptySnapshot(workspace);
  return {
    snapshot,
    rows: [],
    idle: [],
    index: RowIndex.empty,
    tallies: new Map(),
    segmentRowCount: 0,
    nextEndMs: Number.POSITIVE_INFINITY,
    stretches: [],
    matches: new Int32Array(0),
    inventory: indexInventory(snapshot),
    segments: indexSegments(snapshot, false),
    floors: [],
    memory,
  };
}

function keepInventory({ snapshot: before, inventory }: CompiledWorkspace, after: WorkspaceSnapshot): Inventory | null {
  const stays = before.sites === after.sites && before.areas === after.areas && before.adUnits === after.adUnits;
  return stays ? inventory : null;
}

function keepSegments(
  before: CompiledWorkspace,
  after: WorkspaceSnapshot,
  { segmentRowCount }: CompiledRows,
): SegmentIndex | null {
  const isTargeted = segmentRowCount > 0;
  const stays = before.snapshot.segments === after.segments && before.segments.isTargeted === isTargeted;
  return stays ? before.segments : null;
}

function indexInventory(snapshot: WorkspaceSnapshot): Inventory {
  const sites = snapshot.sites.filter((site) => site.status === 'ACTIVE');
  const adUnits = snapshot.adUnits.filter((unit) => unit.status === 'ACTIVE');
  return {
    sitesByCode: new Map(sites.map((site) => [site.code, site])),
    areasByCode: new Map(snapshot.areas.map((area) => [`${area.siteId}/${area.code}`, area])),
    adUnitsByName: new Map(adUnits.map((unit) => [unit.name, unit])),
    adUnitsBySite: Map.groupBy(adUnits, (unit) => unit.siteId),
    adUnitsById: new Map(adUnits.map((unit) => [unit.id, unit])),
    archivedAdUnitNames: new Set(snapshot.adUnits.filter((unit) => unit.status !== 'ACTIVE').map((unit) => unit.name)),
  };
}
