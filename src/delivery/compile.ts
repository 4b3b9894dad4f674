import type { FloorRule } from '../domain/floor.ts';
import type { AdUnit, Area, Site } from '../domain/inventory.ts';
import type { WorkspaceSnapshot } from '../domain/snapshot.ts';
import { compileRowSteps, fitField } from './compile-rows.ts';
import type { CompiledLineItem, IdleLineItem, RefuseRow, RowMemo } from './compile-rows.ts';
import { sortFloors } from './floors.ts';
import { chooseFields } from './index-fields.ts';
import { RowIndex } from './row-index.ts';
import { indexSegments } from './user-segments.ts';
import type { SegmentIndex } from './user-segments.ts';
import type { WorkSteps } from './work-steps.ts';
import { finishSteps } from './work-steps.ts';

/** One workspace, ready to decide on. Immutable but for the index's buffers: one decision at a time. */
export interface CompiledWorkspace {
  readonly snapshot: WorkspaceSnapshot;
  readonly rows: readonly CompiledLineItem[];
  readonly idle: readonly IdleLineItem[];
  readonly index: RowIndex;
  /** Buffer for `index.collect`. */
  readonly matches: Int32Array;
  readonly inventory: Inventory;
  readonly segments: SegmentIndex;
  /** Floor rules in the order in which they are asked. */
  readonly floors: readonly FloorRule[];
}

/** Look-ups of inventory by the names that requests use. Archived inventory is not found. */
export interface Inventory {
  readonly sitesByCode: ReadonlyMap<string, Site>;
  /** By `<site id>/<area code>`. */
  readonly areasByCode: ReadonlyMap<string, Area>;
  readonly adUnitsByName: ReadonlyMap<string, AdUnit>;
  readonly adUnitsBySite: ReadonlyMap<string, readonly AdUnit[]>;
  readonly adUnitsById: ReadonlyMap<string, AdUnit>;
  /** Names of ad units that were taken out of use: they get nothing. */
  readonly archivedAdUnitNames: ReadonlySet<string>;
}

/** What compiling needs besides the snapshot. */
export interface CompileContext {
  /** Leaves out what has ended; what has not yet begun is kept. */
  readonly nowMs: number;
  readonly refuse: RefuseRow;
  /** Keeps what was worked out per line item from one compilation to the next. */
  readonly memo: RowMemo;
}

/** Compiles a snapshot at a stretch. */
export function compileWorkspace(snapshot: WorkspaceSnapshot, nowMs: number, refuse: RefuseRow): CompiledWorkspace {
  return finishSteps(compileSteps(snapshot, { nowMs, refuse, memo: new WeakMap() }));
}

/** Compiles a snapshot in steps of about a millisecond, so that requests can be answered in between. */
export function* compileSteps(snapshot: WorkspaceSnapshot, context: CompileContext): WorkSteps<CompiledWorkspace> {
  const { drafts, idle } = yield* compileRowSteps(snapshot, context);
  const fields = yield* chooseFields(drafts);
  const rows: CompiledLineItem[] = [];
  for (const draft of drafts) {
    rows.push(draft.finish(fields));
    if (rows.length % 1_024 === 0) yield;
  }
  const index = yield* RowIndex.build(rows.length, [yield* fitField(drafts), ...fields.values()]);
  return {
    snapshot,
    rows,
    idle,
    index,
    matches: new Int32Array(rows.length),
    inventory: indexInventory(snapshot),
    segments: indexSegments(snapshot, rows),
    floors: sortFloors(snapshot.floors),
  };
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
