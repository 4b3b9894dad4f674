import type { Kysely } from 'kysely';
import type { Activity } from '../../domain/booking/inventory.ts';
import type { Advertiser } from '../../domain/booking/line-item.ts';
import { isMetByActivity } from '../../domain/targeting/segment.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { Environment, Workspace } from '../../domain/tenancy/workspace.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import type { SnapshotLists } from '../decision/index/snapshot-lists.ts';
import { findById } from '../decision/index/sorted-by-id.ts';
import { readSnapshots } from './snapshot.sql.ts';

/** All workspaces, compiled. Immutable: a change creates a new object, which shares the unchanged parts. */
export class CompiledNetworks {
  readonly #byId: ReadonlyMap<number, CompiledWorkspace>;
  readonly #byNetwork: ReadonlyMap<string, CompiledWorkspace>;

  constructor(workspaces: readonly CompiledWorkspace[]) {
    this.#byId = new Map(workspaces.map((compiled) => [compiled.snapshot.workspace.workspaceId, compiled]));
    this.#byNetwork = new Map(workspaces.map((compiled) => [networkKey(compiled.snapshot.workspace), compiled]));
  }

  find(networkId: string, environment: Environment): CompiledWorkspace | undefined {
    return this.#byNetwork.get(`${environment}/${networkId}`);
  }

  findById(workspaceId: number): CompiledWorkspace | undefined {
    return this.#byId.get(workspaceId);
  }

  all(): CompiledWorkspace[] {
    return [...this.#byId.values()];
  }

  /** These networks with some workspaces replaced or added. */
  with(workspaces: readonly CompiledWorkspace[]): CompiledNetworks {
    const merged = new Map(this.#byId);
    for (const compiled of workspaces) merged.set(compiled.snapshot.workspace.workspaceId, compiled);
    return new CompiledNetworks([...merged.values()]);
  }
}

function networkKey(workspace: Workspace): string {
  return `${workspace.environment}/${workspace.networkId}`;
}

interface ActivityLookUps {
  readonly byActgid: ReadonlyMap<string, Activity>;
  /** Advertisers that have activities of their own. */
  readonly owners: ReadonlySet<string | null>;
}

/** Look-ups of activities, built at the first use after a change of them. Other objects are found by id in their sorted lists. */
class ActivityIndex {
  readonly #byList = new WeakMap<readonly Activity[], ActivityLookUps>();

  of({ activities }: Pick<SnapshotLists, 'activities'>): ActivityLookUps {
    const known = this.#byList.get(activities);
    if (known !== undefined) return known;
    const built: ActivityLookUps = {
      byActgid: new Map(activities.map((activity) => [activity.actgid, activity])),
      owners: new Set(activities.map((activity) => activity.advertiserId)),
    };
    this.#byList.set(activities, built);
    return built;
  }
}

/** The advertiser of a served ad, also when its campaigns have stopped. */
export function findAdvertiser(compiled: CompiledWorkspace, advertiserId: string): Advertiser | undefined {
  return findById(compiled.snapshot.advertisers, advertiserId);
}

/** The look-ups of event counting, always in the present snapshot. */
export function createCatalog(current: () => CompiledNetworks): Catalog {
  const activityIndex = new ActivityIndex();
  const inWorkspace = <T>(workspaceId: number, find: (snapshot: SnapshotLists) => T | undefined): T | undefined => {
    const compiled = current().findById(workspaceId);
    return compiled === undefined ? undefined : find(compiled.snapshot);
  };
  return {
    findWorkspace: (networkId, environment) => current().find(networkId, environment)?.snapshot.workspace,
    findWorkspaceById: (workspaceId) => current().findById(workspaceId)?.snapshot.workspace,
    findLineItem: (workspaceId, id) => inWorkspace(workspaceId, (snapshot) => findById(snapshot.lineItems, id)),
    findCampaign: (workspaceId, id) => inWorkspace(workspaceId, (snapshot) => findById(snapshot.campaigns, id)),
    findAdvertiser: (workspaceId, id) => inWorkspace(workspaceId, (snapshot) => findById(snapshot.advertisers, id)),
    findCreative: (workspaceId, id) => inWorkspace(workspaceId, (snapshot) => findById(snapshot.creatives, id)),
    findActivity: (workspaceId, actgid) =>
      inWorkspace(workspaceId, (snapshot) => activityIndex.of(snapshot).byActgid.get(actgid)),
    hasOwnActivity: (workspaceId, id) =>
      inWorkspace(workspaceId, (snapshot) => activityIndex.of(snapshot).owners.has(id)) === true,
    findSegmentsOfActivity: (workspaceId, activityId, event) =>
      current()
        .findById(workspaceId)
        ?.snapshot.segments.filter((segment) => isMetByActivity(segment, activityId, event)) ?? [],
  };
}

/** The present catalog of the database, for a command that reads it once. Line items that cannot be compiled are left out. */
export async function readCatalog(sql: Kysely<Database>, nowMs: number): Promise<Catalog> {
  const snapshots = await readSnapshots(sql, nowMs);
  const compiled = new CompiledNetworks(
    snapshots.map((snapshot) => compileWorkspace(snapshot, nowMs, () => undefined)),
  );
  return createCatalog(() => compiled);
}
