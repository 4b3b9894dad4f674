import type { Kysely } from 'kysely';
import type { Database } from '../storage/sql/schema.ts';
import { type ListedNode, listNodes, NODE_SILENT_MS, readCluster } from './cluster.sql.ts';
import type { NodePart } from './cluster-deps.ts';
import { listLeases } from './job-leases.sql.ts';
import { COMMON_FACTS } from './node-facts.ts';
import { CLUSTER_SECRETS } from './secret-table.ts';

/** `silent`: it was not stopped, and has not reported itself for 30 seconds. */
export type NodeState = 'ready' | 'differs' | 'silent' | 'stopped';

/** A part of a node. */
export interface PartStatus {
  readonly part: NodePart;
  readonly state: NodeState;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly seenAt: string;
}

/** A machine of the cluster. */
export interface NodeStatus {
  readonly id: string;
  readonly host: string;
  /** The worst of its parts. */
  readonly state: NodeState;
  readonly version: string;
  readonly workers: number;
  readonly parts: readonly PartStatus[];
  /** Each says what differs and what to do. */
  readonly problems: readonly string[];
  readonly facts: Readonly<Record<string, string>>;
}

/** A secret, without its content. */
export interface SecretStatus {
  readonly name: string;
  readonly purpose: string;
  readonly rotation: string;
  readonly revision: number;
  /** Keyed: testing a guess takes the cluster key. */
  readonly fingerprints: readonly string[];
  readonly isInVault: boolean;
  readonly changedAt: string;
}

/** A job that one process of the cluster runs. */
export interface JobStatus {
  readonly name: string;
  /** The node that runs it, or ran it last. */
  readonly nodeId: string;
  /** ISO 8601. */
  readonly since: string;
  /** False: nobody runs it at present. */
  readonly runs: boolean;
}

/** The whole cluster. */
export interface ClusterStatus {
  readonly id: string;
  readonly keyFingerprint: string;
  /** Whether every node that was not stopped runs and agrees. */
  readonly ok: boolean;
  /** Facts that differ between running nodes without keeping one from serving. */
  readonly warnings: readonly string[];
  readonly nodes: readonly NodeStatus[];
  readonly secrets: readonly SecretStatus[];
  readonly jobs: readonly JobStatus[];
}

const WORST_FIRST: readonly NodeState[] = ['differs', 'silent', 'ready', 'stopped'];

/** The cluster, its nodes and secrets; null: there is none yet. */
export async function readClusterStatus(db: Kysely<Database>): Promise<ClusterStatus | null> {
  const truth = await readCluster(db, '');
  if (truth === null) return null;
  const byId = Map.groupBy(await listNodes(db), (row) => row.node_id);
  const nodes = [...byId.values()].map(toNode);
  const jobs = await listLeases(db);
  return {
    id: truth.cluster.cluster_id,
    keyFingerprint: truth.cluster.key_mark,
    ok: nodes.every(({ state }) => state === 'ready' || state === 'stopped'),
    warnings: findWarnings(nodes),
    nodes,
    jobs: jobs.map(({ name, nodeId, takenAt, isHeld }) => ({
      name,
      nodeId,
      since: takenAt.toISOString(),
      runs: isHeld,
    })),
    secrets: CLUSTER_SECRETS.flatMap(({ name, purpose, rotation }) => {
      const row = truth.secrets.find((one) => one.name === name);
      if (row === undefined) return [];
      const { revision, marks, sealed, changed_at } = row;
      const fingerprints = Object.values(marks);
      return [
        {
          name,
          purpose,
          rotation,
          revision,
          fingerprints,
          isInVault: sealed === null,
          changedAt: changed_at.toISOString(),
        },
      ];
    }),
  };
}

function toNode(rows: readonly ListedNode[]): NodeStatus {
  const [first] = rows;
  if (first === undefined) throw new Error('A node has at least one part');
  const parts = rows.map((row) => ({
    part: row.part,
    state: stateOf(row),
    startedAt: row.started_at.toISOString(),
    seenAt: row.seen_at.toISOString(),
  }));
  const running = rows.filter((row) => row.stopped_at === null);
  const newest = rows.reduce((one, other) => (other.seen_at > one.seen_at ? other : one));
  return {
    id: first.node_id,
    host: newest.host,
    state: WORST_FIRST.find((state) => parts.some((part) => part.state === state)) ?? 'stopped',
    version: newest.facts['version'] ?? '',
    workers: rows.some(({ part }) => part === 'delivery') ? Number(newest.facts['workers'] ?? 0) : 0,
    parts,
    problems: [...new Set(running.flatMap(({ problems }) => problems))],
    facts: newest.facts,
  };
}

function stateOf({ stopped_at, silent_ms, problems }: ListedNode): NodeState {
  if (stopped_at !== null) return 'stopped';
  if (silent_ms > NODE_SILENT_MS) return 'silent';
  return problems.length > 0 ? 'differs' : 'ready';
}

/** Facts that differ between running nodes without keeping one from serving, as sentences. */
export function findWarnings(nodes: readonly Pick<NodeStatus, 'state' | 'facts'>[]): string[] {
  const running = nodes.filter(({ state }) => state === 'ready' || state === 'differs');
  const differing = COMMON_FACTS.flatMap((name) => {
    const values = [...new Set(running.map(({ facts }) => facts[name] ?? 'unknown'))];
    return values.length > 1 ? [`${name} is not the same on every node: ${values.join(', ')}`] : [];
  });
  const counts = running.filter(({ facts }) => Number(facts['PLACARD_NODES']) !== running.length);
  return counts.length === 0 || running.length < 2
    ? differing
    : [...differing, `PLACARD_NODES should be ${running.length}, the number of nodes that run`];
}
