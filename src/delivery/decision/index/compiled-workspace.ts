import type { FloorRule } from '../../../domain/booking/floor.ts';
import type { AdUnit, Area, Site } from '../../../domain/booking/inventory.ts';
import type { SnapshotLists } from './snapshot-lists.ts';
import type { ReportUnusable } from './compile-line-items.ts';
import type { LineItemTable } from './line-item-table.ts';
import type { Competition } from './competition.ts';
import type { DecisionMemory } from './decision-memory.ts';
import type { FieldTallies } from './index-fields.ts';
import type { Stretch } from './line-item-order.ts';
import type { SegmentIndex } from './segment-index.ts';
import type { PatchedIndex } from './patched-index.ts';
import type { TargetingIndex } from './targeting-index.ts';
import type { IdleLineItem } from './touched-line-items.ts';

/** One workspace, ready for decisions. Immutable except for the buffers of the index and the memory: one decision at a time. */
export interface CompiledWorkspace extends CompiledLineItems {
  readonly snapshot: SnapshotLists;
  /** Whole groups of line items, from the top: a decision that finds a winner in one stretch skips the next ones. */
  readonly stretches: readonly Stretch[];
  /** Buffer for `index.collect`. */
  readonly matches: Int32Array;
  readonly competition: Competition;
  readonly inventory: Inventory;
  readonly segments: SegmentIndex;
  /** Floor rules in the order in which they apply. */
  readonly floors: readonly FloorRule[];
  readonly memory: DecisionMemory;
}

/** Of line items in one layer or in two. */
export type LineItemIndex = TargetingIndex | PatchedIndex;

/** The line items of a workspace; those that may be delivered are indexed. */
export interface CompiledLineItems {
  readonly lineItems: LineItemTable;
  /** In ascending order of id. */
  readonly idle: readonly IdleLineItem[];
  readonly index: LineItemIndex;
  /** How many line items restrict each field of targeting. */
  readonly tallies: FieldTallies;
  /** How many line items use segments in their targeting. */
  readonly segmentTargetedCount: number;
  /** No line item ends before this time. */
  readonly nextEndMs: number;
}

/** Look-ups of inventory by the names that requests use. Archived inventory is not found. */
export interface Inventory {
  readonly sitesByCode: ReadonlyMap<string, Site>;
  /** By `<site id>/<area code>`. */
  readonly areasByCode: ReadonlyMap<string, Area>;
  readonly adUnitsByName: ReadonlyMap<string, AdUnit>;
  readonly adUnitsBySite: ReadonlyMap<string, readonly AdUnit[]>;
  readonly adUnitsById: ReadonlyMap<string, AdUnit>;
  /** Names of archived ad units: they get no ads. */
  readonly archivedAdUnitNames: ReadonlySet<string>;
}

/** The input of a compilation besides the snapshot. */
export interface CompileContext {
  /** Line items that have ended are left out; those that have not begun are compiled. */
  readonly nowMs: number;
  readonly reportUnusable: ReportUnusable;
  /** The compilation of an earlier snapshot of the same workspace, to be updated; null = none. */
  readonly previous: CompiledWorkspace | null;
  /** The memory that the workspaces of a process share; absent: a new one. A previous compilation brings its own. */
  readonly memory?: DecisionMemory;
  /** Most changed line items that lie on top of unchanged ones, before all are joined; absent: by the number of line items. */
  readonly layeredMax?: number;
}
