import { Competition } from './competition.ts';
import type { CompiledWorkspace } from './compiled-workspace.ts';
import type { SnapshotLists } from './snapshot-lists.ts';
import type { DecisionMemory } from './decision-memory.ts';
import { sortFloors } from './floors.ts';
import type { FieldTally } from './index-fields.ts';
import type { DenseValue, IndexField } from './index-field.ts';
import { indexInventory } from './inventory.ts';
import type { LineItemColumns } from './line-item-columns.ts';
import { inOneLayer } from './join-layers.ts';
import { cutStretches } from './line-item-order.ts';
import { LineItemTable, plainColumns } from './line-item-table.ts';
import type { WorkSteps } from './work-steps.ts';
import { indexSegments } from './segment-index.ts';
import { findById } from './sorted-by-id.ts';
import { TargetingIndex } from './targeting-index.ts';
import type { IdleLineItem } from './touched-line-items.ts';
import type { Creative } from '../../../domain/booking/creative.ts';

/** A typed array of a compiled workspace. */
export type StoredColumn = BigInt64Array | Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;
/** By name. */
export type StoredColumns = ReadonlyMap<string, StoredColumn>;

/** The compiled form of a workspace beside its columns. Plain data: it is JSON on disk, where infinite times are null. */
export interface StoredWorkspace {
  readonly idle: readonly StoredIdle[];
  readonly tallies: readonly FieldTally[];
  readonly segmentTargetedCount: number;
  readonly nextEndMs: number | null;
  readonly indexedFields: readonly string[];
  readonly shapeNames: readonly string[];
  readonly fields: readonly (Pick<IndexField, 'name' | 'source' | 'openCount'> & {
    readonly values: readonly string[];
    /** The values with a bit set, and how many line items restrict the field to each. */
    readonly denseCounts: readonly (readonly [value: number, count: number])[];
  })[];
}

interface StoredIdle extends Pick<IdleLineItem, 'id' | 'reason'> {
  readonly creativeIds: readonly string[];
  readonly endsAtMs: number | null;
}

/** A compiled workspace without its snapshot: its line items in one layer. */
export function* storeWorkspace(
  compiled: CompiledWorkspace,
): WorkSteps<{ readonly about: StoredWorkspace; readonly columns: StoredColumns }> {
  const { idle, tallies, segmentTargetedCount, nextEndMs } = compiled;
  const { columns: numbers, indexedFields, index } = yield* inOneLayer(compiled);
  const columns = new Map<string, StoredColumn>();
  for (const [name, column] of Object.entries(numbers)) if (isColumn(column)) columns.set(name, column);
  for (const [at, { open, starts, indexes, dense }] of index.fields.entries()) {
    columns.set(`open/${at}`, open);
    columns.set(`starts/${at}`, starts);
    columns.set(`indexes/${at}`, indexes);
    columns.set(`dense/${at}`, joinBits(dense));
  }
  const about: StoredWorkspace = {
    idle: idle.map(({ id, reason, creatives, endsAtMs }) => {
      return { id, reason, creativeIds: creatives.map((one) => one.id), endsAtMs: storeTime(endsAtMs) };
    }),
    tallies: [...tallies.values()],
    segmentTargetedCount,
    nextEndMs: storeTime(nextEndMs),
    indexedFields: [...indexedFields],
    shapeNames: numbers.shapeNames,
    fields: index.fields.map(({ name, source, openCount, values, valueCount, dense }) => {
      const denseCounts = dense.flatMap((one, v) => (one === null ? [] : [[v, one.count] as const]));
      return { name, source, openCount, values: [...values.keys()].slice(0, valueCount), denseCounts };
    }),
  };
  return { about, columns };
}

/** The compiled workspace that was stored. @throws Error when a column is missing or of another kind */
export function restoreWorkspace(
  snapshot: SnapshotLists,
  { about, columns }: { readonly about: StoredWorkspace; readonly columns: StoredColumns },
  memory: DecisionMemory,
): CompiledWorkspace {
  const lineItems = LineItemTable.restore({
    snapshot,
    columns: plainColumns(readLineItemColumns(columns, about.shapeNames)),
    indexedFields: new Set(about.indexedFields),
  });
  const fields = about.fields.map(({ name, source, openCount, values, denseCounts }, at) => {
    return {
      name,
      source,
      openCount,
      values: new Map(values.map((value, number) => [value, number])),
      valueCount: values.length,
      open: columnOf(columns, `open/${at}`, Uint32Array),
      starts: columnOf(columns, `starts/${at}`, Int32Array),
      indexes: columnOf(columns, `indexes/${at}`, Int32Array),
      dense: splitBits(columnOf(columns, `dense/${at}`, Uint32Array), { denseCounts, valueCount: values.length }),
    };
  });
  return {
    snapshot,
    lineItems,
    idle: about.idle.flatMap((one) => restoreIdle(one, snapshot)),
    index: TargetingIndex.restore(lineItems.length, fields),
    tallies: new Map(about.tallies.map((tally) => [tally.source.fieldName, tally])),
    segmentTargetedCount: about.segmentTargetedCount,
    nextEndMs: restoreTime(about.nextEndMs),
    stretches: cutStretches(lineItems),
    matches: new Int32Array(lineItems.length),
    competition: new Competition(lineItems),
    inventory: indexInventory(snapshot),
    segments: indexSegments(snapshot, about.segmentTargetedCount > 0),
    floors: sortFloors(snapshot.floors),
    memory,
  };
}

/** The bit sets of a field, one after the other. */
function joinBits(dense: IndexField['dense']): Uint32Array {
  const all = dense.flatMap((one) => (one === null ? [] : [one.bits]));
  const joined = new Uint32Array(all.reduce((sum, bits) => sum + bits.length, 0));
  let end = 0;
  for (const bits of all) {
    joined.set(bits, end);
    end += bits.length;
  }
  return joined;
}

function splitBits(
  joined: Uint32Array,
  { denseCounts, valueCount }: Pick<StoredWorkspace['fields'][number], 'denseCounts'> & { readonly valueCount: number },
): IndexField['dense'] {
  const dense: (DenseValue | null)[] = Array.from({ length: valueCount }, () => null);
  const words = joined.length / Math.max(1, denseCounts.length);
  for (const [at, [v, count]] of denseCounts.entries())
    dense[v] = { bits: joined.subarray(at * words, (at + 1) * words), count };
  return dense;
}

function readLineItemColumns(columns: StoredColumns, shapeNames: readonly string[]): LineItemColumns {
  const ids = columnOf(columns, 'ids', BigInt64Array);
  return {
    length: ids.length,
    ids,
    buckets: columnOf(columns, 'buckets', Uint16Array),
    pricesMicros: columnOf(columns, 'pricesMicros', Float64Array),
    startsAtMs: columnOf(columns, 'startsAtMs', Float64Array),
    endsAtMs: columnOf(columns, 'endsAtMs', Float64Array),
    sharesPercent: columnOf(columns, 'sharesPercent', Float64Array),
    shapes: columnOf(columns, 'shapes', Uint16Array),
    shapeNames,
    goals: columnOf(columns, 'goals', Uint8Array),
    creativeStarts: columnOf(columns, 'creativeStarts', Int32Array),
    creativeIds: columnOf(columns, 'creativeIds', BigInt64Array),
  };
}

/** A column by its name. @throws Error when it is missing or of another kind */
export function columnOf<T extends StoredColumn>(
  columns: StoredColumns,
  name: string,
  Kind: abstract new (...given: never[]) => T,
): T {
  const column = columns.get(name);
  if (!(column instanceof Kind)) throw new Error(`The column ${name} is missing`);
  return column;
}

function restoreIdle({ id, reason, creativeIds, endsAtMs }: StoredIdle, snapshot: SnapshotLists): IdleLineItem[] {
  const lineItem = findById(snapshot.lineItems, id);
  if (lineItem === undefined) return [];
  const creatives = creativeIds.flatMap((creativeId): Creative[] => {
    const creative = findById(snapshot.creatives, creativeId);
    return creative === undefined ? [] : [creative];
  });
  return [{ id, lineItem, reason, creatives, endsAtMs: restoreTime(endsAtMs) }];
}

function isColumn(
  value: LineItemColumns[keyof LineItemColumns],
): value is Exclude<typeof value, number | readonly string[]> {
  return ArrayBuffer.isView(value);
}

function storeTime(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null;
}

function restoreTime(ms: number | null): number {
  return ms ?? Number.POSITIVE_INFINITY;
}
