import type { FloorRule } from '../../../domain/booking/floor.ts';
import type { AdUnit, Area, Site } from '../../../domain/booking/inventory.ts';
import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import type { CompiledLineItem, ReportUnusable } from './compile-line-items.ts';
import type { Competition } from './competition.ts';
import type { DecisionMemory } from './decision-memory.ts';
import type { FieldTallies } from './index-fields.ts';
import type { Stretch } from './line-item-order.ts';
import type { SegmentIndex } from './segment-index.ts';
import type { TargetingIndex } from './targeting-index.ts';
import type { IdleLineItem } from './touched-line-items.ts';

/** One workspace, ready to decide on. Immutable but for the index's buffers and the memory: one decision at a time. */
export interface CompiledWorkspace extends CompiledLineItems {
  readonly snapshot: WorkspaceSnapshot;
  /** Whole groups of rows, from the top: who finds a taker in one need not look at the next. */
  readonly stretches: readonly Stretch[];
  /** Buffer for `index.collect`. */
  readonly matches: Int32Array;
  readonly competition: Competition;
  readonly inventory: Inventory;
  readonly segments: SegmentIndex;
  /** Floor rules in the order in which they are asked. */
  readonly floors: readonly FloorRule[];
  readonly memory: DecisionMemory;
}

/** The line items of a workspace, those that may serve as rows of an index. */
export interface CompiledLineItems {
  /** In the order of `rankOf`. */
  readonly lineItems: readonly CompiledLineItem[];
  /** In ascending order of id. */
  readonly idle: readonly IdleLineItem[];
  readonly index: TargetingIndex;
  /** How many rows restrict each field of targeting. */
  readonly tallies: FieldTallies;
  /** How many rows look at segments, in whatever way. */
  readonly segmentTargetedCount: number;
  /** No line item ends before. */
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
  /** Names of ad units that were taken out of use: they get nothing. */
  readonly archivedAdUnitNames: ReadonlySet<string>;
}

/** What compiling needs besides the snapshot. */
export interface CompileContext {
  /** Leaves out what has ended; what has not yet begun is kept. */
  readonly nowMs: number;
  readonly reportUnusable: ReportUnusable;
  /** A compilation of a former snapshot of the same workspace, to go on from; null = from nothing. */
  readonly previous: CompiledWorkspace | null;
  /** What the workspaces of a process share; absent: a new one. Not used with a previous compilation, which has its own. */
  readonly memory?: DecisionMemory;
}
