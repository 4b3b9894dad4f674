import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import type { Workspace } from '../../../domain/tenancy/workspace.ts';
import type { SnapshotLists } from './snapshot-lists.ts';
import { areSortedById, patchById, reconcileById, sortById } from './sorted-by-id.ts';
import { StoredRecords } from './stored-records.ts';
import type { Identified, RecordChanges, Records } from './stored-records.ts';
import type { WorkSteps } from './work-steps.ts';

/** The lists of a snapshot. */
export type SnapshotParts = Omit<WorkspaceSnapshot, 'workspace'>;
/** The names of the lists. */
export type SnapshotPart = keyof SnapshotParts;

/** The parts of a snapshot, in the order in which they are read. */
export const SNAPSHOT_PARTS: readonly SnapshotPart[] = [
  'advertisers',
  'campaigns',
  'lineItems',
  'creatives',
  'deals',
  'sites',
  'areas',
  'adUnits',
  'activities',
  'segments',
  'floors',
  'reportKeys',
];

/** The part that a kind of change notice concerns; other kinds change no snapshot. */
export const PART_OF_CHANGE: Readonly<Record<string, SnapshotPart>> = {
  advertiser: 'advertisers',
  campaign: 'campaigns',
  lineItem: 'lineItems',
  creative: 'creatives',
  deal: 'deals',
  site: 'sites',
  area: 'areas',
  adUnit: 'adUnits',
  activity: 'activities',
  segment: 'segments',
  floor: 'floors',
  keyValue: 'reportKeys',
};

/** A workspace with empty lists. */
export function emptySnapshot(workspace: Workspace): WorkspaceSnapshot {
  return { workspace, ...(Object.fromEntries(SNAPSHOT_PARTS.map((part) => [part, []])) as unknown as SnapshotParts) };
}

/** The snapshot with every list in ascending order of id. */
export function* sortSnapshot<S extends SnapshotLists>(snapshot: S): WorkSteps<S> {
  const sorted: [SnapshotPart, Records<Identified>][] = [];
  for (const part of SNAPSHOT_PARTS) {
    const records: Records<Identified> = snapshot[part];
    sorted.push([part, (yield* areSortedById(records)) ? records : sortById(records)]);
  }
  return { ...snapshot, ...(Object.fromEntries(sorted) as unknown as SnapshotParts) };
}

/** A copy of a sorted snapshot in which the entries of these ids are replaced by the ones just read. Ids without an entry are dropped. */
export function patchSnapshot<S extends SnapshotLists, P extends SnapshotPart>(
  snapshot: S,
  part: P,
  { ids, records }: { readonly ids: readonly string[]; readonly records: SnapshotParts[P] },
): S {
  const edits = new Map<string, Identified | null>(ids.map((id) => [id, null]));
  for (const record of records) edits.set(record.id, record);
  const list: Records<Identified> = snapshot[part];
  const patched =
    list instanceof StoredRecords ? list.patch(edits) : patchById<Identified>(list as readonly Identified[], edits);
  return { ...snapshot, [part]: patched };
}

/** A snapshot that was just read, with the lists and records of the former one where they say the same. */
export function* reconcileSnapshot(former: SnapshotLists, read: SnapshotLists): WorkSteps<SnapshotLists> {
  const parts: [SnapshotPart, Records<Identified>][] = [];
  for (const part of SNAPSHOT_PARTS) parts.push([part, yield* reconcileById<Identified>(former[part], read[part])]);
  return { workspace: read.workspace, ...(Object.fromEntries(parts) as unknown as SnapshotParts) };
}

/** What changed in the lists that are read on demand, from the stores that they came from. */
export type SnapshotChanges = Readonly<Partial<Record<SnapshotPart, RecordChanges | null>>>;

/**
 * A snapshot on its stores with the changes that make it the present one; null where that takes reading all records.
 * @param since what changed from the stores of the present one to those of `stored`
 */
export function* catchUpSnapshot(
  { stored, since }: { readonly stored: SnapshotLists; readonly since: SnapshotChanges },
  present: SnapshotLists,
): WorkSteps<SnapshotLists | null> {
  const parts: [SnapshotPart, Records<Identified>][] = [];
  for (const part of SNAPSHOT_PARTS) {
    const former: Records<Identified> = stored[part];
    const list =
      former instanceof StoredRecords
        ? former.catchUp(present[part], since[part] ?? null)
        : yield* reconcileById<Identified>(former, present[part]);
    if (list === null) return null;
    parts.push([part, list]);
    yield;
  }
  return { workspace: present.workspace, ...(Object.fromEntries(parts) as unknown as SnapshotParts) };
}

/** The number of entries in all lists of a snapshot. */
export function countRecords(snapshot: SnapshotLists): number {
  return SNAPSHOT_PARTS.reduce((sum, part) => sum + snapshot[part].length, 0);
}
