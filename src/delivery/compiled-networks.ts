import type { Creative } from '../domain/creative.ts';
import type { Activity } from '../domain/inventory.ts';
import type { Advertiser, Campaign, LineItem } from '../domain/line-item.ts';
import { isMetByActivity } from '../domain/segment.ts';
import type { Catalog } from '../domain/snapshot.ts';
import type { Environment, Workspace } from '../domain/workspace.ts';
import type { CompiledWorkspace } from './compile.ts';

/** All workspaces, compiled. Immutable: a change makes a new one, which shares what did not change. */
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

interface LookUps {
  readonly advertisers: ReadonlyMap<string, Advertiser>;
  readonly campaigns: ReadonlyMap<string, Campaign>;
  readonly lineItems: ReadonlyMap<string, LineItem>;
  readonly creatives: ReadonlyMap<string, Creative>;
  readonly activities: ReadonlyMap<string, Activity>;
}

/** Look-ups by id, made when a workspace is first asked for after a change. */
const lookUpsOf = new WeakMap<CompiledWorkspace, LookUps>();

function lookUps(compiled: CompiledWorkspace): LookUps {
  const known = lookUpsOf.get(compiled);
  if (known !== undefined) return known;
  const { snapshot } = compiled;
  const made: LookUps = {
    advertisers: new Map(snapshot.advertisers.map((row) => [row.id, row])),
    campaigns: new Map(snapshot.campaigns.map((row) => [row.id, row])),
    lineItems: new Map(snapshot.lineItems.map((row) => [row.id, row])),
    creatives: new Map(snapshot.creatives.map((row) => [row.id, row])),
    activities: new Map(snapshot.activities.map((row) => [row.actgid, row])),
  };
  lookUpsOf.set(compiled, made);
  return made;
}

/** The advertiser of an ad that was served; also one whose campaigns have stopped. */
export function findAdvertiser(compiled: CompiledWorkspace, advertiserId: string): Advertiser | undefined {
  return lookUps(compiled).advertisers.get(advertiserId);
}

/** What event counting looks up, always in the present snapshot. */
export function createCatalog(current: () => CompiledNetworks): Catalog {
  const inWorkspace = <T>(workspaceId: number, find: (rows: LookUps) => T | undefined): T | undefined => {
    const compiled = current().findById(workspaceId);
    return compiled === undefined ? undefined : find(lookUps(compiled));
  };
  return {
    findWorkspace: (networkId, environment) => current().find(networkId, environment)?.snapshot.workspace,
    findWorkspaceById: (workspaceId) => current().findById(workspaceId)?.snapshot.workspace,
    findLineItem: (workspaceId, id) => inWorkspace(workspaceId, (rows) => rows.lineItems.get(id)),
    findCampaign: (workspaceId, id) => inWorkspace(workspaceId, (rows) => rows.campaigns.get(id)),
    findAdvertiser: (workspaceId, id) => inWorkspace(workspaceId, (rows) => rows.advertisers.get(id)),
    findCreative: (workspaceId, id) => inWorkspace(workspaceId, (rows) => rows.creatives.get(id)),
    findActivity: (workspaceId, actgid) => inWorkspace(workspaceId, (rows) => rows.activities.get(actgid)),
    findSegmentsOfActivity: (workspaceId, activityId, event) =>
      current()
        .findById(workspaceId)
        ?.snapshot.segments.filter((segment) => isMetByActivity(segment, activityId, event)) ?? [],
  };
}
