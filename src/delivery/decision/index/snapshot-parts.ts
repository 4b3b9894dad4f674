import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import type { Workspace } from '../../../domain/tenancy/workspace.ts';
import { areSortedById, patchById, sortById } from './sorted-by-id.ts';
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
export function* sortSnapshot(snapshot: WorkspaceSnapshot): WorkSteps<WorkspaceSnapshot> {
  const sorted: [SnapshotPart, readonly Identified[]][] = [];
  for (const part of SNAPSHOT_PARTS) {
    const records: readonly Identified[] = snapshot[part];
    sorted.push([part, (yield* areSortedById(records)) ? records : sortById(records)]);
  }
  return { ...snapshot, ...(Object.fromEntries(sorted) as unknown as SnapshotParts) };
}

/** A copy of a sorted snapshot in which the entries of these ids are replaced by the ones just read. Ids without an entry are dropped. */
export function patchSnapshot<P extends SnapshotPart>(
  snapshot: WorkspaceSnapshot,
  part: P,
  { ids, records }: { readonly ids: readonly string[]; readonly records: SnapshotParts[P] },
): WorkspaceSnapshot {
  const edits = new Map<string, Identified | null>(ids.map((id) => [id, null]));
  for (const record of records) edits.set(record.id, record);
  return { ...snapshot, [part]: patchById<Identified>(snapshot[part], edits) };
}

interface Identified {
  readonly id: string;
}

/** The number of entries in all lists of a snapshot. */
export function countRecords(snapshot: WorkspaceSnapshot): number {
  return SNAPSHOT_PARTS.reduce((sum, part) => sum + snapshot[part].length, 0);
}
