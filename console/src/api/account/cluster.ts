import { sendJson } from '../transport/send.ts';

/** How a node or a part of it is. */
export type NodeState = 'ready' | 'differs' | 'silent' | 'stopped';

/** A machine of the installation. Instants are ISO 8601. */
export interface ClusterNode {
  readonly id: string;
  readonly host: string;
  readonly state: NodeState;
  readonly version: string;
  readonly workers: number;
  readonly parts: readonly { readonly part: string; readonly seenAt: string }[];
  readonly problems: readonly string[];
  readonly facts: Readonly<Record<string, string>>;
}

/** A secret that all nodes share, without its content. */
export interface ClusterSecret {
  readonly name: string;
  readonly purpose: string;
  readonly rotation: string;
  readonly revision: number;
  readonly fingerprints: readonly string[];
  readonly isInVault: boolean;
  readonly changedAt: string;
}

/** The nodes and secrets of the installation. */
export interface Cluster {
  readonly id: string;
  readonly ok: boolean;
  readonly warnings: readonly string[];
  readonly nodes: readonly ClusterNode[];
  readonly secrets: readonly ClusterSecret[];
}

/** Loads the nodes and secrets; the server refuses everyone who is not an operator. */
export async function loadCluster(signal: AbortSignal): Promise<Cluster | null> {
  return (await sendJson<{ cluster: Cluster | null }>('/console-api/cluster', { signal })).cluster;
}
