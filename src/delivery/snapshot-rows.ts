import type { WorkspaceSnapshot } from '../domain/snapshot.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { SnapshotPart, SnapshotParts } from './snapshot.sql.ts';

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
];

/** Which part a kind of change notice concerns; kinds that are not listed change no snapshot. */
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
};

interface Row {
  readonly id: string;
}

/** The rows of one workspace by id, so that single rows can be replaced; `toSnapshot` gives the plain snapshot. */
export class WorkspaceRows {
  readonly workspace: Workspace;
  readonly #byPart: Readonly<Record<SnapshotPart, Map<string, Row>>>;

  constructor(snapshot: WorkspaceSnapshot) {
    this.workspace = snapshot.workspace;
    const mapOf = (rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));
    this.#byPart = {
      advertisers: mapOf(snapshot.advertisers),
      campaigns: mapOf(snapshot.campaigns),
      lineItems: mapOf(snapshot.lineItems),
      creatives: mapOf(snapshot.creatives),
      deals: mapOf(snapshot.deals),
      sites: mapOf(snapshot.sites),
      areas: mapOf(snapshot.areas),
      adUnits: mapOf(snapshot.adUnits),
      activities: mapOf(snapshot.activities),
      segments: mapOf(snapshot.segments),
      floors: mapOf(snapshot.floors),
    };
  }

  /** Replaces these ids of a part by what was just read; ids that were not read any more are dropped. */
  patch<P extends SnapshotPart>(part: P, ids: readonly string[], rows: SnapshotParts[P]): void {
    const map = this.#byPart[part];
    for (const id of ids) map.delete(id);
    for (const row of rows) map.set(row.id, row);
  }

  /** How many rows there are in all. */
  get rowCount(): number {
    return SNAPSHOT_PARTS.reduce((sum, part) => sum + this.#byPart[part].size, 0);
  }

  toSnapshot(): WorkspaceSnapshot {
    const entries = SNAPSHOT_PARTS.map((part) => [part, [...this.#byPart[part].values()]] as const);
    return { workspace: this.workspace, ...(Object.fromEntries(entries) as unknown as SnapshotParts) };
  }
}

/** All rows of a plain snapshot, counted. */
export function countRows(snapshot: WorkspaceSnapshot): number {
  return SNAPSHOT_PARTS.reduce((sum, part) => sum + snapshot[part].length, 0);
}
